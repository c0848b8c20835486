// Events of CSS transitions and animations, and Element.animate, on the frame's clock (CSS Transitions 1 and 2, CSS Animations 1,
// Web Animations 1). What is in between is not computed: there is no layout that would show it, so a style has its end value at once.
import { exposeInterface, illegal, illegalConstructor, primordials } from "ext:replay/00_primordials.js";
import { DOMException } from "ext:replay/01_errors.js";
import { AnimationEvent, TransitionEvent } from "ext:replay/02_event_kinds.js";
import { Event, EventTarget, defineHandlers, fire, hasListeners } from "ext:replay/02_events.js";
import { onFrame, onFrameEnd } from "ext:replay/03_clock.js";
import { kAttrs } from "ext:replay/05_dom_attributes.js";
import { isRendered } from "ext:replay/05_dom_boxes.js";
import { cascade } from "ext:replay/05_dom_cascade.js";
import { computed } from "ext:replay/05_dom_computed.js";
import { document } from "ext:replay/05_dom_document.js";
import { Element } from "ext:replay/05_dom_element.js";
import { seconds } from "ext:replay/05_dom_length.js";
import { kChildren, kUp, version } from "ext:replay/05_dom_node.js";
import { matches } from "ext:replay/05_dom_selectors.js";
import { sheets } from "ext:replay/05_dom_sheets.js";
import { SHORTHANDS, split } from "ext:replay/05_dom_shorthands.js";
import { op_now_ms } from "ext:core/ops";

const { ArrayPrototypePush, ObjectDefineProperty, Promise, PromisePrototypeThen, PromiseResolve, SafeMap, SafeSet, TypeError } = primordials;

/** Properties that `transition: all` is looked for in. */
const ANIMATABLE = [
  "opacity", "transform", "translate", "rotate", "scale", "visibility", "color", "background-color", "filter", "backdrop-filter", "clip-path",
  "top", "right", "bottom", "left", "width", "height", "min-width", "min-height", "max-width", "max-height", "margin-top", "margin-right",
  "margin-bottom", "margin-left", "padding-top", "padding-right", "padding-bottom", "padding-left", "border-top-width", "border-top-color",
  "border-bottom-color", "border-top-left-radius", "box-shadow", "font-size", "letter-spacing", "line-height", "fill", "stroke",
  "stroke-dashoffset", "stroke-width", "flex-grow", "z-index",
];
/** Elements watched, and nodes walked to find them. */
const MAX_WATCHED = 300, MAX_NODES = 5000;
const OWN = /transition|animation/;

/** `{ before, running, names, animations }` by element. */
const watched = new SafeMap();
let seen = -1;
/** What the next frame tells first. */
let events = [];

/** A list value, cut or repeated to `count` (CSS Transitions 1, section 2). */
function listOf(element, name, count) {
  const all = split(computed(element, name), ",").map((v) => v.trim());
  const out = [];
  for (let i = 0; i < count; i++) out.push(all[i % all.length]);
  return out;
}

/** What a transition of each property takes: `{ duration, delay }` by property, in ms. */
function transitionsOf(element) {
  const names = split(computed(element, "transition-property"), ",").map((v) => v.trim());
  const durations = listOf(element, "transition-duration", names.length), delays = listOf(element, "transition-delay", names.length);
  const out = new SafeMap();
  for (let i = 0; i < names.length; i++) {
    const duration = Math.max(0, seconds(durations[i])) * 1000, delay = seconds(delays[i]) * 1000;
    const each = names[i] === "all" ? ANIMATABLE : SHORTHANDS[names[i]]?.names ?? [names[i]];
    for (const name of each) {
      out.delete(name);
      if (duration + delay > 0 && name !== "none") out.set(name, { duration, delay });
    }
  }
  return out;
}

/** Values of a property that go over into each other by steps of their own: not `auto`, not nothing. */
function canMove(from, to) {
  const fixed = (v) => v === "" || v === "auto" || v === "normal" || /content$/.test(v);
  return !fixed(from) && !fixed(to);
}

function heard(element, type) {
  for (let at = element; at !== null; at = at[kUp]) if (hasListeners(at, type)) return true;
  return hasListeners(globalThis, type);
}

const LEGACY = {
  __proto__: null, transitionend: "webkitTransitionEnd", animationstart: "webkitAnimationStart", animationend: "webkitAnimationEnd",
  animationiteration: "webkitAnimationIteration",
};

function tell(element, type, init, Class) {
  const name = LEGACY[type] !== undefined && !heard(element, type) ? LEGACY[type] : type;
  fire(element, name, { bubbles: true, ...init }, Class);
}

/** A size is what the cascade says: without layout, the box follows others. */
function valueOf(element, name) {
  if (name === "width" || name === "height") return cascade(element).get(name)?.value ?? "auto";
  // `currentcolor` stays what it is when the colour changes.
  if (/^border-.*-color$/.test(name) && /^(?:currentcolor)?$/i.test(cascade(element).get(name)?.value ?? "")) return "";
  return computed(element, name);
}

function snapshot(element, names) {
  const values = new SafeMap();
  for (const name of names) values.set(name, valueOf(element, name));
  return values;
}

/** Elements whose styles have transitions or animations, in the order of the tree. */
function candidates() {
  const selectors = [];
  for (const rule of sheets.rules()) {
    for (const name of rule.declarations.keys()) {
      if (!OWN.test(name)) continue;
      ArrayPrototypePush(selectors, rule.text);
      break;
    }
  }
  const found = [];
  let left = MAX_NODES;
  const visit = (element) => {
    for (const child of element[kChildren]) {
      if (child.nodeType !== 1) continue;
      if (--left < 0 || found.length >= MAX_WATCHED) return;
      const inline = child[kAttrs].get("style");
      if ((inline !== undefined && OWN.test(inline)) || selectors.some((s) => matches(child, s))) ArrayPrototypePush(found, child);
      visit(child);
    }
  };
  if (document.documentElement !== null) visit(document);
  return found;
}

/** HTML, "update the rendering": styles that changed start what they start. */
function updateStyles() {
  if (version.tree === seen) return;
  seen = version.tree;
  const now = op_now_ms();
  const found = candidates();
  const still = new SafeSet(found);
  for (const element of found) {
    if (!isRendered(element)) {
      still.delete(element);
      continue;
    }
    let state = watched.get(element);
    const fresh = state === undefined;
    if (fresh) {
      state = { __proto__: null, before: new SafeMap(), running: new SafeMap(), animations: new SafeMap() };
      watched.set(element, state);
    }
    const transitions = transitionsOf(element);
    if (!fresh) startTransitions(element, state, transitions, now);
    // What a later rule may animate is known from now on.
    state.before = snapshot(element, new SafeSet([...ANIMATABLE, ...transitions.keys()]));
    startAnimations(element, state, now);
  }
  for (const [element, state] of watched) {
    if (still.has(element)) continue;
    cancel(element, state);
    watched.delete(element);
  }
}

function startTransitions(element, state, transitions, now) {
  for (const [name, { duration, delay }] of transitions) {
    const after = valueOf(element, name);
    const running = state.running.get(name);
    const from = running !== undefined ? running.to : state.before.get(name);
    if (from === undefined || from === after) continue;
    let takes = duration;
    if (running !== undefined) {
      state.running.delete(name);
      const gone = Math.min(1, Math.max(0, (now - running.start) / running.duration));
      ArrayPrototypePush(events, () => tell(element, "transitioncancel", { propertyName: name, elapsedTime: (gone * running.duration) / 1000 }, TransitionEvent));
      // One that turns back takes as long as it went (CSS Transitions 1, section 3.1).
      if (after === running.from) takes = duration * gone * running.share + duration * (1 - running.share);
    }
    if (!canMove(from, after) || takes + delay <= 0) continue;
    state.running.set(name, { __proto__: null, from, to: after, start: now + delay, duration: takes, share: takes / duration || 1, begun: false });
    ArrayPrototypePush(events, () => tell(element, "transitionrun", { propertyName: name, elapsedTime: Math.max(0, -delay) / 1000 }, TransitionEvent));
  }
  // One whose property no transition is set for any more, and whose value changed, ends where it is.
  for (const [name, running] of state.running) {
    if (transitions.has(name) || valueOf(element, name) === running.to) continue;
    state.running.delete(name);
    ArrayPrototypePush(events, () => tell(element, "transitioncancel", { propertyName: name, elapsedTime: 0 }, TransitionEvent));
  }
}

function startAnimations(element, state, now) {
  const names = split(computed(element, "animation-name"), ",").map((v) => v.trim()).filter((v) => v !== "" && v !== "none");
  const list = (name) => listOf(element, name, names.length);
  const durations = list("animation-duration"), delays = list("animation-delay"), counts = list("animation-iteration-count");
  const states = list("animation-play-state");
  const known = names.length === 0 ? null : sheets.keyframes();
  for (const [name, one] of state.animations) {
    if (names.includes(name)) continue;
    state.animations.delete(name);
    if (!one.ended) ArrayPrototypePush(events, () => tell(element, "animationcancel", { animationName: name, elapsedTime: 0 }, AnimationEvent));
  }
  for (let i = 0; i < names.length; i++) {
    if (state.animations.has(names[i]) || !known.has(names[i]) || states[i] === "paused") continue;
    const count = counts[i] === "infinite" ? Infinity : Math.max(0, parseFloat(counts[i]) || 0);
    const duration = seconds(durations[i]) * 1000;
    state.animations.set(names[i], { __proto__: null, start: now + seconds(delays[i]) * 1000, duration, count, round: 0, begun: false, ended: false });
  }
}

function cancel(element, state) {
  for (const [name] of state.running) {
    ArrayPrototypePush(events, () => tell(element, "transitioncancel", { propertyName: name, elapsedTime: 0 }, TransitionEvent));
  }
  for (const [name, one] of state.animations) {
    if (one.begun && !one.ended) ArrayPrototypePush(events, () => tell(element, "animationcancel", { animationName: name, elapsedTime: 0 }, AnimationEvent));
  }
}

/** Web Animations 1, "update animations and send events": by the time each was due, then in the order they began. */
function tick() {
  const now = op_now_ms() + 1e-6;
  const due = [];
  const add = (at, run) => due.push({ at, run });
  for (const [element, state] of watched) {
    for (const [name, one] of state.running) {
      const init = (elapsed) => ({ propertyName: name, elapsedTime: elapsed / 1000 });
      if (!one.begun && now >= one.start) {
        one.begun = true;
        add(one.start, () => tell(element, "transitionstart", init(0), TransitionEvent));
      }
      if (now >= one.start + one.duration) {
        state.running.delete(name);
        add(one.start + one.duration, () => tell(element, "transitionend", init(one.duration), TransitionEvent));
      }
    }
    for (const [name, one] of state.animations) {
      if (one.ended || now < one.start) continue;
      const init = (elapsed) => ({ animationName: name, elapsedTime: elapsed / 1000 });
      if (!one.begun) {
        one.begun = true;
        add(one.start, () => tell(element, "animationstart", init(0), AnimationEvent));
      }
      const end = one.start + one.duration * one.count;
      if (now >= end || one.duration === 0) {
        one.ended = true;
        add(end, () => tell(element, "animationend", init(one.duration * one.count), AnimationEvent));
        continue;
      }
      const round = Math.floor((now - one.start) / one.duration);
      if (round > one.round) add(one.start + one.duration * round, () => tell(element, "animationiteration", init(one.duration * round), AnimationEvent));
      one.round = round;
    }
  }
  for (const animation of scripted) animation._tick(now, add);
  due.sort((a, b) => a.at - b.at);
  const first = events;
  events = [];
  for (let i = 0; i < first.length; i++) first[i]();
  for (let i = 0; i < due.length; i++) due[i].run();
}

// --- Element.animate ------------------------------------------------------------------------------------------------

/** Animations that run, in the order they began. */
const scripted = new SafeSet();

class Animation extends EventTarget {
  #element;
  #timing;
  /** Clock time of the animation's time 0 while it runs; null otherwise. */
  #zero = null;
  #hold = 0;
  #rate = 1;
  #state = "idle";
  #settle = null;
  #finished = null;
  constructor(key, element, timing, id) {
    illegalConstructor(key);
    super();
    this.#element = element;
    this.#timing = timing;
    this.id = id;
    this.#promise();
  }
  #promise() {
    this.#finished = new Promise((done, fail) => (this.#settle = { done, fail }));
    PromisePrototypeThen(this.#finished, () => {}, () => {});
  }
  get #end() {
    const t = this.#timing;
    return t.delay + t.duration * t.iterations + t.endDelay;
  }
  get playState() {
    return this.#state;
  }
  get pending() {
    return false;
  }
  get playbackRate() {
    return this.#rate;
  }
  set playbackRate(rate) {
    const at = this.currentTime;
    this.#rate = +rate;
    if (at !== null) this.currentTime = at;
  }
  updatePlaybackRate(rate) {
    this.playbackRate = rate;
  }
  get currentTime() {
    if (this.#state === "idle") return null;
    return this.#zero === null ? this.#hold : (op_now_ms() - this.#zero) * this.#rate;
  }
  set currentTime(time) {
    this.#hold = +time;
    if (this.#zero !== null && this.#rate !== 0) this.#zero = op_now_ms() - this.#hold / this.#rate;
  }
  get startTime() {
    return this.#zero;
  }
  get effect() {
    const timing = this.#timing;
    return { target: this.#element, getTiming: () => ({ ...timing }), getComputedTiming: () => ({ ...timing, endTime: this.#end }), updateTiming() {} };
  }
  get timeline() {
    return document.timeline;
  }
  get ready() {
    return PromiseResolve(this);
  }
  get finished() {
    return this.#finished;
  }
  play() {
    if (this.#state === "finished") {
      this.#hold = this.#rate < 0 ? this.#end : 0;
      this.#promise();
    } else if (this.#state === "idle" && this.#rate < 0) this.#hold = this.#end;
    this.#state = "running";
    this.#zero = op_now_ms() - (this.#rate === 0 ? 0 : this.#hold / this.#rate);
    scripted.add(this);
  }
  pause() {
    this.#hold = this.currentTime ?? 0;
    this.#zero = null;
    this.#state = "paused";
    scripted.delete(this);
  }
  reverse() {
    const at = this.currentTime ?? 0;
    this.#rate = -this.#rate;
    this.#hold = this.#rate < 0 ? Math.min(at, this.#end) || this.#end : at;
    if (this.#state === "finished") {
      this.#promise();
      this.#state = "paused";
    }
    this.play();
  }
  finish() {
    if (this.#rate > 0 && this.#end === Infinity) {
      throw new DOMException("Failed to execute 'finish' on 'Animation': Cannot finish Animation with an infinite target effect end.", "InvalidStateError");
    }
    this.#over();
  }
  cancel() {
    if (this.#state === "idle") return;
    this.#zero = null;
    this.#hold = 0;
    if (this.#state !== "finished") {
      this.#settle.fail(new DOMException("The user aborted a request.", "AbortError"));
      this.#promise();
    }
    this.#state = "idle";
    scripted.delete(this);
    fire(this, "cancel", {}, Event);
  }
  commitStyles() {}
  persist() {}
  #over() {
    this.#hold = this.#rate < 0 ? 0 : this.#end;
    this.#zero = null;
    this.#state = "finished";
    scripted.delete(this);
    this.#settle.done(this);
    // Whoever waits for the promise hears of it first.
    PromisePrototypeThen(this.#finished, () => fire(this, "finish", {}, Event));
  }
  _tick(now, add) {
    if (this.#zero === null || this.#rate === 0) return;
    const at = (now - this.#zero) * this.#rate;
    if (this.#rate > 0 ? at >= this.#end : at <= 0) {
      add(this.#zero + (this.#rate > 0 ? this.#end / this.#rate : 0), () => this.#zero !== null && this.#over());
    }
  }
}
defineHandlers(Animation.prototype, ["finish", "cancel", "remove"]);
ObjectDefineProperty(Animation.prototype, "_tick", { __proto__: null, enumerable: false });
exposeInterface(Animation);

Element.prototype.animate = function animate(_keyframes, options = undefined) {
  const o = typeof options === "number" ? { duration: options } : options ?? {};
  const number = (value, fallback) => (typeof value === "number" && !Number.isNaN(value) ? value : fallback);
  const duration = number(o.duration, 0), iterations = number(o.iterations, 1);
  if (duration < 0 || iterations < 0) throw new TypeError("Failed to execute 'animate' on 'Element': duration and iterations must not be negative.");
  const timing = { delay: number(o.delay, 0), duration, iterations, endDelay: number(o.endDelay, 0), easing: o.easing ?? "linear", fill: o.fill ?? "auto", direction: o.direction ?? "normal" };
  const animation = new Animation(illegal, this, timing, o.id ?? "");
  animation.play();
  return animation;
};
Element.prototype.getAnimations = function getAnimations() {
  return [...scripted].filter((a) => a.effect.target === this);
};

/** A page that broke the built-ins that this uses hears of no transitions, and goes on. What listeners throw is told where they are called. */
const unharmed = (work) => () => {
  try {
    work();
  } catch {}
};
sheets.flush = unharmed(updateStyles);
onFrame(unharmed(tick));
onFrameEnd(sheets.flush);
