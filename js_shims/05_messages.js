// MessageChannel, BroadcastChannel, and the window's own messages (HTML, 9.3 to 9.5).
import { expose, exposeInterface, illegal, illegalConstructor, primordials } from "ext:replay/00_primordials.js";
import { MessageEvent } from "ext:replay/02_event_kinds.js";
import { EventTarget, defineHandlers, fire } from "ext:replay/02_events.js";
import { queueMessage } from "ext:replay/03_clock.js";
import { cloneable } from "ext:replay/06_clone.js";

const { ObjectDefineProperty } = primordials;

class MessagePort extends EventTarget {
  #other = null;
  #open = false;
  #waiting = [];
  constructor(key) {
    illegalConstructor(key);
    super();
  }
  _join(other) {
    this.#other = other;
  }
  postMessage(message, transfer = undefined) {
    const data = globalThis.structuredClone(message, Array.isArray(transfer) ? { transfer } : transfer);
    const init = { data, ports: portsOf(transfer) };
    const other = this.#other;
    if (other === null) return;
    queueMessage(() => other._receive(init));
  }
  _receive(init) {
    if (!this.#open) return void this.#waiting.push(init);
    fire(this, "message", init, MessageEvent);
  }
  start() {
    this.#open = true;
    for (const init of this.#waiting.splice(0)) queueMessage(() => this._receive(init));
  }
  close() {
    this.#other = null;
  }
}
defineHandlers(MessagePort.prototype, ["message", "messageerror"]);
{
  const d = Object.getOwnPropertyDescriptor(MessagePort.prototype, "onmessage");
  ObjectDefineProperty(MessagePort.prototype, "onmessage", {
    ...d,
    set(value) {
      d.set.call(this, value);
      this.start();
    },
  });
}
exposeInterface(MessagePort);

/** The ports among what a message transfers, `[...]` or `{ transfer: [...] }`: they come with it as `ports` (HTML, 9.4.4). */
function portsOf(transfer) {
  const list = Array.isArray(transfer) ? transfer : transfer?.transfer ?? [];
  return Object.freeze([...list].filter((one) => one instanceof MessagePort));
}
cloneable(MessagePort.prototype, (port, transferred) => (transferred ? port : null), true);
class MessageChannel {
  #a = new MessagePort(illegal);
  #b = new MessagePort(illegal);
  constructor() {
    this.#a._join(this.#b);
    this.#b._join(this.#a);
  }
  get port1() {
    return this.#a;
  }
  get port2() {
    return this.#b;
  }
}
exposeInterface(MessageChannel);

const channels = new Map();
class BroadcastChannel extends EventTarget {
  #name;
  constructor(name) {
    super();
    this.#name = `${name}`;
    channels.set(this.#name, [...(channels.get(this.#name) ?? []), this]);
  }
  get name() {
    return this.#name;
  }
  postMessage(message) {
    const data = globalThis.structuredClone(message);
    for (const c of channels.get(this.#name) ?? []) if (c !== this) queueMessage(() => fire(c, "message", { data }, MessageEvent));
  }
  close() {
    channels.set(this.#name, (channels.get(this.#name) ?? []).filter((c) => c !== this));
  }
}
defineHandlers(BroadcastChannel.prototype, ["message", "messageerror"]);
exposeInterface(BroadcastChannel);

expose("postMessage", function postMessage(message, target = undefined, transfer = undefined) {
  const list = Array.isArray(transfer) ? transfer : typeof target === "object" && target !== null ? target.transfer : undefined;
  const data = globalThis.structuredClone(message, list === undefined ? undefined : { transfer: list });
  queueMessage(() => fire(globalThis, "message", { data, ports: portsOf(list), origin: "http://localhost", source: globalThis }, MessageEvent));
});

export { portsOf };
