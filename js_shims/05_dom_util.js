// Small things the DOM files share.
import { core, primordials } from "ext:replay/00_primordials.js";

const { RegExpPrototypeSymbolReplace, StringPrototypeToLowerCase, StringPrototypeToUpperCase } = primordials;

void core;
const queueMicrotaskReal = globalThis.queueMicrotask;

/** ASCII lower case, as names of HTML compare. */
const lower = (s) => StringPrototypeToLowerCase(s);
const upper = (s) => StringPrototypeToUpperCase(s);

const camelToKebab = (s) => RegExpPrototypeSymbolReplace(/[A-Z]/g, s, (c) => `-${StringPrototypeToLowerCase(c)}`);
const kebabToCamel = (s) => RegExpPrototypeSymbolReplace(/-([a-z])/g, s, (_, c) => StringPrototypeToUpperCase(c));

export { camelToKebab, kebabToCamel, lower, queueMicrotaskReal, upper };
