//! Errors name the program's own line: of what was thrown and is no `Error`, of a lost context, of a file that is not there.

use super::Named;
use super::project::{FRAMES, MODULES, Project};

fn trial(name: &'static str, test: impl FnOnce() -> Result<(), String> + Send + 'static) -> Named {
    (name, Box::new(test))
}

pub fn all() -> Vec<Named> {
    thrown().into_iter().chain(asked()).collect()
}

/// Renders a page whose script is [`FRAMES`] and, from line 4, `js`.
fn says(js: &str, texts: &[&str]) -> Result<(), String> {
    Project::page(&format!("{FRAMES}{js}")).render(&[]).expect(2, texts)
}

fn thrown() -> Vec<Named> {
    vec![
        trial("a_text_thrown_at_load", || says("\nthrow 'no level';", &["no level (while loading, index.html:5:1)"])),
        trial("a_text_thrown_in_a_frame", || {
            says(
                "function late() { if (n == 4)\n throw 'lost'; requestAnimationFrame(late); }\nlate();",
                &["lost (in frame 3, index.html:5:2)"],
            )
        }),
        trial("a_number_thrown_in_a_timer", || {
            says("setTimeout(() => {\nthrow 7; }, 100);", &["7 (in frame 3, index.html:5:1)"])
        }),
        trial("an_object_thrown_in_a_listener", || {
            let js =
                "const b = document.createElement('button'); b.onclick = () => {\n  throw { code: 3 }; };\nb.click();";
            says(js, &["{\"code\":3} was thrown, which is no Error (while loading, index.html:5:3)"])
        }),
        trial("a_text_thrown_in_an_async_function", || {
            says(
                "async function f() {\nawait 0;\n  throw 'lost'; }\nf();",
                &["lost (while loading, in a promise, index.html:6:"],
            )
        }),
        trial("a_promise_rejected_with_a_text", || {
            says("\n  Promise.reject('no level');", &["no level (while loading, in a promise, index.html:5:"])?;
            let js = "new Promise((ok, no) => setTimeout(() => {\nno('late'); }, 100));";
            says(js, &["late (in frame 3, in a promise, index.html:5:1)"])
        }),
        trial("a_text_thrown_in_a_module", || {
            let page = "<canvas></canvas><script type=module src=main.js></script>";
            let main = "import './level.js';";
            let level = "let n = 0;\n\n  throw 'no level';";
            let ended = Project::new(&[("index.html", page), ("main.js", main), ("level.js", level)]).render(&[]);
            ended.expect(2, &["no level (while loading", "level.js:3"])
        }),
        trial("a_text_thrown_in_a_then", || {
            says(
                "Promise.resolve().then(() => {\n  throw 'no level'; });",
                &["no level (while loading", "index.html:5"],
            )
        }),
        trial("a_text_put_together_in_a_module", || {
            let page = "<canvas></canvas><script type=module>\nconst name = 'forest';\nthrow 'no level named ' + name;</script>";
            let ended = Project::new(&[("index.html", page)]).render(&[]);
            ended.expect(2, &["no level named forest (while loading, index.html:3:1)"])
        }),
        trial("an_object_thrown_in_a_module", || {
            let page = "<canvas></canvas><script type=module>\nif (!navigator.foo)\n  throw { code: 3, at: Date.now() };</script>";
            let ended = Project::new(&[("index.html", page)]).render(&[]);
            ended.expect(2, &["\"code\":3", "was thrown, which is no Error (while loading", "index.html:3:3"])
        }),
        trial("one_of_several_that_throw", || {
            let page = "<canvas></canvas><script type=module src=main.js></script>";
            let main = "const reason = (n) => 'no ' + n;\nif (Math.random() > 2) throw reason(1);\nthrow reason(2);";
            let ended = Project::new(&[("index.html", page), ("main.js", main)]).render(&[]);
            ended.expect(2, &["no 2 (while loading", "thrown by one of: main.js:2:24, main.js:3:1;"])
        }),
        trial("an_error_without_frames", || {
            let js = "Error.stackTraceLimit = 0;\nsetTimeout(() => {\n  throw new Error('lost'); }, 100);";
            says(js, &["Error: lost (in frame 3, index.html:6:9)"])
        }),
        trial("scripts_in_the_middle_of_a_line", || {
            let page = "<canvas></canvas><p>é😀</p><script>let a = 1;</script><script>const b = 2; nowhere();</script>";
            let ended = Project::new(&[("index.html", page)]).render(&[]);
            let column = page.encode_utf16().count() - "nowhere();</script>".len() + 1;
            ended.expect(2, &[&format!("nowhere is not defined (while loading, index.html:1:{column})")])?;
            let page = "<canvas></canvas><script type=module>import './gone.js';</script><script type=module>const b = (;</script>";
            let ended = Project::new(&[("index.html", page), ("gone.js", "")]).render(&[]);
            let column = page.len() - ";</script>".len() + 1;
            ended.expect(2, &["SyntaxError", &format!("index.html:1:{column}")])
        }),
        trial("tags_in_the_middle_of_a_line", || {
            let page = "<canvas></canvas><script type=importmap>{\"imports\":{},}</script>";
            Project::new(&[("index.html", page)])
                .render(&[])
                .expect(2, &["trailing comma (while loading, index.html:1:41)"])?;
            let page = "<canvas></canvas><script src=https://unpkg.com/three@0.128.0/build/three.min.js></script>";
            Project::new(&[("index.html", page)]).render(&[]).expect(2, &["is not installed", "index.html:1:30)"])
        }),
        trial("a_rejection_that_is_handed_on", || {
            let js = "async function go() {\nawait null; return Promise.reject(); }\ngo();";
            says(js, &["undefined (while loading, in a promise, index.html:5:"])
        }),
        trial("where_a_context_was_lost", || {
            let js =
                "const ext = gl.getExtension('WEBGL_lose_context');\nsetTimeout(() => {\n  ext.loseContext(); }, 100);";
            says(js, &["the WebGL context was lost in frame 3, index.html:6:7"])
        }),
    ]
}

fn asked() -> Vec<Named> {
    vec![
        trial("who_wanted_fonts_sounds_and_sheets_that_are_not_there", || {
            let page = "<!doctype html>
<link rel=stylesheet href=gone.css>
<style>
@import 'also.css';
@font-face { font-family: A; src: url(gone.ttf); }
body { background-image: url('gone.jpg'); }
</style>
<canvas id=c width=64 height=64></canvas><script>const gl = document.getElementById('c').getContext('webgl2'); let n = 0;
"
            .to_owned()
                + FRAMES
                + "document.fonts.load('12px A').catch(() => {});
new FontFace('B', 'url(other.ttf)').load().catch(() => {});
new Audio('gone.mp3');
</script>";
            let project = Project::new(&[("index.html", &page)]);
            let ended = project.render(&["--strict"]);
            ended.expect(
                1,
                &[
                    "`gone.css` does not exist in the project (asked for by index.html:2:1)",
                    "`also.css` does not exist in the project (asked for by index.html:4:1)",
                    "`gone.ttf` does not exist in the project (asked for by index.html:5:39)",
                    "`gone.jpg` does not exist in the project (asked for by index.html:6:31)",
                    "`other.ttf` does not exist in the project (asked for by index.html:12:1)",
                    "`gone.mp3` does not exist in the project (asked for by index.html:13:1)",
                ],
            )?;
            project
                .render(&[])
                .expect(0, &["warning:", "or mend the address", "index.html:6:31: the background picture"])
        }),
        trial("who_fetched_what_is_not_there", || {
            let js = "const read = async () => {\n  const answer = await fetch('level.json'); return answer.json(); };\nread();";
            says(
                js,
                &[
                    "Unexpected end of JSON input",
                    "`level.json` does not exist in the project (asked for by index.html:5:24)",
                ],
            )
        }),
        trial("who_decodes_what_is_no_picture", || {
            let js = "const image = new Image(); image.src = 'main.txt';\nimage.decode();";
            let page = format!("<canvas></canvas><script>\n{js}\n</script>");
            let ended = Project::new(&[("index.html", &page), ("main.txt", "no picture")]).render(&[]);
            ended.expect(2, &["EncodingError: The source image cannot be decoded", "index.html:3:7"])
        }),
        trial("who_compiles_what_is_no_webassembly", || {
            let page = "<canvas></canvas><script>\nasync function sim() {\n  await WebAssembly.instantiateStreaming(fetch('sim.wasm'));\n}\nsim();</script>";
            let ended = Project::new(&[("index.html", page), ("sim.wasm", "no wasm at all")]).render(&[]);
            ended.expect(2, &["WebAssembly.instantiate(): expected magic word", "index.html:3:21"])
        }),
        trial("a_library_that_stumbles_over_a_file", || {
            let page = "<canvas></canvas><script type=module>\nimport { HDRLoader } from 'three/addons/loaders/HDRLoader.js';\nawait new HDRLoader().loadAsync('sky.hdr');</script>";
            let ended =
                Project::new(&[("index.html", page), ("sky.hdr", "no picture")]).render(&["--node-modules", MODULES]);
            ended.expect(2, &["the last file that it loaded is sky.hdr, asked for by index.html:3:"])
        }),
        trial("a_module_of_broken_json", || {
            let page = "<canvas></canvas><script type=module src=main.js></script>";
            let main = "\nimport level from './level.json' with { type: 'json' };";
            let files = [("index.html", page), ("main.js", main), ("level.json", "{\"a\": 1,\n \"b\": oops}")];
            Project::new(&files).render(&[]).expect(2, &["`level.json` is no JSON", "line 2 column 7", "main.js:2"])
        }),
        trial("who_wanted_a_picture_that_is_not_there", || {
            let js = "const load = (file) => new Promise((ok, no) => { const i = new Image(); i.onload = ok; i.onerror = no;\n i.src = file; });\nload('sky.png');";
            says(js, &["an \"error\" event of <img> for http://localhost/sky.png", "index.html:5:"])
        }),
        trial("who_had_three_load_what_is_not_there", || {
            let page = "<script type=importmap>{\"imports\":{\"three\":\"https://unpkg.com/three/build/three.module.js\"}}</script>
<script type=module>import { FileLoader } from 'three';
const loader = new FileLoader();
const model = await loader.loadAsync('drone.glb');
</script>";
            let ended = Project::new(&[("index.html", page)]).render(&["--node-modules", MODULES]);
            ended.expect(2, &["responded with 404", "index.html:4:28", "`drone.glb` does not exist in the project"])
        }),
        trial("who_wanted_the_network", || {
            let ended =
                Project::page(&format!("{FRAMES}\n fetch('https://api.example/x').catch(() => {{}});")).render(&[]);
            ended.expect(0, &["https://api.example/x (network, asked for by index.html:5:2)"])
        }),
    ]
}
