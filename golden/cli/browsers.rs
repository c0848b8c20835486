//! What browsers go on after, and what they make of packages: the render does the same, and tells of it.

use super::Named;
use super::project::{CANVAS, FRAMES, MODULES, Project};

fn trial(name: &'static str, test: impl FnOnce() -> Result<(), String> + Send + 'static) -> Named {
    (name, Box::new(test))
}

pub fn all() -> Vec<Named> {
    [scripts(), encodings(), canvases(), packages(), recording(), points(), sheets()].into_iter().flatten().collect()
}

/// Ends with `code`, without and with `--strict`.
fn both(project: &Project, texts: &[&str]) -> Result<(), String> {
    project.render(&[]).expect(0, texts)?;
    project.render(&["--strict"]).expect(1, &["something is amiss"])
}

fn encodings() -> Vec<Named> {
    vec![
        trial("a_page_in_another_encoding", || {
            let project = Project::page("");
            // Windows-1250 as code page tables have it: 0xF8 is U+0159, 0xED U+00ED, 0x9A U+0161.
            let mut page = b"<!doctype html><head><meta http-equiv=Content-Type content='text/html; charset=windows-1250'><title>P\xf8\xedli\x9a</title></head>".to_vec();
            let script = "const is = (a, b) => { if (a !== b) throw new Error(`${a} is not ${b}`); };
                is(document.title, 'P\\u0159\\u00edli\\u0161'); is(document.characterSet, 'windows-1250');
                is(new TextDecoder('latin1').decode(new Uint8Array([0x80, 0xe9])), '\\u20ac\\u00e9'); is(new TextDecoder('latin1').encoding, 'windows-1252');
                is(new TextDecoder('Shift_JIS').decode(new Uint8Array([0x83, 0x65])), '\\u30c6');";
            page.extend(format!("{CANVAS}{FRAMES}{script}</script>").into_bytes());
            std::fs::write(project.folder().join("index.html"), page).map_err(|e| e.to_string())?;
            project.render(&[]).expect(0, &[])
        }),
        trial("a_page_that_a_harness_drives", || {
            let page = format!("{CANVAS}
                window.renderFrame = ({{ frame }}) => {{ gl.clearColor(frame / 10, 0, 0, 1); gl.clear(gl.COLOR_BUFFER_BIT); }};</script>");
            let project = Project::new(&[("index.html", &page)]);
            project.render(&[]).expect(
                1,
                &["the video is blank", "the page defines renderFrame()", "--drive 'seek:renderFrame({ frame })'"],
            )?;
            project.render(&["--drive", "seek:renderFrame({ frame })"]).expect(0, &[])
        }),
    ]
}

fn scripts() -> Vec<Named> {
    vec![
        trial("a_classic_script_that_is_not_there", || {
            let page = format!("<p>\n<script src=lib/gone.js></script>\n{CANVAS}{FRAMES}</script>");
            both(
                &Project::new(&[("index.html", &page)]),
                &["warning:", "index.html:2:1: the script `lib/gone.js` is not there; the program went on without it"],
            )
        }),
        trial("a_module_script_that_is_not_there", || {
            let page = format!("<script type=module src=gone.mjs></script>\n{CANVAS}{FRAMES}</script>");
            both(&Project::new(&[("index.html", &page)]), &["index.html:1:1: the script `gone.mjs` is not there"])
        }),
        trial("a_script_that_is_not_there_and_is_missed", || {
            let page = "<script src=gone.js></script>\n<script>\nGone.run();</script>";
            let ended = Project::new(&[("index.html", page)]).render(&[]);
            ended.expect(
                2,
                &[
                    "Gone is not defined (while loading, index.html:3:1)",
                    "`gone.js` does not exist in the project (asked for by index.html:1:1)",
                ],
            )?;
            let page = format!("<script src=gone.js></script>\n{CANVAS}</script>");
            let ended = Project::new(&[("index.html", &page)]).render(&[]);
            ended.expect(
                1,
                &["the video is blank", "`gone.js` does not exist in the project (asked for by index.html:1:1)"],
            )
        }),
        trial("a_module_that_lacks_another", || {
            let page = format!("<script type=module src=main.js></script>\n{CANVAS}{FRAMES}</script>");
            let ended = Project::new(&[("index.html", &page), ("main.js", "import './gone.js';")]).render(&[]);
            ended.expect(2, &["`gone.js` does not exist in the project", "main.js:1:8"])
        }),
    ]
}

/// [`FRAMES`], and `js` in frame 3.
fn in_frame_3(js: &str) -> Project {
    Project::page(&format!(
        "{FRAMES}function late() {{ if (n == 4) {{ {js} }} requestAnimationFrame(late); }} requestAnimationFrame(late);"
    ))
}

fn canvases() -> Vec<Named> {
    vec![
        trial("a_canvas_taken_off_the_page", || {
            both(
                &in_frame_3("document.getElementById('c').remove();"),
                &["warning:", "in frame 3 the program took it off the page"],
            )
        }),
        trial("a_canvas_hidden", || {
            both(
                &in_frame_3("document.getElementById('c').style.display = 'none';"),
                &["in frame 3 the program hid it (display: none)"],
            )?;
            let hide = "const s = document.createElement('style'); s.textContent = 'body { visibility: hidden }'; document.head.append(s);";
            in_frame_3(hide).render(&[]).expect(0, &["in frame 3 the program hid it (visibility)"])
        }),
        trial("a_canvas_moved_away_or_flattened", || {
            for (style, told) in [
                ("position: absolute; left: -9999px", "moved it out of the window"),
                ("transform: translateY(200vh)", "moved it out of the window"),
                ("width: 0", "made it of no width or height"),
            ] {
                let js = format!("document.getElementById('c').style.cssText = '{style}';");
                in_frame_3(&js).render(&[]).expect(0, &[&format!("in frame 3 the program {told}")])?;
            }
            // What a body cuts off is the window's, which is as large as ever (CSS Overflow 3, section 3.3).
            let flat = "document.body.style.cssText = 'max-height: 0; overflow: hidden';";
            in_frame_3(flat).render(&["--strict"]).expect(0, &[])
        }),
        trial("a_canvas_replaced", || {
            let swap = "const d = document.createElement('canvas'); d.width = d.height = 64; document.getElementById('c').replaceWith(d); const g = d.getContext('webgl2'); g.clearColor(1, 0, 0, 1); g.clear(g.COLOR_BUFFER_BIT);";
            in_frame_3(swap).render(&[]).expect(0, &["in frame 3 another canvas took its place"])
        }),
        // Legitimate: shown as it is, or never shown at all.
        trial("canvases_that_stay", || {
            in_frame_3("document.getElementById('c').style.visibility = 'visible';")
                .render(&["--strict"])
                .expect(0, &[])?;
            let centred = "document.getElementById('c').style.cssText = 'position: absolute; left: 50%; top: 50%; transform: translate(-50%, -50%)';";
            in_frame_3(centred).render(&["--strict"]).expect(0, &[])?;
            let page = format!(
                "<script>const gl = document.createElement('canvas').getContext('webgl2'); let n = 0;\n{FRAMES}</script>"
            );
            Project::new(&[("index.html", &page)]).render(&["--strict"]).expect(0, &[])
        }),
    ]
}

/// A page with a module script; it throws if something is not as in a browser.
fn module(js: &str, files: &[(&str, &str)]) -> Result<(), String> {
    let page = format!("{CANVAS}{FRAMES}</script><script type=module>\n{js}</script>");
    let all: Vec<(&str, &str)> = files.iter().copied().chain([("index.html", page.as_str())]).collect();
    Project::new(&all).render(&["--node-modules", MODULES]).expect(0, &[])
}

fn packages() -> Vec<Named> {
    const UMD: &str = "(function (root, make) { typeof exports === 'object' && typeof module !== 'undefined' ? make(exports) : typeof define === 'function' && define.amd ? define(['exports'], make) : make((root || self).Unit = {}); })(this, function (exports) { exports.one = 1; });";
    vec![
        trial("umd_imported_for_its_global", || {
            let package =
                [("node_modules/unit/unit.js", UMD), ("node_modules/unit/package.json", "{\"main\":\"unit.js\"}")];
            let check = "if (globalThis.Unit?.one !== 1) throw new Error('no global');";
            module(&format!("import './node_modules/unit/unit.js';\n{check}"), &package)?;
            module(&format!("import 'https://unpkg.com/unit@1/unit.js';\n{check}"), &package)?;
            module(&format!("await import('https://cdn.jsdelivr.net/npm/unit/unit.js');\n{check}"), &package)?;
            module(&format!("import './lib/unit.js';\n{check}"), &[("lib/unit.js", UMD)])?;
            let named =
                "import Unit, { one } from 'unit'; if (Unit.one !== 1 || one !== 1) throw new Error('no names');";
            module(named, &package)
        }),
        trial("browser_maps_of_packages", || {
            let package = |json: &'static str| {
                [
                    ("node_modules/kit/package.json", json),
                    ("node_modules/kit/lib/node.js", "const fs = require('fs'); module.exports = { where: 'node' };"),
                    ("node_modules/kit/lib/web.js", "module.exports = { where: 'web' };"),
                    (
                        "node_modules/kit/lib/index.js",
                        "const where = require('./node'); const crypto = require('crypto'); module.exports = { where: where.where, crypto };",
                    ),
                ]
            };
            let use_it =
                |want: &str| format!("import kit from 'kit'; if (kit.where !== '{want}') throw new Error(kit.where);");
            module(&use_it("web"), &package("{\"main\":\"lib/node.js\",\"browser\":\"lib/web.js\"}"))?;
            module(
                &use_it("web"),
                &package("{\"main\":\"lib/node.js\",\"browser\":{\"./lib/node.js\":\"./lib/web.js\"}}"),
            )?;
            let map = "{\"main\":\"lib/index.js\",\"browser\":{\"./lib/node.js\":\"./lib/web.js\",\"crypto\":false}}";
            module(
                &format!("{} if (Object.keys(kit.crypto).length > 0) throw new Error('crypto');", use_it("web")),
                &package(map),
            )?;
            let exports = "{\"exports\":\"./lib/web.js\",\"browser\":{\"./lib/web.js\":\"./lib/node.js\"}}";
            module(&use_it("web"), &package(exports))
        }),
    ]
}

fn recording() -> Vec<Named> {
    vec![trial("a_program_that_records_itself", || {
        let js = "const stream = document.getElementById('c').captureStream(30); const chunks = []; let seen = '';
if (!MediaRecorder.isTypeSupported('video/webm;codecs=vp9') || MediaRecorder.isTypeSupported('video/avi')) throw new Error('types');
const recorder = new MediaRecorder(stream, { mimeType: 'video/webm;codecs=vp9' });
recorder.ondataavailable = (e) => chunks.push(e.data); recorder.onstart = () => seen += 'a'; recorder.onstop = () => { seen += 'b'; new Blob(chunks, { type: recorder.mimeType }); };
recorder.start(50); setTimeout(() => recorder.stop(), 200);
function late() { if (n == 9 && (seen !== 'ab' || chunks.length < 3 || recorder.state !== 'inactive' || stream.getVideoTracks().length !== 1)) throw new Error(seen + chunks.length); requestAnimationFrame(late); } late();";
        both(
            &Project::page(&format!("{FRAMES}{js}")),
            &["HTMLCanvasElement.captureStream", "MediaRecorder.constructor"],
        )
    })]
}

/// A page that draws one point of `size` at `place` in each frame.
fn point(size: u32, place: &str) -> Project {
    Project::page(&format!(
        "const make = (kind, text) => {{ const s = gl.createShader(kind); gl.shaderSource(s, text); gl.compileShader(s); return s; }};
const p = gl.createProgram();
gl.attachShader(p, make(gl.VERTEX_SHADER, 'uniform float size; void main() {{ gl_Position = vec4({place}, 1.0); gl_PointSize = size; }}'));
gl.attachShader(p, make(gl.FRAGMENT_SHADER, 'precision mediump float; void main() {{ gl_FragColor = vec4(1.0, 0.5, 0.0, 1.0); }}'));
gl.linkProgram(p); gl.useProgram(p);
function frame() {{ n++; gl.clearColor(0, n / 60, 0, 1); gl.clear(gl.COLOR_BUFFER_BIT);
  gl.uniform1f(gl.getUniformLocation(p, 'size'), n > 3 ? {size} : 8); gl.drawArrays(gl.POINTS, 0, 1); requestAnimationFrame(frame); }}
requestAnimationFrame(frame);"
    ))
}

/// lavapipe draws points of up to 256 pixels, Chromium on SwiftShader of up to 1023.
fn points() -> Vec<Named> {
    vec![trial("points_larger_than_the_adapter_draws", || {
        both(
            &point(600, "0.0, 0.0, 0.0"),
            &["warning:", "points larger than 256 pixels were drawn 256 pixels large, first in frame 3"],
        )?;
        point(200, "0.0, 0.0, 0.0").render(&["--strict", "--no-evidence"]).expect(0, &[])?;
        // Out of the picture: nothing of it is drawn anywhere.
        point(600, "0.0, 0.0, -1.5").render(&["--strict", "--no-evidence"]).expect(0, &[])
    })]
}

/// CSS Nesting 1 and CSS Properties and Values 1, as far as they decide what lies behind the canvas.
fn sheets() -> Vec<Named> {
    vec![trial("nested_and_registered_styles", || {
        let sheet = "@property --night { syntax: '<color>'; inherits: false; initial-value: rgb(1, 2, 3); }
html { &.dark { body { margin: 0; background: var(--night); & #c { width: 40px; } } } .later { color: rgb(9, 8, 7); } --plain: 1; }";
        let check = "document.documentElement.className = 'dark'; const style = (e) => getComputedStyle(e);
if (style(document.body).backgroundColor !== 'rgb(1, 2, 3)') throw new Error('background ' + style(document.body).backgroundColor);
if (style(document.getElementById('c')).width !== '40px') throw new Error('width ' + style(document.getElementById('c')).width);
if (style(document.body).getPropertyValue('--plain').trim() !== '1') throw new Error('after a nested rule');";
        let page = format!("<style>{sheet}</style>{CANVAS}{FRAMES}{check}</script>");
        Project::new(&[("index.html", &page)]).render(&["--strict"]).expect(0, &[])
    })]
}
