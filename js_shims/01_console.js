// console: every call becomes one line of the report.
import { expose, primordials } from "ext:replay/00_primordials.js";
import { op_console, op_now_ms } from "ext:core/ops";

const {
  ArrayIsArray, ArrayPrototypeIncludes, ArrayPrototypeJoin, ArrayPrototypePush, ArrayPrototypeSlice, Error, ErrorPrototype,
  FunctionPrototype, JSONStringify, MapPrototypeGet, ObjectKeys, ObjectPrototypeIsPrototypeOf, SafeMap, String,
  StringPrototypeRepeat, StringPrototypeReplace, StringPrototypeSlice, TypedArrayPrototypeGetSymbolToStringTag,
  TypedArrayPrototypeGetLength, NumberParseInt, NumberParseFloat,
} = primordials;

const DEBUG = 0, LOG = 1, INFO = 2, WARN = 3, ERROR = 4;
/** What a line goes through last; 05_worker_names.js sets it. */
const printing = { __proto__: null, text: (text) => text };
const MAX_ITEMS = 100;
const MAX_DEPTH = 4;

/** A value as a console shows it. Never throws. */
function inspect(value, depth = 0, seen = []) {
  try {
    return inspectValue(value, depth, seen);
  } catch {
    return "[object]";
  }
}

function inspectValue(value, depth, seen) {
  switch (typeof value) {
    case "string":
      return depth === 0 ? value : JSONStringify(value);
    case "function":
      return `[${value.prototype !== undefined && value.name ? "Function" : "Function"}: ${value.name || "(anonymous)"}]`;
    case "bigint":
      return `${value}n`;
    case "number":
      return value === 0 && 1 / value < 0 ? "-0" : `${value}`;
    case "object":
      break;
    default:
      return String(value);
  }
  if (value === null) return "null";
  if (ObjectPrototypeIsPrototypeOf(ErrorPrototype, value)) {
    const stack = value.stack;
    return typeof stack === "string" && stack !== "" ? StringPrototypeReplace(stack, / +at .*ext:.*\n?/g, "") : String(value);
  }
  if (ArrayPrototypeIncludes(seen, value)) return "[Circular]";
  const tag = TypedArrayPrototypeGetSymbolToStringTag(value);
  if (tag !== undefined) {
    const length = TypedArrayPrototypeGetLength(value);
    const head = [];
    for (let i = 0; i < length && i < MAX_ITEMS; i++) ArrayPrototypePush(head, `${value[i]}`);
    return `${tag}(${length}) [${ArrayPrototypeJoin(head, ", ")}${length > MAX_ITEMS ? ", ..." : ""}]`;
  }
  const name = value.constructor?.name ?? "";
  if (depth >= MAX_DEPTH) return ArrayIsArray(value) ? "[Array]" : `[${name || "Object"}]`;
  ArrayPrototypePush(seen, value);
  const inner = ArrayPrototypeSlice(seen);
  if (ArrayIsArray(value)) {
    const items = [];
    for (let i = 0; i < value.length && i < MAX_ITEMS; i++) ArrayPrototypePush(items, inspect(value[i], depth + 1, inner));
    if (value.length > MAX_ITEMS) ArrayPrototypePush(items, `... ${value.length - MAX_ITEMS} more`);
    return `[${ArrayPrototypeJoin(items, ", ")}]`;
  }
  const parts = [];
  const keys = ObjectKeys(value);
  for (let i = 0; i < keys.length && i < MAX_ITEMS; i++) {
    ArrayPrototypePush(parts, `${keys[i]}: ${inspect(value[keys[i]], depth + 1, inner)}`);
  }
  const body = parts.length === 0 ? "{}" : `{ ${ArrayPrototypeJoin(parts, ", ")} }`;
  return name === "" || name === "Object" ? body : `${name} ${body}`;
}

/** The Console Standard's Formatter. */
function format(args) {
  const parts = [];
  let next = 0;
  if (args.length > 1 && typeof args[0] === "string") {
    next = 1;
    ArrayPrototypePush(
      parts,
      StringPrototypeReplace(args[0], /%([sdifoOc%])/g, (whole, kind) => {
        if (kind === "%") return "%";
        if (next >= args.length) return whole;
        const arg = args[next++];
        switch (kind) {
          case "c":
            return "";
          case "d":
          case "i":
            return typeof arg === "symbol" ? "NaN" : `${NumberParseInt(arg, 10)}`;
          case "f":
            return typeof arg === "symbol" ? "NaN" : `${NumberParseFloat(arg)}`;
          case "s":
            return typeof arg === "object" ? inspect(arg, 1) : String(arg);
          default:
            return inspect(arg, 1);
        }
      }),
    );
  }
  for (; next < args.length; next++) {
    const arg = args[next];
    ArrayPrototypePush(parts, typeof arg === "string" ? arg : inspect(arg, 1));
  }
  return ArrayPrototypeJoin(parts, " ");
}

let indent = 0;
const counts = new SafeMap();
const timers = new SafeMap();

function say(level, args) {
  op_console(level, StringPrototypeRepeat("  ", indent) + printing.text(format(args)));
}

const label = (l) => (l === undefined ? "default" : `${l}`);

const console = {
  log: (...args) => say(LOG, args),
  debug: (...args) => say(DEBUG, args),
  info: (...args) => say(INFO, args),
  warn: (...args) => say(WARN, args),
  error: (...args) => say(ERROR, args),
  dir: (value) => say(LOG, [inspect(value, 1)]),
  dirxml: (...args) => say(LOG, args),
  table: (value) => say(LOG, [inspect(value, 1)]),
  trace: (...args) => say(LOG, [`Trace: ${format(args)}`]),
  assert: (condition, ...args) => {
    if (!condition) say(ERROR, args.length === 0 ? ["Assertion failed"] : [`Assertion failed: ${format(args)}`]);
  },
  clear: () => {},
  count: (l) => {
    const key = label(l);
    const n = (MapPrototypeGet(counts, key) ?? 0) + 1;
    counts.set(key, n);
    say(LOG, [`${key}: ${n}`]);
  },
  countReset: (l) => void counts.set(label(l), 0),
  group: (...args) => {
    if (args.length > 0) say(LOG, args);
    indent = indent < 20 ? indent + 1 : indent;
  },
  groupCollapsed: (...args) => console.group(...args),
  groupEnd: () => {
    if (indent > 0) indent--;
  },
  time: (l) => void timers.set(label(l), op_now_ms()),
  timeLog: (l, ...args) => {
    const start = MapPrototypeGet(timers, label(l));
    if (start !== undefined) say(LOG, [`${label(l)}: ${op_now_ms() - start} ms`, ...args]);
  },
  timeEnd: (l) => {
    console.timeLog(l);
    timers.delete(label(l));
  },
  timeStamp: () => {},
  profile: () => {},
  profileEnd: () => {},
};
expose("console", console);

export { console, inspect, printing };
