// Script elements and the load of a page (HTML, 4.12.1 and 13.2.7).
import { illegal, primordials, unsupported } from "ext:replay/00_primordials.js";
import { reportException } from "ext:replay/01_errors.js";
import * as EventKinds from "ext:replay/02_event_kinds.js";
import { Event, fire, hasListeners, hide } from "ext:replay/02_events.js";
import { queueTask } from "ext:replay/03_clock.js";
import { document, tagOf } from "ext:replay/05_dom_document.js";
import { DocumentFragment, HTML_NS, descendants } from "ext:replay/05_dom_element.js";
import { kinds } from "ext:replay/05_dom_html.js";
import { buildNodes } from "ext:replay/05_dom_markup.js";
import { insert } from "ext:replay/05_dom_node.js";
import { sheets } from "ext:replay/05_dom_sheets.js";
import { lower } from "ext:replay/05_dom_util.js";
import { op_fetch, op_import_map, op_asked_at, op_html_encoding, op_inline_module, op_lacks, op_parse_html, op_parse_html_fragment, op_report_missing, op_run_script, op_text_decode } from "ext:core/ops";

const {
  ArrayPrototypeIndexOf, ArrayPrototypeJoin, ArrayPrototypePush, ArrayPrototypeShift, ArrayPrototypeSplice, PromisePrototypeThen,
} = primordials;

const JS_TYPES = /^(?:(?:text|application)\/(?:x-)?(?:java|ecma)script|text\/jscript|text\/livescript|text\/javascript1\.[0-5])$/;
/** Steps of the load that wait for their turn; see loadStep. */
const deferred = [];
const async = [];
let parsing = null;
let stage = "parsing";

function kindOf(script) {
  const type = script.getAttribute("type");
  if (type === null || type.trim() === "") return "classic";
  const t = lower(type.trim());
  if (t === "module" || t === "importmap") return t;
  return JS_TYPES.test(t) ? "classic" : "data";
}

/** HTML, "prepare the script element"; `parser` tells whether the parser inserted it. */
function prepare(script, parser) {
  if (script._started || !script.isConnected) return;
  const hasSrc = script.hasAttribute("src");
  if (!hasSrc && script.textContent === "") return;
  const kind = kindOf(script);
  if (kind === "data") return;
  hide(script, "_started", true);
  if (hasSrc && script._line === undefined) hide(script, "_asked", op_asked_at());
  if (kind === "classic" && script.hasAttribute("nomodule")) return;
  if (kind === "importmap") {
    if (hasSrc) return unsupported("HTMLScriptElement", "importmap with src", "ignored, as in browsers");
    const problem = op_import_map(script.textContent, script.baseURI);
    if (problem !== "") {
      const within = /^([^]*) at line (\d+) column \d+$/.exec(problem);
      const line = (script._line ?? 0) + (within === null ? 0 : +within[2] - 1);
      op_report_missing(`TypeError: Failed to parse import map: ${within === null ? problem : within[1]}`, document.URL, line, line === script._line ? script.textContent.split("\n")[0] : "");
    }
    return;
  }
  if (kind === "module") {
    const run = () => runModule(script);
    if (!parser || script.hasAttribute("async")) (parser ? async.push(run) : queueTask(run));
    else deferred.push(run);
    return;
  }
  if (hasSrc && parser && script.hasAttribute("defer") && !script.hasAttribute("async")) return void deferred.push(() => runClassic(script));
  if (hasSrc && parser && script.hasAttribute("async")) return void async.push(() => runClassic(script));
  if (hasSrc && !parser) return queueTask(() => runClassic(script));
  runClassic(script);
}

/** What only fills in for old browsers (import maps, modules, promises): the engine has it all. */
const POLYFILL = /^https?:\/\/[^?]*(?:\bes-module-shims\b|\bpolyfill\.(?:io|min\.js)|\bpolyfill-fastly\b|\bcore-js\b)/;

function runClassic(script) {
  let source, url, line = 1;
  if (script.hasAttribute("src")) {
    url = script.src;
    if (POLYFILL.test(url)) {
      console.info(`${url} is not needed and was left out`);
      fire(script, "load");
      return;
    }
    const answer = url.startsWith("data:") || url.startsWith("blob:") ? globalThis._readUrl(url) : op_fetch(url, tagOf(script) || document.URL);
    if (answer.status !== 200) {
      const heard = hasListeners(script, "error");
      fire(script, "error");
      // Counters and the like are no part of the program: a browser without network goes on, too.
      if (heard || answer.error.startsWith("network call blocked") || op_lacks(url, tagOf(script), "script")) return;
      op_report_missing(`Failed to load script: ${answer.error}`, document.URL, script._line ?? 0, script.getAttribute("src"));
      return;
    }
    const marked = answer.body[0] === 0xef && answer.body[1] === 0xbb;
    source = op_text_decode(answer.body, marked ? "utf-8" : script.getAttribute("charset") ?? document._encoding ?? "utf-8", false);
    if (source.charCodeAt(0) === 0xfeff) source = source.slice(1);
  } else {
    source = script.textContent;
    url = document.URL;
    line = script._line ?? 1;
  }
  const before = document._script, outer = writing;
  document._script = script;
  writing = stage === "parsing" ? { __proto__: null, script, text: "", last: script } : null;
  try {
    op_run_script(source, url, line, !script.hasAttribute("src") && script._line !== undefined);
  } catch (error) {
    reportException(error);
  }
  if (writing !== null && writing.text !== "") {
    unsupported("Document", "write", `of an element that is left open: ${writing.text.slice(0, 40)}`);
    writeOut(writing);
  }
  writing = outer;
  document._script = before;
  if (script.hasAttribute("src")) fire(script, "load");
}

// --- document.write --------------------------------------------------------------------------------------------------

/** The script whose writing goes into the page where it stands, and what it wrote of elements that are not closed yet. */
let writing = null;
/** Scripts that were written, in order, from the first that a file is read for; they run when the one that wrote them is done. */
const written = [];

const VOID_TAGS = /^(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/i;

/** Are all elements of `html` closed? */
function isWhole(html) {
  const token = /<!--[\s\S]*?(?:-->|$)|<script\b[^>]*>[\s\S]*?(?:<\/script\s*>|($))|<(\/?)([a-z][^\s/>]*)(?:"[^"]*"|'[^']*'|[^"'>])*(>|$)|<[a-z/!]?$/gi;
  let depth = 0, m;
  while ((m = token.exec(html)) !== null) {
    if (m[1] !== undefined || (m[3] !== undefined && m[4] === "") || (m[3] === undefined && /^<[a-z/!]?$/i.test(m[0]))) return false;
    if (m[3] !== undefined && !VOID_TAGS.test(m[3]) && !m[0].endsWith("/>")) depth += m[2] === "/" ? -1 : 1;
    if (m[0] === "") break;
  }
  return depth <= 0;
}

/** Puts what was written behind the script that wrote it, and runs the scripts in it. */
function writeOut(at) {
  const html = at.text;
  at.text = "";
  const fragment = new DocumentFragment(illegal, document);
  for (const step of buildNodes(document, op_parse_html_fragment(html, "body", HTML_NS), fragment, false)) void step;
  const parent = at.last.parentNode ?? document.body ?? document.documentElement;
  const nodes = [...fragment.childNodes];
  const scripts = descendants(fragment, (e) => e.localName === "script");
  const before = at.last.parentNode === null ? null : at.last.nextSibling;
  for (const node of nodes) insert(parent, node, before, "write");
  if (nodes.length > 0) at.last = nodes[nodes.length - 1];
  for (const script of scripts) {
    script._line = undefined;
    if (written.length === 0 && !script.hasAttribute("src")) prepare(script, true);
    else written.push(script);
  }
}

hide(document, "_writer", (html) => {
  if (writing === null) {
    if (stage === "parsing" || stage === "deferred") {
      // As in browsers: a script that the parser does not wait for writes nothing.
      console.warn(
        "Failed to execute 'write' on 'Document': It isn't possible to write into a document from an asynchronously-loaded external script unless it is explicitly opened.",
      );
      return true;
    }
    unsupported("Document", "write", "after the page has loaded, where a browser empties the page: it is added to the body");
    return false;
  }
  writing.text += html;
  if (isWhole(writing.text)) writeOut(writing);
  return true;
});

/** Runs a script that was written; false when there is none. */
function runWritten() {
  const next = ArrayPrototypeShift(written);
  if (next === undefined) return false;
  prepare(next, true);
  return true;
}

function runModule(script) {
  // An inline module's imports are relative to <base>.
  const page = document.baseURI === document.URL ? document.URL.split("#")[0] : document.baseURI;
  const url = script.hasAttribute("src") ? script.src : op_inline_module(script.textContent, page, script._line ?? 1);
  // A file of its own that is not there: browsers fire the event and go on. One that a module imports ends the run.
  if (script.hasAttribute("src") && url.startsWith(`${document.location.origin}/`) && op_lacks(url, tagOf(script), "script")) {
    fire(script, "error");
    return;
  }
  importModule(url).then(
    () => fire(script, "load"),
    (error) => {
      const heard = hasListeners(script, "error");
      fire(script, "error");
      // A file that is not there has no place of its own: the tag has.
      const answer = script.hasAttribute("src") && /^https?:/.test(url) ? op_fetch(url, script.baseURI) : undefined;
      if (answer === undefined || answer.status === 200) reportException(error);
      else if (!heard) op_report_missing(`Failed to load module script: ${answer.error}`, document.URL, script._line ?? 0, script.getAttribute("src"));
    },
  );
}

/** Modules that run, or wait in a top-level await. */
const running = [];

/** `import()` from the page's own base, not from this file. */
function importModule(url) {
  ArrayPrototypePush(running, url);
  const ended = () => {
    const at = ArrayPrototypeIndexOf(running, url);
    if (at >= 0) ArrayPrototypeSplice(running, at, 1);
  };
  const module = import(url);
  PromisePrototypeThen(module, ended, ended);
  return module;
}

/** The addresses of modules that have not ended, a line each. */
function waiting() {
  return ArrayPrototypeJoin(running, "\n");
}

kinds.connected.set("script", (script) => {
  if (stage !== "parsing" || parsing === null || script._line === undefined) prepare(script, false);
});
for (const tag of ["link"]) {
  kinds.connected.set(tag, (link) => {
    if (link._line === undefined) hide(link, "_asked", op_asked_at());
    if (/\bstylesheet\b/i.test(link.getAttribute("rel") ?? "")) queueTask(() => fire(link, link.sheet?._missing === true ? "error" : "load"));
  });
}

/** Builds the page for the entry: an HTML file, or an empty page that runs a module. */
function begin(kind, url) {
  document._ready = "loading";
  if (kind === "html") {
    const answer = op_fetch(url, "");
    hide(document, "_encoding", op_html_encoding(answer.body));
    let text = op_text_decode(answer.body, document._encoding, false);
    if (text.charCodeAt(0) === 0xfeff) text = text.slice(1);
    parsing = buildNodes(document, op_parse_html(text), document, false);
    return;
  }
  const html = `<!doctype html><html><head></head><body style="margin: 0"></body></html>`;
  parsing = buildNodes(document, op_parse_html(html), document, true);
  deferred.push(() => void importModule(url).catch((error) => reportException(error)));
}

/** Parses up to the end of the next script and runs it; false when the document is complete. */
function parseOn() {
  if (runWritten()) return true;
  let open = null, at = -1;
  for (;;) {
    const step = parsing.next();
    if (step.done) return false;
    const { node, next, index } = step.value;
    if (node._name === "script") [open, at] = [node, index];
    // What follows is not in it.
    if (open !== null && next !== at) {
      prepare(open, true);
      return true;
    }
  }
}

/** One step of the load; the frame loop settles everything in between. False when the load is done. */
function loadStep() {
  switch (stage) {
    case "parsing":
      if (!parseOn()) {
        stage = "deferred";
        // Browsers have shown the page by now: what deferred scripts change of its styles begins transitions.
        sheets.flush();
        document._ready = "interactive";
        fire(document, "readystatechange");
      }
      return true;
    case "deferred": {
      const next = async.length > 0 ? ArrayPrototypeShift(async) : ArrayPrototypeShift(deferred);
      if (next !== undefined) next();
      else stage = "content";
      return true;
    }
    case "content":
      stage = "load";
      fire(document, "DOMContentLoaded", { bubbles: true });
      return true;
    case "load":
      stage = "show";
      document._ready = "complete";
      fire(document, "readystatechange");
      fire(globalThis, "load");
      return true;
    case "show":
      stage = "done";
      fire(globalThis, "pageshow", { persisted: false }, EventKinds.PageTransitionEvent ?? Event);
      return true;
    default:
      return false;
  }
}

export { begin, importModule, loadStep, waiting };
