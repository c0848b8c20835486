// Whose code is running: the page's (undefined), or a worker's (its record, see 05_worker_scope.js).
//
// V8 carries the value through promises; tasks, timers, animation frames and listeners take it along themselves.
import { core } from "ext:replay/00_primordials.js";

const { getAsyncContext: currentRealm, setAsyncContext: enterRealm } = core;

/** Runs `callback` as code of `realm`. */
function within(realm, callback) {
  const outer = currentRealm();
  enterRealm(realm);
  try {
    return callback();
  } finally {
    enterRealm(outer);
  }
}

export { currentRealm, enterRealm, within };
