// The kinds of events: UI Events, Pointer Events, HTML.
import { constants, exposeInterface, primordials } from "ext:replay/00_primordials.js";
import { Event } from "ext:replay/02_events.js";

const { ObjectDefineProperty } = primordials;

/** A class with read-only members taken from its init dictionary: `[name, default]`. */
function kind(name, Parent, members) {
  const Class = {
    [name]: class extends Parent {
      constructor(type, init = undefined) {
        super(type, init);
        const values = { __proto__: null };
        for (let i = 0; i < members.length; i++) {
          const [key, fallback] = members[i];
          const given = init?.[key];
          values[key] = given === undefined ? (typeof fallback === "function" ? fallback() : fallback) : given;
        }
        ObjectDefineProperty(this, slot, { __proto__: null, value: values });
      }
    },
  }[name];
  const slot = Symbol(name);
  for (let i = 0; i < members.length; i++) {
    const key = members[i][0];
    ObjectDefineProperty(Class.prototype, key, {
      __proto__: null,
      get() {
        return this[slot][key];
      },
      enumerable: true,
      configurable: true,
    });
  }
  exposeInterface(Class, name);
  Class._slot = slot;
  return Class;
}

const CustomEvent = kind("CustomEvent", Event, [["detail", null]]);
CustomEvent.prototype.initCustomEvent = function (type, bubbles, cancelable, detail) {
  this.initEvent(type, bubbles, cancelable);
  this[CustomEvent._slot].detail = detail;
};
const UIEvent = kind("UIEvent", Event, [["view", null], ["detail", 0], ["sourceCapabilities", null], ["which", 0]]);
const MODIFIERS = [["ctrlKey", false], ["shiftKey", false], ["altKey", false], ["metaKey", false]];
const MouseEvent = kind("MouseEvent", UIEvent, [
  ["screenX", 0], ["screenY", 0], ["clientX", 0], ["clientY", 0], ["button", 0], ["buttons", 0], ["relatedTarget", null],
  ["movementX", 0], ["movementY", 0], ...MODIFIERS,
]);
for (const [name, from, scroll] of [["x", "clientX"], ["y", "clientY"], ["pageX", "clientX", "scrollX"], ["pageY", "clientY", "scrollY"]]) {
  ObjectDefineProperty(MouseEvent.prototype, name, {
    __proto__: null,
    get() {
      return this[from] + (scroll === undefined ? 0 : globalThis[scroll] ?? 0);
    },
    enumerable: true,
    configurable: true,
  });
}
for (const [name, from, side] of [["offsetX", "clientX", "left"], ["offsetY", "clientY", "top"], ["layerX", "clientX", "left"], ["layerY", "clientY", "top"]]) {
  ObjectDefineProperty(MouseEvent.prototype, name, {
    __proto__: null,
    get() {
      return this[from] - (this.target?.getBoundingClientRect?.()[side] ?? 0);
    },
    enumerable: true,
    configurable: true,
  });
}
MouseEvent.prototype.getModifierState = function (key) {
  return { __proto__: null, Control: this.ctrlKey, Shift: this.shiftKey, Alt: this.altKey, Meta: this.metaKey }[key] ?? false;
};
const PointerEvent = kind("PointerEvent", MouseEvent, [
  ["pointerId", 0], ["width", 1], ["height", 1], ["pressure", 0], ["tangentialPressure", 0], ["tiltX", 0], ["tiltY", 0],
  ["twist", 0], ["altitudeAngle", Math.PI / 2], ["azimuthAngle", 0], ["pointerType", ""], ["isPrimary", false],
]);
PointerEvent.prototype.getCoalescedEvents = () => [];
PointerEvent.prototype.getPredictedEvents = () => [];
const WheelEvent = kind("WheelEvent", MouseEvent, [["deltaX", 0], ["deltaY", 0], ["deltaZ", 0], ["deltaMode", 0]]);
constants(WheelEvent, { DOM_DELTA_PIXEL: 0, DOM_DELTA_LINE: 1, DOM_DELTA_PAGE: 2 });
kind("DragEvent", MouseEvent, [["dataTransfer", null]]);
const KeyboardEvent = kind("KeyboardEvent", UIEvent, [
  ["key", ""], ["code", ""], ["location", 0], ["repeat", false], ["isComposing", false], ["charCode", 0], ["keyCode", 0],
  ...MODIFIERS,
]);
constants(KeyboardEvent, {
  DOM_KEY_LOCATION_STANDARD: 0, DOM_KEY_LOCATION_LEFT: 1, DOM_KEY_LOCATION_RIGHT: 2, DOM_KEY_LOCATION_NUMPAD: 3,
});
KeyboardEvent.prototype.getModifierState = MouseEvent.prototype.getModifierState;
kind("CompositionEvent", UIEvent, [["data", ""]]);
kind("TouchEvent", UIEvent, [["touches", () => []], ["targetTouches", () => []], ["changedTouches", () => []], ...MODIFIERS]);
kind("FocusEvent", UIEvent, [["relatedTarget", null]]);
kind("InputEvent", UIEvent, [["data", null], ["isComposing", false], ["inputType", ""], ["dataTransfer", null]]);
const ErrorEvent = kind("ErrorEvent", Event, [["message", ""], ["filename", ""], ["lineno", 0], ["colno", 0], ["error", undefined]]);
const PromiseRejectionEvent = kind("PromiseRejectionEvent", Event, [["promise", undefined], ["reason", undefined]]);
const ProgressEvent = kind("ProgressEvent", Event, [["lengthComputable", false], ["loaded", 0], ["total", 0]]);
const MessageEvent = kind("MessageEvent", Event, [
  ["data", null], ["origin", ""], ["lastEventId", ""], ["source", null], ["ports", () => []],
]);
kind("PopStateEvent", Event, [["state", null]]);
kind("HashChangeEvent", Event, [["oldURL", ""], ["newURL", ""]]);
kind("PageTransitionEvent", Event, [["persisted", false]]);
kind("StorageEvent", Event, [["key", null], ["oldValue", null], ["newValue", null], ["url", ""], ["storageArea", null]]);
const AnimationEvent = kind("AnimationEvent", Event, [["animationName", ""], ["elapsedTime", 0], ["pseudoElement", ""]]);
const TransitionEvent = kind("TransitionEvent", Event, [["propertyName", ""], ["elapsedTime", 0], ["pseudoElement", ""]]);
kind("ClipboardEvent", Event, [["clipboardData", null]]);
kind("SubmitEvent", Event, [["submitter", null]]);
kind("BeforeUnloadEvent", Event, []);
const MediaQueryListEvent = kind("MediaQueryListEvent", Event, [["media", ""], ["matches", false]]);
kind("GamepadEvent", Event, [["gamepad", null]]);
kind("DeviceOrientationEvent", Event, [["alpha", null], ["beta", null], ["gamma", null], ["absolute", false]]);
kind("DeviceMotionEvent", Event, [["acceleration", null], ["accelerationIncludingGravity", null], ["rotationRate", null], ["interval", 0]]);
kind("WebGLContextEvent", Event, [["statusMessage", ""]]);

export {
  AnimationEvent, CustomEvent, ErrorEvent, KeyboardEvent, MediaQueryListEvent, MessageEvent, MouseEvent, PointerEvent, ProgressEvent,
  PromiseRejectionEvent, TransitionEvent, UIEvent, WheelEvent, kind,
};
