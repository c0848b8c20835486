//! Faults of the program.

use super::Named;
use super::project::{CANVAS, FRAMES, Project};

fn trial(name: &'static str, test: impl FnOnce() -> Result<(), String> + Send + 'static) -> Named {
    (name, Box::new(test))
}

pub fn all() -> Vec<Named> {
    [entries(), scripts(), files(), pictures(), shader_loops(), limits()].into_iter().flatten().collect()
}

fn entries() -> Vec<Named> {
    vec![
        trial("no_entry", || {
            Project::new(&[("readme.txt", "")]).render(&[]).expect(2, &["no program found in", "add an index.html"])
        }),
        trial("two_entries", || {
            let ended = Project::new(&[("a.html", ""), ("b.html", "")]).render(&[]);
            ended.expect(2, &["more than one candidate: a.html, b.html", "project/a.html`", "`entry` in replay.toml"])
        }),
        trial("bad_setting", || {
            let ended = Project::new(&[("index.html", ""), ("replay.toml", "fps = 30\nsize = \"big\"\n")]).render(&[]);
            ended.expect(2, &["replay.toml:2", "`big` is no size"])
        }),
    ]
}

fn scripts() -> Vec<Named> {
    vec![
        trial("syntax_error", || {
            Project::page("let x = ;").render(&[]).expect(2, &["SyntaxError: Unexpected token ';'", "index.html:2:9"])
        }),
        trial("syntax_error_in_a_module", || {
            let page = "<script type=module src=main.js></script>";
            let ended = Project::new(&[("index.html", page), ("main.js", "import './b.js'"), ("b.js", "\nlet = {")]);
            ended.render(&[]).expect(2, &["SyntaxError", "b.js:2"])
        }),
        trial("exception_at_load", || {
            let ended = Project::page("\nnoSuchFunction();").render(&[]);
            ended.expect(2, &["noSuchFunction is not defined (while loading, index.html:3:1)"])
        }),
        trial("exception_in_a_frame", || {
            let ended = Project::page(&format!(
                "{FRAMES}function late() {{ if (n == 6)\nnull.foo; requestAnimationFrame(late); }}\nlate();"
            ))
            .render(&[]);
            ended.expect(2, &["Cannot read properties of null (reading 'foo') (in frame 5, index.html:5:6)"])?;
            ended.expect_kept(5)
        }),
        trial("exception_in_frame_700", || {
            let page = format!(
                "{FRAMES}function late() {{ if (n == 701) throw new Error('late'); requestAnimationFrame(late); }} late();"
            );
            let ended = Project::page(&page).render(&["--frames", "720", "--backend", "null", "--allow-blank"]);
            ended.expect(2, &["Error: late (in frame 700, index.html:4:"])?;
            ended.expect_kept(700)
        }),
        trial("rejected_promise", || {
            let ended = Project::page(&format!("{FRAMES}Promise.reject(new Error('no such level'));")).render(&[]);
            ended.expect(2, &["Error: no such level (while loading, in a promise, index.html:4:16)"])
        }),
        trial("stack_overflow", || {
            Project::page("(function f() { f(); })();").render(&[]).expect(2, &["Maximum call stack size exceeded"])
        }),
    ]
}

fn files() -> Vec<Named> {
    vec![
        trial("missing_package", || {
            let ended =
                Project::new(&[("index.html", "<script type=module>\nimport 'nowhere';\n</script>")]).render(&[]);
            ended.expect(2, &["package `nowhere` is not installed", "npm install nowhere", "index.html:2:8"])
        }),
        trial("missing_module", || {
            let ended = Project::new(&[
                ("main.js", "import './a.js'"),
                ("a.js", "import { x } from './gone.js'"),
                ("package.json", "{\"main\": \"main.js\"}"),
            ]);
            ended.render(&[]).expect(2, &["`gone.js` does not exist in the project", "check the path"])
        }),
        trial("an_entry_of_replay_toml_that_is_not_there", || {
            let ended =
                Project::new(&[("replay.toml", "fps = 30\nentry = \"app.html\"\n"), ("index.html", "<p>")]).render(&[]);
            ended.expect(
                2,
                &["replay.toml:2: `entry` names `", "app.html`, which does not exist", "relative to replay.toml"],
            )
        }),
        trial("a_main_of_package_json_that_is_not_there", || {
            let ended = Project::new(&[("package.json", "{\"main\": \"dist/app.js\"}")]).render(&[]);
            ended.expect(
                2,
                &["package.json names `dist/app.js` as the program (\"main\"), which does not exist", "npm run build"],
            )
        }),
        trial("style_sheets_imported_as_modules", || {
            let page = format!("{CANVAS}{FRAMES}</script><script type=module src=app.js></script>");
            let of = |app: &str| {
                Project::new(&[("index.html", &page), ("app.js", app), ("a.module.css", ".card { top: 0 }")])
            };
            let remedy = "build the project first (npm run build)";
            let ended = of("let n;\nimport st from './a.module.css'; n = st.card;").render(&[]);
            let why = "`a.module.css` is a style sheet, which browsers refuse to import as a module (its MIME type is text/css)";
            ended.expect(2, &[why, "app.js:2:16", remedy, "`replay render dist/`"])?;
            // One that only wants the styles draws all the same.
            let effect = of("import './a.module.css';");
            effect.render(&[]).expect(0, &["warning:", "app.js:1:8: ", why, "its styles are left out", remedy])?;
            effect.render(&["--strict"]).expect(1, &["something is amiss", why])
        }),
        trial("programs_that_are_not_built", || {
            let help = ["is TypeScript or JSX, which browsers cannot run", "npm run build", "`replay render dist/`"];
            let says = |ended: super::project::Ended, name: &str| ended.expect(2, &[name, help[0], help[1], help[2]]);
            let page = "<script type=module src=/src/main.tsx></script>";
            says(
                Project::new(&[("index.html", page), ("src/main.tsx", "let n: number")]).render(&[]),
                "`src/main.tsx`",
            )?;
            says(Project::new(&[("src/main.ts", "let n: number")]).render(&[]), "project/src/main.ts`")?;
            let manifest = ("package.json", "{\"main\": \"src/scene.jsx\"}");
            says(Project::new(&[manifest, ("src/scene.jsx", "<a/>")]).render(&[]), "project/src/scene.jsx`")?;
            let project = Project::new(&[("one.ts", "let n: number"), ("replay.toml", "entry = \"one.ts\"\n")]);
            says(project.render(&[]), "one.ts`")
        }),
        trial("common_js_in_a_script", || {
            let ended = Project::page("const THREE = require('three');").render(&[]);
            ended.expect(2, &["require is not defined (while loading, index.html:", "the file is CommonJS", "import"])
        }),
        trial("missing_cdn_package", || {
            let ended = Project::new(&[(
                "index.html",
                "<script src=https://unpkg.com/three@0.128.0/build/three.min.js></script>",
            )]);
            ended.render(&[]).expect(2, &["package `three` is not installed", "npm install three@0.128.0"])
        }),
        trial("missing_asset_that_the_program_ignores", || {
            let ended = Project::page(&format!("{FRAMES}fetch('level.json').catch(() => {{}});")).render(&[]);
            ended.expect(0, &["warning:", "`level.json` does not exist in the project"])?;
            match ended.manifest()?["page"]["missing"].to_string() {
                listed if listed.contains("level.json") => Ok(()),
                other => Err(format!("the manifest does not list it: {other}")),
            }
        }),
        trial("missing_asset_that_breaks_the_program", || {
            let ended = Project::page(&format!("{FRAMES}fetch('level.json').then((r) => r.json());")).render(&[]);
            ended.expect(
                2,
                &[
                    "SyntaxError: Unexpected end of JSON input",
                    "help: the program asked for what is not there: `level.json`",
                ],
            )
        }),
        trial("blocked_network", || {
            let ended = Project::page(&format!("{FRAMES}fetch('https://api.example/data');")).render(&[]);
            ended.expect(
                2,
                &["network call blocked: https://api.example/data", "put a copy of the file into the project"],
            )
        }),
        trial("blocked_counter_and_needless_polyfill", || {
            let page = format!(
                "<script async src='https://counter.example/c.js'></script><script async src='https://ga.jspm.io/npm:es-module-shims@1.8.0/dist/es-module-shims.js'></script>{CANVAS}{FRAMES}</script>"
            );
            let ended = Project::new(&[("index.html", &page)]).render(&[]);
            ended.expect(0, &["warning:", "https://counter.example/c.js (network, asked for by index.html:1:1)"])
        }),
    ]
}

fn pictures() -> Vec<Named> {
    const BROKEN: &str = "const s = gl.createShader(gl.FRAGMENT_SHADER);
gl.shaderSource(s, `#version 300 es
precision highp float; out vec4 o;
void main() {
  vec3 c = vec2(1.0);
  o = vec4(c, 1.0);
}`);
gl.compileShader(s);
if (!gl.getShaderParameter(s, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(s));";
    vec![
        trial("shader_that_does_not_compile", || {
            Project::page(BROKEN).render(&[]).expect(2, &["ERROR: 0:4:", "index.html:10:"])
        }),
        trial("no_canvas", || {
            let ended = Project::new(&[("index.html", "<p>hello</p><script>0</script>")]).render(&[]);
            ended.expect(2, &["the page has no canvas to film", "document.body.appendChild"])
        }),
        trial("canvas_not_found_by_selector", || {
            Project::page(FRAMES)
                .render(&["--canvas", "#other"])
                .expect(2, &["no canvas to film that matches `#other`"])
        }),
        trial("canvas_never_drawn", || {
            let ended = Project::page("requestAnimationFrame(function f() { requestAnimationFrame(f) })").render(&[]);
            ended.expect(
                1,
                &["the video is blank: all 10 frames are the same single colour", "--allow-blank accepts it"],
            )?;
            ended.expect_kept(10)
        }),
        trial("canvas_never_drawn_but_allowed", || {
            Project::page("").render(&["--allow-blank"]).expect(0, &["video.mp4"])
        }),
        trial("context_lost", || {
            let ended = Project::page(&format!(
                "{FRAMES}setTimeout(() => gl.getExtension('WEBGL_lose_context').loseContext(), 100);"
            ))
            .render(&[]);
            ended.expect(2, &["the WebGL context was lost in frame 3, index.html:4:"])?;
            ended.expect_kept(3)
        }),
        trial("unsupported_and_strict", || {
            let ended = Project::page(&format!("{FRAMES}new WebSocket('wss://a.example');")).render(&["--strict"]);
            ended.expect(1, &["something is amiss", "not supported", "WebSocket"])
        }),
        trial("a_picture_that_is_none", || {
            let load = "new Image().src = 'data:image/png;base64,bm8gcGljdHVyZQ==';";
            let ended = Project::page(&format!("{FRAMES}{load}")).render(&["--strict"]);
            ended.expect(1, &["something is amiss", "cannot be decoded", "data:image/png"])
        }),
        // In a browser time goes on beside them.
        trial("messages_without_end", || {
            let talk = "const { port1, port2 } = new MessageChannel(); let told = 0; port1.onmessage = (e) => { told = e.data; port1.postMessage(told + 1); }; port2.onmessage = (e) => port2.postMessage(e.data + 1); port1.postMessage(1);";
            let told = "function late() { if (n == 4 && told <= 1000) throw new Error('only ' + told); requestAnimationFrame(late); } late();";
            let ended = Project::page(&format!("{FRAMES}{talk}{told}")).render(&["--time-limit", "10"]);
            ended.expect(0, &[])
        }),
    ]
}

/// Draws a square with a fragment shader whose loop is `looped` on line 5; `u` counts up to `most` in frame 4.
fn shader_loop(vertex: &str, looped: &str, most: &str) -> Project {
    Project::page(&format!(
        "function make(kind, text) {{ const s = gl.createShader(kind); gl.shaderSource(s, text); gl.compileShader(s);
if (!gl.getShaderParameter(s, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(s)); return s; }}
const p = gl.createProgram();
gl.attachShader(p, make(gl.VERTEX_SHADER, `#version 300 es
uniform int u; void main() {{ float s = 0.0;
{vertex}
gl_Position = vec4(float(gl_VertexID % 2) * 4.0 - 1.0, float(gl_VertexID / 2) * 4.0 - 1.0, s * 1e-9, 1); }}`));
gl.attachShader(p, make(gl.FRAGMENT_SHADER, `#version 300 es
precision highp float; precision highp int; uniform int u; out vec4 o;
#define SHADER_NAME Sea
void main() {{ float s = 0.0;
  {looped}
  o = vec4(s / float(u), gl_FragCoord.xy / 64.0, 1.0); }}`));
gl.linkProgram(p); gl.useProgram(p);
const u = gl.getUniformLocation(p, 'u');
function frame() {{ n++; gl.uniform1i(u, n < 5 ? 4000 : {most}); gl.drawArrays(gl.TRIANGLES, 0, 3); requestAnimationFrame(frame); }}
requestAnimationFrame(frame);"
    ))
}

fn shader_loops() -> Vec<Named> {
    const BOUNDED: &str = "for (int i = 0; i < u; i++) s += 0.5;";
    vec![
        trial("endless_loop_in_a_fragment_shader", || {
            let ended = shader_loop("", "if (u > 4000) for (;;) { s += 0.1; }", "4001").render(&[]);
            let place = "in frame 4, line 5: `if (u > 4000) for (;;) { s += 0.1; }`";
            ended.expect(2, &["the fragment shader Sea has an endless loop", place, "does the loop end"])?;
            ended.expect_kept(4)
        }),
        trial("endless_loop_in_a_vertex_shader", || {
            let ended = shader_loop("while (u > 4000) s += 1.0;", "s = 1.0;", "4001").render(&[]);
            ended
                .expect(2, &["the vertex shader ran more than", "in frame 4, line 3: `while (u > 4000) s += 1.0;`"])?;
            ended.expect_kept(4)
        }),
        trial("runaway_loop_in_a_shader", || {
            let ended = shader_loop("", BOUNDED, "2000000000").render(&[]);
            ended.expect(
                2,
                &[
                    "the fragment shader Sea ran more than",
                    "rounds in a loop in frame 4, line 5: `for (int i",
                    "the loop may be finite: this software driver",
                ],
            )?;
            ended.expect_kept(4)
        }),
        trial("runaway_loop_before_discard", || {
            let ended = shader_loop("", &format!("{BOUNDED} if (s > 0.0) discard;"), "2000000000").render(&[]);
            ended.expect(2, &["ran more than"])?;
            ended.expect_kept(4)
        }),
        trial("runaway_loop_whose_picture_is_not_shown", || {
            let ended = shader_loop("", BOUNDED, "2000000000").render(&["--warmup", "6"]);
            ended.expect(2, &["ran more than"])
        }),
        // Legitimate: thousands of rounds, bounded by a uniform.
        trial("long_loop_in_a_shader", || shader_loop("", BOUNDED, "40000").render(&[]).expect(0, &["video.mp4"])),
    ]
}

fn limits() -> Vec<Named> {
    vec![
        trial("no_way_to_drive", || {
            let ended = Project::page(FRAMES).render(&["--drive", "renderAt(time)"]);
            ended.expect(2, &["`renderAt(time)` is no way to drive a program", "'seek:renderAt(time)'"])
        }),
        trial("endless_loop_at_load", || {
            let ended = Project::page("\nfor (;;) { n++; }").render(&["--time-limit", "1"]);
            ended.expect(2, &["ran for more than 1 s while loading, index.html:3:", "is there an endless loop?"])
        }),
        trial("endless_loop_in_a_frame", || {
            let ended = Project::page(&format!(
                "{FRAMES}function late() {{ if (n == 4) for (;;) n += 0; requestAnimationFrame(late); }} late();"
            ))
            .render(&["--time-limit", "1"]);
            ended.expect(2, &["ran for more than 1 s in frame 3, index.html:4:"])?;
            ended.expect_kept(3)
        }),
        trial("endless_microtasks", || {
            let limit = ["--time-limit", "1"];
            for _ in 0..3 {
                let ended = Project::page("(async () => { for (;;) await 0; })();").render(&limit);
                ended.expect(2, &["ran for more than 1 s while loading, index.html:2:"])?;
            }
            // Also of those that no function of the program's own loops in.
            let ended = Project::page("function f() {\n Promise.resolve().then(f); }\nf();").render(&limit);
            ended.expect(2, &["ran for more than 1 s while loading, index.html:"])
        }),
        trial("runaway_heap", || {
            let ended = Project::page("const a = []; for (;;) a.push({ n: n++, s: 'x' + n });")
                .render(&["--memory-limit", "100"]);
            ended.expect(2, &["more than 100 MiB of memory (while loading, index.html:", "--memory-limit"])
        }),
        trial("runaway_typed_arrays", || {
            let ended = Project::page("const a = []; for (;;) a.push(new Float32Array(1 << 22));")
                .render(&["--memory-limit", "200"]);
            ended.expect(2, &["more than 200 MiB of memory for ArrayBuffers", "(while loading, index.html:2:"])
        }),
        trial("runaway_canvases", || {
            let big = "const c = document.createElement('canvas'); c.width = c.height = 2048; c.getContext('2d');";
            let ended = Project::page(&format!("const a = []; for (;;) {{ {big} a.push(c); }}"))
                .render(&["--memory-limit", "200"]);
            ended.expect(
                2,
                &["more than 200 MiB of memory for 2D canvases (while loading, index.html:2:", "--memory-limit"],
            )?;
            // Six times 16 MiB in each of ten frames, but nobody holds them.
            let dropped = format!(
                "function late() {{ for (let i = 0; i < 6; i++) {{ {big} }} requestAnimationFrame(late); }} late();"
            );
            Project::page(&format!("{FRAMES}{dropped}")).render(&["--memory-limit", "200"]).expect(0, &[])
        }),
        trial("runaway_textures", || {
            let grow = "const kept = []; function grow() { for (let i = 0; i < 16; i++) { const t = gl.createTexture(); gl.bindTexture(gl.TEXTURE_2D, t); gl.texStorage2D(gl.TEXTURE_2D, 1, gl.RGBA8, 8192, 8192); kept.push(t); } requestAnimationFrame(grow); } grow();";
            let ended = Project::page(&format!("{FRAMES}{grow}")).render(&[]);
            ended.expect(2, &["out of GPU memory", "textures or buffers without end"])
        }),
    ]
}
