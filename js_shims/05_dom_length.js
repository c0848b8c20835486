// CSS lengths and times as numbers (CSS Values 4).
import { fontSize } from "ext:replay/05_dom_computed.js";
import { split } from "ext:replay/05_dom_shorthands.js";
import { lower } from "ext:replay/05_dom_util.js";
import { viewport } from "ext:replay/05_dom_viewport.js";

let asking = false;

/** `work`, with a root that has no styles of its own: media queries know none (Media Queries 4, section 1.3). */
function withoutRoot(work) {
  const was = asking;
  asking = true;
  try {
    return work();
  } finally {
    asking = was;
  }
}

/** Font size of the root; 16 px while a media query is looked for. */
function remSize() {
  const root = asking ? null : globalThis.document?.documentElement ?? null;
  return root === null ? 16 : fontSize(root);
}

/** A CSS length in px; `base` is what percentages refer to. `null` for auto and what is not understood. */
function length(text, base, fontSize = 16) {
  const t = lower(`${text}`).trim();
  const m = /^([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)([a-z%]*)$/.exec(t);
  if (m !== null) {
    const n = parseFloat(m[1]);
    switch (m[2]) {
      case "px": return n;
      case "": return n === 0 ? 0 : null;
      case "%": return base === null ? null : (n * base) / 100;
      case "vw": case "dvw": case "svw": case "lvw": return (n * viewport.width) / 100;
      case "vh": case "dvh": case "svh": case "lvh": return (n * viewport.height) / 100;
      case "vmin": return (n * Math.min(viewport.width, viewport.height)) / 100;
      case "vmax": return (n * Math.max(viewport.width, viewport.height)) / 100;
      case "em": return n * fontSize;
      case "rem": return n * remSize();
      case "ch": return n * 8;
      case "pt": return (n * 96) / 72;
      case "pc": return n * 16;
      case "in": return n * 96;
      case "cm": return (n * 96) / 2.54;
      case "mm": return (n * 96) / 25.4;
      default: return null;
    }
  }
  const f = /^(min|max|clamp|calc)\((.*)\)$/.exec(t);
  if (f === null) return null;
  if (f[1] === "calc") return calc(f[2], base, fontSize);
  const args = split(f[2], ",").map((a) => calc(a, base, fontSize));
  if (args.some((a) => a === null)) return null;
  if (f[1] === "min") return Math.min(...args);
  if (f[1] === "max") return Math.max(...args);
  return Math.max(args[0], Math.min(args[1], args[2]));
}

/** Sums, differences, products and quotients of lengths. */
function calc(text, base, fontSize) {
  const t = text.trim();
  const direct = length(t, base, fontSize);
  if (direct !== null) return direct;
  let depth = 0;
  for (let i = t.length - 1; i > 0; i--) {
    if (t[i] === ")") depth++;
    else if (t[i] === "(") depth--;
    else if (depth === 0 && (t[i] === "+" || t[i] === "-") && t[i - 1] === " ") {
      const a = calc(t.slice(0, i), base, fontSize), b = calc(t.slice(i + 1), base, fontSize);
      return a === null || b === null ? null : t[i] === "+" ? a + b : a - b;
    }
  }
  for (let i = t.length - 1; i > 0; i--) {
    if (t[i] === ")") depth++;
    else if (t[i] === "(") depth--;
    else if (depth === 0 && (t[i] === "*" || t[i] === "/")) {
      const number = (s) => (/^[+-]?[\d.]+$/.test(s.trim()) ? parseFloat(s) : calc(s, base, fontSize));
      const a = number(t.slice(0, i)), b = number(t.slice(i + 1));
      return a === null || b === null ? null : t[i] === "*" ? a * b : a / b;
    }
  }
  if (t.startsWith("(") && t.endsWith(")")) return calc(t.slice(1, -1), base, fontSize);
  return null;
}

/** A CSS time in seconds. */
function seconds(text) {
  const m = /^\s*([+-]?[\d.]+(?:e[+-]?\d+)?)(m?s)\s*$/i.exec(text);
  return m === null ? 0 : lower(m[2]) === "ms" ? parseFloat(m[1]) / 1000 : parseFloat(m[1]);
}

export { length, seconds, withoutRoot };
