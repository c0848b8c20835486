// Media queries (Media Queries 4): what pages ask of the film.
import { length, withoutRoot } from "ext:replay/05_dom_length.js";
import { split } from "ext:replay/05_dom_shorthands.js";
import { lower } from "ext:replay/05_dom_util.js";
import { viewport } from "ext:replay/05_dom_viewport.js";

/** Media Queries, what pages ask: sizes, orientation, ratio, preferences. */
function mediaMatches(query) {
  return withoutRoot(() => matchesAny(query));
}

function matchesAny(query) {
  return split(query, ",").some((one) => {
    let text = lower(one).trim();
    if (text === "" || text === "all" || text === "screen") return true;
    const negate = text.startsWith("not ");
    if (negate) text = text.slice(4);
    const holds = text.split(/\band\b/).every((part) => mediaFeature(part.trim()));
    return holds !== negate;
  });
}

/** `(width > 100px)`, `(100px <= width <= 400px)`, `(aspect-ratio > 1/2)` (Media Queries 4, section 2.4.3). */
function range(part) {
  const m = /^\(\s*(?:([^<>=]+?)\s*(<=?|>=?|=)\s*)?(width|height|aspect-ratio)\s*(?:(<=?|>=?|=)\s*([^<>=]+?)\s*)?\)$/.exec(part);
  if (m === null) return false;
  const [, before, first, name, second, after] = m;
  if (before === undefined && after === undefined) return false;
  const have = name === "width" ? viewport.width : name === "height" ? viewport.height : viewport.width / viewport.height;
  const number = (text) => {
    if (name !== "aspect-ratio") return length(text, 0) ?? NaN;
    const [w, h = "1"] = text.split("/");
    return parseFloat(w) / parseFloat(h);
  };
  const holds = (a, how, b) => ({ "<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b, "=": a === b })[how];
  return (before === undefined || holds(number(before), first, have)) && (after === undefined || holds(have, second, number(after)));
}

function mediaFeature(part) {
  if (part === "screen" || part === "all" || part === "only screen") return true;
  const m = /^\(\s*([-a-z]+)\s*(?::\s*([^)]+?)\s*)?\)$/.exec(part);
  if (m === null) return range(part);
  const [, name, value] = m;
  const px = value === undefined ? null : length(value, 0);
  switch (name) {
    case "width": return px === null || viewport.width === px;
    case "height": return px === null || viewport.height === px;
    case "min-width": return viewport.width >= px;
    case "max-width": return viewport.width <= px;
    case "min-height": return viewport.height >= px;
    case "max-height": return viewport.height <= px;
    case "orientation": return value === (viewport.height >= viewport.width ? "portrait" : "landscape");
    case "prefers-color-scheme": return value === "light";
    case "prefers-reduced-motion": return value === "no-preference";
    case "prefers-contrast": return value === "no-preference";
    case "hover":
    case "any-hover": return value === undefined || value === "hover";
    case "pointer":
    case "any-pointer": return value === undefined || value === "fine";
    case "color": return true;
    case "color-gamut": return value === "srgb";
    case "dynamic-range":
    case "video-dynamic-range": return value === "standard";
    case "display-mode": return value === "browser";
    case "resolution":
    case "min-resolution":
    case "-webkit-min-device-pixel-ratio":
    case "max-resolution": {
      const dppx = parseFloat(value) / (value.endsWith("dpi") ? 96 : 1);
      return name === "resolution" ? viewport.ratio === dppx : name.startsWith("max") ? viewport.ratio <= dppx : viewport.ratio >= dppx;
    }
    case "min-aspect-ratio":
    case "max-aspect-ratio": {
      const [w, h = "1"] = value.split("/");
      const have = viewport.width / viewport.height, want = parseFloat(w) / parseFloat(h);
      return name === "min-aspect-ratio" ? have >= want : have <= want;
    }
    default: return false;
  }
}

export { mediaMatches };
