// HTMLInputElement: what its value may be, by its type (HTML, 4.10.5).
import { fire } from "ext:replay/02_events.js";
import { kLazy } from "ext:replay/05_dom_element.js";
import { HTMLElement, define, kinds } from "ext:replay/05_dom_html.js";
import { kDocument } from "ext:replay/05_dom_node.js";
import { lower } from "ext:replay/05_dom_util.js";

/** What `value` means where it is no value of its own. */
const MODES = {
  __proto__: null, checkbox: "default/on", radio: "default/on", hidden: "default", submit: "default", image: "default", reset: "default",
  button: "default", file: "filename",
};

/** A valid floating-point number (HTML, 2.3.4.3), else NaN. */
function parseNumber(text) {
  return text !== null && /^-?(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?$/.test(text) ? +text : NaN;
}

/** The value sanitization algorithm of the input's type. */
function sanitize(input, text) {
  switch (input.type) {
    case "range": return sanitizeRange(input, text);
    case "number": return Number.isNaN(parseNumber(text)) ? "" : text;
    case "color": {
      if (/^#[0-9a-f]{3}$/i.test(text)) return lower(text.replace(/[^#]/g, "$&$&"));
      return /^#[0-9a-f]{6}$/i.test(text) ? lower(text) : "#000000";
    }
    default: return text.replace(/[\r\n]/g, "");
  }
}

/** Between the limits, on a step, ties upwards; the middle where there is no number (HTML, 4.10.5.1.13). */
function sanitizeRange(input, text) {
  const attribute = (name) => parseNumber(input.getAttribute(name));
  const low = attribute("min"), high = attribute("max"), step = attribute("step");
  const min = Number.isNaN(low) ? 0 : low, max = Number.isNaN(high) ? 100 : high;
  let value = parseNumber(text.trim());
  if (Number.isNaN(value)) value = max < min ? min : min + (max - min) / 2;
  value = Math.max(min, Math.min(max, value));
  if (lower(input.getAttribute("step") ?? "") === "any") return `${value}`;
  const by = step > 0 ? step : 1;
  const own = attribute("value");
  const base = !Number.isNaN(low) ? low : Number.isNaN(own) ? 0 : own;
  // The half of a rounding error decides no tie: 0.35 is on a step of 0.05.
  let steps = Math.floor((value - base) / by + 0.5 + 1e-9);
  const most = Math.floor((max - base) / by + 1e-9), least = Math.ceil((min - base) / by - 1e-9);
  if (least <= most) steps = Math.max(least, Math.min(most, steps));
  else return `${value}`;
  const digits = Math.max(...[by, base].map((n) => /\.(\d+)$/.exec(`${n}`)?.[1].length ?? (/e-(\d+)$/.exec(`${n}`)?.[1] | 0)));
  return `${+(base + steps * by).toFixed(Math.min(digits, 100))}`;
}

define("HTMLInputElement", ["input"], [
  ["name", "string"], ["disabled", "bool"], ["min", "string"], ["max", "string"], ["step", "string"], ["placeholder", "string"],
  ["readOnly", "bool"], ["required", "bool"], ["multiple", "bool"], ["accept", "string"], ["defaultValue", "string", "value"],
  ["defaultChecked", "bool", "checked"], ["pattern", "string"], ["autocomplete", "string"], ["width", "int"], ["height", "int"],
  ["size", "int", "size", 20], ["maxLength", "int", "maxlength", -1],
  ["src", "url"], ["alt", "string"],
], class HTMLInputElement extends HTMLElement {
  get type() {
    return lower(this.getAttribute("type") ?? "text");
  }
  set type(value) {
    this.setAttribute("type", value);
  }
  get value() {
    const text = this.getAttribute("value");
    switch (MODES[this.type]) {
      case "default/on": return text ?? "on";
      case "default": return text ?? "";
      case "filename": return "";
      default: return this[kLazy].value ?? sanitize(this, text ?? "");
    }
  }
  set value(value) {
    const text = value === null ? "" : `${value}`;
    const mode = MODES[this.type];
    if (mode === "default" || mode === "default/on") this.setAttribute("value", text);
    if (mode !== undefined) return;
    this[kLazy].value = sanitize(this, text);
    this[kLazy].dirty = true;
  }
  get valueAsNumber() {
    return this.value === "" ? NaN : +this.value;
  }
  set valueAsNumber(n) {
    this.value = `${n}`;
  }
  get checked() {
    return this[kLazy].checked ?? this.hasAttribute("checked");
  }
  set checked(value) {
    this[kLazy].checked = !!value;
    if (value && this.type === "radio" && this.name !== "") {
      for (const other of this[kDocument].querySelectorAll(`input[type=radio]`)) {
        if (other !== this && other.name === this.name) other[kLazy].checked = false;
      }
    }
  }
  get files() {
    return [];
  }
  get form() {
    return this.closest("form");
  }
  get labels() {
    return this.id === "" ? [] : this[kDocument].querySelectorAll(`label[for="${this.id}"]`);
  }
  get validity() {
    return { valid: true };
  }
  /** Its attributes are those of the markup it comes from: only now is there a value to hold against them. */
  _made() {
    if (this[kLazy].dirty !== true) this[kLazy].value = sanitize(this, this.getAttribute("value") ?? "");
  }
  _clone() {
    const copy = super._clone();
    const { value, dirty, checked } = this[kLazy];
    Object.assign(copy[kLazy], { value, dirty, checked });
    copy._made();
    return copy;
  }
  _activate() {
    if (this.type !== "checkbox" && this.type !== "radio") return;
    this.checked = this.type === "radio" ? true : !this.checked;
    fire(this, "input", { bubbles: true });
    fire(this, "change", { bubbles: true });
  }
  select() {}
  setSelectionRange() {}
  checkValidity() {
    return true;
  }
  stepUp(n = 1) {
    this.value = `${+this.value + n * +(this.step || 1)}`;
  }
  stepDown(n = 1) {
    this.stepUp(-n);
  }
});
kinds.changed.set("input", (input, name) => {
  if (name !== "type" && name !== "min" && name !== "max" && name !== "step" && name !== "value") return;
  const lazy = input[kLazy], text = input.getAttribute("value") ?? "";
  if (name === "value" ? lazy.dirty !== true : lazy.value === undefined) lazy.value = text;
  lazy.value = sanitize(input, lazy.value ?? text);
});
