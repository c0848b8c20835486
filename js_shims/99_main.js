// Installs everything on globalThis, hands the frame loop its hooks, and removes the way in.
import { accessors, core, globals, primordials } from "ext:replay/00_primordials.js";
import { end, reportException, reportRejection } from "ext:replay/01_errors.js";
import "ext:replay/01_console.js";
import { runFrame, runTask, runTimer } from "ext:replay/03_clock.js";
import "ext:replay/04_random.js";
import { film } from "ext:replay/05_dom_canvas.js";
import { begin, loadStep, waiting } from "ext:replay/05_dom_scripts.js";
import "ext:replay/05_dom_input.js";
import "ext:replay/05_dom_window.js";
import "ext:replay/05_dom_location.js";
import "ext:replay/05_dom_navigator.js";
import "ext:replay/05_dom_storage.js";
import "ext:replay/05_dom_observers.js";
import "ext:replay/05_messages.js";
import "ext:replay/05_dom_scroll.js";
import "ext:replay/05_dom_transitions.js";
import "ext:replay/06_clone.js";
import { readUrl } from "ext:replay/06_blob.js";
import "ext:replay/06_compression.js";
import "ext:replay/06_fetch.js";
import "ext:replay/06_xhr.js";
import "ext:replay/07_image.js";
import "ext:replay/08e_canvas2d.js";
import "ext:replay/08f_bitmap_renderer.js";
import "ext:replay/09s_webgl_contexts.js";
import "ext:replay/05_worker.js";
import { platformIs } from "ext:replay/05_worker_scope.js";
import "ext:replay/10_audio.js";
import "ext:replay/10_recording.js";
import "ext:replay/10_refusals.js";
import { flush, install as installEvidence, revision } from "ext:replay/11_evidence.js";
import { behind, leftOut, look } from "ext:replay/12_left_out.js";
import { askStyles } from "ext:replay/12_requests.js";
import { setup } from "ext:replay/05_dom_viewport.js";
import { op_keep_alive, op_set_hook } from "ext:core/ops";

const { ObjectDefineProperty, ObjectKeys, PromisePrototypeThen } = primordials;

for (const name of ObjectKeys(globals)) {
  ObjectDefineProperty(globalThis, name, { __proto__: null, value: globals[name], writable: true, enumerable: false, configurable: true });
}
for (const name of ObjectKeys(accessors)) {
  ObjectDefineProperty(globalThis, name, { __proto__: null, ...accessors[name], enumerable: true, configurable: true });
}
ObjectDefineProperty(globalThis, "_readUrl", { __proto__: null, value: readUrl });
ObjectDefineProperty(globalThis, Symbol.toStringTag, { __proto__: null, value: "Window", configurable: true });

// --- what the frame loop calls --------------------------------------------------------------------------------------

/** Pending 0, done 1. */
let seekDone = 1;
const compiled = { __proto__: null, text: null, run: null };

function seek(expression, frame, frames) {
  if (compiled.text !== expression) {
    compiled.run = new Function("time", "frame", "fps", "duration", "frames", "t", `return (${expression}\n);`);
    compiled.text = expression;
  }
  const time = frame / setup.fps;
  const duration = frames / setup.fps;
  seekDone = 0;
  const fail = (error) => {
    seekDone = 1;
    // What the person who renders wrote is no exception of the page's: none of its handlers keeps it.
    end(error, false);
  };
  try {
    const result = compiled.run(time, frame, setup.fps, duration, frames, frames > 1 ? frame / (frames - 1) : 0);
    if (typeof result?.then === "function") result.then(() => void (seekDone = 1), fail);
    else seekDone = 1;
  } catch (error) {
    fail(error);
  }
}

/** A page that broke what the engine looks at it with ends no render for that. */
function unharmed(work) {
  try {
    work();
  } catch {}
}

installEvidence();

const HOOKS = {
  __proto__: null,
  begin,
  loadStep,
  runTask,
  runTimer,
  runFrame,
  seek,
  seekState: () => seekDone,
  film(selector) {
    const id = film(selector);
    unharmed(behind);
    unharmed(askStyles);
    return id;
  },
  look(frame) {
    unharmed(() => look(frame));
    unharmed(askStyles);
  },
  leftOut,
  revision,
  waiting,
  evidence: flush,
  reject: reportRejection,
};
for (const name of ObjectKeys(HOOKS)) op_set_hook(name, HOOKS[name]);

core.setReportExceptionCallback((error) => reportException(error));
// Pending for ever: the event loop then waits with a module that awaits a frame.
PromisePrototypeThen(op_keep_alive(), () => {});

// A page that is not cross-origin isolated has none (HTML, 2.7.1); what needs threads then takes its other way.
delete globalThis.SharedArrayBuffer;
delete globalThis.Deno;
delete globalThis.__bootstrap;
platformIs(Object.getOwnPropertyNames(globalThis));
