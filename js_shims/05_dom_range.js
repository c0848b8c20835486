// Ranges and the selection (DOM 5, Selection API), without the drawn part: a range does not follow what changes in the tree after it was set.
import { constants, expose, exposeInterface, illegal, illegalConstructor, primordials, required } from "ext:replay/00_primordials.js";
import { DOMException } from "ext:replay/01_errors.js";
import { descendants } from "ext:replay/05_dom_element.js";
import { fragmentOf } from "ext:replay/05_dom_markup.js";
import { DOCUMENT_FRAGMENT_NODE, DOCUMENT_NODE, DOCUMENT_TYPE_NODE, ELEMENT_NODE, TEXT_NODE, detach, insert, isNode, kChildren, kUp } from "ext:replay/05_dom_node.js";
import { DOMRect } from "ext:replay/05_dom_rect.js";

const { ArrayPrototypeIndexOf, ArrayPrototypeSlice, ArrayPrototypeUnshift, TypeError } = primordials;

const isText = (node) => node.data !== undefined;
const lengthOf = (node) => (isText(node) ? node.data.length : node[kChildren].length);
const indexOf = (node) => ArrayPrototypeIndexOf(node[kUp][kChildren], node);

/** Where the place `offset` in `node` is in the tree: the index of each node around, from the root, then the offset. */
function way(node, offset) {
  const out = [offset];
  for (let at = node; at[kUp] !== null; at = at[kUp]) ArrayPrototypeUnshift(out, indexOf(at));
  return out;
}

/** Below 0 if the first place is before the second one, 0 if they are the same. */
function compare(node, offset, other, otherOffset) {
  if (node === other) return Math.sign(offset - otherOffset);
  const a = way(node, offset), b = way(other, otherOffset);
  for (let i = 0; i < a.length && i < b.length; i++) if (a[i] !== b[i]) return Math.sign(a[i] - b[i]);
  return Math.sign(a.length - b.length);
}

class AbstractRange {
  #start;
  #end;
  constructor(key) {
    illegalConstructor(key);
    this.#start = this.#end = [globalThis.document, 0];
  }
  get startContainer() {
    return this.#start[0];
  }
  get startOffset() {
    return this.#start[1];
  }
  get endContainer() {
    return this.#end[0];
  }
  get endOffset() {
    return this.#end[1];
  }
  get collapsed() {
    return this.#start[0] === this.#end[0] && this.#start[1] === this.#end[1];
  }
  static _set(range, start, end) {
    range.#start = start;
    range.#end = end;
  }
}
const put = AbstractRange._set;
delete AbstractRange._set;
exposeInterface(AbstractRange);

function checkNode(node, method) {
  if (!isNode(node)) throw new TypeError(`Failed to execute '${method}' on 'Range': parameter 1 is not of type 'Node'.`);
}

function parentOf(node, method) {
  checkNode(node, method);
  if (node[kUp] === null) throw new DOMException(`Failed to execute '${method}' on 'Range': the given Node has no parent.`, "InvalidNodeTypeError");
  return node[kUp];
}

/** One end of `range` goes to `offset` in `node`; the other one goes along if it were beyond (DOM 5.5, "set the start or end"). */
function setEnd(range, node, offset, first, method) {
  checkNode(node, method);
  const at = offset >>> 0;
  if (node.nodeType === DOCUMENT_TYPE_NODE) throw new DOMException(`Failed to execute '${method}' on 'Range': The node provided is of type '${node.nodeName}'.`, "InvalidNodeTypeError");
  if (at > lengthOf(node)) {
    const what = isText(node) ? `The offset ${at} is larger than the node's length (${lengthOf(node)}).` : `There is no child at offset ${at}.`;
    throw new DOMException(`Failed to execute '${method}' on 'Range': ${what}`, "IndexSizeError");
  }
  const [other, otherAt] = first ? [range.endContainer, range.endOffset] : [range.startContainer, range.startOffset];
  const beyond = node.getRootNode() !== other.getRootNode() || (first ? compare(node, at, other, otherAt) > 0 : compare(node, at, other, otherAt) < 0);
  const own = [node, at], kept = beyond ? own : [other, otherAt];
  put(range, first ? own : kept, first ? kept : own);
}

class Range extends AbstractRange {
  constructor() {
    super(illegal);
  }
  get commonAncestorContainer() {
    let at = this.startContainer;
    while (!at.contains(this.endContainer)) at = at[kUp];
    return at;
  }
  setStart(node, offset) {
    setEnd(this, node, offset, true, "setStart");
  }
  setEnd(node, offset) {
    setEnd(this, node, offset, false, "setEnd");
  }
  setStartBefore(node) {
    this.setStart(parentOf(node, "setStartBefore"), indexOf(node));
  }
  setStartAfter(node) {
    this.setStart(parentOf(node, "setStartAfter"), indexOf(node) + 1);
  }
  setEndBefore(node) {
    this.setEnd(parentOf(node, "setEndBefore"), indexOf(node));
  }
  setEndAfter(node) {
    this.setEnd(parentOf(node, "setEndAfter"), indexOf(node) + 1);
  }
  collapse(toStart = false) {
    const to = toStart ? [this.startContainer, this.startOffset] : [this.endContainer, this.endOffset];
    put(this, to, to);
  }
  selectNode(node) {
    const parent = parentOf(node, "selectNode"), at = indexOf(node);
    put(this, [parent, at], [parent, at + 1]);
  }
  selectNodeContents(node) {
    checkNode(node, "selectNodeContents");
    put(this, [node, 0], [node, lengthOf(node)]);
  }
  compareBoundaryPoints(how, other) {
    const [own, its] = [[true, true], [false, true], [false, false], [true, false]][how] ?? [];
    if (own === undefined) {
      throw new DOMException("Failed to execute 'compareBoundaryPoints' on 'Range': The comparison method provided must be one of 'START_TO_START', 'START_TO_END', 'END_TO_END', or 'END_TO_START'.", "NotSupportedError");
    }
    const end = (range, start) => (start ? [range.startContainer, range.startOffset] : [range.endContainer, range.endOffset]);
    return compare(...end(this, own), ...end(other, its));
  }
  comparePoint(node, offset) {
    if (compare(node, offset, this.startContainer, this.startOffset) < 0) return -1;
    return compare(node, offset, this.endContainer, this.endOffset) > 0 ? 1 : 0;
  }
  isPointInRange(node, offset) {
    return node.getRootNode() === this.startContainer.getRootNode() && this.comparePoint(node, offset) === 0;
  }
  intersectsNode(node) {
    const parent = node[kUp];
    if (node.getRootNode() !== this.startContainer.getRootNode()) return false;
    if (parent === null) return true;
    const at = indexOf(node);
    return compare(parent, at, this.endContainer, this.endOffset) < 0 && compare(parent, at + 1, this.startContainer, this.startOffset) > 0;
  }
  cloneRange() {
    const copy = new Range();
    put(copy, [this.startContainer, this.startOffset], [this.endContainer, this.endOffset]);
    return copy;
  }
  cloneContents() {
    return contents(this, true, false);
  }
  extractContents() {
    return contents(this, true, true);
  }
  deleteContents() {
    contents(this, false, true);
  }
  insertNode(node) {
    checkNode(node, "insertNode");
    let at = this.startContainer, before;
    if (at.nodeType === TEXT_NODE) {
      before = at.ownerDocument.createTextNode(at.data.slice(this.startOffset));
      at.data = at.data.slice(0, this.startOffset);
      insert(at[kUp], before, at.nextSibling, "insertNode");
      at = at[kUp];
    } else before = at[kChildren][this.startOffset] ?? null;
    const was = this.collapsed, count = node.nodeType === DOCUMENT_FRAGMENT_NODE ? node[kChildren].length : 1;
    const index = before === null ? at[kChildren].length : indexOf(before);
    insert(at, node, before, "insertNode");
    if (was || this.endContainer === at) put(this, [this.startContainer, this.startOffset], was ? [at, index + count] : [at, this.endOffset + count]);
  }
  surroundContents(parent) {
    const inner = this.extractContents();
    for (const child of ArrayPrototypeSlice(parent[kChildren])) detach(child);
    this.insertNode(parent);
    insert(parent, inner, null, "surroundContents");
    this.selectNode(parent);
  }
  createContextualFragment(html) {
    required(arguments.length, 1, "Failed to execute 'createContextualFragment' on 'Range'");
    const at = this.startContainer;
    const around = at.nodeType === ELEMENT_NODE ? at : isText(at) ? at.parentElement : null;
    const document = at.nodeType === DOCUMENT_NODE ? at : at.ownerDocument;
    const context = around === null || around.localName === "html" ? document.createElement("body") : around;
    const fragment = fragmentOf(context, `${html}`);
    // Unlike those of `innerHTML`, its scripts run once they are put in (DOM Parsing, 7.2).
    for (const script of descendants(fragment, (e) => e.localName === "script")) script._started = false;
    return fragment;
  }
  getBoundingClientRect() {
    return new DOMRect();
  }
  getClientRects() {
    return [];
  }
  detach() {}
  toString() {
    let out = "";
    const visit = (node) => {
      if (node.nodeType === TEXT_NODE) {
        const from = node === this.startContainer ? this.startOffset : 0, to = node === this.endContainer ? this.endOffset : node.data.length;
        if (compare(node, to, this.startContainer, this.startOffset) > 0 && compare(node, from, this.endContainer, this.endOffset) < 0) out += node.data.slice(from, to);
      }
      for (const child of node[kChildren]) visit(child);
    };
    visit(this.commonAncestorContainer);
    return out;
  }
}
exposeInterface(Range);
constants(Range, { START_TO_START: 0, START_TO_END: 1, END_TO_END: 2, END_TO_START: 3 });

/** What is in `range`, copied if `copy`, cut out of the tree if `cut` (DOM 5.5, "extract", "clone the contents"). */
function contents(range, copy, cut) {
  const { startContainer: start, startOffset, endContainer: end, endOffset } = range;
  const fragment = (start.ownerDocument ?? start).createDocumentFragment();
  const add = (node) => void (copy && insert(fragment, node, null, "appendChild"));
  const piece = (node, from, to) => {
    const part = node.cloneNode(false);
    part.data = node.data.slice(from, to);
    add(part);
    if (cut) node.data = node.data.slice(0, from) + node.data.slice(to);
  };
  if (range.collapsed) return fragment;
  if (start === end && isText(start)) {
    piece(start, startOffset, endOffset);
    if (cut) put(range, [start, startOffset], [start, startOffset]);
    return fragment;
  }
  const common = range.commonAncestorContainer;
  const [first, last] = [start, end].map((node) => (node === common ? null : common[kChildren].find((child) => child.contains(node))));
  const whole = common[kChildren].filter((child) => {
    const at = indexOf(child);
    return compare(common, at, start, startOffset) >= 0 && compare(common, at + 1, end, endOffset) <= 0;
  });
  const after = first === null ? [start, startOffset] : [common, indexOf(first) + 1];
  const part = (node, from, fromAt, to, toAt) => {
    if (isText(node)) return piece(node, fromAt, toAt);
    const inner = new Range();
    put(inner, [from, fromAt], [to, toAt]);
    const outer = node.cloneNode(false);
    add(outer);
    insert(outer, contents(inner, copy, cut), null, "appendChild");
  };
  if (first !== null) part(first, start, startOffset, first, lengthOf(first));
  for (const node of whole) {
    if (cut) detach(node);
    add(cut ? node : node.cloneNode(true));
  }
  if (last !== null) part(last, last, 0, end, endOffset);
  if (cut) put(range, after, after);
  return fragment;
}

// --- the selection ------------------------------------------------------------------------------------------------------

class Selection {
  #range = null;
  #backward = false;
  constructor(key) {
    illegalConstructor(key);
  }
  #select(start, end, backward = false) {
    this.#range = new Range();
    this.#backward = backward;
    put(this.#range, start, end);
  }
  #end(anchor) {
    const range = this.#range;
    if (range === null) return [null, 0];
    return anchor !== this.#backward ? [range.startContainer, range.startOffset] : [range.endContainer, range.endOffset];
  }
  get rangeCount() {
    return this.#range === null ? 0 : 1;
  }
  get type() {
    return this.#range === null ? "None" : this.#range.collapsed ? "Caret" : "Range";
  }
  get isCollapsed() {
    return this.#range === null || this.#range.collapsed;
  }
  get anchorNode() {
    return this.#end(true)[0];
  }
  get anchorOffset() {
    return this.#end(true)[1];
  }
  get focusNode() {
    return this.#end(false)[0];
  }
  get focusOffset() {
    return this.#end(false)[1];
  }
  getRangeAt(index) {
    if (this.#range === null || index >>> 0 !== 0) throw new DOMException(`Failed to execute 'getRangeAt' on 'Selection': ${index >>> 0} is not a valid index.`, "IndexSizeError");
    return this.#range;
  }
  addRange(range) {
    if (this.#range === null) this.#range = range;
  }
  removeRange(range) {
    if (this.#range === range) this.removeAllRanges();
  }
  removeAllRanges() {
    this.#range = null;
    this.#backward = false;
  }
  empty() {
    this.removeAllRanges();
  }
  collapse(node, offset = 0) {
    if (node === null) return this.removeAllRanges();
    this.#select([node, offset], [node, offset]);
  }
  setPosition(node, offset = 0) {
    this.collapse(node, offset);
  }
  collapseToStart() {
    this.#range?.collapse(true);
  }
  collapseToEnd() {
    this.#range?.collapse(false);
  }
  selectAllChildren(node) {
    this.#select([node, 0], [node, node[kChildren].length]);
  }
  setBaseAndExtent(anchor, anchorOffset, focus, focusOffset) {
    const backward = compare(anchor, anchorOffset, focus, focusOffset) > 0;
    const [start, end] = [[anchor, anchorOffset], [focus, focusOffset]];
    this.#select(backward ? end : start, backward ? start : end, backward);
  }
  extend(node, offset = 0) {
    const [anchor, at] = this.#end(true);
    if (anchor !== null) this.setBaseAndExtent(anchor, at, node, offset);
  }
  containsNode(node, partly = false) {
    if (this.#range === null || !this.#range.intersectsNode(node)) return false;
    const parent = node[kUp];
    return partly || parent === null || (this.#range.comparePoint(parent, indexOf(node)) === 0 && this.#range.comparePoint(parent, indexOf(node) + 1) === 0);
  }
  deleteFromDocument() {
    this.#range?.deleteContents();
  }
  toString() {
    return this.#range === null ? "" : `${this.#range}`;
  }
}
exposeInterface(Selection);

const selection = new Selection(illegal);
expose("getSelection", () => selection);

export { Range, selection };
