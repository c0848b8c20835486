// What style sheets ask for: `@import` (CSS Cascading 5, section 2), and where in a sheet an address stands.
import { primordials } from "ext:replay/00_primordials.js";
import { op_fetch, op_text_decode } from "ext:core/ops";

const { ArrayPrototypePush } = primordials;

/** Texts of sheets as their authors wrote them: `{ text, file, line }`. */
const written = [];
const MOST_WRITTEN = 256;
/** Sheets that import sheets that import: deeper ones are left out. */
const MOST_NESTED = 16;

const HEAD =
  /(?:\s|\/\*[^]*?\*\/|<!--|-->)*(?:@charset\s[^;]*;|@layer\s[^;{}]*;|@import\s*((?:url\(\s*(?:"[^"]*"|'[^']*'|[^)"']*)\s*\)|"[^"]*"|'[^']*')[^;]*);)/iy;

/** The place of `at` in a sheet, as `address:line:column`. */
function placed({ text, file, line }, at) {
  const before = text.slice(0, at).split("\n");
  return `${file.split("#")[0]}:${line + before.length - 1}:${before[before.length - 1].length + 1}`;
}

/** Where `url` stands in the page's sheets: `{ place, base }`; null if in none. An imported sheet has its addresses made whole. */
function writtenAt(url) {
  for (const needle of [url, url.split(/[?#]/)[0].split("/").pop()]) {
    for (const sheet of written) {
      const at = needle === "" ? -1 : sheet.text.indexOf(needle);
      if (at >= 0) return { __proto__: null, place: placed(sheet, at), base: sheet.file };
    }
  }
  return null;
}

/** A sheet's `text` with those in the place of `@import` that it names; `file` is its address, `line` where it begins there, from 1. */
function withImports(text, file, line, base = file, above = []) {
  const sheet = { __proto__: null, text, file, line };
  if (written.length < MOST_WRITTEN) ArrayPrototypePush(written, sheet);
  let out = "", at = 0;
  for (;;) {
    HEAD.lastIndex = at;
    const m = HEAD.exec(text);
    if (m === null) return out === "" ? text : out + text.slice(at);
    const begin = text.indexOf("@", at);
    at = HEAD.lastIndex;
    out += m[1] === undefined ? m[0] : imported(m[1], base, placed(sheet, begin), above);
  }
}

function imported(statement, base, place, above) {
  const [, a, b, c, d, e, rest] = /^(?:url\(\s*(?:"([^"]*)"|'([^']*)'|([^)"']*?))\s*\)|"([^"]*)"|'([^']*)')([^]*)$/i.exec(statement);
  let url;
  try {
    url = new URL(a ?? b ?? c ?? d ?? e, base).href;
  } catch {
    return "";
  }
  if (above.includes(url) || above.length >= MOST_NESTED) return "";
  const own = url.startsWith("data:") || url.startsWith("blob:");
  const answer = own ? globalThis._readUrl(url) : op_fetch(url, place);
  if (answer.status !== 200) return "";
  const [, layered, layer, supports, media] = /^\s*(layer\b(?:\(\s*([^)]*?)\s*\))?)?\s*(supports\((?:[^()]|\([^()]*\))*\))?\s*([^]*?)\s*$/i.exec(rest);
  let text = withImports(op_text_decode(answer.body, "utf-8", false), url, 1, url, [...above, url]);
  // Its addresses are relative to itself.
  text = text.replace(/\burl\(\s*(?:"([^"]*)"|'([^']*)'|([^)"']*?))\s*\)/gi, (whole, x, y, z) => {
    const named = x ?? y ?? z;
    if (own || named === "" || named.startsWith("#")) return whole;
    try {
      return `url("${new URL(named, url).href}")`;
    } catch {
      return whole;
    }
  });
  if (layered !== undefined) text = `@layer ${layer ?? ""} {${text}}`;
  if (supports !== undefined) text = `@supports ${supports.slice(8)} {${text}}`;
  return media === "" ? text : `@media ${media} {${text}}`;
}

export { withImports, writtenAt };
