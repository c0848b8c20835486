// fetch: files of the project at once, nothing of the network; WebAssembly from its answers.
import { expose, primordials, unsupported } from "ext:replay/00_primordials.js";
import { placed } from "ext:replay/01_errors.js";
import { currentRealm } from "ext:replay/02_realm.js";
import { queueTask } from "ext:replay/03_clock.js";
import { readUrl } from "ext:replay/06_blob.js";
import { Request, Response } from "ext:replay/06_body.js";
import { URL } from "ext:replay/06_url.js";
import { op_asked_at, op_fetch, op_network } from "ext:core/ops";

const { ErrorCaptureStackTrace, Promise, TypeError, Uint8Array } = primordials;

function resolve(input, what) {
  try {
    return new URL(`${input}`, currentRealm()?.url ?? globalThis.document.baseURI).href;
  } catch {
    throw new TypeError(`Failed to execute '${what}': Failed to parse URL from ${input}`);
  }
}

/** The answer for an absolute address, at once; also for methods other than GET. `asked` is the place of who asks (op_asked_at). */
function answerFor(url, method = "GET", asked = "") {
  if (url.startsWith("data:") || url.startsWith("blob:")) return readUrl(url);
  if (method !== "GET" && method !== "HEAD") {
    unsupported("fetch", method, "nothing is sent anywhere");
    op_network(url);
    return { status: 0, url, mime: "", body: new Uint8Array(0), error: `network call blocked: ${method} ${url}` };
  }
  return op_fetch(url, asked);
}

function fetch(input, init = undefined) {
  if (arguments.length < 1) {
    return Promise.reject(new TypeError("Failed to execute 'fetch' on 'Window': 1 argument required, but only 0 present."));
  }
  // The stack of the caller, not of the task that settles the promise.
  const at = new TypeError("Failed to fetch");
  ErrorCaptureStackTrace(at, fetch);
  const asked = op_asked_at();
  return new Promise((done, fail) => {
    const request = new Request(input, init);
    const signal = init?.signal ?? (input instanceof Request ? input._init.signal : null);
    if (signal?.aborted) return fail(signal.reason);
    signal?.addEventListener("abort", () => fail(signal.reason), { once: true });
    queueTask(() => {
      const answer = answerFor(request.url, request.method, asked);
      if (answer.status === 0) {
        // Its stack is put into words when somebody asks for it, with the message of then.
        at.message = `Failed to fetch: ${answer.error}`;
        return fail(at);
      }
      if (request.method === "HEAD") answer.body = new Uint8Array(0);
      done(Response._of(answer));
    });
  });
}
expose("fetch", fetch);

// WebAssembly.compileStreaming and instantiateStreaming on our Response.
const { compile, instantiate } = WebAssembly;
const streaming = (work) => async (source, imports) => {
  const asked = op_asked_at();
  try {
    return await work(await (await source).arrayBuffer(), imports);
  } catch (error) {
    throw placed(error, asked);
  }
};
WebAssembly.compileStreaming = streaming((bytes) => compile(bytes));
WebAssembly.instantiateStreaming = streaming(instantiate);

export { answerFor, fetch, resolve };
