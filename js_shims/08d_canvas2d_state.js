// The attributes of a 2D context: what each accepts, what it gives back, what save() keeps.
import { loadRules } from "ext:replay/08c_fonts.js";
import { primordials, unsupported } from "ext:replay/00_primordials.js";
import {
  op_c2d_set_color, op_c2d_set_font, op_c2d_set_gradient, op_c2d_set_number, op_c2d_set_pattern, op_c2d_set_shadow_color, op_c2d_set_word,
} from "ext:core/ops";
import { CanvasGradient, CanvasPattern } from "ext:replay/08a_canvas2d_objects.js";

const { NumberIsFinite, ObjectDefineProperty } = primordials;

/** The script's view of the state; the engine's is behind the handle. */
export function initialState() {
  return {
    __proto__: null,
    fillStyle: "#000000", strokeStyle: "#000000", globalAlpha: 1, globalCompositeOperation: "source-over", filter: "none",
    lineWidth: 1, lineCap: "butt", lineJoin: "miter", miterLimit: 10, lineDashOffset: 0, dash: [],
    shadowBlur: 0, shadowOffsetX: 0, shadowOffsetY: 0, shadowColor: "rgba(0, 0, 0, 0)",
    font: "10px sans-serif", textAlign: "start", textBaseline: "alphabetic", direction: "ltr", letterSpacing: "0px", wordSpacing: "0px",
    fontKerning: "auto", fontStretch: "normal", fontVariantCaps: "normal", textRendering: "auto",
    imageSmoothingEnabled: true, imageSmoothingQuality: "low",
  };
}

/** op_c2d_set_number: attribute, its number, the values it takes. */
const NUMBERS = [
  ["globalAlpha", 0, (v) => v >= 0 && v <= 1],
  ["lineWidth", 1, (v) => v > 0],
  ["miterLimit", 2, (v) => v > 0],
  ["lineDashOffset", 3, () => true],
  ["shadowBlur", 4, (v) => v >= 0],
  ["shadowOffsetX", 5, () => true],
  ["shadowOffsetY", 6, () => true],
];
/** op_c2d_set_word. */
const WORDS = [["globalCompositeOperation", 0], ["lineCap", 1], ["lineJoin", 2], ["textAlign", 3], ["textBaseline", 4], ["direction", 5], ["filter", 7]];
/** Kept for the script; the rasteriser has one way of doing them. */
const KEPT = {
  __proto__: null,
  fontKerning: ["auto", "normal", "none"],
  fontStretch: ["ultra-condensed", "extra-condensed", "condensed", "semi-condensed", "normal", "semi-expanded", "expanded", "extra-expanded", "ultra-expanded"],
  fontVariantCaps: ["normal", "small-caps", "all-small-caps", "petite-caps", "all-petite-caps", "unicase", "titling-caps"],
  textRendering: ["auto", "optimizeSpeed", "optimizeLegibility", "geometricPrecision"],
};

function attribute(ctor, name, set) {
  ObjectDefineProperty(ctor.prototype, name, {
    __proto__: null, configurable: true, enumerable: true,
    get() {
      return this._state[name];
    },
    set(value) {
      set.call(this, value);
    },
  });
}

function style(name, stroke) {
  return function (value) {
    if (value instanceof CanvasGradient) op_c2d_set_gradient(this._canvas, stroke, value._gradient);
    else if (value instanceof CanvasPattern) op_c2d_set_pattern(this._canvas, stroke, value._pattern);
    else {
      const text = `${value}`;
      value = op_c2d_set_color(this._canvas, stroke, text);
      if (value === null) {
        // What browsers take beyond CSS Color 4; anything else they ignore, too.
        if (/^\s*[-a-z]+\(.*(?:\bfrom\s|\bcalc\()/is.test(text)) unsupported("CanvasRenderingContext2D", name, `= ${text.slice(0, 60)}; the colour before stays`);
        return;
      }
    }
    this._state[name] = value;
  };
}

function spacing(name, number) {
  return function (value) {
    const found = /^\s*(-?[\d.]+)(px|em|rem|pt)\s*$/.exec(`${value}`);
    if (!found) return;
    const size = /([\d.]+)px/.exec(this._state.font);
    const pixels = +found[1] * { px: 1, em: +size[1], rem: 16, pt: 4 / 3 }[found[2]];
    this._state[name] = `${+found[1]}${found[2]}`;
    op_c2d_set_number(this._canvas, number, pixels);
  };
}

/** Defines all attributes on `ctor`, whose objects hold `_canvas` and `_state`. */
export function attributes(ctor) {
  attribute(ctor, "fillStyle", style("fillStyle", false));
  attribute(ctor, "strokeStyle", style("strokeStyle", true));
  for (const [name, number, takes] of NUMBERS) {
    attribute(ctor, name, function (value) {
      const v = +value;
      if (!NumberIsFinite(v) || !takes(v)) return;
      this._state[name] = v;
      op_c2d_set_number(this._canvas, number, v);
    });
  }
  for (const [name, number] of WORDS) {
    attribute(ctor, name, function (value) {
      if (op_c2d_set_word(this._canvas, number, `${value}`)) this._state[name] = `${value}`;
    });
  }
  for (const name in KEPT) {
    attribute(ctor, name, function (value) {
      if (KEPT[name].includes(`${value}`)) this._state[name] = `${value}`;
    });
  }
  attribute(ctor, "letterSpacing", spacing("letterSpacing", 7));
  attribute(ctor, "wordSpacing", spacing("wordSpacing", 8));
  attribute(ctor, "font", function (value) {
    loadRules();
    const font = op_c2d_set_font(this._canvas, `${value}`);
    if (font !== null) this._state.font = font;
  });
  attribute(ctor, "shadowColor", function (value) {
    const color = op_c2d_set_shadow_color(this._canvas, `${value}`);
    if (color !== null) this._state.shadowColor = color;
  });
  const smoothing = (context) => op_c2d_set_word(context._canvas, 6, context._state.imageSmoothingEnabled ? context._state.imageSmoothingQuality : "off");
  attribute(ctor, "imageSmoothingEnabled", function (value) {
    this._state.imageSmoothingEnabled = !!value;
    smoothing(this);
  });
  attribute(ctor, "imageSmoothingQuality", function (value) {
    if (!["low", "medium", "high"].includes(`${value}`)) return;
    this._state.imageSmoothingQuality = `${value}`;
    smoothing(this);
  });
}
