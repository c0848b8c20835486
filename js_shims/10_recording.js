// Streams of what a page shows, and their recording (MediaStream, MediaRecorder): a program that films itself goes on, and gets
// a recording of no bytes. Each use is reported as unsupported.
import { exposeInterface, globals, illegal, illegalConstructor, primordials, required, unsupported } from "ext:replay/00_primordials.js";
import { DOMException } from "ext:replay/01_errors.js";
import { Event, EventTarget, defineHandlers, fire } from "ext:replay/02_events.js";
import { queueTask, setTimeout } from "ext:replay/03_clock.js";
import { HTMLCanvasElement } from "ext:replay/05_dom_canvas.js";
import { Blob } from "ext:replay/06_blob.js";
import { op_now_ms } from "ext:core/ops";

const { ArrayPrototypeFilter, ArrayPrototypeIncludes, ArrayPrototypeJoin, ArrayPrototypePush, ArrayPrototypeSlice, Promise, TypeError } = primordials;

let serial = 0;
/** Identifiers are random in browsers: here they are counted. */
function identifier() {
  const n = `${++serial}`;
  return `00000000-0000-4000-8000-${"0".repeat(12 - n.length)}${n}`;
}

class MediaStreamTrack extends EventTarget {
  #kind;
  #id = identifier();
  #state = "live";
  #settings;
  enabled = true;
  contentHint = "";
  constructor(key, kind = "", settings = {}) {
    illegalConstructor(key);
    super();
    this.#kind = kind;
    this.#settings = settings;
  }
  get kind() {
    return this.#kind;
  }
  get id() {
    return this.#id;
  }
  get label() {
    return this.#id;
  }
  get muted() {
    return false;
  }
  get readyState() {
    return this.#state;
  }
  stop() {
    this.#state = "ended";
  }
  clone() {
    return new this.constructor(illegal, this.#kind, this.#settings);
  }
  getCapabilities() {
    return {};
  }
  getConstraints() {
    return {};
  }
  getSettings() {
    return { ...this.#settings };
  }
  applyConstraints() {
    return Promise.resolve();
  }
}
defineHandlers(MediaStreamTrack.prototype, ["ended", "mute", "unmute"]);
exposeInterface(MediaStreamTrack);

class CanvasCaptureMediaStreamTrack extends MediaStreamTrack {
  #canvas;
  constructor(key, kind, settings, canvas) {
    super(key, kind, settings);
    this.#canvas = canvas;
  }
  get canvas() {
    return this.#canvas;
  }
  requestFrame() {}
}
exposeInterface(CanvasCaptureMediaStreamTrack);

class MediaStream extends EventTarget {
  #id = identifier();
  #tracks = [];
  constructor(from = undefined) {
    super();
    if (from === undefined) return;
    for (const track of from instanceof MediaStream ? from.getTracks() : from) this.addTrack(track);
  }
  get id() {
    return this.#id;
  }
  get active() {
    return this.#tracks.some((track) => track.readyState === "live");
  }
  getTracks() {
    return ArrayPrototypeSlice(this.#tracks);
  }
  getVideoTracks() {
    return ArrayPrototypeFilter(this.#tracks, (track) => track.kind === "video");
  }
  getAudioTracks() {
    return ArrayPrototypeFilter(this.#tracks, (track) => track.kind === "audio");
  }
  getTrackById(id) {
    return this.#tracks.find((track) => track.id === `${id}`) ?? null;
  }
  addTrack(track) {
    required(arguments.length, 1, "Failed to execute 'addTrack' on 'MediaStream'");
    if (!(track instanceof MediaStreamTrack)) {
      throw new TypeError("Failed to execute 'addTrack' on 'MediaStream': parameter 1 is not of type 'MediaStreamTrack'.");
    }
    if (!ArrayPrototypeIncludes(this.#tracks, track)) ArrayPrototypePush(this.#tracks, track);
  }
  removeTrack(track) {
    this.#tracks = ArrayPrototypeFilter(this.#tracks, (other) => other !== track);
  }
  clone() {
    return new MediaStream(this.#tracks.map((track) => track.clone()));
  }
}
defineHandlers(MediaStream.prototype, ["addtrack", "removetrack", "active", "inactive"]);
exposeInterface(MediaStream);

HTMLCanvasElement.prototype.captureStream = function captureStream(frameRate = undefined) {
  if (frameRate !== undefined && +frameRate < 0) {
    throw new DOMException("Failed to execute 'captureStream' on 'HTMLCanvasElement': Given frame rate is not supported.", "NotSupportedError");
  }
  unsupported("HTMLCanvasElement", "captureStream", "gives a stream without pictures");
  const settings = { deviceId: "", frameRate: frameRate === undefined ? 60 : +frameRate, width: this.width, height: this.height };
  return new MediaStream([new CanvasCaptureMediaStreamTrack(illegal, "video", settings, this)]);
};
globals.HTMLMediaElement.prototype.captureStream = function captureStream() {
  unsupported("HTMLMediaElement", "captureStream", "gives a stream without tracks");
  return new MediaStream();
};

class BlobEvent extends Event {
  #data;
  #timecode;
  constructor(type, init) {
    required(arguments.length, 2, "Failed to construct 'BlobEvent'");
    super(type, init);
    this.#data = init.data;
    this.#timecode = init.timecode ?? 0;
  }
  get data() {
    return this.#data;
  }
  get timecode() {
    return this.#timecode;
  }
}
exposeInterface(BlobEvent);

/** Chromium's containers and codecs. */
const CONTAINERS = /^(?:video\/(?:webm|x-matroska|mp4)|audio\/(?:webm|mp4))$/;
const CODECS = /^(?:vp8|vp9|vp09|av1|av01|h264|avc1|avc3|opus|pcm|mp4a|hev1|hvc1)(?:\.|$)/;

/** MediaStream Recording, section 2: a recording of nothing. */
class MediaRecorder extends EventTarget {
  #stream;
  #type;
  #state = "inactive";
  #video;
  #audio;
  #slice = 0;
  /** Counts starts and ends, so that the timers of an earlier recording say nothing. */
  #run = 0;
  #begun = 0;
  constructor(stream, options = {}) {
    required(arguments.length, 1, "Failed to construct 'MediaRecorder'");
    super();
    if (!(stream instanceof MediaStream)) {
      throw new TypeError("Failed to construct 'MediaRecorder': parameter 1 is not of type 'MediaStream'.");
    }
    const type = options?.mimeType === undefined ? "" : `${options.mimeType}`;
    if (!MediaRecorder.isTypeSupported(type)) {
      throw new DOMException(`Failed to construct 'MediaRecorder': Failed to initialize native MediaRecorder the type provided (${type}) is not supported.`, "NotSupportedError");
    }
    unsupported("MediaRecorder", "constructor", "records nothing: its data is empty (the film is what replay writes)");
    this.#stream = stream;
    this.#type = type;
    this.#video = +(options?.videoBitsPerSecond ?? options?.bitsPerSecond ?? 2500000);
    this.#audio = +(options?.audioBitsPerSecond ?? 128000);
  }
  static isTypeSupported(type) {
    const [container, ...parameters] = `${type}`.split(";");
    if (`${type}` === "") return true;
    if (!CONTAINERS.test(container.trim().toLowerCase())) return false;
    const codecs = /codecs\s*=\s*"?([^"]*)"?/i.exec(ArrayPrototypeJoin(parameters, ";"));
    return codecs === null || codecs[1].split(",").every((codec) => CODECS.test(codec.trim().toLowerCase()));
  }
  get stream() {
    return this.#stream;
  }
  get mimeType() {
    return this.#type;
  }
  get state() {
    return this.#state;
  }
  get videoBitsPerSecond() {
    return this.#video;
  }
  get audioBitsPerSecond() {
    return this.#audio;
  }
  get audioBitrateMode() {
    return "variable";
  }
  #must(active, method) {
    if ((this.#state !== "inactive") === active) return;
    throw new DOMException(`Failed to execute '${method}' on 'MediaRecorder': The MediaRecorder's state is '${this.#state}'.`, "InvalidStateError");
  }
  #give() {
    fire(this, "dataavailable", { data: new Blob([], { type: this.#type }), timecode: op_now_ms() - this.#begun }, BlobEvent);
  }
  start(timeslice = undefined) {
    this.#must(false, "start");
    this.#state = "recording";
    this.#slice = timeslice === undefined ? 0 : Math.max(1, +timeslice || 0);
    const run = ++this.#run;
    this.#begun = op_now_ms();
    if (this.#type === "") this.#type = this.#stream.getVideoTracks().length > 0 ? "video/webm;codecs=vp8,opus" : "audio/webm;codecs=opus";
    queueTask(() => {
      if (this.#run === run) fire(this, "start");
    });
    if (this.#slice > 0) this.#next(run);
  }
  #next(run) {
    setTimeout(() => {
      if (this.#run !== run || this.#state === "inactive") return;
      if (this.#state === "recording") this.#give();
      this.#next(run);
    }, this.#slice);
  }
  stop() {
    if (this.#state === "inactive") return;
    this.#state = "inactive";
    this.#run++;
    queueTask(() => {
      this.#give();
      fire(this, "stop");
    });
  }
  pause() {
    this.#must(true, "pause");
    if (this.#state === "paused") return;
    this.#state = "paused";
    queueTask(() => fire(this, "pause"));
  }
  resume() {
    this.#must(true, "resume");
    if (this.#state === "recording") return;
    this.#state = "recording";
    queueTask(() => fire(this, "resume"));
  }
  requestData() {
    this.#must(true, "requestData");
    queueTask(() => this.#give());
  }
}
defineHandlers(MediaRecorder.prototype, ["start", "stop", "dataavailable", "pause", "resume", "error"]);
exposeInterface(MediaRecorder);
