// Sound and moving pictures: stand-ins that run on the virtual clock, make silence, and are reported as unsupported.
import { expose, exposeInterface, primordials, unsupported } from "ext:replay/00_primordials.js";
import { DOMException } from "ext:replay/01_errors.js";
import { EventTarget, defineHandlers, fire } from "ext:replay/02_events.js";
import { queueTask } from "ext:replay/03_clock.js";
import { imageSources } from "ext:replay/04_hooks.js";
import { HTMLElement, define, kinds } from "ext:replay/05_dom_html.js";
import { op_now_ms } from "ext:core/ops";

const { Float32Array, Promise, TypeError } = primordials;
const RATE = 48000;

class AudioParam {
  constructor(value = 0) {
    this.value = value;
    this.defaultValue = value;
    this.minValue = -3.4e38;
    this.maxValue = 3.4e38;
    this.automationRate = "a-rate";
  }
}
// Automation takes its end value at once: nothing is heard, and pages read `value` rarely.
for (const name of ["setValueAtTime", "linearRampToValueAtTime", "exponentialRampToValueAtTime", "setTargetAtTime"]) {
  AudioParam.prototype[name] = function (value) {
    this.value = +value;
    return this;
  };
}
for (const name of ["cancelScheduledValues", "cancelAndHoldAtTime", "setValueCurveAtTime"]) {
  AudioParam.prototype[name] = function () {
    return this;
  };
}
exposeInterface(AudioParam);

class AudioNode extends EventTarget {
  constructor(context, options = undefined) {
    super();
    this.context = context;
    this.numberOfInputs = 1;
    this.numberOfOutputs = 1;
    this.channelCount = options?.channelCount ?? 2;
    this.channelCountMode = "max";
    this.channelInterpretation = "speakers";
  }
  connect(target) {
    return target;
  }
  disconnect() {}
}
exposeInterface(AudioNode);

/** A node class with parameters and plain properties. */
function node(name, params, props = {}, methods = {}) {
  const Class = { [name]: class extends AudioNode {
    constructor(context, options = {}) {
      super(context, options);
      for (const k of Object.keys(params)) this[k] = new AudioParam(options?.[k] ?? params[k]);
      for (const k of Object.keys(props)) this[k] = options?.[k] ?? props[k];
    }
  } }[name];
  Object.assign(Class.prototype, methods);
  exposeInterface(Class, name);
  return Class;
}

const source = {
  start(when = 0, _offset = 0, duration = undefined) {
    this._started = true;
    const length = duration ?? (this.buffer && !this.loop ? this.buffer.duration : undefined);
    if (length !== undefined) globalThis.setTimeout(() => fire(this, "ended"), Math.max(0, (when - this.context.currentTime + length) * 1000));
  },
  stop(when = 0) {
    globalThis.setTimeout(() => fire(this, "ended"), Math.max(0, (when - this.context.currentTime) * 1000));
  },
};
const NODES = {
  Gain: node("GainNode", { gain: 1 }),
  Delay: node("DelayNode", { delayTime: 0 }),
  BiquadFilter: node("BiquadFilterNode", { frequency: 350, detune: 0, Q: 1, gain: 0 }, { type: "lowpass" }, { getFrequencyResponse() {} }),
  Oscillator: node("OscillatorNode", { frequency: 440, detune: 0 }, { type: "sine" }, { ...source, setPeriodicWave() {} }),
  BufferSource: node("AudioBufferSourceNode", { playbackRate: 1, detune: 0 }, { buffer: null, loop: false, loopStart: 0, loopEnd: 0 }, source),
  ConstantSource: node("ConstantSourceNode", { offset: 1 }, {}, source),
  DynamicsCompressor: node("DynamicsCompressorNode", { threshold: -24, knee: 30, ratio: 12, attack: 0.003, release: 0.25 }, { reduction: 0 }),
  Panner: node("PannerNode", { positionX: 0, positionY: 0, positionZ: 0, orientationX: 1, orientationY: 0, orientationZ: 0 }, {
    panningModel: "equalpower", distanceModel: "inverse", refDistance: 1, maxDistance: 10000, rolloffFactor: 1, coneInnerAngle: 360, coneOuterAngle: 360, coneOuterGain: 0,
  }, { setPosition() {}, setOrientation() {} }),
  StereoPanner: node("StereoPannerNode", { pan: 0 }),
  Convolver: node("ConvolverNode", {}, { buffer: null, normalize: true }),
  WaveShaper: node("WaveShaperNode", {}, { curve: null, oversample: "none" }),
  ChannelSplitter: node("ChannelSplitterNode", {}),
  ChannelMerger: node("ChannelMergerNode", {}),
  MediaElementSource: node("MediaElementAudioSourceNode", {}, { mediaElement: null }),
  MediaStreamSource: node("MediaStreamAudioSourceNode", {}),
  MediaStreamDestination: node("MediaStreamAudioDestinationNode", {}, { stream: null }),
  ScriptProcessor: node("ScriptProcessorNode", {}, { bufferSize: 4096, onaudioprocess: null }),
  Analyser: node("AnalyserNode", {}, { fftSize: 2048, minDecibels: -100, maxDecibels: -30, smoothingTimeConstant: 0.8 }, {
    getByteFrequencyData: (a) => void a.fill(0),
    getByteTimeDomainData: (a) => void a.fill(128),
    getFloatFrequencyData: (a) => void a.fill(-Infinity),
    getFloatTimeDomainData: (a) => void a.fill(0),
  }),
};
Object.defineProperty(NODES.Analyser.prototype, "frequencyBinCount", { get() { return this.fftSize / 2; }, enumerable: true, configurable: true });
defineHandlers(NODES.Oscillator.prototype, ["ended"]);
defineHandlers(NODES.BufferSource.prototype, ["ended"]);
class AudioDestinationNode extends AudioNode {
  get maxChannelCount() {
    return 2;
  }
}
exposeInterface(AudioDestinationNode);

class AudioListener {
  constructor() {
    for (const k of ["positionX", "positionY", "positionZ", "forwardX", "forwardY", "forwardZ", "upX", "upY", "upZ"]) this[k] = new AudioParam(0);
  }
  setPosition() {}
  setOrientation() {}
}
exposeInterface(AudioListener);

class AudioBuffer {
  #channels;
  #rate;
  #length;
  constructor({ length, numberOfChannels = 1, sampleRate = RATE }) {
    if (!(length > 0)) throw new DOMException("The number of frames provided (0) is less than or equal to the minimum bound (0).", "NotSupportedError");
    this.#length = length;
    this.#rate = sampleRate;
    this.#channels = Array.from({ length: numberOfChannels }, () => new Float32Array(length));
  }
  get length() {
    return this.#length;
  }
  get duration() {
    return this.#length / this.#rate;
  }
  get sampleRate() {
    return this.#rate;
  }
  get numberOfChannels() {
    return this.#channels.length;
  }
  getChannelData(i) {
    if (!(i < this.#channels.length)) throw new DOMException("channel index exceeds number of channels", "IndexSizeError");
    return this.#channels[i];
  }
  copyFromChannel(target, i, from = 0) {
    target.set(this.getChannelData(i).subarray(from, from + target.length));
  }
  copyToChannel(from, i, at = 0) {
    this.getChannelData(i).set(from, at);
  }
}
exposeInterface(AudioBuffer);

class BaseAudioContext extends EventTarget {
  constructor(options = undefined) {
    super();
    unsupported("AudioContext", "constructor", "the page's sound is not heard; give a sound track with --audio");
    this._start = op_now_ms();
    this._rate = options?.sampleRate ?? RATE;
    this.destination = new AudioDestinationNode(this);
    this.listener = new AudioListener();
    this.audioWorklet = { addModule: () => Promise.reject(new DOMException("AudioWorklet is not supported", "NotSupportedError")) };
    this._state = "running";
  }
  get currentTime() {
    return this._state === "closed" ? 0 : (op_now_ms() - this._start) / 1000;
  }
  get sampleRate() {
    return this._rate;
  }
  get state() {
    return this._state;
  }
  createBuffer(numberOfChannels, length, sampleRate) {
    return new AudioBuffer({ numberOfChannels, length, sampleRate });
  }
  createPeriodicWave() {
    return {};
  }
  decodeAudioData(data, done = undefined, fail = undefined) {
    if (!(data instanceof ArrayBuffer)) return Promise.reject(new TypeError("Failed to execute 'decodeAudioData' on 'BaseAudioContext': parameter 1 is not of type 'ArrayBuffer'."));
    void fail;
    // Silence: a second of it, since nothing here knows the real length.
    const buffer = new AudioBuffer({ numberOfChannels: 2, length: this._rate, sampleRate: this._rate });
    return new Promise((resolve) => queueTask(() => {
      done?.(buffer);
      resolve(buffer);
    }));
  }
}
for (const name of Object.keys(NODES)) {
  BaseAudioContext.prototype[`create${name}`] = function (...args) {
    const made = new NODES[name](this);
    if (name === "MediaElementSource") made.mediaElement = args[0];
    return made;
  };
}
defineHandlers(BaseAudioContext.prototype, ["statechange"]);
exposeInterface(BaseAudioContext);
class AudioContext extends BaseAudioContext {
  get baseLatency() {
    return 0.01;
  }
  get outputLatency() {
    return 0;
  }
  getOutputTimestamp() {
    return { contextTime: this.currentTime, performanceTime: op_now_ms() };
  }
  resume() {
    this._state = "running";
    return Promise.resolve();
  }
  suspend() {
    this._state = "suspended";
    return Promise.resolve();
  }
  close() {
    this._state = "closed";
    return Promise.resolve();
  }
}
exposeInterface(AudioContext);
expose("webkitAudioContext", AudioContext);
class OfflineAudioContext extends BaseAudioContext {
  constructor(channels, length, rate) {
    super({ sampleRate: rate });
    this.length = length;
    this._channels = channels;
  }
  startRendering() {
    return Promise.resolve(new AudioBuffer({ numberOfChannels: this._channels, length: this.length, sampleRate: this._rate }));
  }
}
exposeInterface(OfflineAudioContext);

// --- media elements -------------------------------------------------------------------------------------------------

class HTMLMediaElement extends HTMLElement {
  _paused = true;
  currentTime = 0;
  volume = 1;
  playbackRate = 1;
  defaultPlaybackRate = 1;
  srcObject = null;
  get paused() {
    return this._paused;
  }
  get duration() {
    return NaN;
  }
  get ended() {
    return false;
  }
  get seeking() {
    return false;
  }
  get readyState() {
    return 0;
  }
  get networkState() {
    return 3;
  }
  get error() {
    return null;
  }
  get buffered() {
    return { length: 0, start: () => 0, end: () => 0 };
  }
  get seekable() {
    return this.buffered;
  }
  get played() {
    return this.buffered;
  }
  play() {
    unsupported(this.constructor.name, "play", this.src || this.currentSrc || "");
    this._paused = false;
    queueTask(() => fire(this, "play"));
    return Promise.resolve();
  }
  pause() {
    this._paused = true;
  }
  load() {}
  canPlayType() {
    return "";
  }
  get currentSrc() {
    return this.src;
  }
  captureStream() {
    throw new DOMException("captureStream is not supported", "NotSupportedError");
  }
}
exposeInterface(HTMLMediaElement);
const MEDIA = [["src", "url"], ["autoplay", "bool"], ["loop", "bool"], ["muted", "bool"], ["controls", "bool"], ["preload", "string"], ["crossOrigin", "string", "crossorigin", null], ["defaultMuted", "bool", "muted"]];
class HTMLAudioElement extends HTMLMediaElement {}
class HTMLVideoElement extends HTMLMediaElement {
  get videoWidth() {
    return 0;
  }
  get videoHeight() {
    return 0;
  }
  requestVideoFrameCallback() {
    unsupported("HTMLVideoElement", "requestVideoFrameCallback");
    return 1;
  }
  cancelVideoFrameCallback() {}
}
define("HTMLAudioElement", ["audio"], MEDIA, HTMLAudioElement);
define("HTMLVideoElement", ["video"], [...MEDIA, ["width", "int"], ["height", "int"], ["poster", "url"], ["playsInline", "bool"]], HTMLVideoElement);
for (const tag of ["audio", "video"]) {
  kinds.changed.set(tag, (element, name, _old, value) => {
    if (name !== "src" || value === null) return;
    unsupported(element.constructor.name, "src", `${value}; media files do not play`);
  });
}
function Audio(src = undefined) {
  if (new.target === undefined) throw new TypeError("Failed to construct 'Audio': Please use the 'new' operator");
  const audio = globalThis.document.createElement("audio");
  if (src !== undefined) audio.src = src;
  return audio;
}
Audio.prototype = HTMLAudioElement.prototype;
expose("Audio", Audio);
imageSources.register((v) =>
  typeof v === "object" && v !== null && v instanceof HTMLVideoElement
    ? { width: 0, height: 0, data: new Uint8Array(0), premultiplied: false, unsupported: "video has no pictures here" }
    : undefined,
);
