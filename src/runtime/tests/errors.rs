//! What goes wrong is told with file, line and remedy.

use super::*;

/// The error of a page at load, or in one of its first frames.
pub(super) fn fails(files: &[(&'static str, &str)], frames: u64) -> RuntimeError {
    let mut rt = page(files, RuntimeOptions { frame_time_limit: 1.0, load_time_limit: 1.0, ..Default::default() });
    if let Err(error) = rt.load() {
        return error;
    }
    for n in 0..frames {
        if let Err(error) = rt.run_frame(n) {
            return error;
        }
    }
    panic!("no error");
}

pub(super) fn place(error: &RuntimeError) -> String {
    match error {
        RuntimeError::Script { place: Some(place), .. } => place.to_string(),
        other => format!("{other:?}"),
    }
}

#[test]
fn syntax_errors_have_a_place() {
    let error = fails(&[("main.js", "const a = 1;\nlet b = ;\n")], 0);
    assert!(error.to_string().starts_with("SyntaxError: Unexpected token ';'"), "{error}");
    assert_eq!(place(&error), "main.js:2:9");
    let html = "<!doctype html>\n<body>\n<script>\nlet x = 1;\nx = = 2;\n</script>";
    assert_eq!(place(&fails(&[("index.html", html)], 0)), "index.html:5:5");
    let html = "<!doctype html>\n<script type=module>\n  import 'none';\n</script>";
    assert!(fails(&[("index.html", html)], 0).to_string().contains("package `none` is not installed"));
}

#[test]
fn exceptions_at_load_and_in_a_frame() {
    let error = fails(&[("main.js", "function f() {\n  null.x;\n}\nf();")], 0);
    assert!(error.to_string().contains("Cannot read properties of null (reading 'x') (while loading"), "{error}");
    assert_eq!(place(&error), "main.js:2:8");
    let js = "let n = 0;\nrequestAnimationFrame(function loop() {\n  requestAnimationFrame(loop);\n  if (n++ === 3) throw new RangeError('now');\n});";
    let error = fails(&[("main.js", js)], 10);
    assert!(error.to_string().starts_with("RangeError: now (in frame 3"), "{error}");
    assert_eq!(place(&error), "main.js:4:24");
    let inline = "<!doctype html>\n\n<script type=module>\nconst a = 1;\na.b.c;\n</script>";
    assert_eq!(place(&fails(&[("index.html", inline)], 0)), "index.html:5:5");
    let thrown = fails(&[("main.js", "throw 'text'")], 0);
    assert!(thrown.to_string().starts_with("text"), "{thrown}");
    assert_eq!(place(&fails(&[("index.html", "<script>\n  throw 'text'</script>")], 0)), "index.html:2:3");
}

#[test]
fn rejected_promises_end_the_run_unless_handled() {
    let error = fails(&[("main.js", "async function f() {\n  throw new Error('lost');\n}\nf();")], 0);
    assert!(error.to_string().starts_with("Error: lost (while loading, in a promise"), "{error}");
    assert_eq!(place(&error), "main.js:2:9");
    let js = "addEventListener('unhandledrejection', (e) => { console.log(e.reason.message); e.preventDefault(); }); Promise.reject(new Error('seen'));
        Promise.reject(1).catch(() => {});";
    assert_eq!(said(&[("main.js", js)], 1), ["seen"]);
    let js = "window.onerror = (m, s, l, c, e) => { console.log(m, s, l, c, e.message); return true; };\nsetTimeout(() => {\n  throw new Error('caught');\n});";
    assert_eq!(said(&[("main.js", js)], 1), ["Uncaught Error: caught http://localhost/main.js 3 9 caught"]);
}

#[test]
fn missing_modules_and_files_are_named() {
    let error = fails(&[("main.js", "\nimport { x } from './gone.js';")], 0);
    assert!(error.to_string().contains("`gone.js` does not exist in the project"), "{error}");
    assert_eq!(place(&fails(&[("main.js", "import 'a';")], 0)), "main.js:1:8");
    let error = fails(&[("main.js", "import 'https://example.com/lib.js'")], 0);
    assert!(error.to_string().contains("network call blocked: https://example.com/lib.js"), "{error}");
    assert_eq!(place(&fails(&[("main.js", "let n;\nimport('./gone.js').then(m => m);")], 0)), "main.js:2:8");
    assert_eq!(place(&fails(&[("main.js", "let n;\nconst r = await fetch('https://a.test/x');")], 0)), "main.js:2:17");
    // A worker's script, wherever it is made.
    for kind in ["", ", { type: 'module' }"] {
        let js = format!("let n;\nfunction make() {{ new Worker('gone.js'{kind}); }}\nmake();");
        let error = fails(&[("main.js", &js)], 0);
        assert!(error.to_string().contains("`gone.js` does not exist in the project"), "{error}");
        assert_eq!(place(&error), "main.js:2:19", "{kind}");
    }
    let error = fails(&[("main.js", "const m = await import('three');")], 0);
    assert!(error.to_string().contains("package `three` is not installed"), "{error}");
    let mut rt = page(
        &[(
            "main.js",
            "const r = await fetch('gone.png'); console.log(r.ok, r.status); try { await fetch('https://a.test/x') } catch (e) { console.log(e.name, e.message) }",
        )],
        RuntimeOptions::default(),
    );
    rt.load().unwrap_or_else(|e| panic!("{e:?}"));
    let report = rt.report();
    let lines: Vec<&str> = report.console.iter().map(|line| line.text.as_str()).collect();
    let [gone, status, blocked, error] = lines[..] else { panic!("{lines:?}") };
    assert_eq!(gone, "Failed to load resource: `gone.png` does not exist in the project (asked for by main.js:1:17)");
    assert_eq!(status, "false 404");
    assert!(blocked.starts_with("Failed to load resource: network call blocked: https://a.test/x"), "{blocked}");
    assert!(error.starts_with("TypeError Failed to fetch: network call blocked"), "{error}");
    assert!(report.warnings.iter().any(|w| w.contains("gone.png") && w.contains("https://a.test/x")));
    assert_eq!(report.missing, ["`gone.png` does not exist in the project (asked for by main.js:1:17)"]);
    assert_eq!(report.blocked, ["https://a.test/x"]);
}

#[test]
fn endless_loops_and_runaway_memory_are_stopped() {
    let RuntimeError::TimeLimit { phase: Phase::Load, place: Some(place), .. } =
        fails(&[("main.js", "let n = 0;\nwhile (true) {\n  n++;\n}")], 0)
    else {
        panic!("an endless loop must end");
    };
    assert!(place.file == "main.js" && (2..=3).contains(&place.line), "{place}");
    let js = "requestAnimationFrame(() => { for (;;) { try { (() => { for (;;); })() } catch {} } })";
    assert!(matches!(fails(&[("main.js", js)], 1), RuntimeError::TimeLimit { phase: Phase::Frame(0), .. }));
    let js = "Promise.resolve().then(function again() { return Promise.resolve().then(again); })";
    assert!(matches!(fails(&[("main.js", js)], 0), RuntimeError::TimeLimit { .. }));
    let mut rt = page(
        &[("main.js", "const all = []; for (;;) all.push({ a: all.length, b: [1.5, 2.5] });")],
        RuntimeOptions { heap_limit: 64 << 20, ..Default::default() },
    );
    assert!(matches!(rt.load(), Err(RuntimeError::Memory { .. })));
    // V8 15.0 unrolls the loop that fills the array, and would lose the outer one's check for interrupts.
    let js = "const all = [];\nfunction grow() { for (;;) all.push(new Array(1000).fill(1)); }\ngrow();";
    let mut rt = page(&[("main.js", js)], RuntimeOptions { heap_limit: 64 << 20, ..Default::default() });
    let Err(RuntimeError::Memory { place: Some(place), .. }) = rt.load() else { panic!("memory must be limited") };
    assert_eq!((place.file.as_str(), place.line), ("main.js", 2));
    let js = "const all = []; for (;;) all.push(new Float32Array(1 << 20));";
    let mut rt = page(&[("main.js", js)], RuntimeOptions { heap_limit: 64 << 20, ..Default::default() });
    assert!(matches!(rt.load(), Err(RuntimeError::Memory { .. })));
}

#[test]
fn a_deep_recursion_is_an_ordinary_error() {
    let js = "const f = () => f() + 1; try { f() } catch (e) { console.log(e instanceof RangeError, e.message) }";
    assert_eq!(logs(js), ["true Maximum call stack size exceeded"]);
}

#[test]
fn pages_cannot_break_the_engine() {
    let js = "Array.prototype.push = () => { throw 1 }; Array.prototype[Symbol.iterator] = undefined; Function.prototype.call = null;
        Map.prototype.get = () => 7; Promise.prototype.then = null; Object.prototype.get = () => 1; String.prototype.slice = null;
        delete globalThis.Reflect; globalThis.JSON = null;
        setTimeout(() => console.log('timer'), 1); requestAnimationFrame(() => console.log('frame'));
        document.createElement('div').addEventListener('x', () => {});";
    assert_eq!(said(&[("main.js", js)], 1), ["frame"]);
    let import = "try { await import('ext:core/ops'); console.log('in') } catch (e) { console.log(e.name) }";
    assert_eq!(logs(import), ["TypeError"]);
}

#[test]
fn a_page_goes_on_without_a_script_that_is_not_there() {
    let html = "<!doctype html>\n<p>\n<script src='gone.js'></script>\n<script>console.log('after')</script>";
    assert_eq!(said(&[("index.html", html)], 0), ["after"]);
    let heard = html.replace("src='gone.js'", "src='gone.js' onerror='console.log(\"heard\")'");
    let heard: &'static str = Box::leak(heard.into_boxed_str());
    assert_eq!(said(&[("index.html", heard)], 0), ["heard", "after"]);
}

#[test]
fn a_load_that_fails_with_an_event_names_the_address() {
    // As three.js' ImageLoader and loadAsync reject: with the event of the image.
    let js = "await new Promise((done, fail) => { const i = new Image(); i.onload = done; i.onerror = fail; i.src = 'sky.png'; });";
    let error = fails(&[("main.js", js)], 1);
    let said = error.to_string();
    assert!(said.contains("an \"error\" event of <img> for http://localhost/sky.png"), "{said}");
}

#[test]
fn absent_apis_are_absent_and_told_when_a_program_ends_for_want_of_one() {
    let js = "console.log('VideoEncoder' in window, typeof VideoEncoder, 'trustedTypes' in window, typeof SharedArrayBuffer, 'VideoFrame' in window, typeof Temporal)";
    assert_eq!(logs(js), ["false undefined false undefined false undefined"]);
    let mut rt =
        page(&[("main.js", "\nconst policy = window.trustedTypes.createPolicy('x');")], RuntimeOptions::default());
    let error = rt.load().expect_err("no trustedTypes");
    let RuntimeError::Script { help: Some(help), .. } = &error else { panic!("{error:?}") };
    assert!(help.contains("`trustedTypes` is a web API that replay does not have"), "{help}");
    let used = rt.report().unsupported;
    assert_eq!((used[0].interface.as_str(), used[0].member.as_str()), ("Window", "trustedTypes"));
}

/// ECMA-262 16.1.7, step 3: V8 tells no place; the second declaration is where a reader looks.
#[test]
fn a_name_declared_twice_is_shown() {
    let html = "<script>let L = 1;</script>\n<script src='b.js'></script>";
    let error = fails(&[("index.html", html), ("b.js", "var a;\n  let L = 2;")], 0);
    assert!(error.to_string().starts_with("SyntaxError: Identifier 'L' has already been declared"), "{error}");
    assert_eq!(place(&error), "b.js:2:7");
    let error = fails(&[("index.html", "<script>let L = 1;</script>\n\n<script>\nclass L {}</script>")], 0);
    assert_eq!(place(&error), "index.html:4:7");
}

#[test]
fn tags_of_modules_have_a_place() {
    let html = "<p>\n<script type=importmap>{\n \"imports\": {,}\n}</script>\n<script type=module src=a.js></script>";
    let error = fails(&[("index.html", html), ("a.js", "1")], 0);
    assert!(error.to_string().contains("Failed to parse import map"), "{error}");
    assert_eq!(place(&error), "index.html:3:1");
    // A module's own exception keeps its place.
    let error =
        fails(&[("index.html", "<script type=module src=a.js></script>"), ("a.js", "\nthrow new Error('x')")], 0);
    assert_eq!(place(&error), "a.js:2:7");
}

#[test]
fn errors_that_stand_for_several_name_them() {
    let error = fails(&[("main.js", "Promise.any([Promise.reject(new TypeError('first')), Promise.reject(2)]);")], 1);
    assert!(
        error.to_string().starts_with("AggregateError: All promises were rejected: TypeError: first; 2"),
        "{error}"
    );
    // Of what no line made, the place of the first error in it.
    assert_eq!(place(&error), "main.js:1:29");
    let error = fails(&[("main.js", "\nPromise.any([Promise.reject('x'),\n Promise.reject(2)]);")], 1);
    assert!(error.to_string().starts_with("AggregateError: All promises were rejected: x; 2"), "{error}");
    assert_eq!(place(&error), "main.js:2:22");
    let error = fails(&[("main.js", "\n throw new AggregateError([1, 2, 3, 4, 5, 6], 'all');")], 0);
    assert!(error.to_string().starts_with("AggregateError: all: 1; 2; 3; 4 and 2 more"), "{error}");
    assert_eq!(place(&error), "main.js:2:8");
}
