// The evidence of a frame as numbers, handed over in one piece: no object per record, no copy per number.
import { primordials } from "ext:replay/00_primordials.js";

const { Float64Array, TypedArrayPrototypeGetBuffer, TypedArrayPrototypeSet, Uint8Array } = primordials;

let words = new Float64Array(4096);
let bytes = new Uint8Array(TypedArrayPrototypeGetBuffer(words));
let used = 0;

function grow(room) {
  if (used + room <= words.length) return;
  const larger = new Float64Array((used + room) * 2);
  TypedArrayPrototypeSet(larger, words);
  words = larger;
  bytes = new Uint8Array(TypedArrayPrototypeGetBuffer(larger));
}

/** Appends a number; what is none is NaN. */
export function write(value) {
  grow(1);
  words[used++] = value;
}

/** Appends a Matrix4's elements, column-major. */
export function writeMatrix(matrix) {
  grow(16);
  const elements = matrix.elements;
  for (let i = 0; i < 16; i++) words[used + i] = elements[i];
  used += 16;
}

/** Where the log stands, for `rewind` when a record cannot be finished. */
export function mark() {
  return used;
}

export function rewind(to) {
  used = to;
}

/** The log so far, and begins the next. The bytes are good until the next `write`. */
export function startLog() {
  const log = { __proto__: null, bytes, words: used };
  used = 0;
  return log;
}
