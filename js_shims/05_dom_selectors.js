// CSS selectors: parsing, matching, specificity (Selectors Level 4, what pages use).
import { primordials } from "ext:replay/00_primordials.js";
import { DOMException } from "ext:replay/01_errors.js";
import { lower } from "ext:replay/05_dom_util.js";

const { ArrayPrototypeIncludes, ArrayPrototypePush, MapPrototypeGet, SafeMap, StringPrototypeEndsWith, StringPrototypeIncludes, StringPrototypeSlice, StringPrototypeSplit, StringPrototypeStartsWith, RegExpPrototypeExec } = primordials;

const NAME = /^-?(?:[_a-zA-Z\u0080-\uffff]|\\.)(?:[-_a-zA-Z0-9\u0080-\uffff]|\\.)*|^--[-_a-zA-Z0-9]+/;
const ATTR = /^\[\s*([-_a-zA-Z0-9:\\]+)\s*(?:([~|^$*]?=)\s*(?:"([^"]*)"|'([^']*)'|([^\]\s]+))\s*([iIsS])?\s*)?\]/;
const HTML_NS = "http://www.w3.org/1999/xhtml";
const cache = new SafeMap();

function parse(text) {
  let list = MapPrototypeGet(cache, text);
  if (list === undefined) {
    list = new Parser(text).list();
    if (cache.size > 2000) cache.clear();
    cache.set(text, list);
  }
  return list;
}

class Parser {
  constructor(text) {
    this.all = text;
    this.text = text.trim();
  }
  fail() {
    throw new DOMException(`'${this.all}' is not a valid selector.`, "SyntaxError");
  }
  eat(n) {
    this.text = StringPrototypeSlice(this.text, n);
  }
  space() {
    const before = this.text.length;
    this.text = this.text.trimStart();
    return this.text.length !== before;
  }
  name() {
    const m = RegExpPrototypeExec(NAME, this.text);
    if (m === null) this.fail();
    this.eat(m[0].length);
    return m[0].replace(/\\(.)/g, "$1");
  }
  /** Selector list up to the end (or a closing parenthesis). */
  list(relative = false) {
    const out = [];
    do {
      this.space();
      ArrayPrototypePush(out, this.complex(relative));
      this.space();
    } while (this.text[0] === "," && (this.eat(1), true));
    if (this.text !== "" && this.text[0] !== ")") this.fail();
    return out;
  }
  /** Compounds from left to right, each with the combinator before it. */
  complex(relative) {
    const parts = [];
    let combinator = relative ? " " : "";
    if (relative && /^[>+~]/.test(this.text)) {
      combinator = this.text[0];
      this.eat(1);
      this.space();
    }
    for (;;) {
      ArrayPrototypePush(parts, { combinator, tests: this.compound() });
      const spaced = this.space();
      const c = this.text[0];
      if (c === ">" || c === "+" || c === "~") {
        combinator = c;
        this.eat(1);
        this.space();
      } else if (spaced && c !== undefined && c !== "," && c !== ")") {
        combinator = " ";
      } else {
        return parts;
      }
    }
  }
  compound() {
    const tests = [];
    let first = true;
    for (;;) {
      const c = this.text[0];
      if (c === "*") {
        this.eat(1);
        ArrayPrototypePush(tests, { kind: "any", weight: 0, test: () => true });
      } else if (c === "#") {
        this.eat(1);
        const id = this.name();
        ArrayPrototypePush(tests, { kind: "id", value: id, weight: 1e6, test: (e) => e.id === id });
      } else if (c === ".") {
        this.eat(1);
        const name = this.name();
        ArrayPrototypePush(tests, { kind: "class", weight: 1e3, test: (e) => e.classList.contains(name) });
      } else if (c === "[") {
        ArrayPrototypePush(tests, this.attribute());
      } else if (c === ":") {
        ArrayPrototypePush(tests, this.pseudo());
      } else if (first && c !== undefined && NAME.test(this.text)) {
        const name = this.name();
        const low = lower(name);
        ArrayPrototypePush(tests, { kind: "tag", weight: 1, test: (e) => e.localName === name || (e.localName === low && e._ns === HTML_NS) });
      } else {
        break;
      }
      first = false;
    }
    if (tests.length === 0) this.fail();
    return tests;
  }
  attribute() {
    const m = RegExpPrototypeExec(ATTR, this.text);
    if (m === null) this.fail();
    this.eat(m[0].length);
    const name = m[1].replace(/\\(.)/g, "$1");
    const op = m[2];
    const fold = m[6] === "i" || m[6] === "I";
    const want = fold ? lower(m[3] ?? m[4] ?? m[5] ?? "") : m[3] ?? m[4] ?? m[5] ?? "";
    const test = (e) => {
      let have = e.getAttribute(name);
      if (have === null) return false;
      if (op === undefined) return true;
      if (fold) have = lower(have);
      switch (op) {
        case "=": return have === want;
        case "~=": return want !== "" && ArrayPrototypeIncludes(StringPrototypeSplit(have, " "), want);
        case "|=": return have === want || StringPrototypeStartsWith(have, `${want}-`);
        case "^=": return want !== "" && StringPrototypeStartsWith(have, want);
        case "$=": return want !== "" && StringPrototypeEndsWith(have, want);
        default: return want !== "" && StringPrototypeIncludes(have, want);
      }
    };
    return { kind: "attr", weight: 1e3, test };
  }
  pseudo() {
    this.eat(1);
    if (this.text[0] === ":") {
      this.eat(1);
      const generated = lower(this.name());
      if (this.text[0] === "(") this.argument();
      // A pseudo-element is no element.
      return { kind: "pseudo-element", generated, weight: 1, test: never };
    }
    const name = lower(this.name());
    if (name === "before" || name === "after") return { kind: "pseudo-element", generated: name, weight: 1, test: never };
    if (this.text[0] === "(") {
      switch (name) {
        case "not":
        case "is":
        case "where":
        case "matches":
        case "-webkit-any":
        case "has": {
          this.eat(1);
          const inner = this.list(name === "has");
          if (this.text[0] !== ")") this.fail();
          this.eat(1);
          const weight = name === "where" ? 0 : Math.max(0, ...inner.map(weightOf));
          if (name === "has") return { kind: "has", weight, test: (e, scope) => hasMatch(e, inner, scope) };
          const want = name !== "not";
          return { kind: name, hosts: want && inner.some((s) => namesHost(s.at(-1))), weight, test: (e, scope) => inner.some((s) => matchComplex(e, s, scope)) === want };
        }
        case "host":
        case "host-context": {
          this.eat(1);
          const inner = this.list(false);
          if (this.text[0] !== ")") this.fail();
          this.eat(1);
          const fits = (e) => inner.some((s) => matchComplex(e, s, undefined));
          const test = (e, scope) => {
            if (!isHost(e, scope)) return false;
            if (name === "host") return fits(e);
            for (let at = e; at !== null; at = at.parentElement) if (fits(at)) return true;
            return false;
          };
          return { kind: "host", hosts: true, weight: 1e3 + Math.max(0, ...inner.map(weightOf)), test };
        }
        case "nth-child":
        case "nth-last-child":
        case "nth-of-type":
        case "nth-last-of-type":
          return this.nth(name);
        default:
          this.argument();
          return { kind: name, weight: 1e3, test: () => false };
      }
    }
    const test = PSEUDO[name];
    if (test === undefined) this.fail();
    return { kind: name, hosts: name === "host", weight: 1e3, test };
  }
  argument() {
    const end = this.text.indexOf(")");
    if (end < 0) this.fail();
    const inner = StringPrototypeSlice(this.text, 1, end);
    this.eat(end + 1);
    return inner;
  }
  nth(name) {
    const child = !StringPrototypeEndsWith(name, "type");
    const written = child ? RegExpPrototypeExec(/^\(\s*([-+\dn\s]+?|odd|even)\s+of\s/i, this.text) : null;
    let text, among = null;
    if (written !== null) {
      this.eat(written[0].length);
      among = this.list(false);
      if (this.text[0] !== ")") this.fail();
      this.eat(1);
      text = lower(written[1]).replace(/\s+/g, "");
    } else text = lower(this.argument()).replace(/\s+/g, "");
    let a, b;
    if (text === "odd") [a, b] = [2, 1];
    else if (text === "even") [a, b] = [2, 0];
    else {
      const m = /^(?:([+-]?\d*)n)?([+-]?\d+)?$/.exec(text);
      if (m === null || text === "") this.fail();
      a = m[1] === undefined ? 0 : m[1] === "" || m[1] === "+" ? 1 : m[1] === "-" ? -1 : +m[1];
      b = m[2] === undefined ? 0 : +m[2];
    }
    const last = StringPrototypeIncludes(name, "last"), ofType = StringPrototypeEndsWith(name, "type");
    return {
      kind: name,
      weight: 1e3 + (among === null ? 0 : Math.max(0, ...among.map(weightOf))),
      test: (e, scope) => {
        const one = (c) => among.some((s) => matchComplex(c, s, scope));
        if (among !== null && !one(e)) return false;
        const n = position(e, last, ofType, among === null ? null : one) - b;
        return a === 0 ? n === 0 : n % a === 0 && n / a >= 0;
      },
    };
  }
}

function siblingsOf(e, ofType) {
  const parent = e.parentNode;
  if (parent === null || parent.children === undefined) return [e];
  const list = [...parent.children];
  return ofType ? list.filter((c) => c.localName === e.localName) : list;
}

function position(e, last, ofType, one = null) {
  const siblings = siblingsOf(e, ofType);
  const list = one === null ? siblings : siblings.filter(one);
  const at = list.indexOf(e);
  return last ? list.length - at : at + 1;
}

/** In the rules of a shadow tree, `scope` is its root (CSS Scoping 1, section 3.3). */
const isHost = (e, scope) => scope !== undefined && scope.nodeType === 11 && scope.host === e;

/** Of all that the host is, only that it is one is seen from inside. */
function namesHost({ tests }) {
  return tests.some((t) => t.hosts === true);
}

const never = () => false;
const PSEUDO = {
  __proto__: null,
  root: (e) => e === e.ownerDocument?.documentElement,
  scope: (e, scope) => (scope !== undefined && scope.nodeType === 1 ? e === scope : e === e.ownerDocument?.documentElement),
  empty: (e) => e.childNodes.length === 0,
  "first-child": (e) => position(e, false, false) === 1,
  "last-child": (e) => position(e, true, false) === 1,
  "only-child": (e) => siblingsOf(e, false).length === 1,
  "first-of-type": (e) => position(e, false, true) === 1,
  "last-of-type": (e) => position(e, true, true) === 1,
  "only-of-type": (e) => siblingsOf(e, true).length === 1,
  checked: (e) => e.checked === true || e.selected === true,
  disabled: (e) => e.disabled === true,
  enabled: (e) => e.disabled === false,
  link: (e) => (e.localName === "a" || e.localName === "area") && e.hasAttribute("href"),
  "any-link": (e) => (e.localName === "a" || e.localName === "area") && e.hasAttribute("href"),
  focus: (e) => e.ownerDocument?.activeElement === e,
  "focus-visible": (e) => e.ownerDocument?.activeElement === e,
  "focus-within": (e) => e.contains(e.ownerDocument?.activeElement),
  defined: () => true,
  required: (e) => e.required === true,
  optional: (e) => e.required === false,
  open: (e) => e.hasAttribute("open"),
  hover: never, active: never, visited: never, target: never, fullscreen: never, "first-line": never,
  "first-letter": never, placeholder: never, invalid: never, valid: never, host: isHost, "placeholder-shown": never, modal: never,
  "-webkit-full-screen": never, indeterminate: never, autofill: never, "read-only": never, "read-write": never,
};

function weightOf(parts) {
  let sum = 0;
  for (const part of parts) for (const t of part.tests) sum += t.weight;
  return sum;
}

const origins = new WeakMap();

/** What the element has to match whose box `which` ("before", "after") the selector is about; null if it is about something else. */
function originOf(selector, which) {
  const last = selector[selector.length - 1];
  if (last.tests.at(-1).generated !== which) return null;
  let own = origins.get(selector);
  if (own === undefined) {
    own = [...selector.slice(0, -1), { combinator: last.combinator, tests: last.tests.slice(0, -1) }];
    origins.set(selector, own);
  }
  return own;
}

const matchCompound = (e, tests, scope) => {
  for (let i = 0; i < tests.length; i++) if (!tests[i].test(e, scope)) return false;
  return true;
};

/** Right to left, with backtracking over ancestors and siblings. */
function matchComplex(e, parts, scope, at = parts.length - 1) {
  if (!matchCompound(e, parts[at].tests, scope)) return false;
  if (at === 0) return true;
  switch (parts[at].combinator) {
    case ">": {
      const p = e.parentElement ?? hostAbove(e, parts[at - 1], scope);
      return p !== null && matchComplex(p, parts, scope, at - 1);
    }
    case "+": {
      const s = e.previousElementSibling;
      return s !== null && matchComplex(s, parts, scope, at - 1);
    }
    case "~":
      for (let s = e.previousElementSibling; s !== null; s = s.previousElementSibling) {
        if (matchComplex(s, parts, scope, at - 1)) return true;
      }
      return false;
    default:
      for (let p = e.parentElement; p !== null; p = p.parentElement) {
        if (matchComplex(p, parts, scope, at - 1)) return true;
      }
      return scope?.nodeType === 11 && scope.host !== e && namesHost(parts[at - 1]) && matchComplex(scope.host, parts, scope, at - 1);
  }
}

/** The host, for what stands outermost in its tree, if the selector names it. */
function hostAbove(e, part, scope) {
  return scope?.nodeType === 11 && e.parentNode === scope && namesHost(part) ? scope.host : null;
}

function hasMatch(e, list, scope) {
  return list.some((parts) => {
    const first = parts[0].combinator;
    const candidates = first === "+" || first === "~" ? siblingsOf(e, false).slice(siblingsOf(e, false).indexOf(e) + 1) : [...e.getElementsByTagName("*")];
    return candidates.some((c) => matchComplex(c, parts, scope) && (first !== ">" || parts.length > 1 || c.parentElement === e));
  });
}

/** Does `element` match the selector list? */
function matches(element, text, scope = element) {
  const list = parse(text);
  for (let i = 0; i < list.length; i++) if (matchComplex(element, list[i], scope)) return true;
  return false;
}

export { matchComplex, matches, namesHost, originOf, parse as parseSelector, weightOf };
