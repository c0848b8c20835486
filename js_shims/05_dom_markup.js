// From markup to nodes and back (HTML 13.2 to 13.4).
import { illegal } from "ext:replay/00_primordials.js";
import { hide } from "ext:replay/02_events.js";
import { kAttrs } from "ext:replay/05_dom_attributes.js";
import { DocumentFragment, HTML_NS, docOf } from "ext:replay/05_dom_element.js";
import { ELEMENT_NODE, insert, kChildren, kUp } from "ext:replay/05_dom_node.js";
import { op_parse_html_fragment } from "ext:core/ops";

/** Attributes that have a namespace in SVG and MathML (HTML 13.2.6.1, "adjust foreign attributes"). */
const FOREIGN = { __proto__: null, xmlns: "http://www.w3.org/2000/xmlns/", "xmlns:xlink": "http://www.w3.org/2000/xmlns/" };
for (const name of ["actuate", "arcrole", "href", "role", "show", "title", "type"]) FOREIGN[`xlink:${name}`] = "http://www.w3.org/1999/xlink";
for (const name of ["lang", "space"]) FOREIGN[`xml:${name}`] = "http://www.w3.org/XML/1998/namespace";

/** Nodes of a flat list from the parser, as children of `root`; `each` sees every node once it is in the tree. */
function* buildNodes(document, list, root, fragment) {
  const made = [];
  for (let i = 0; i < list.length; i++) {
    const f = list[i];
    let node;
    if (f.kind === 1) {
      node = document._make(f.name, f.ns === "" ? HTML_NS : f.ns);
      // Lines of a fragment are not the page's.
      if (fragment) hide(node, "_started", true);
      else hide(node, "_line", f.line);
      for (let a = 0; a < f.attrs.length; a++) {
        const space = f.ns === "" || f.ns === HTML_NS ? undefined : FOREIGN[f.attrs[a][0]];
        if (space !== undefined) node._setSpace(f.attrs[a][0], space);
        node._change(f.attrs[a][0], f.attrs[a][1]);
      }
      node._made?.();
    } else if (f.kind === 3) node = document.createTextNode(f.name);
    else if (f.kind === 8) node = document.createComment(f.name);
    else node = document._doctype(f.name);
    made[i] = node;
    const parent = f.parent < 0 ? root : made[f.parent];
    // A template's children are its content.
    insert(parent._name === "template" && parent.content !== undefined ? parent.content : parent, node, null, "appendChild");
    yield { node, next: i + 1 < list.length ? list[i + 1].parent : -1, index: i };
  }
}

function fragmentOf(context, html) {
  const document = docOf(context);
  const fragment = new DocumentFragment(illegal, document);
  const [name, space] = context.nodeType === ELEMENT_NODE ? [context.localName, context._ns] : ["body", HTML_NS];
  for (const step of buildNodes(document, op_parse_html_fragment(html, name, space), fragment, true)) void step;
  return fragment;
}

const VOID = new Set(["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"]);
const RAW = new Set(["style", "script", "xmp", "iframe", "noembed", "noframes", "plaintext"]);
const escape = (s) => s.replace(/&/g, "&amp;").replace(/\u00a0/g, "&nbsp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
const escapeAttr = (s) => s.replace(/&/g, "&amp;").replace(/\u00a0/g, "&nbsp;").replace(/"/g, "&quot;").replace(/</g, "&lt;").replace(/>/g, "&gt;");

function serialize(node) {
  switch (node.nodeType) {
    case ELEMENT_NODE: {
      const tag = node.prefix === null ? node.localName : `${node.prefix}:${node.localName}`;
      let out = `<${tag}`;
      for (const [k, v] of node[kAttrs]) out += ` ${k}="${escapeAttr(v)}"`;
      out += ">";
      return VOID.has(node.localName) ? out : `${out}${serializeChildren(node)}</${tag}>`;
    }
    case 3: {
      const parent = node[kUp];
      return parent !== null && RAW.has(parent.localName) ? node.data : escape(node.data);
    }
    case 8: return `<!--${node.data}-->`;
    case 10: return `<!DOCTYPE ${node.name}>`;
    default: return serializeChildren(node);
  }
}

function serializeChildren(node) {
  const from = node._name === "template" && node.content !== undefined ? node.content : node;
  let out = "";
  for (const c of from[kChildren]) out += serialize(c);
  return out;
}

export { VOID, buildNodes, fragmentOf, serialize, serializeChildren };
