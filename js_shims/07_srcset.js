// Which picture an `img` takes: `src`, `srcset` and `sizes`, and the `source`s of a `picture` (HTML, 4.8.4.3).
import { primordials } from "ext:replay/00_primordials.js";
import { kAttrs } from "ext:replay/05_dom_attributes.js";
import { length } from "ext:replay/05_dom_length.js";
import { mediaMatches } from "ext:replay/05_dom_media.js";
import { kChildren, kUp } from "ext:replay/05_dom_node.js";
import { split } from "ext:replay/05_dom_shorthands.js";
import { viewport } from "ext:replay/05_dom_viewport.js";

const { ArrayPrototypePush } = primordials;

/** What can be decoded; a `source` of another type is passed over. */
const DECODED = /^\s*image\/(?:png|apng|jpe?g|gif|webp|bmp)\s*(?:;|$)/i;

/** The candidates of a `srcset`: `{ url, w, x }`, both descriptors undefined where none is given. */
function parseSrcset(text) {
  const all = [], token = /[\s,]*([^\s,]\S*)/y;
  for (let at = 0; ; ) {
    token.lastIndex = at;
    const m = token.exec(text);
    if (m === null) return all;
    at = token.lastIndex;
    const one = { __proto__: null, url: m[1].replace(/,+$/, ""), w: undefined, x: undefined };
    let good = true;
    if (one.url === m[1]) {
      const end = /,(?![^(]*\))|$/g;
      end.lastIndex = at;
      const stop = end.exec(text).index;
      for (const d of text.slice(at, stop).trim().split(/\s+/)) {
        const n = parseFloat(d);
        if (/^[\d.]+(?:e[+-]?\d+)?x$/i.test(d)) one.x = n;
        else if (/^\d+w$/.test(d) && n > 0) one.w = n;
        else if (d !== "" && !/^\d+h$/.test(d)) good = false;
      }
      at = stop + 1;
    }
    if (good) ArrayPrototypePush(all, one);
  }
}

/** How wide `sizes` says that the picture is shown, in CSS pixels: all of the viewport if it says nothing. */
function sourceSize(sizes) {
  for (const one of split(sizes ?? "", ",")) {
    const text = one.trim(), m = /^((?:not\s+)?\(.*\)|[a-z]+\s+and\s+\(.*\))\s+(\S+|[a-z-]+\(.*\))$/i.exec(text);
    if (m !== null && !mediaMatches(m[1])) continue;
    const size = text === "" ? null : length(m === null ? text : m[2], null);
    if (size !== null && size > 0) return size;
  }
  return viewport.width;
}

/** The candidate whose density is the least that is no less than the screen's, else the densest. */
function best(candidates, sizes) {
  let chosen = null, density = 0;
  for (const { url, w, x } of candidates) {
    const d = w !== undefined ? w / sourceSize(sizes) : x ?? 1;
    const better = density < viewport.ratio ? d > density : d >= viewport.ratio && d < density;
    if (chosen === null || better) [chosen, density] = [url, d];
  }
  return chosen;
}

/** The address of the picture that `img` takes, as it is written; null if it names none. */
function chosenSource(img) {
  const parent = img[kUp];
  if (parent !== null && parent._name === "picture") {
    for (const source of parent[kChildren]) {
      if (source === img) break;
      if (source._name !== "source") continue;
      const attrs = source[kAttrs];
      if (attrs.has("type") && !DECODED.test(attrs.get("type"))) continue;
      if (attrs.has("media") && !mediaMatches(attrs.get("media"))) continue;
      const url = best(parseSrcset(attrs.get("srcset") ?? ""), attrs.get("sizes"));
      if (url !== null) return url;
    }
  }
  const attrs = img[kAttrs], src = attrs.get("src") ?? "";
  const candidates = parseSrcset(attrs.get("srcset") ?? "");
  if (src !== "" && candidates.every(({ w, x }) => w === undefined && (x ?? 1) !== 1)) {
    ArrayPrototypePush(candidates, { __proto__: null, url: src, w: undefined, x: 1 });
  }
  return best(candidates, attrs.get("sizes"));
}

export { chosenSource };
