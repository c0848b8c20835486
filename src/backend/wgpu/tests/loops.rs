//! Loops that run away: the flag, and that programs with good loops draw as ever. Expected values are closed forms.

use super::gl::{Gl, PLAIN};
use crate::gl::constants as c;

const SUM: &str = "uniform int n; out vec4 o;
void main() { int s = 0; for (int i = 0; i < n; i++) s += i & 3; o = vec4(float(s & 255) / 255.0, 0.0, 0.0, 1.0); }";
const FULL: [[f32; 2]; 3] = [[-1.0, -1.0], [3.0, -1.0], [-1.0, 3.0]];

#[test]
fn a_long_bounded_loop_keeps_its_value_and_raises_nothing() {
    let mut gl = Gl::new(4, 4, false);
    let program = gl.program(PLAIN, SUM);
    gl.positions(&FULL);
    let n = gl.uniform(program, "n");
    for rounds in [4_000, 40_002] {
        gl.context.uniform_1i(program, n, rounds);
        gl.draw(c::TRIANGLES, 3);
        // Four rounds add 0 + 1 + 2 + 3; the last two of 40,002 add 0 + 1.
        let sum = rounds / 4 * 6 + i32::from(rounds % 4 == 2);
        assert_eq!(gl.read(4, 4)[..4], [(sum & 255) as u8, 0, 0, 255], "{rounds} rounds");
    }
    gl.context.present(0);
    gl.context.finish();
    assert!(gl.context.backend_error().is_none());
}

#[test]
fn a_runaway_loop_is_named() {
    let mut gl = Gl::new(4, 4, false);
    let good = gl.program(PLAIN, SUM);
    gl.positions(&FULL);
    let n = gl.uniform(good, "n");
    gl.context.uniform_1i(good, n, 10);
    gl.draw(c::TRIANGLES, 3);
    let bad = gl.program(PLAIN, "uniform int n;\nout vec4 o;\nvoid main() {\n  float s = 0.0; for (int j = 0; j < 4; j++) s += 1.0;\n  while (s < float(n)) s *= 1.0;\n  o = vec4(s); }");
    let n = gl.uniform(bad, "n");
    gl.context.uniform_1i(bad, n, 3);
    gl.draw(c::TRIANGLES, 3);
    gl.context.present(0);
    gl.context.finish();
    assert!(gl.context.backend_error().is_none(), "the loop is not entered");
    gl.context.uniform_1i(bad, n, 5);
    gl.draw(c::TRIANGLES, 3);
    gl.context.present(1);
    gl.context.finish();
    let error = gl.context.backend_error().expect("the loop is endless").to_string();
    assert!(error.contains("the fragment shader ran more than"), "{error}");
    assert!(error.contains("in frame 1, line 7: `while (s < float(n)) s *= 1.0;`"), "{error}");
    assert_eq!(gl.frames.lock().expect("no panic").len(), 1, "the frame is not delivered");
}

#[test]
fn counting_and_feedback_share_a_group() {
    let mut gl = Gl::new(4, 4, false);
    let vertex = "uniform int n; out float v;
void main() { v = 0.0; for (int i = 0; i < n; i++) v += 1.0; gl_Position = vec4(0.0); }";
    let program = gl.program_with(vertex, "out vec4 o; void main() { o = vec4(1.0); }", &["v"]);
    let n = gl.uniform(program, "n");
    gl.context.uniform_1i(program, n, 5_000);
    let buffer = gl.buffer(c::TRANSFORM_FEEDBACK_BUFFER, &[0f32; 2]);
    gl.context.bind_buffer_base(c::TRANSFORM_FEEDBACK_BUFFER, 0, buffer);
    gl.context.begin_transform_feedback(c::POINTS);
    gl.draw(c::POINTS, 2);
    gl.context.end_transform_feedback();
    let mut out = [0; 8];
    gl.context.get_buffer_sub_data(c::TRANSFORM_FEEDBACK_BUFFER, 0, &mut out);
    assert_eq!(gl.context.get_error(), c::NO_ERROR);
    assert_eq!(bytemuck::cast::<_, [f32; 2]>(out), [5_000.0; 2]);
}
