// HTML elements: what they share, and the kinds that three.js programs and their panels use.
import { exposeInterface, illegal, illegalConstructor, primordials, unsupported } from "ext:replay/00_primordials.js";
import { reportException } from "ext:replay/01_errors.js";
import { Event, defineHandlers, dispatch, fire, hide, setHandler } from "ext:replay/02_events.js";
import { queueTask } from "ext:replay/03_clock.js";
import { MouseEvent } from "ext:replay/02_event_kinds.js";
import { makeDataset } from "ext:replay/05_dom_attributes.js";
import { boxOf } from "ext:replay/05_dom_boxes.js";
import { DocumentFragment, Element, HTML_NS, attributeHooks, kLazy } from "ext:replay/05_dom_element.js";
import { HTMLCollection, hooks, kDocument, liveList } from "ext:replay/05_dom_node.js";
import { lower } from "ext:replay/05_dom_util.js";
import { op_invoke, op_leaves } from "ext:core/ops";

const { ObjectDefineProperty, SafeMap } = primordials;

/**
 * Events that every element, the document and the window have handlers for. Not those of touch: pages take `"ontouchstart" in window`
 * for a touch screen, and Chromium without one does not have it.
 */
const GLOBAL_EVENTS = [
  "abort", "animationcancel", "animationend", "animationiteration", "animationstart", "auxclick", "beforeinput", "beforetoggle", "blur",
  "cancel", "canplay", "canplaythrough", "change", "click", "close", "contextlost", "contextmenu", "contextrestored", "copy", "cuechange",
  "cut", "dblclick", "drag", "dragend", "dragenter", "dragleave", "dragover", "dragstart", "drop", "durationchange", "emptied", "ended",
  "error", "focus", "formdata", "gotpointercapture", "input", "invalid", "keydown", "keypress", "keyup", "load", "loadeddata",
  "loadedmetadata", "loadstart", "lostpointercapture", "mousedown", "mouseenter", "mouseleave", "mousemove", "mouseout", "mouseover",
  "mouseup", "mousewheel", "paste", "pause", "play", "playing", "pointercancel", "pointerdown", "pointerenter", "pointerleave",
  "pointermove", "pointerout", "pointerover", "pointerup", "progress", "ratechange", "reset", "resize", "scroll", "scrollend", "seeked",
  "seeking", "select", "selectionchange", "selectstart", "stalled", "submit", "suspend", "timeupdate", "toggle", "transitioncancel", "transitionend", "transitionrun", "transitionstart", "volumechange",
  "waiting", "webkitanimationend", "webkittransitionend", "wheel",
];

class HTMLElement extends Element {
  constructor(key = undefined, document = undefined, name = undefined) {
    if (key !== illegal) {
      // `new MyElement()` of a custom element.
      const tag = customTag(new.target);
      if (tag === undefined) illegalConstructor(key);
      super(illegal, globalThis.document, tag);
      return;
    }
    super(illegal, document, name);
  }
  get dataset() {
    return (this[kLazy].dataset ??= makeDataset(this));
  }
  get offsetWidth() {
    return this.clientWidth;
  }
  get offsetHeight() {
    return this.clientHeight;
  }
  get offsetLeft() {
    const p = this.offsetParent;
    return Math.round(boxOf(this).x - (p === null ? 0 : boxOf(p).x));
  }
  get offsetTop() {
    const p = this.offsetParent;
    return Math.round(boxOf(this).y - (p === null ? 0 : boxOf(p).y));
  }
  get offsetParent() {
    return this.isConnected && this !== this[kDocument].body ? this[kDocument].body : null;
  }
  get innerText() {
    return this.textContent;
  }
  set innerText(value) {
    this.textContent = value;
  }
  get outerText() {
    return this.textContent;
  }
  click() {
    const event = new MouseEvent("click", { bubbles: true, cancelable: true, composed: true });
    if (dispatch(this, event)) this._activate?.();
  }
  focus() {
    const document = this[kDocument];
    if (document.activeElement === this) return;
    document._active = this;
    fire(this, "focus");
    fire(this, "focusin", { bubbles: true });
  }
  blur() {
    const document = this[kDocument];
    if (document.activeElement !== this) return;
    document._active = null;
    fire(this, "blur");
    fire(this, "focusout", { bubbles: true });
  }
  get isContentEditable() {
    return this.getAttribute("contenteditable") === "true";
  }
  attachInternals() {
    return {};
  }
  showPopover() {}
  hidePopover() {}
  togglePopover() {}
}
defineHandlers(HTMLElement.prototype, GLOBAL_EVENTS);
exposeInterface(HTMLElement);

/** Reflects attributes as properties (HTML, 2.6.1). */
function reflect(Class, table) {
  for (const [property, kind, attribute = lower(property), fallback] of table) {
    ObjectDefineProperty(Class.prototype, property, {
      __proto__: null,
      get() {
        const value = this.getAttribute(attribute);
        switch (kind) {
          case "bool": return value !== null;
          case "int": {
            const n = parseInt(value, 10);
            return Number.isNaN(n) ? fallback ?? 0 : n;
          }
          case "float": {
            const n = parseFloat(value);
            return Number.isNaN(n) ? fallback ?? 0 : n;
          }
          case "url": {
            if (value === null) return "";
            try {
              return new globalThis.URL(value, this.baseURI).href;
            } catch {
              return value;
            }
          }
          default: return value ?? fallback ?? "";
        }
      },
      set(value) {
        if (kind === "bool") this.toggleAttribute(attribute, !!value);
        else if (kind === "int") this.setAttribute(attribute, `${Math.trunc(+value) || 0}`);
        else this.setAttribute(attribute, `${value}`);
      },
      enumerable: true,
      configurable: true,
    });
  }
}
reflect(HTMLElement, [
  ["title", "string"], ["lang", "string"], ["dir", "string"], ["hidden", "bool"], ["tabIndex", "int", "tabindex", -1],
  ["accessKey", "string"], ["draggable", "bool"], ["spellcheck", "string"], ["contentEditable", "string", "contenteditable", "inherit"],
  ["nonce", "string"], ["inert", "bool"], ["role", "string"], ["popover", "string"], ["translate", "string"], ["autofocus", "bool"],
  ["ariaLabel", "string", "aria-label"], ["ariaHidden", "string", "aria-hidden"],
]);

const classes = new SafeMap();

/** Declares an interface for tags, with reflected attributes. */
function define(name, tags, table = [], members = undefined, Parent = HTMLElement) {
  const Class = members ?? { [name]: class extends Parent {} }[name];
  reflect(Class, table);
  exposeInterface(Class, name);
  for (const tag of tags) classes.set(tag, Class);
  return Class;
}

class HTMLUnknownElement extends HTMLElement {}
exposeInterface(HTMLUnknownElement);

const FORM = [["name", "string"], ["disabled", "bool"], ["value", "string"], ["type", "string"]];
define("HTMLHtmlElement", ["html"]);
define("HTMLHeadElement", ["head"]);
define("HTMLBodyElement", ["body"]);
define("HTMLTitleElement", ["title"], [], class HTMLTitleElement extends HTMLElement {
  get text() {
    return this.textContent;
  }
  set text(value) {
    this.textContent = value;
  }
});
define("HTMLBaseElement", ["base"], [["href", "url"], ["target", "string"]]);
define("HTMLMetaElement", ["meta"], [["name", "string"], ["content", "string"], ["httpEquiv", "string", "http-equiv"]]);
define("HTMLDivElement", ["div"], [["align", "string"]]);
define("HTMLSpanElement", ["span"]);
define("HTMLParagraphElement", ["p"]);
define("HTMLHeadingElement", ["h1", "h2", "h3", "h4", "h5", "h6"]);
define("HTMLPreElement", ["pre"]);
define("HTMLBRElement", ["br"]);
define("HTMLHRElement", ["hr"]);
define("HTMLUListElement", ["ul"]);
define("HTMLOListElement", ["ol"]);
define("HTMLLIElement", ["li"], [["value", "int"]]);
define("HTMLDListElement", ["dl"]);
define("HTMLTableElement", ["table"]);
define("HTMLTableRowElement", ["tr"]);
define("HTMLTableCellElement", ["td", "th"], [["colSpan", "int", "colspan", 1], ["rowSpan", "int", "rowspan", 1]]);
define("HTMLTableSectionElement", ["thead", "tbody", "tfoot"]);
define("HTMLQuoteElement", ["blockquote", "q"]);
define("HTMLLabelElement", ["label"], [["htmlFor", "string", "for"]]);
define("HTMLLegendElement", ["legend"]);
define("HTMLFieldSetElement", ["fieldset"], [["disabled", "bool"], ["name", "string"]]);
define("HTMLDetailsElement", ["details"], [["open", "bool"]]);
define("HTMLProgressElement", ["progress"], [["value", "float"], ["max", "float", "max", 1]]);
define("HTMLMeterElement", ["meter"], [["value", "float"], ["max", "float", "max", 1], ["min", "float"]]);
define("HTMLOutputElement", ["output"], [["value", "string"]]);
define("HTMLDataListElement", ["datalist"]);
define("HTMLSourceElement", ["source"], [["src", "url"], ["type", "string"], ["srcset", "string"], ["media", "string"]]);
define("HTMLPictureElement", ["picture"]);
define("HTMLDialogElement", ["dialog"], [["open", "bool"]], class HTMLDialogElement extends HTMLElement {
  show() {
    this.open = true;
  }
  showModal() {
    this.open = true;
  }
  close(value = undefined) {
    if (!this.open) return;
    this.open = false;
    if (value !== undefined) this.returnValue = value;
    queueTask(() => fire(this, "close"));
  }
  requestClose(value = undefined) {
    if (this.open && fire(this, "cancel", { cancelable: true })) this.close(value);
  }
  get returnValue() {
    return this[kLazy].answer ?? "";
  }
  set returnValue(value) {
    this[kLazy].answer = `${value}`;
  }
});
define("HTMLAnchorElement", ["a"], [["href", "url"], ["target", "string"], ["download", "string"], ["rel", "string"], ["type", "string"]], class HTMLAnchorElement extends HTMLElement {
  _activate() {
    if (!this.hasAttribute("href")) return;
    unsupported("HTMLAnchorElement", this.hasAttribute("download") ? "download" : "navigation", this.href);
    op_leaves(this.href);
  }
  toString() {
    return this.href;
  }
});
for (const part of ["protocol", "host", "hostname", "port", "pathname", "search", "hash", "origin"]) {
  ObjectDefineProperty(classes.get("a").prototype, part, {
    __proto__: null,
    get() {
      try {
        return new globalThis.URL(this.href)[part];
      } catch {
        return "";
      }
    },
    enumerable: true,
    configurable: true,
  });
}
define("HTMLButtonElement", ["button"], [...FORM], class HTMLButtonElement extends HTMLElement {
  get form() {
    const id = this.getAttribute("form");
    return id === null ? this.closest("form") : this[kDocument].getElementById(id);
  }
  _activate() {
    if (this.hasAttribute("disabled") || !/^(?:submit)?$/i.test(this.getAttribute("type") ?? "")) return;
    this.form?.requestSubmit(this);
  }
});
define("HTMLFormElement", ["form"], [["action", "url"], ["method", "string"], ["name", "string"]], class HTMLFormElement extends HTMLElement {
  get elements() {
    return liveList(this, HTMLCollection, () => [...this.querySelectorAll("input,select,textarea,button")], "elements");
  }
  submit() {
    unsupported("HTMLFormElement", "submit");
    op_leaves(this.action);
  }
  reset() {}
  requestSubmit(submitter = null) {
    const event = new Event("submit", { bubbles: true, cancelable: true });
    hide(event, "submitter", submitter);
    if (!this.isConnected || !dispatch(this, event)) return;
    if (lower(submitter?.getAttribute("formmethod") ?? this.getAttribute("method") ?? "") === "dialog") {
      this.closest("dialog")?.close(submitter?.getAttribute("value") ?? undefined);
    } else this.submit();
  }
});
define("HTMLTextAreaElement", ["textarea"], [["name", "string"], ["disabled", "bool"], ["placeholder", "string"], ["rows", "int", "rows", 2], ["cols", "int", "cols", 20]], class HTMLTextAreaElement extends HTMLElement {
  get type() {
    return "textarea";
  }
  get value() {
    return this[kLazy].value ?? this.textContent;
  }
  set value(value) {
    this[kLazy].value = `${value}`;
  }
  select() {}
  setSelectionRange() {}
});
const HTMLOptionElement = define("HTMLOptionElement", ["option"], [["disabled", "bool"], ["defaultSelected", "bool", "selected"]], class HTMLOptionElement extends HTMLElement {
  get value() {
    return this.getAttribute("value") ?? this.text;
  }
  set value(value) {
    this.setAttribute("value", value);
  }
  get text() {
    return this.textContent.trim().replace(/\s+/g, " ");
  }
  set text(value) {
    this.textContent = value;
  }
  get label() {
    return this.getAttribute("label") ?? this.text;
  }
  set label(value) {
    this.setAttribute("label", value);
  }
  get selected() {
    const select = this.closest("select");
    return select === null ? this[kLazy].selected ?? this.hasAttribute("selected") : select.selectedOptions.includes(this);
  }
  set selected(value) {
    this[kLazy].selected = !!value;
    const select = this.closest("select");
    if (select !== null && value && !select.multiple) for (const o of select._options()) if (o !== this) o[kLazy].selected = false;
  }
  get index() {
    return this.closest("select")?._options().indexOf(this) ?? 0;
  }
});
define("HTMLOptGroupElement", ["optgroup"], [["label", "string"], ["disabled", "bool"]]);
define("HTMLSelectElement", ["select"], [["name", "string"], ["disabled", "bool"], ["multiple", "bool"], ["size", "int"]], class HTMLSelectElement extends HTMLElement {
  _options() {
    return [...this.getElementsByTagName("option")];
  }
  get options() {
    return liveList(this, HTMLCollection, () => this._options(), "options");
  }
  get length() {
    return this._options().length;
  }
  get type() {
    return this.multiple ? "select-multiple" : "select-one";
  }
  get selectedOptions() {
    const options = this._options();
    const chosen = options.filter((o) => o[kLazy].selected ?? o.hasAttribute("selected"));
    if (this.multiple) return chosen;
    return chosen.length > 0 ? [chosen[chosen.length - 1]] : options.slice(0, 1);
  }
  get selectedIndex() {
    const one = this.selectedOptions[0];
    return one === undefined ? -1 : this._options().indexOf(one);
  }
  set selectedIndex(index) {
    this._options().forEach((o, i) => (o[kLazy].selected = i === index));
  }
  get value() {
    return this.selectedOptions[0]?.value ?? "";
  }
  set value(value) {
    for (const o of this._options()) o[kLazy].selected = o.value === `${value}`;
  }
  add(option, before = null) {
    this.insertBefore(option, typeof before === "number" ? this._options()[before] ?? null : before);
  }
});
define("HTMLStyleElement", ["style"], [["media", "string"], ["type", "string"]], class HTMLStyleElement extends HTMLElement {
  get sheet() {
    return this.isConnected ? this[kDocument]._sheetOf(this) : null;
  }
  get disabled() {
    return false;
  }
});
define("HTMLLinkElement", ["link"], [["href", "url"], ["rel", "string"], ["type", "string"], ["media", "string"], ["as", "string"], ["crossOrigin", "string", "crossorigin"], ["integrity", "string"]], class HTMLLinkElement extends HTMLElement {
  get sheet() {
    return this[kDocument]._sheetOf(this);
  }
  get relList() {
    return { contains: (t) => this.rel.split(/\s+/).includes(t), supports: () => true, add() {}, remove() {} };
  }
});
const HTMLScriptElement = define("HTMLScriptElement", ["script"], [["src", "url"], ["type", "string"], ["defer", "bool"], ["noModule", "bool", "nomodule"], ["crossOrigin", "string", "crossorigin"], ["integrity", "string"]], class HTMLScriptElement extends HTMLElement {
  get text() {
    return this.textContent;
  }
  set text(value) {
    this.textContent = value;
  }
  get async() {
    return this[kLazy].async ?? this.hasAttribute("async");
  }
  set async(value) {
    this[kLazy].async = !!value;
    this.toggleAttribute("async", !!value);
  }
  static supports(type) {
    return type === "classic" || type === "module" || type === "importmap";
  }
});
define("HTMLTemplateElement", ["template"], [], class HTMLTemplateElement extends HTMLElement {
  get content() {
    return (this[kLazy].content ??= new DocumentFragment(illegal, this[kDocument]));
  }
});
define("HTMLSlotElement", ["slot"], [["name", "string"]], class HTMLSlotElement extends HTMLElement {
  assignedNodes() {
    return [];
  }
  assignedElements() {
    return [];
  }
});
define("HTMLObjectElement", ["object"], [["data", "url"], ["type", "string"], ["name", "string"], ["width", "string"], ["height", "string"], ["useMap", "string"]]);
define("HTMLEmbedElement", ["embed"], [["src", "url"], ["type", "string"], ["width", "string"], ["height", "string"]]);
define("HTMLIFrameElement", ["iframe"], [["src", "url"], ["name", "string"], ["width", "string"], ["height", "string"], ["allow", "string"]], class HTMLIFrameElement extends HTMLElement {
  get contentWindow() {
    return null;
  }
  get contentDocument() {
    return null;
  }
});
for (const tag of ["section", "article", "nav", "aside", "header", "footer", "main", "b", "i", "em", "strong", "small", "code", "sub", "sup", "u", "s", "mark", "kbd", "samp", "var", "address", "figure", "figcaption", "summary", "noscript", "abbr", "cite", "dfn", "dd", "dt", "hgroup", "search", "wbr", "bdi", "bdo", "ruby", "rt", "rp"]) {
  classes.set(tag, HTMLElement);
}

// --- custom elements ------------------------------------------------------------------------------------------------

const registry = new SafeMap();
const waiting = new SafeMap();

function customTag(Class) {
  for (const [tag, C] of registry) if (C === Class) return tag;
  return undefined;
}

class CustomElementRegistry {
  constructor(key) {
    illegalConstructor(key);
  }
  define(name, Class) {
    const tag = `${name}`;
    if (!/^[a-z][^A-Z\s]*-/.test(tag)) throw new globalThis.DOMException(`"${tag}" is not a valid custom element name`, "SyntaxError");
    if (registry.has(tag)) throw new globalThis.DOMException(`the name "${tag}" has already been used with this registry`, "NotSupportedError");
    registry.set(tag, Class);
    for (const element of [...globalThis.document.getElementsByTagName(tag)]) upgrade(element, Class);
    waiting.get(tag)?.(Class);
  }
  get(name) {
    return registry.get(`${name}`);
  }
  whenDefined(name) {
    const Class = registry.get(`${name}`);
    return Class !== undefined ? Promise.resolve(Class) : new Promise((resolve) => waiting.set(`${name}`, resolve));
  }
  upgrade() {}
}
exposeInterface(CustomElementRegistry);

/** An element that was made before its class: its prototype changes, its constructor's work is not repeated. */
function upgrade(element, Class) {
  unsupported("CustomElementRegistry", "upgrade", "elements in the page's text get the class, but its constructor does not run for them");
  Object.setPrototypeOf(element, Class.prototype);
  react(element, "connectedCallback");
}

function react(element, name, ...args) {
  if (!registry.has(element.localName)) return;
  const callback = element[name];
  if (typeof callback !== "function") return;
  try {
    op_invoke(callback, element, args);
  } catch (error) {
    reportException(error);
  }
}

/** Who makes elements of other namespaces, by namespace: `(document, localName)` to an element. */
const makers = { __proto__: null };

/** createElement for `localName` in `namespace`. */
function makeElement(document, localName, namespace) {
  if (namespace === HTML_NS) {
    const custom = registry.get(localName);
    if (custom !== undefined) {
      try {
        return new custom();
      } catch (error) {
        reportException(error);
      }
    }
    const Class = classes.get(localName) ?? (localName.includes("-") ? HTMLElement : HTMLUnknownElement);
    return new Class(illegal, document, localName);
  }
  return makers[namespace]?.(document, localName) ?? new Element(illegal, document, localName, namespace);
}

/** Elements of SVG and XML have no kind but scripts and pictures: they do nothing by themselves. */
const kindOf = (element) => (element._ns === HTML_NS || element._name === "script" || element._name === "image" ? element._name : "");

/** Called for every element by kind: set by the files that own the kinds. */
const kinds = { __proto__: null, connected: new SafeMap(), changed: new SafeMap() };

hooks.connected = (node) => {
  if (node.nodeType !== 1) return;
  const id = node.getAttribute("id");
  if (id !== null) attributeHooks.named?.(id);
  kinds.connected.get(kindOf(node))?.(node);
  react(node, "connectedCallback");
};
hooks.disconnected = (node) => {
  if (node.nodeType === 1) react(node, "disconnectedCallback");
};
attributeHooks.changed = (element, name, old, value) => {
  if (name.length > 2 && name[0] === "o" && name[1] === "n") handlerAttribute(element, name, value);
  if (name === "id" && value !== null && element.isConnected) attributeHooks.named?.(value);
  kinds.changed.get(kindOf(element))?.(element, name, old, value);
  if (registry.size > 0 && registry.has(element._name)) {
    const Class = registry.get(element._name);
    if (Class.observedAttributes?.includes?.(name)) react(element, "attributeChangedCallback", name, old, value);
  }
};

/** `onclick="..."` (HTML, 8.1.8.1); those of body belong to the window. */
function handlerAttribute(element, name, text) {
  if (!(name in HTMLElement.prototype) && !(name in globalThis)) return;
  const onWindow = element._name === "body" && ["onload", "onerror", "onresize", "onblur", "onfocus", "onscroll", "onbeforeunload", "onunload", "onhashchange", "onpopstate", "onmessage"].includes(name);
  const target = onWindow ? globalThis : element;
  if (text === null) return setHandler(target, name, null);
  let compiled = null;
  setHandler(target, name, function (event, ...rest) {
    if (compiled === null) {
      const params = name === "onerror" && onWindow ? "event,source,lineno,colno,error" : "event";
      compiled = new Function("__el", "__doc", `with(__doc){with(__el){return function(${params}){${text}\n}}}`)(element, element[kDocument]);
    }
    return compiled.call(this, event, ...rest);
  });
}
kinds.changed.set("details", (details, name, old, value) => {
  if (name === "open" && (old === null) !== (value === null)) queueTask(() => fire(details, "toggle"));
});
void Event, HTMLScriptElement, HTMLOptionElement;

export { CustomElementRegistry, GLOBAL_EVENTS, HTMLElement, classes, define, kinds, makeElement, makers, reflect };
