// Web Audio: its clock is the virtual one; nothing is heard, and that is reported as unsupported.
import { expose, exposeInterface, gap, primordials, unsupported } from "ext:replay/00_primordials.js";
import { DOMException } from "ext:replay/01_errors.js";
import { EventTarget, defineHandlers, fire } from "ext:replay/02_events.js";
import { queueTask } from "ext:replay/03_clock.js";
import { STAND_IN } from "ext:replay/10_media.js";
import { op_decode_wav, op_media_name, op_media_seconds, op_now_ms } from "ext:core/ops";

const { Float32Array, Promise, TypeError, Uint8Array } = primordials;
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
    this.audioWorklet = {
      addModule(address) {
        unsupported("AudioWorklet", "addModule", `${address}`);
        return Promise.reject(gap(new DOMException("AudioWorklet is not supported", "NotSupportedError")));
      },
    };
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
    // Detached, as by every browser.
    const bytes = new Uint8Array(data.transfer());
    const rate = this._rate;
    return new Promise((resolve, reject) => queueTask(() => {
      let buffer;
      try {
        buffer = decode(bytes, rate);
      } catch (error) {
        fail?.(error);
        return reject(error);
      }
      done?.(buffer);
      resolve(buffer);
    }));
  }
}

/** The samples of a WAV; other files are silence of their length. */
function decode(bytes, rate) {
  if (bytes[0] === 0x52 && bytes[8] === 0x57) {
    try {
      const { channels, length, samples } = op_decode_wav(bytes, rate);
      const buffer = new AudioBuffer({ numberOfChannels: channels, length, sampleRate: rate });
      const all = new Float32Array(samples.buffer, samples.byteOffset, channels * length);
      for (let i = 0; i < channels; i++) buffer.copyToChannel(all.subarray(i * length, (i + 1) * length), i);
      return buffer;
    } catch {
      throw new DOMException("Unable to decode audio data", "EncodingError");
    }
  }
  const found = op_media_seconds(bytes);
  if (found < 0) throw new DOMException("Unable to decode audio data", "EncodingError");
  const seconds = found >= 0 ? Math.min(found, 1800) : STAND_IN;
  const name = op_media_name(bytes) || "a file";
  unsupported("BaseAudioContext", "decodeAudioData", `${name}: only WAV is decoded, so it is ${seconds.toFixed(2)} s of silence`);
  return new AudioBuffer({ numberOfChannels: 2, length: Math.max(1, Math.round(seconds * rate)), sampleRate: rate });
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
