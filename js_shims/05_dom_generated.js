// Boxes that styles generate before and after the contents of elements (CSS Pseudo-Elements 4, section 4; CSS Content 3).
// Such a box is an element that its origin does not have as a child, so that all that asks elements about styles can ask it too.
import { illegal, primordials } from "ext:replay/00_primordials.js";
import { hide } from "ext:replay/02_events.js";
import { cascade, kGenerated, mayGenerate } from "ext:replay/05_dom_cascade.js";
import { HTMLElement } from "ext:replay/05_dom_html.js";
import { Text, kChildren, kDocument, kUp } from "ext:replay/05_dom_node.js";

const { ArrayPrototypePush, StringFromCodePoint } = primordials;

/** Elements whose contents are not the page's have no such boxes. */
const REPLACED = new Set([
  "canvas", "img", "video", "audio", "iframe", "object", "embed", "input", "textarea", "select", "br", "wbr", "svg", "progress", "meter",
]);

const boxes = new WeakMap();

/** The box `which` ("before" or "after") of `element`, whether it is there or not: what styles say of it. */
function generatedBox(element, which) {
  let own = boxes.get(element);
  if (own === undefined) boxes.set(element, own = { __proto__: null, before: undefined, after: undefined });
  if (own[which] === undefined) {
    const box = new HTMLElement(illegal, element[kDocument], "span");
    hide(box, kGenerated, { origin: element, which });
    box[kUp] = element;
    own[which] = box;
  }
  return own[which];
}

/** The box `which` of `element` with its text, null where there is none: `content` says so. */
function generated(element, which) {
  if (REPLACED.has(element.localName) || !mayGenerate(element, which)) return null;
  const box = generatedBox(element, which);
  const text = textOf(element, contentOf(box));
  if (text === null) return null;
  if (text === "") box[kChildren] = [];
  else if (box[kChildren][0]?.data !== text) {
    const node = new Text(text);
    node[kUp] = box;
    box[kChildren] = [node];
  }
  return box;
}

/** Is `element` no generated box, or one that is there? */
function isThere(element) {
  const made = element[kGenerated];
  return made === undefined || generated(made.origin, made.which) === element;
}

/** Value of `content` of a generated box. */
function contentOf(box) {
  return cascade(box).get("content")?.value ?? "none";
}

const PART = /"((?:[^"\\]|\\[\s\S])*)"|'((?:[^'\\]|\\[\s\S])*)'|\battr\(\s*([-\w]+)[^()]*\)|(\bcounters?\([^()]*\)|\b(?:open|close)-quote\b)|\b[-a-z]+\((?:[^()]|\([^()]*\))*\)|\/[\s\S]*$/g;

/** The text that `content` says, with a sign for each counter and quote; null where it makes no box. */
function textOf(element, content) {
  if (/^\s*(?:none|normal|initial|unset|revert|revert-layer|inherit)?\s*$/i.test(content)) return null;
  const parts = [];
  for (const [, double, single, attribute, sign] of content.matchAll(PART)) {
    const quoted = double ?? single;
    if (quoted !== undefined) ArrayPrototypePush(parts, unescaped(quoted));
    else if (attribute !== undefined) ArrayPrototypePush(parts, element.getAttribute(attribute) ?? "");
    else if (sign !== undefined) ArrayPrototypePush(parts, sign);
  }
  return parts.join("");
}

/** A string of CSS without its escapes (CSS Syntax 3, section 4.3.7). */
function unescaped(text) {
  return text.replace(/\\(?:([0-9a-f]{1,6})\s?|\r?\n|([\s\S]))/gi, (_, hex, other) => {
    if (hex === undefined) return other ?? "";
    const code = parseInt(hex, 16);
    return code === 0 || code > 0x10ffff || (code >= 0xd800 && code < 0xe000) ? "\ufffd" : StringFromCodePoint(code);
  });
}

export { contentOf, generated, generatedBox, isThere };
