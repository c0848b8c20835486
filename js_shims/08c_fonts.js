// FontFace, document.fonts and @font-face rules: fonts of the project for text on canvases (CSS Font Loading 3).
// There is no layout that would ask for a font: rules are loaded when a canvas chooses a font, or the page asks for them.
import { exposeInterface, illegal, illegalConstructor, primordials, required, unsupported } from "ext:replay/00_primordials.js";
import { DOMException, placed } from "ext:replay/01_errors.js";
import { EventTarget, defineHandlers, hide } from "ext:replay/02_events.js";
import { queueTask } from "ext:replay/03_clock.js";
import { writtenAt } from "ext:replay/05_dom_imports.js";
import { version } from "ext:replay/05_dom_node.js";
import { sheets } from "ext:replay/05_dom_sheets.js";
import { op_asked_at, op_c2d_add_font, op_fetch } from "ext:core/ops";

const { ArrayBuffer, ArrayPrototypePush, Promise, SafeMap, Symbol, Uint8Array } = primordials;

const kLoadNow = Symbol("load now");
const kAdded = Symbol("added");
const kFromRule = Symbol("from a rule");

const unquote = (family) => family.trim().replace(/^(["'])(.*)\1$/, "$2");

/** `[{ url, format }]` of a `src` descriptor, those left out that no engine reads or that name fonts of the machine. */
function sourcesOf(text) {
  const out = [];
  for (const m of text.matchAll(/url\(\s*(?:"([^"]*)"|'([^']*)'|([^)\s]*))\s*\)(?:\s*format\(\s*["']?([-\w]+)["']?\s*\))?/g)) {
    const url = m[1] ?? m[2] ?? m[3];
    const format = (m[4] ?? /^data:(?:font|application)\/(?:x-font-|font-)?([\w]+)/.exec(url)?.[1] ?? /\.(\w+)(?:[?#]|$)/.exec(url)?.[1] ?? "").toLowerCase();
    ArrayPrototypePush(out, { url, format });
  }
  return out;
}
const READABLE = /^(?:truetype|opentype|collection|ttf|otf|ttc|woff|truetype-variations|opentype-variations|sfnt|octet)?$/;

/** CSS weights and styles as numbers; a range (a variable font) and what is not understood are the font's own business. */
const weightOf = (text) => ({ normal: 400, bold: 700 })[text] ?? (/^\d+(?:\.\d+)?$/.test(text) ? +text : NaN);
const slantOf = (text) => (/^(?:italic|oblique)\b/.test(text) ? 1 : text === "normal" ? 0 : -1);

/** Set by FontFace: a face joins the document's. */
let registerFace;

class FontFace {
  #source;
  #base;
  #bytes = null;
  #status = "unloaded";
  #settle;
  #loaded;
  #known = false;
  #asked = op_asked_at();
  constructor(family, source, descriptors = {}) {
    required(arguments.length, 2, "Failed to construct 'FontFace'");
    this.family = `${family}`;
    for (const [name, initial] of [["style", "normal"], ["weight", "normal"], ["stretch", "normal"], ["unicodeRange", "U+0-10FFFF"], ["variant", "normal"], ["featureSettings", "normal"], ["display", "auto"], ["ascentOverride", "normal"], ["descentOverride", "normal"], ["lineGapOverride", "normal"]]) {
      this[name] = descriptors?.[name] === undefined ? initial : `${descriptors[name]}`;
    }
    this.#base = globalThis.document.baseURI;
    this.#loaded = new Promise((done, fail) => {
      this.#settle = { done, fail };
    });
    this.#loaded.catch(() => {});
    const buffer = source instanceof ArrayBuffer ? source : ArrayBuffer.isView(source) ? source.buffer : null;
    if (buffer !== null) {
      this.#bytes = new Uint8Array(buffer, source.byteOffset ?? 0, source.byteLength);
      this[kLoadNow]();
    } else this.#source = `${source}`;
  }
  get status() {
    return this.#status;
  }
  get loaded() {
    return this.#loaded;
  }
  load() {
    if (this.#status === "unloaded") {
      this.#status = "loading";
      queueTask(() => this[kLoadNow]());
    }
    return this.#loaded;
  }
  /** Reads the first source that can be read. */
  [kLoadNow](base = this.#base) {
    if (this.#known || this.#status === "loaded" || this.#status === "error") return;
    if (this.#bytes === null) {
      const sources = sourcesOf(this.#source);
      const chosen = sources.find((s) => READABLE.test(s.format));
      if (chosen === undefined) {
        const formats = sources.map((s) => s.format).join(", ") || "local()";
        unsupported("FontFace", `load(${formats})`, `${this.family}: TrueType, OpenType and WOFF files are read, ${formats} is not; text uses the bundled fonts`);
        return this.#end("loaded");
      }
      let answer = null;
      try {
        const url = new URL(chosen.url, base).href;
        answer = url.startsWith("data:") || url.startsWith("blob:") ? globalThis._readUrl(url) : op_fetch(url, (this[kFromRule] ? writtenAt(chosen.url)?.place : this.#asked) || base);
      } catch {}
      if (answer === null || answer.status !== 200) return this.#end("error", "NetworkError", "A network error occurred.");
      this.#bytes = new Uint8Array(answer.body);
    }
    this.#end("loaded");
    if (this[kAdded]) this.#register();
  }
  #end(status, name, message) {
    this.#status = status;
    if (status === "loaded") this.#settle.done(this);
    else this.#settle.fail(placed(new DOMException(message, name), this.#asked));
  }
  /** Makes the font known to canvases, once it is loaded and belongs to the document. */
  #register() {
    if (this.#known || this.#status !== "loaded" || this.#bytes === null) return;
    this.#known = true;
    const why = op_c2d_add_font(unquote(this.family), weightOf(this.weight), slantOf(this.style), this.#bytes);
    this.#bytes = null;
    if (why !== "") unsupported("FontFace", `load(${why})`, `${this.family}: ${why} is not read; text uses the bundled fonts`);
  }
  static {
    registerFace = (face) => {
      face[kAdded] = true;
      face.#register();
    };
  }
}
exposeInterface(FontFace);

class FontFaceSet extends EventTarget {
  constructor(key) {
    illegalConstructor(key);
    super();
    hide(this, "_faces", new Set());
  }
  get ready() {
    loadRules();
    return Promise.resolve(this);
  }
  get status() {
    return "loaded";
  }
  get size() {
    loadRules();
    return this._faces.size;
  }
  add(face) {
    this._faces.add(face);
    registerFace(face);
    return this;
  }
  delete(face) {
    return !face[kFromRule] && this._faces.delete(face);
  }
  has(face) {
    return this._faces.has(face);
  }
  clear() {
    for (const face of [...this._faces]) this.delete(face);
  }
  check() {
    loadRules();
    return true;
  }
  load(font) {
    loadRules();
    const families = `${font}`.replace(/^.*?[\d.]+(?:px|em|rem|pt|%|vw|vh)\S*\s+/, "").split(",").map((f) => unquote(f).toLowerCase());
    const wanted = [...this._faces].filter((face) => families.includes(unquote(face.family).toLowerCase()));
    return Promise.all(wanted.map((face) => face.load()));
  }
  forEach(callback, self = undefined) {
    loadRules();
    this._faces.forEach((f) => callback.call(self, f, f, this));
  }
  keys() {
    loadRules();
    return this._faces.keys();
  }
  values() {
    loadRules();
    return this._faces.values();
  }
  entries() {
    loadRules();
    return this._faces.entries();
  }
  [Symbol.iterator]() {
    loadRules();
    return this._faces.values();
  }
}
defineHandlers(FontFaceSet.prototype, ["loading", "loadingdone", "loadingerror"]);
exposeInterface(FontFaceSet);
const fonts = new FontFaceSet(illegal);

const ruled = new SafeMap();
let seen = -1;

/** Loads what the document's @font-face rules name and was not loaded yet. */
function loadRules() {
  if (seen === version.tree) return;
  seen = version.tree;
  for (const { declarations, base } of sheets.faces()) {
    const get = (name) => declarations.get(name)?.value;
    const family = get("font-family"), source = get("src");
    if (family === undefined || source === undefined) continue;
    const key = `${family}|${source}|${get("font-weight")}|${get("font-style")}|${get("unicode-range")}`;
    if (ruled.has(key)) continue;
    const face = new FontFace(unquote(family), source, { weight: get("font-weight"), style: get("font-style"), unicodeRange: get("unicode-range") });
    ruled.set(key, face);
    face[kFromRule] = true;
    face[kLoadNow](base);
    fonts.add(face);
  }
}

export { FontFace, fonts, loadRules };
