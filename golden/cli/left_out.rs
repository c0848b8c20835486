//! What a render must not keep to itself: HTML beside the film, what lies behind it, text in boxes, shaders and files that fail.

use std::fs;
use std::process::Command;

use super::Named;
use super::project::{CANVAS, FRAMES, MODULES, Project};

pub fn all() -> Vec<Named> {
    vec![
        ("html_over_the_canvas", Box::new(html_over_the_canvas)),
        ("ordinary_page_and_strict", Box::new(ordinary_page_and_strict)),
        ("canvas_that_is_never_on_the_page", Box::new(never_on_the_page)),
        ("webgl_without_a_known_camera", Box::new(unknown_camera)),
        ("colour_behind_a_see_through_canvas", Box::new(colour_behind)),
        ("gradient_behind_a_see_through_canvas", Box::new(gradient_behind)),
        ("text_without_glyphs", Box::new(text_without_glyphs)),
        ("broken_shader_beside_good_ones", Box::new(broken_shader)),
        ("missing_picture_and_strict", Box::new(missing_picture)),
    ]
}

fn html_over_the_canvas() -> Result<(), String> {
    let hud = "<div id=hud style='position:fixed;top:0'>Speed 12</div>";
    let project = Project::new(&[("index.html", &format!("{hud}{CANVAS}{FRAMES}</script>"))]);
    let says = ["HTML that a browser shows over or behind it is left out: <div#hud> \"Speed 12\""];
    let ended = project.render(&[]);
    ended.expect(0, &says)?;
    let manifest = ended.manifest()?.to_string();
    if !manifest.contains("over-the-canvas") || !manifest.contains("Speed 12") {
        return Err(format!("the manifest does not say so: {manifest}"));
    }
    project.render(&["--strict"]).expect(1, &["something is amiss", "HTML.over-the-canvas", "<div#hud>"])
}

fn ordinary_page_and_strict() -> Result<(), String> {
    let page = format!(
        "<style>body {{ margin: 0; background: #000 }}</style><div hidden>Loading</div>{CANVAS}{FRAMES}</script>"
    );
    let ended = Project::new(&[("index.html", &page)]).render(&["--strict"]);
    ended.expect(0, &["video.mp4"])?;
    if ended.message.contains("warning") { Err(ended.message) } else { Ok(()) }
}

fn never_on_the_page() -> Result<(), String> {
    // three.js' own effect shows text; a browser never shows what the renderer draws.
    let ascii = |shown: &str| {
        Project::new(&[(
            "main.js",
            &format!(
                "import * as THREE from 'three';
import {{ AsciiEffect }} from 'three/addons/effects/AsciiEffect.js';
const renderer = new THREE.WebGLRenderer(); renderer.setSize(64, 64);
const scene = new THREE.Scene(), camera = new THREE.PerspectiveCamera(60, 1, 0.1, 100); camera.position.z = 3;
scene.background = new THREE.Color(0x888888);
scene.add(new THREE.Mesh(new THREE.BoxGeometry(), new THREE.MeshBasicMaterial({{ color: 0xffffff }})));
const effect = new AsciiEffect(renderer, ' .:-+*=%@#'); effect.setSize(64, 64);
{shown}"
            ),
        )])
    };
    let modules = ["--node-modules", MODULES, "--frames", "3"];
    let strict = [&modules[..], &["--strict"]].concat();
    let told = "the program never put the canvas that is filmed on the page; a browser shows HTML in its place, which is left out: <div> \"";
    let effect = ascii(
        "document.body.append(effect.domElement); renderer.setAnimationLoop(() => effect.render(scene, camera));",
    );
    effect.render(&modules).expect(0, &[told])?;
    effect.render(&strict).expect(1, &["something is amiss", "HTMLCanvasElement.never-on-the-page"])?;
    // A program that draws for no page misses nothing.
    let bare = ascii("renderer.setAnimationLoop(() => renderer.render(scene, camera));");
    bare.render(&strict).expect(0, &["video.mp4"])
}

/// Draws a triangle that no matrix places.
const TRIANGLE: &str = "const made = gl.createProgram();
for (const [type, text] of [[gl.VERTEX_SHADER, 'attribute vec2 at; uniform mat4 spin; void main() { gl_Position = spin * vec4(at, 0.0, 1.0); }'], [gl.FRAGMENT_SHADER, 'void main() { gl_FragColor = vec4(1.0); }']]) {
  const shader = gl.createShader(type);
  gl.shaderSource(shader, text);
  gl.compileShader(shader);
  gl.attachShader(made, shader);
}
gl.linkProgram(made);
gl.useProgram(made);
gl.uniformMatrix4fv(gl.getUniformLocation(made, 'spin'), false, [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]);
gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
gl.bufferData(gl.ARRAY_BUFFER, new Float32Array([-1, -1, 1, -1, 0, 1]), gl.STATIC_DRAW);
gl.enableVertexAttribArray(0);
gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0);
requestAnimationFrame(function frame() { requestAnimationFrame(frame); gl.clear(gl.COLOR_BUFFER_BIT); gl.drawArrays(gl.TRIANGLES, 0, 3); });
";

fn unknown_camera() -> Result<(), String> {
    let project = Project::new(&[("index.html", &format!("{CANVAS}{TRIANGLE}</script>"))]);
    let why = "WebGL drew without a known camera in 6 of 6 frames, whose flight no evidence tells: no draw carries a camera's matrices under a name that is known";
    project.render(&["--frames", "6"]).expect(0, &[why])?;
    project.render(&["--frames", "6", "--strict"]).expect(1, &["something is amiss", "evidence.camera", why])
}

/// A canvas with nothing in it but half of one per mille of black, so that what is behind it shows.
const GLASS: &str = "function frame() { n++; gl.clearColor(0, 0, 0, n / 2000); gl.clear(gl.COLOR_BUFFER_BIT); requestAnimationFrame(frame); }\nrequestAnimationFrame(frame);\n";

/// The first pixel of the first frame, as ffmpeg decodes it.
fn first_pixel(project: &Project) -> Result<[u8; 3], String> {
    let video = project.out().join("video.mp4");
    let output = Command::new("ffmpeg")
        .args(["-v", "error", "-i"])
        .arg(&video)
        .args(["-frames:v", "1", "-vf", "scale=in_color_matrix=bt709", "-f", "rawvideo", "-pix_fmt", "rgb24", "-"])
        .output()
        .map_err(|e| format!("this test needs `ffmpeg`: {e}"))?;
    output.stdout.first_chunk().copied().ok_or_else(|| String::from_utf8_lossy(&output.stderr).into_owned())
}

fn near(project: &Project, wanted: [u8; 3]) -> Result<(), String> {
    let found = first_pixel(project)?;
    let near = found.iter().zip(wanted).all(|(a, b)| a.abs_diff(b) <= 4);
    if near { Ok(()) } else { Err(format!("{found:?}, not {wanted:?}")) }
}

fn colour_behind() -> Result<(), String> {
    let page =
        |style: &str| Project::new(&[("index.html", &format!("<style>{style}</style>{CANVAS}{GLASS}</script>"))]);
    for (style, wanted) in [("", [255, 255, 255]), ("body { background: rgb(200 100 0) }", [200, 100, 0])] {
        let project = page(style);
        let ended = project.render(&["--strict"]);
        ended.expect(0, &["video.mp4"])?;
        near(&project, wanted)?;
    }
    // What lies below by its z-index, as Chromium shows it: over the page's own background, all over the canvas.
    let below = |css: &str| {
        page(&format!(
            "</style><div style='position:fixed;inset:0;z-index:-1;{css}'></div><style>body {{ background: red }}"
        ))
    };
    for (css, wanted) in [("background:#b5179e", [181, 23, 158]), ("background:rgb(0 0 0 / 50%)", [128, 0, 0])] {
        let project = below(css);
        project.render(&["--strict"]).expect(0, &["video.mp4"])?;
        near(&project, wanted)?;
    }
    let told = ["the canvas is see-through; HTML that a browser shows below it is left out: <div>"];
    below("background:linear-gradient(red, blue)").render(&[]).expect(0, &told)?;
    // What styles generate lies there as elements do.
    let generated =
        |css: &str| page(&format!("body::before {{ content: ''; position: absolute; inset: 0; z-index: -1; {css} }}"));
    let project = generated("background: #b5179e");
    project.render(&["--strict"]).expect(0, &["video.mp4"])?;
    near(&project, [181, 23, 158])?;
    let told = ["something is amiss", "HTML.under-the-canvas (<body>::before)"];
    generated("background: linear-gradient(red, blue)").render(&["--strict"]).expect(1, &told)?;
    // A flag wins.
    let project = page("body { background: red }");
    project.render(&["--background", "0000ff"]).expect(0, &[])?;
    near(&project, [0, 0, 255])
}

fn gradient_behind() -> Result<(), String> {
    let style = "<style>body { background: linear-gradient(#f00, #00f) }</style>";
    let says = ["the canvas is see-through", "the background of <body> (linear-gradient(#f00, #00f))", "--background"];
    Project::new(&[("index.html", &format!("{style}{CANVAS}{GLASS}</script>"))]).render(&[]).expect(0, &says)?;
    // Under an opaque picture it does not show.
    let ended = Project::new(&[("index.html", &format!("{style}{CANVAS}{FRAMES}</script>"))]).render(&["--strict"]);
    ended.expect(0, &["video.mp4"])
}

fn text_without_glyphs() -> Result<(), String> {
    let text = format!(
        "{FRAMES}const t = document.createElement('canvas').getContext('2d'); t.fillText('Speed \u{901f}\u{5ea6}', 0, 20);"
    );
    let project = Project::page(&text);
    project.render(&[]).expect(0, &["drawn as boxes", "U+901F", "U+5EA6", "@font-face"])?;
    project.render(&["--strict"]).expect(1, &["something is amiss", "U+901F"])
}

fn broken_shader() -> Result<(), String> {
    // What three.js does with one: it logs the compiler's words and goes on.
    let shader = "const s = gl.createShader(gl.FRAGMENT_SHADER);
gl.shaderSource(s, `#version 300 es
precision highp float; out vec4 o;
void main() { o = vec3(1.0); }`);
gl.compileShader(s);
if (!gl.getShaderParameter(s, gl.COMPILE_STATUS)) console.error('Shader Error: ' + gl.getShaderInfoLog(s));";
    let project = Project::page(&format!("{FRAMES}{shader}"));
    project.render(&[]).expect(0, &["warning: errors the program logged: 1", "ERROR: 0:3:"])?;
    project
        .render(&["--strict"])
        .expect(1, &["something is amiss", "Shader Error", "without --strict these are warnings"])?;
    // Nor does one that never asks (`checkShaderErrors = false`) lose the compiler's words.
    let unasked = shader.lines().filter(|line| !line.contains("COMPILE_STATUS")).collect::<Vec<_>>().join("\n");
    let project = Project::page(&format!(
        "{FRAMES}{unasked} const p = gl.createProgram(); gl.attachShader(p, s); gl.linkProgram(p); gl.useProgram(p);"
    ));
    let words = "useProgram: the program is not linked: its fragment shader does not compile: ERROR: 0:3:";
    project
        .render(&[])
        .expect(0, &["warning: errors the program logged: 1", words, "| > void main() { o = vec3(1.0); }"])?;
    project.render(&["--strict"]).expect(1, &["something is amiss", words])
}

fn missing_picture() -> Result<(), String> {
    let project = Project::page(&format!("{FRAMES}const i = new Image(); i.onerror = () => {{}}; i.src = 'wood.png';"));
    let ended = project.render(&[]);
    ended.expect(0, &["warning:", "`wood.png` does not exist in the project"])?;
    let ended = project.render(&["--strict"]);
    ended.expect(1, &["something is amiss", "not there: `wood.png`"])?;
    // The strict one kept the video that there was.
    let kept = fs::metadata(project.out().join("video.mp4")).is_ok();
    if kept && project.out().join("unfinished/manifest.json").exists() {
        Ok(())
    } else {
        Err("the video is gone".into())
    }
}
