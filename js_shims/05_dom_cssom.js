// Style sheets and their rules as pages see them (CSSOM 6).
import { constants, exposeInterface, illegal, illegalConstructor } from "ext:replay/00_primordials.js";
import { DOMException } from "ext:replay/01_errors.js";
import { hide } from "ext:replay/02_events.js";
import { exposeList, liveList, version } from "ext:replay/05_dom_node.js";
import { parseSelector } from "ext:replay/05_dom_selectors.js";
import { gather, isImportant, parseSheet, statements } from "ext:replay/05_dom_sheets.js";
import { styleOver } from "ext:replay/05_dom_style.js";
import { lower } from "ext:replay/05_dom_util.js";

class CSSRuleList {
  constructor(key) {
    illegalConstructor(key);
  }
}
exposeList(CSSRuleList);

class CSSRule {
  #statement;
  #sheet;
  #parent;
  constructor(key, statement, sheet, parent) {
    illegalConstructor(key);
    this.#statement = statement;
    this.#sheet = sheet;
    this.#parent = parent;
  }
  get cssText() {
    return this.#statement.text;
  }
  set cssText(text) {}
  get type() {
    return TYPES[kindOf(this.#statement.head)] ?? 0;
  }
  get parentStyleSheet() {
    return this.#sheet;
  }
  get parentRule() {
    return this.#parent;
  }
  get _statement() {
    return this.#statement;
  }
}
exposeInterface(CSSRule);
constants(CSSRule, {
  STYLE_RULE: 1, CHARSET_RULE: 2, IMPORT_RULE: 3, MEDIA_RULE: 4, FONT_FACE_RULE: 5, PAGE_RULE: 6, KEYFRAMES_RULE: 7, KEYFRAME_RULE: 8, NAMESPACE_RULE: 10,
  SUPPORTS_RULE: 12,
});
const TYPES = { __proto__: null, "": 1, import: 3, media: 4, "font-face": 5, page: 6, keyframes: 7, "-webkit-keyframes": 7, namespace: 10, supports: 12 };

class CSSStyleRule extends CSSRule {
  #rule;
  #style;
  constructor(key, statement, sheet, parent, rule) {
    super(key, statement, sheet, parent);
    this.#rule = rule;
  }
  get selectorText() {
    return this.#rule.text;
  }
  set selectorText(text) {
    try {
      this.#rule.selectors = parseSelector(`${text}`);
      this.#rule.text = `${text}`.trim();
    } catch {
      return;
    }
    version.tree++;
  }
  get style() {
    return (this.#style ??= styleOver(this.#rule.declarations, () => {
      this.#rule.important = isImportant(this.#rule.declarations);
      version.tree++;
    }, this));
  }
  set style(text) {
    this.style.cssText = text;
  }
  get cssText() {
    const inner = this.style.cssText;
    return inner === "" ? `${this.selectorText} { }` : `${this.selectorText} { ${inner} }`;
  }
}
exposeInterface(CSSStyleRule);

class CSSGroupingRule extends CSSRule {
  #rules;
  #made = null;
  constructor(key, statement, sheet, parent, rules) {
    super(key, statement, sheet, parent);
    this.#rules = rules;
  }
  get cssRules() {
    return liveList(this, CSSRuleList, () => (this.#made ??= viewsOf(this._statement.body, this.parentStyleSheet, this, this.#rules).map(({ view }) => view)), "rules");
  }
}
exposeInterface(CSSGroupingRule);
class CSSConditionRule extends CSSGroupingRule {
  get conditionText() {
    return this._statement.head.replace(/^@[-a-z]+\s*/i, "");
  }
}
exposeInterface(CSSConditionRule);
class CSSMediaRule extends CSSConditionRule {
  get media() {
    return { mediaText: this.conditionText, length: this.conditionText.split(",").length };
  }
}
exposeInterface(CSSMediaRule);
class CSSSupportsRule extends CSSConditionRule {}
exposeInterface(CSSSupportsRule);
class CSSContainerRule extends CSSConditionRule {}
exposeInterface(CSSContainerRule);
class CSSLayerBlockRule extends CSSGroupingRule {}
exposeInterface(CSSLayerBlockRule);
class CSSScopeRule extends CSSGroupingRule {}
exposeInterface(CSSScopeRule);
class CSSKeyframesRule extends CSSRule {
  get name() {
    return /^@\S+\s+["']?([^"'\s]+)/.exec(this._statement.head)?.[1] ?? "";
  }
}
exposeInterface(CSSKeyframesRule);
class CSSFontFaceRule extends CSSRule {}
exposeInterface(CSSFontFaceRule);

const CLASSES = {
  __proto__: null, media: CSSMediaRule, supports: CSSSupportsRule, container: CSSContainerRule, layer: CSSLayerBlockRule, scope: CSSScopeRule,
  keyframes: CSSKeyframesRule, "-webkit-keyframes": CSSKeyframesRule, "font-face": CSSFontFaceRule,
};

function kindOf(head) {
  return lower(/^@([-a-z]+)/i.exec(head)?.[1] ?? "");
}

/** What `text` says, a `{ view, rules }` for each of its rules; `given` are the rules that the cascade has of it already. */
function viewsOf(text, sheet, parent, given) {
  const out = [];
  for (const statement of statements(text)) {
    const { head, body } = statement, kind = kindOf(head);
    const rules = given ?? parseSheet(statement.text, sheet);
    if (kind === "charset") continue;
    if (head.startsWith("@")) {
      const Class = body === null ? CSSRule : CLASSES[kind] ?? CSSRule;
      out.push({ __proto__: null, view: new Class(illegal, statement, sheet, parent, rules), rules });
      continue;
    }
    // Of what does not hold the cascade has nothing.
    const own = rules.find((r) => r.text === head && !out.some(({ of }) => of === r)) ?? parseSheet(`${head}{}`, sheet)[0];
    if (own !== undefined && body !== null) out.push({ __proto__: null, view: new CSSStyleRule(illegal, statement, sheet, parent, own), rules, of: own });
  }
  return out;
}

class CSSStyleSheet {
  #entries = [];
  #flat = null;
  constructor() {
    this.disabled = false;
  }
  get cssRules() {
    return liveList(this, CSSRuleList, () => this.#entries.map(({ view }) => view), "rules");
  }
  get rules() {
    return this.cssRules;
  }
  get type() {
    return "text/css";
  }
  get _rules() {
    if (this.#flat === null) {
      this.#flat = [];
      for (const { rules } of this.#entries) {
        gather(this.#flat, rules);
        for (const rule of rules) this.#flat.push(rule);
      }
    }
    return this.#flat;
  }
  #changed() {
    this.#flat = null;
    version.tree++;
  }
  insertRule(text, index = 0) {
    const at = index >>> 0;
    if (at > this.#entries.length) {
      throw new DOMException(`Failed to execute 'insertRule' on 'CSSStyleSheet': The index provided (${at}) is larger than the maximum index (${this.#entries.length}).`, "IndexSizeError");
    }
    this.#entries.splice(at, 0, ...viewsOf(`${text}`, this, null, null));
    this.#changed();
    return at;
  }
  deleteRule(index) {
    const at = index >>> 0;
    if (at >= this.#entries.length) {
      throw new DOMException(`Failed to execute 'deleteRule' on 'CSSStyleSheet': The index provided (${at}) is larger than the maximum index (${this.#entries.length - 1}).`, "IndexSizeError");
    }
    this.#entries.splice(at, 1);
    this.#changed();
  }
  addRule(selector, text, index = this.#entries.length) {
    this.insertRule(`${selector} {${text}}`, index);
    return -1;
  }
  removeRule(index = 0) {
    this.deleteRule(index);
  }
  replaceSync(text) {
    this.#entries = viewsOf(`${text}`, this, null, null);
    this.#changed();
  }
  replace(text) {
    this.replaceSync(text);
    return Promise.resolve(this);
  }
}
exposeInterface(CSSStyleSheet);

export { CSSStyleSheet };
