//! Programs that ask for too much: of the GPU, of memory, of the engine's own libraries. They draw four ordinary frames
//! first, which must stay.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::Named;
use super::project::{FRAMES, Project, frames_of};

/// A program for shaders that draws one triangle over everything.
const DRAWN: &str = "function shader(kind, text) { const s = gl.createShader(kind); gl.shaderSource(s, text); gl.compileShader(s); return s; } function program(v, f, out) { const p = gl.createProgram(); gl.attachShader(p, shader(gl.VERTEX_SHADER, '#version 300 es\\n' + v)); gl.attachShader(p, shader(gl.FRAGMENT_SHADER, '#version 300 es\\nprecision highp float; out vec4 c; ' + f)); if (out) gl.transformFeedbackVaryings(p, [out], gl.SEPARATE_ATTRIBS); gl.linkProgram(p); return p; } const V = 'void main() { gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1 & 1) * 4. - 1., 0, 1); }', F = 'void main() { c = vec4(1); }';";
/// Seconds of work for the GPU, in a loop that is bounded, so that nothing of ours ends it.
const HEAVY: &str = "gl.useProgram(program(V, 'uniform float u; void main() { float x = u; for (int i = 0; i < 20000; i++) x = sin(x) + cos(x * 1.1); c = vec4(x); }')); for (let k = 0; k < 100; k++) gl.drawArraysInstanced(gl.TRIANGLES, 0, 3, 1000);";

/// `act` in frame 4; what it throws goes to the console.
fn project(act: &str) -> Project {
    let late = "function late() { if (n == 5) try { act(); } catch (e) { console.error(String(e)); } requestAnimationFrame(late); } late();";
    Project::page(&format!("{FRAMES}{DRAWN}function act() {{ {act} }}\n{late}"))
}

/// It must end with `code`, say `texts`, and keep four frames if it fails.
fn trial(name: &'static str, act: &'static str, code: i32, texts: &'static [&'static str]) -> Named {
    let test = move || {
        let limit = if code == 0 { "60" } else { "5" };
        let ended = project(act).render(&["--time-limit", limit]);
        ended.expect(code, texts)?;
        if code == 0 { Ok(()) } else { ended.expect_kept(4) }
    };
    (name, Box::new(test))
}

/// Lines that end far outside of the picture: each pixel that they light lies on the line, and those inside it are lit.
/// (lavapipe floods tiles of 64 by 64 if it is given them whole.)
const LONG_LINES: &str = "
const p = program('uniform vec4 a, b; void main() { gl_Position = gl_VertexID == 0 ? a : b; }', 'void main() { c = vec4(1); }');
gl.useProgram(p);
const [W, H] = [gl.drawingBufferWidth, gl.drawingBufferHeight], seen = new Uint8Array(W * H * 4);
for (const [x, y] of [[10, 2], [1e2, 20], [1e3, -100], [2e4, 3000], [6e4, 9000], [3e5, 2e4], [-3e4, 5e3], [-4e5, -3e4]]) {
  gl.clearColor(0, 0, 0, 1);
  gl.clear(gl.COLOR_BUFFER_BIT);
  gl.uniform4f(gl.getUniformLocation(p, 'a'), -0.2, 0.1, 0, 1);
  gl.uniform4f(gl.getUniformLocation(p, 'b'), x, y, 0, 1);
  gl.drawArrays(gl.LINES, 0, 2);
  gl.readPixels(0, 0, W, H, gl.RGBA, gl.UNSIGNED_BYTE, seen);
  const at = (u, v) => [(u + 1) * W / 2, (v + 1) * H / 2];
  const [ax, ay] = at(-0.2, 0.1), [bx, by] = at(x, y), long = Math.hypot(bx - ax, by - ay);
  let lit = 0;
  for (let i = 0; i < W * H; i++) {
    if (seen[i * 4] < 64) continue;
    lit++;
    const off = Math.abs((i % W + 0.5 - ax) * (by - ay) - (Math.floor(i / W) + 0.5 - ay) * (bx - ax)) / long;
    if (off > 1.5) throw new Error(`the line to ${x}, ${y} lights ${i % W}, ${Math.floor(i / W)}`);
  }
  const inside = x > 0 ? W - ax : ax;
  if (lit < 0.9 * inside) throw new Error(`the line to ${x}, ${y} lights ${lit} pixels, ${inside} lie in the picture`);
}";

fn long_lines() -> Result<(), String> {
    let act = "try { act(); } catch (e) { setTimeout(() => { throw e; }); }";
    Project::page(&format!("{FRAMES}{DRAWN}function act() {{ {LONG_LINES} }}\n{act}")).render(&[]).expect(0, &[])
}

pub fn all() -> Vec<Named> {
    let canvas = "const d = document.createElement('canvas'); d.width = d.height = 2048; const x = d.getContext('2d');";
    let canvas = |act: &str| -> &'static str { Box::leak(format!("{canvas} {act}").into_boxed_str()) };
    vec![
        ("lines_that_end_far_outside", Box::new(long_lines)),
        trial(
            "too_much_to_draw",
            HEAVY,
            2,
            &["frame 4 took more than 5 s: the GPU is still drawing it", "3000 vertices", "--time-limit"],
        ),
        ("too_much_to_draw_and_ended", Box::new(ended_while_drawing)),
        trial(
            "an_instance_too_many",
            "gl.useProgram(program(V, F)); gl.drawArraysInstanced(gl.TRIANGLES, 0, 3, 0x7fffffff);",
            2,
            &["frame 4 took more than 5 s: the GPU"],
        ),
        trial(
            "a_fan_of_all_vertices",
            "gl.useProgram(program(V, F)); gl.drawArrays(gl.TRIANGLE_FAN, 0, 0x7fffffff); gl.drawArrays(gl.LINE_LOOP, 0, 300000000);",
            0,
            &["not supported"],
        ),
        trial(
            "feedback_of_all_vertices",
            "gl.useProgram(program('out vec4 o; void main() { o = vec4(1); gl_Position = o; }', F, 'o')); const b = gl.createBuffer(); gl.bindBuffer(gl.TRANSFORM_FEEDBACK_BUFFER, b); gl.bufferData(gl.TRANSFORM_FEEDBACK_BUFFER, 1 << 20, gl.STATIC_READ); gl.bindBufferBase(gl.TRANSFORM_FEEDBACK_BUFFER, 0, b); gl.beginTransformFeedback(gl.POINTS); gl.drawArraysInstanced(gl.POINTS, 0, 0x7fffffff, 0x7fffffff); gl.endTransformFeedback();",
            0,
            &["transform feedback does not fit"],
        ),
        trial(
            "clears_by_the_hundred_thousand",
            "gl.enable(gl.SCISSOR_TEST); for (let i = 0; i < 120000; i++) { gl.scissor(i & 63, 0, 1, 64); gl.clear(gl.COLOR_BUFFER_BIT); }",
            0,
            &["video.mp4"],
        ),
        trial(
            "gpu_memory_runs_out",
            "for (let i = 0; i < 3000; i++) { gl.bindTexture(gl.TEXTURE_2D, gl.createTexture()); gl.texStorage2D(gl.TEXTURE_2D, 1, gl.RGBA8, 4096, 4096); }",
            2,
            &["out of GPU memory"],
        ),
        trial(
            "html_without_a_bottom",
            "document.body.insertAdjacentHTML('beforeend', '<div>'.repeat(300000));",
            0,
            &["nested more than 5000 deep"],
        ),
        trial(
            "shapes_far_off",
            canvas(
                "x.lineWidth = 1e30; x.setLineDash([1e-30, 1e-30]); x.moveTo(0, 0); x.lineTo(1e30, 1e30); x.stroke(); x.beginPath(); x.arc(0, 0, 1e30, 0, 1e30); x.fill(); x.clip();",
            ),
            0,
            &["video.mp4"],
        ),
        trial(
            "blurs_without_measure",
            canvas(
                "d.width = d.height = 512; x.filter = 'blur(1e9px)'; x.fillRect(0, 0, 9, 9); x.filter = 'blur(500px) '.repeat(1000); x.fillRect(0, 0, 9, 9);",
            ),
            0,
            &["video.mp4"],
        ),
        trial(
            "a_text_of_a_hundred_megabytes",
            canvas("const s = 'word '.repeat(20000000); x.fillText(s, 0, 20); x.measureText(s);"),
            0,
            &["video.mp4"],
        ),
        trial(
            "a_path_that_takes_for_ever",
            canvas(
                "for (let i = 0; i < 4e6; i++) x.lineTo(Math.sin(i) * 1e4, Math.cos(i * 3) * 1e4); for (;;) x.fill();",
            ),
            2,
            &["frame 4"],
        ),
        ("a_flood_of_console_lines", Box::new(flood)),
        ("a_call_that_does_not_return", Box::new(lost)),
    ]
}

/// Minutes in one call of ours: the thread that watches ends the render.
fn lost() -> Result<(), String> {
    let act = "const d = document.createElement('canvas'); d.width = d.height = 4096; const x = d.getContext('2d'); x.filter = 'blur(99px) '.repeat(20); x.fillRect(0, 0, 9, 9);";
    let ended = project(act).render(&["--time-limit", "1"]);
    ended.expect(2, &["frame 4 took more than 1 s", "does not come back"])?;
    ended.expect_kept(4)
}

/// One TERM ends a render whose GPU is busy, soon, and what was drawn before plays.
fn ended_while_drawing() -> Result<(), String> {
    let project = project(HEAVY);
    let out = project.out();
    let mut command = project.command(&out, &["--frames", "50", "--time-limit", "600"]);
    let mut child = command.stderr(Stdio::null()).stdout(Stdio::null()).spawn().map_err(|e| e.to_string())?;
    let journal = out.join(".replay-partial/frames.sha256");
    let begin = Instant::now();
    while std::fs::metadata(&journal).map_or(0, |m| m.len()) < 65 * 3 && begin.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(20));
    }
    std::thread::sleep(Duration::from_millis(1500));
    let asked = Instant::now();
    let term = Command::new("sh").args(["-c", &format!("kill -TERM {}", child.id())]).status();
    let status = child.wait().map_err(|e| e.to_string())?;
    if !term.is_ok_and(|s| s.success()) || status.code() != Some(2) || asked.elapsed() > Duration::from_secs(6) {
        return Err(format!("ended with {status} after {:?}", asked.elapsed()));
    }
    match frames_of(&out.join("video.incomplete.mp4"))? {
        4 => Ok(()),
        kept => Err(format!("{kept} frames were kept")),
    }
}

/// 800 MB said: the log keeps 64 MiB.
fn flood() -> Result<(), String> {
    let say = "function say() { for (let i = 0; i < 5000; i++) console.log('y'.repeat(16000)); requestAnimationFrame(say); } say();";
    let ended = Project::page(&format!("{FRAMES}{say}")).render(&[]);
    ended.expect(0, &["video.mp4"])?;
    let bytes = std::fs::metadata(ended.out.join("console.log")).map_err(|e| e.to_string())?.len();
    if bytes < 65 << 20 { Ok(()) } else { Err(format!("console.log has {bytes} bytes")) }
}
