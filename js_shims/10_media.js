// Audio and video elements (HTML, 4.8.11): they load and play on the virtual clock, are not heard or seen, and are reported as
// unsupported.
import { constants, expose, exposeInterface, gap, illegal, illegalConstructor, primordials, unsupported } from "ext:replay/00_primordials.js";
import { DOMException } from "ext:replay/01_errors.js";
import { fire } from "ext:replay/02_events.js";
import { queueTask } from "ext:replay/03_clock.js";
import { imageSources } from "ext:replay/04_hooks.js";
import { tagOf } from "ext:replay/05_dom_document.js";
import { HTMLElement, define, kinds } from "ext:replay/05_dom_html.js";
import { answerFor } from "ext:replay/06_fetch.js";
import { op_asked_at, op_media_seconds, op_now_ms } from "ext:core/ops";

const { Promise, TypeError, Uint8Array } = primordials;

/** What a file counts as that does not tell its length here, in seconds. */
const STAND_IN = 10;

class MediaError {
  #code;
  #message;
  constructor(key, code, message) {
    illegalConstructor(key);
    this.#code = code;
    this.#message = message;
  }
  get code() {
    return this.#code;
  }
  get message() {
    return this.#message;
  }
}
exposeInterface(MediaError);
constants(MediaError, { MEDIA_ERR_ABORTED: 1, MEDIA_ERR_NETWORK: 2, MEDIA_ERR_DECODE: 3, MEDIA_ERR_SRC_NOT_SUPPORTED: 4 });

const EMPTY = 0, IDLE = 1, LOADING = 2, NO_SOURCE = 3;

/** One range, or none. */
function ranges(end) {
  const at = (value) => (index) => {
    if (index !== 0 || !(end > 0)) throw new DOMException("The index provided is greater than or equal to the maximum bound (0).", "IndexSizeError");
    return value;
  };
  return { length: end > 0 ? 1 : 0, start: at(0), end: at(end) };
}

/** HTML, 4.8.11: loads and plays on the virtual clock, and is not heard or seen. */
class HTMLMediaElement extends HTMLElement {
  #paused = true;
  #network = EMPTY;
  #ready = 0;
  #duration = NaN;
  #error = null;
  #address = "";
  /** Counts loads: what an earlier one left to do is void. */
  #load = 0;
  /** Counts plays, for the same. */
  #play = 0;
  #wanted = false;
  /** Position when it was last set, and the time then. */
  #at = 0;
  #since = 0;
  #ended = false;
  #rate = 1;
  volume = 1;
  defaultPlaybackRate = 1;
  preservesPitch = true;
  srcObject = null;
  get paused() {
    return this.#paused;
  }
  get duration() {
    return this.#duration;
  }
  get ended() {
    return this.#ended;
  }
  get seeking() {
    return false;
  }
  get readyState() {
    // No picture of a video can be had.
    return this instanceof HTMLVideoElement ? Math.min(this.#ready, 1) : this.#ready;
  }
  get networkState() {
    return this.#network;
  }
  get error() {
    return this.#error;
  }
  get buffered() {
    return ranges(this.#duration);
  }
  get seekable() {
    return ranges(this.#duration);
  }
  get played() {
    return ranges(this.currentTime);
  }
  get #running() {
    return !this.#paused && !this.#ended && this.#ready > 0;
  }
  get currentTime() {
    if (!this.#running) return this.#at;
    const at = this.#at + ((op_now_ms() - this.#since) / 1000) * this.#rate;
    return this.loop && this.#duration > 0 ? at % this.#duration : Math.min(at, this.#duration);
  }
  set currentTime(value) {
    this.#moveTo(Math.max(0, Math.min(+value, this.#duration > 0 ? this.#duration : +value)));
    if (this.#ready > 0) {
      queueTask(() => {
        fire(this, "seeking");
        fire(this, "timeupdate");
        fire(this, "seeked");
      });
    }
  }
  get playbackRate() {
    return this.#rate;
  }
  set playbackRate(value) {
    this.#moveTo(this.currentTime, +value);
    queueTask(() => fire(this, "ratechange"));
  }
  /** From here on. */
  #moveTo(at, rate = this.#rate) {
    this.#at = at;
    this.#since = op_now_ms();
    this.#rate = rate;
    this.#ended = false;
    this.#run();
  }
  /** Waits for the end, and tells of the time on the way (every 250 ms, as Chromium). */
  #run() {
    const play = ++this.#play;
    if (!this.#running || !(this.#rate > 0)) return;
    const left = this.loop ? Infinity : ((this.#duration - this.currentTime) / this.#rate) * 1000;
    globalThis.setTimeout(() => {
      if (this.#play !== play) return;
      if (left > 250) {
        fire(this, "timeupdate");
        if (this.#play === play) this.#run();
        return;
      }
      this.#at = this.#duration;
      this.#ended = this.#paused = true;
      fire(this, "timeupdate");
      fire(this, "pause");
      fire(this, "ended");
    }, Math.min(250, Math.max(0, left)));
  }
  play() {
    unsupported(this.constructor.name, "play", `${this.currentSrc || this.src}; it is not heard`);
    if (this.#error !== null) return Promise.reject(gap(new DOMException("The element has no supported sources.", "NotSupportedError")));
    if (this.#network === EMPTY || (this.#network === IDLE && this.#ready === 0)) {
      this.#wanted = true;
      this.#select();
    }
    if (this.#ended) this.#moveTo(0);
    this.#ended = false;
    if (!this.#paused) return Promise.resolve();
    this.#paused = false;
    queueTask(() => fire(this, "play"));
    this.#begin();
    return new Promise((resolve) => queueTask(resolve));
  }
  #begin() {
    if (this.#ready === 0 || this.#paused) return;
    this.#moveTo(this.#at);
    queueTask(() => fire(this, "playing"));
  }
  pause() {
    if (this.#paused) return;
    this.#at = this.currentTime;
    this.#paused = true;
    this.#play++;
    queueTask(() => {
      fire(this, "timeupdate");
      fire(this, "pause");
    });
  }
  load() {
    this.#wanted = true;
    this.#select();
  }
  /** HTML, "resource selection algorithm". */
  #select() {
    const load = ++this.#load, asked = tagOf(this) || op_asked_at();
    const own = this.getAttribute("src");
    const sources = own !== null ? [this] : [...this.children].filter((child) => child.localName === "source" && child.hasAttribute("src"));
    if (this.#network !== EMPTY) {
      fire(this, "emptied");
      this.#paused = true;
    }
    this.#ready = this.#at = 0;
    this.#duration = NaN;
    this.#error = null;
    this.#ended = false;
    this.#play++;
    this.#network = sources.length > 0 ? NO_SOURCE : EMPTY;
    const later = (step) => queueTask(() => {
      if (this.#load === load) step();
    });
    const next = (index) => {
      const source = sources[index];
      if (source === undefined) return void (this.#network = NO_SOURCE);
      const url = source.src;
      this.#address = url;
      const answer = answerFor(url, "GET", asked);
      let seconds = answer.status === 200 ? op_media_seconds(answer.body) : -1;
      if (seconds < 0) {
        if (source !== this) {
          fire(source, "error");
          return later(() => next(index + 1));
        }
        this.#network = NO_SOURCE;
        this.#error = new MediaError(illegal, 4, answer.status === 200 ? "DEMUXER_ERROR_COULD_NOT_OPEN: FFmpegDemuxer: open context failed" : "MEDIA_ELEMENT_ERROR: Format error");
        fire(this, "error");
        return;
      }
      if (!(seconds >= 0)) {
        seconds = STAND_IN;
        unsupported(this.constructor.name, "duration", `${url}: its length is not read here and taken as ${STAND_IN} s`);
      }
      this.#network = IDLE;
      this.#ready = 1;
      this.#duration = seconds;
      fire(this, "durationchange");
      fire(this, "loadedmetadata");
      later(() => {
        this.#ready = 4;
        for (const type of ["loadeddata", "canplay", "canplaythrough"]) if (this.#load === load) fire(this, type);
        if (this.autoplay && this.#paused && this.#load === load) void this.play();
        else this.#begin();
      });
    };
    if (sources.length === 0) return;
    later(() => {
      this.#network = LOADING;
      fire(this, "loadstart");
      later(() => {
        if (this.preload === "none" && !this.#wanted && !this.autoplay) {
          this.#network = IDLE;
          fire(this, "suspend");
        } else next(0);
      });
    });
  }
  /** The element got another address, or its first `<source>`. */
  static _changed(element) {
    element.#select();
  }
  static _added(element) {
    if (element.#network === EMPTY && !element.hasAttribute("src")) element.#select();
  }
  canPlayType(type) {
    // Chromium's answers: it knows the container, the codecs decide.
    const kind = `${type}`.split(";")[0].trim().toLowerCase();
    if (kind === "audio/mpeg" || kind === "audio/mp3" || kind === "audio/flac") return "probably";
    if (!/^(?:(?:audio|video)\/(?:mp4|ogg|webm|wav|x-wav|x-m4a)|audio\/aac)$/.test(kind)) return "";
    return /codecs/.test(`${type}`) || kind === "audio/aac" ? "probably" : "maybe";
  }
  get currentSrc() {
    return this.#address;
  }
}
exposeInterface(HTMLMediaElement);
constants(HTMLMediaElement, {
  NETWORK_EMPTY: 0, NETWORK_IDLE: 1, NETWORK_LOADING: 2, NETWORK_NO_SOURCE: 3,
  HAVE_NOTHING: 0, HAVE_METADATA: 1, HAVE_CURRENT_DATA: 2, HAVE_FUTURE_DATA: 3, HAVE_ENOUGH_DATA: 4,
});
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
    unsupported(element.constructor.name, "src", `${value}; media files are not heard or seen`);
    HTMLMediaElement._changed(element);
  });
}
kinds.connected.set("source", (source) => {
  if (source.parentNode instanceof HTMLMediaElement) HTMLMediaElement._added(source.parentNode);
});
function Audio(src = undefined) {
  if (new.target === undefined) throw new TypeError("Failed to construct 'Audio': Please use the 'new' operator");
  const audio = globalThis.document.createElement("audio");
  audio.preload = "auto";
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

export { STAND_IN };
