// From XML to nodes, a well-formed subset without entities of its own (XML 1.0, Namespaces in XML 1.0), and back (DOM Parsing and
// Serialization, section 3.2).
import { hide } from "ext:replay/02_events.js";
import { kAttrs } from "ext:replay/05_dom_attributes.js";
import { HTML_NS, kLazy, removeChildren } from "ext:replay/05_dom_element.js";
import { VOID } from "ext:replay/05_dom_markup.js";
import { insert, kChildren } from "ext:replay/05_dom_node.js";

const TOKEN = /<!--[\s\S]*?-->|<!\[CDATA\[([\s\S]*?)\]\]>|<\?[\s\S]*?\?>|<!DOCTYPE(?:"[^"]*"|'[^']*'|\[[\s\S]*?\]|[^>"'[])*>|<\/([^\s>]+)\s*>|<([^\s/>]+)((?:\s+[^\s=>/]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*(\/?)>|([^<]+)/g;
const ATTRIBUTE = /([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
const NAMED = { __proto__: null, lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };

function decode(text) {
  return text.replace(/&(?:#x([0-9a-f]+)|#(\d+)|(lt|gt|amp|quot|apos));/gi, (_, hex, decimal, name) =>
    hex ? String.fromCodePoint(parseInt(hex, 16)) : decimal ? String.fromCodePoint(+decimal) : NAMED[name.toLowerCase()]);
}

/** Puts what `text` says into the empty document `made`; one `parsererror` where it is not well-formed. */
function buildXml(made, text) {
  const stack = [{ node: made, tag: "", spaces: { __proto__: null, xml: "http://www.w3.org/XML/1998/namespace" } }];
  const token = new RegExp(TOKEN);
  let m, at = 0, bad = false;
  while ((m = token.exec(text)) !== null) {
    if (m.index !== at) bad = true;
    at = token.lastIndex;
    const top = stack[stack.length - 1];
    if (m[1] !== undefined) insert(top.node, made.createTextNode(m[1]), null, "appendChild");
    else if (m[2] !== undefined) {
      if (stack.length < 2 || top.tag !== m[2]) bad = true;
      else stack.pop();
    } else if (m[3] !== undefined) {
      const attributes = [...m[4].matchAll(ATTRIBUTE)].map((a) => [a[1], decode(a[2] ?? a[3])]);
      let { spaces } = top;
      for (const [name, value] of attributes) {
        if (name === "xmlns") spaces = { ...spaces, __proto__: null, "": value };
        else if (name.startsWith("xmlns:")) spaces = { ...spaces, __proto__: null, [name.slice(6)]: value };
      }
      const colon = m[3].indexOf(":"), prefix = colon < 0 ? "" : m[3].slice(0, colon);
      const element = made._make(m[3].slice(colon + 1), spaces[prefix] ?? "");
      if (colon > 0) hide(element, "_prefix", prefix);
      // Scripts of such a document never run.
      hide(element, "_started", true);
      for (const [name, value] of attributes) {
        const end = name.indexOf(":"), space = name === "xmlns" || end === 5 && name.startsWith("xmlns") ? XMLNS : end < 0 ? undefined : spaces[name.slice(0, end)];
        if (space !== undefined) element._setSpace(name, space);
        element._change(name, value);
      }
      insert(top.node, element, null, "appendChild");
      if (m[5] === "") stack.push({ node: element, tag: m[3], spaces });
    } else if (m[6] !== undefined && (top.node !== made || m[6].trim() !== "")) {
      if (top.node === made) bad = true;
      else insert(top.node, made.createTextNode(decode(m[6])), null, "appendChild");
    }
  }
  if (!bad && stack.length === 1 && at === text.length) return;
  removeChildren(made);
  const error = made._make("parsererror", "");
  insert(error, made.createTextNode("XML parsing error"), null, "appendChild");
  insert(made, error, null, "appendChild");
}

// --- back to text -----------------------------------------------------------------------------------------------------

const XML = "http://www.w3.org/XML/1998/namespace", XMLNS = "http://www.w3.org/2000/xmlns/";
const MARKS = { __proto__: null, "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\t": "&#9;", "\n": "&#10;", "\r": "&#13;" };
const escapeText = (text) => text.replace(/[&<>]/g, (c) => MARKS[c]);
const escapeValue = (text) => text.replace(/[&<>"\t\n\r]/g, (c) => MARKS[c]);

/** `node` as XML. */
function serializeXml(node) {
  return write(node, "", [["xml", XML]], { __proto__: null, next: 1 });
}

/** `outer`: the default namespace where the node stands; `known`: pairs of prefix and namespace, the latest last; `made`: counts the prefixes made up. */
function write(node, outer, known, made) {
  switch (node.nodeType) {
    case 1: return writeElement(node, outer, known, made);
    case 3: return escapeText(node.data);
    case 8: return `<!--${node.data}-->`;
    case 10: return `<!DOCTYPE ${node.name}>`;
    default: return writeAll(node, outer, known, made);
  }
}

function writeAll(node, outer, known, made) {
  let out = "";
  for (const child of node[kChildren]) out += write(child, outer, known, made);
  return out;
}

/** The prefix that means `space`: `wanted` if it is one, else the latest; null if there is none. */
function prefixOf(known, space, wanted) {
  const all = known.filter((pair) => pair[1] === space);
  return all.some((pair) => pair[0] === wanted) ? wanted : all.at(-1)?.[0] ?? null;
}

/** Attributes with their namespaces: what is simply named `xmlns` counts as the declaration that it looks like. */
function attributesOf(element) {
  const spaces = element[kLazy].spaces, out = [];
  for (const [name, value] of element[kAttrs]) {
    const space = spaces?.get(name) ?? (name === "xmlns" ? XMLNS : null), colon = space === null ? -1 : name.indexOf(":");
    out.push({ __proto__: null, space, prefix: colon < 0 ? null : name.slice(0, colon), local: name.slice(colon + 1), value });
  }
  return out;
}

function writeElement(element, outer, outerKnown, made) {
  const known = [...outerKnown], declared = { __proto__: null }, attributes = attributesOf(element);
  let standard = null;
  for (const { space, prefix, local, value } of attributes) {
    if (space !== XMLNS) continue;
    if (prefix === null) standard = value;
    else if (value !== XML && !known.some((pair) => pair[0] === local && pair[1] === value)) {
      known.push([local, value]);
      declared[local] = value;
    }
  }
  const space = element._ns, prefix = element.prefix;
  let name = element.localName, inner = outer, head = "", hidden = false;
  if (outer === space) {
    hidden = standard !== null;
    if (space === XML) name = `xml:${name}`;
  } else {
    let own = prefixOf(known, space, prefix);
    if (own === null && prefix !== null) {
      own = prefix in declared ? makePrefix(known, space, made) : prefix;
      known.push([own, space]);
      declared[own] = space;
      head = ` xmlns:${own}="${escapeValue(space)}"`;
    }
    if (own !== null) {
      name = `${own}:${name}`;
      inner = standard !== null && standard !== XML ? standard : outer;
    } else {
      inner = space;
      if (standard !== space) {
        hidden = true;
        head = ` xmlns="${escapeValue(space)}"`;
      }
    }
  }
  let out = `<${name}${head}`;
  for (const attribute of attributes) out += writeAttribute(attribute, known, declared, hidden, made);
  const from = element._name === "template" && element.content !== undefined ? element.content : element;
  if (from[kChildren].length === 0) {
    if (space !== HTML_NS) return `${out}/>`;
    if (VOID.has(element.localName)) return `${out} />`;
  }
  return `${out}>${writeAll(from, inner, known, made)}</${name}>`;
}

function makePrefix(known, space, made) {
  const own = `ns${made.next++}`;
  known.push([own, space]);
  return own;
}

function writeAttribute({ space, prefix, local, value }, known, declared, hidden, made) {
  const text = (name) => ` ${name}="${escapeValue(value)}"`;
  if (space === null) return text(local);
  if (space === XMLNS) {
    if (value === XML || (prefix === null && hidden)) return "";
    // What is said already further out is not said again.
    if (prefix !== null && declared[local] !== value && known.some((pair) => pair[0] === local && pair[1] === value)) return "";
    return text(prefix === null ? local : `xmlns:${local}`);
  }
  const own = prefixOf(known, space, prefix);
  if (own !== null) return text(`${own}:${local}`);
  let fresh = prefix;
  if (prefix === null || prefix in declared) fresh = makePrefix(known, space, made);
  else known.push([prefix, space]);
  declared[fresh] = space;
  return ` xmlns:${fresh}="${escapeValue(space)}"${text(`${fresh}:${local}`)}`;
}

export { buildXml, serializeXml };
