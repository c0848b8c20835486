//! Virtual time, against HTML's timers and animation frames.

use super::*;

#[test]
fn date_and_performance_follow_the_frame() {
    let js = "const d = new Date(); console.log(performance.now(), Date.now(), d.getTime(), new Date(2026, 0, 1).getTime());
        requestAnimationFrame((t) => console.log(t, performance.now(), new Event('x').timeStamp, new Date().toISOString()));
        requestAnimationFrame(() => requestAnimationFrame((t) => console.log(t, new Date().getTimezoneOffset(), typeof Date())));
        console.log(new Date(0) instanceof Date, Date.name, Date.length, new Date(1e12).constructor === Date, performance.timeOrigin);";
    assert_eq!(
        said(&[("main.js", js)], 2),
        [
            "0 1767225600000 1767225600000 1767225600000",
            "true Date 7 true 1767225600000",
            "0 0 0 2026-01-01T00:00:00.000Z",
            "100 0 string",
        ]
    );
}

#[test]
fn timers_fire_at_their_own_time_and_in_order() {
    let js = "const at = (n) => console.log(n, performance.now());
        setTimeout(() => at('b'), 20); setTimeout(() => at('a'), 10); setTimeout(() => at('a2'), 10);
        const id = setInterval(() => { at('i'); if (performance.now() >= 60) clearInterval(id); }, 30);
        setTimeout(() => { at('late'); Promise.resolve().then(() => at('micro')); setTimeout(() => at('nested'), 5); }, 90);
        requestAnimationFrame(() => requestAnimationFrame(() => at('frame')));
        clearTimeout(setTimeout(() => at('never'), 1));
        setTimeout((x, y) => console.log('args', x + y), 95, 2, 3);";
    // `args` was set before `nested`, and both are due at 95.
    assert_eq!(
        said(&[("main.js", js)], 2),
        ["a 10", "a2 10", "b 20", "i 30", "i 60", "late 90", "micro 90", "args 5", "nested 95", "frame 100"]
    );
}

#[test]
fn nested_timers_are_clamped_to_four_ms() {
    // HTML, timer initialisation steps: nesting level above 5 means at least 4 ms.
    let js = "let n = 0; const at = []; (function tick() { at.push(performance.now()); if (++n < 9) setTimeout(tick); else console.log(at.join()); })();";
    assert_eq!(said(&[("main.js", js)], 2), ["0,0,0,0,0,0,4,8,12"]);
}

#[test]
fn time_stands_still_while_files_load() {
    let js = "const r = await fetch('a.txt'); console.log(await r.text(), performance.now());
        const m = await import('./m.js'); console.log(m.default, performance.now());
        requestAnimationFrame(async (t) => { const x = await (await fetch('a.txt')).text(); console.log(x, t, performance.now()); });
        requestAnimationFrame((t) => console.log('second', t));";
    let files = [("main.js", js), ("a.txt", "A"), ("m.js", "export default 'M'")];
    assert_eq!(said(&files, 1), ["A 0", "M 0", "second 0", "A 0 0"]);
}

#[test]
fn microtasks_run_between_callbacks() {
    let js = "requestAnimationFrame(() => { Promise.resolve().then(() => console.log('m1')); console.log('f1'); });
        requestAnimationFrame(() => { console.log('f2'); queueMicrotask(() => console.log('m2')); });
        const id = requestAnimationFrame(() => console.log('never')); cancelAnimationFrame(id);";
    assert_eq!(said(&[("main.js", js)], 1), ["f1", "m1", "f2", "m2"]);
}

#[test]
fn randomness_comes_from_the_seed() {
    let run = |seed| {
        let mut rt = page(
            &[(
                "main.js",
                "console.log(Math.random(), crypto.randomUUID(), crypto.getRandomValues(new Uint32Array(2)).join())",
            )],
            RuntimeOptions { seed, ..Default::default() },
        );
        rt.load().expect("loads");
        rt.report().console[0].text.clone()
    };
    assert_eq!(run(1), run(1));
    assert_ne!(run(1), run(2));
}

#[test]
fn a_module_may_await_a_frame() {
    let js = "console.log('start'); await new Promise((r) => setTimeout(r, 50)); console.log(performance.now());
        await new Promise(requestAnimationFrame); console.log(performance.now());";
    assert_eq!(said(&[("main.js", js)], 3), ["start", "50", "100"]);
}

#[test]
fn frames_can_be_driven_by_a_seek_expression() {
    let js = "window.renderAt = async ({ time }) => { await null; await new Promise(requestAnimationFrame); console.log(time, performance.now()); };
        window.plain = (f, n, d) => console.log(f, n, d);";
    let run = |expression: &str| {
        let drive = Drive::Seek(expression.into());
        let options = RuntimeOptions { fps: "4".parse().expect("rate"), drive, frames: Some(8), ..Default::default() };
        let mut rt = page(&[("main.js", js)], options);
        rt.load().expect("loads");
        for n in 0..3 {
            rt.run_frame(n).unwrap_or_else(|e| panic!("{e:?}"));
        }
        rt.report().console.into_iter().map(|l| l.text).collect::<Vec<_>>()
    };
    assert_eq!(run("renderAt({ time })"), ["0 0", "0.25 250", "0.5 500"]);
    assert_eq!(run("plain(frame, frames, duration)"), ["0 8 2", "1 8 2", "2 8 2"]);
    // Timers beyond the frame are waited for, as a browser would; later frames' times are theirs again once they are reached.
    assert_eq!(
        run(
            "new Promise(done => setTimeout(done, frame === 0 ? 600 : 10)).then(() => console.log(time, performance.now()))"
        ),
        ["0 600", "0.25 610", "0.5 620"]
    );
    // No handler of the page's keeps what the expression throws.
    let mut rt = page(
        &[("main.js", "window.onerror = () => true")],
        RuntimeOptions { drive: Drive::Seek("absent(time)".into()), ..Default::default() },
    );
    rt.load().expect("loads");
    assert!(format!("{:?}", rt.run_frame(0).expect_err("it throws")).contains("absent is not defined"));
    let mut rt = page(
        &[("main.js", "")],
        RuntimeOptions { drive: Drive::Seek("new Promise(() => {})".into()), ..Default::default() },
    );
    rt.load().expect("loads");
    assert!(matches!(rt.run_frame(0), Err(RuntimeError::SeekPending { .. })));
}
