// From XML to nodes: a well-formed subset without entities of its own (XML 1.0, Namespaces in XML 1.0).
import { hide } from "ext:replay/02_events.js";
import { removeChildren } from "ext:replay/05_dom_element.js";
import { insert } from "ext:replay/05_dom_node.js";

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
      for (const [name, value] of attributes) element._change(name, value);
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

export { buildXml };
