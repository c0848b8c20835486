//! What one call costs from JavaScript to the end of validation, on the null back end. Run it in release:
//! `cargo test --release --lib webgl::tests::cost -- --ignored --nocapture`.

use std::time::Instant;

use super::{PROGRAM, load};

const CALLS: u32 = 2_000_000;

/// `[what, body of the loop]`; `i` is the loop's counter.
const CASES: [(&str, &str); 13] = [
    ("empty loop", ""),
    ("enable", "gl.enable(i & 1 ? gl.BLEND : gl.DEPTH_TEST)"),
    ("bindBuffer, same", "gl.bindBuffer(gl.ARRAY_BUFFER, buffers[0])"),
    ("bindBuffer, other", "gl.bindBuffer(gl.ARRAY_BUFFER, buffers[i & 1])"),
    ("bindTexture, other", "gl.bindTexture(gl.TEXTURE_2D, textures[i & 1])"),
    ("activeTexture", "gl.activeTexture(gl.TEXTURE0 + (i & 7))"),
    ("uniform1f", "gl.uniform1f(size, i)"),
    ("uniform4f", "gl.uniform4f(color, i, 0, 1, 2)"),
    ("uniform4fv(Float32Array)", "gl.uniform4fv(color, four)"),
    ("uniform4fv(array)", "gl.uniform4fv(color, plain)"),
    ("uniformMatrix4fv(Float32Array)", "sixteen[0] = i; gl.uniformMatrix4fv(matrix, false, sixteen)"),
    ("vertexAttribPointer", "gl.vertexAttribPointer(0, 3, gl.FLOAT, false, 0, (i & 7) * 4)"),
    ("depthMask", "gl.depthMask((i & 1) === 0)"),
];

/// Draws fill the stream, so there are fewer of them to a frame.
const DRAWS: u32 = 200_000;

#[test]
#[ignore = "measures; has no verdict"]
fn nanoseconds_per_call() {
    let mut module = format!(
        "{}{PROGRAM}
        const gl = make();
        const program = link(gl, VERTEX, FRAGMENT);
        gl.useProgram(program);
        const [size, color, matrix] = ['size', 'color', 'matrix'].map(name => gl.getUniformLocation(program, name));
        const buffers = [gl.createBuffer(), gl.createBuffer()], textures = [gl.createTexture(), gl.createTexture()];
        const four = new Float32Array(4), sixteen = new Float32Array(16), plain = [1, 2, 3, 4];
        const index = gl.createBuffer();
        gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, index);
        gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, new Uint16Array([0, 1, 2]), gl.STATIC_DRAW);
        gl.bindBuffer(gl.ARRAY_BUFFER, buffers[0]);
        gl.bufferData(gl.ARRAY_BUFFER, 1024, gl.STATIC_DRAW);
        gl.enableVertexAttribArray(0);
        gl.vertexAttribPointer(0, 3, gl.FLOAT, false, 0, 0);
        const cases = [];
        let frame = 0;
        const next = () => {{ cases[frame++ >> 1]?.(); requestAnimationFrame(next); }};
        requestAnimationFrame(next);\n",
        include_str!("../testdata/assert.js")
    );
    for (_, body) in CASES {
        module.push_str(&format!("cases.push(() => {{ for (let i = 0; i < {CALLS}; i++) {{ {body}; }} }});\n"));
    }
    module.push_str(&format!(
        "cases.push(() => {{ gl.bindBuffer(gl.ARRAY_BUFFER, buffers[0]);
            gl.vertexAttribPointer(0, 3, gl.FLOAT, false, 0, 0);
            for (let i = 0; i < {DRAWS}; i++) {{ gl.uniform1f(size, i);
            gl.drawElements(gl.TRIANGLES, 3, gl.UNSIGNED_SHORT, 0); }} }});
        cases.push(() => gl.errorIs(0));\n"
    ));
    let mut page = load(module);
    let names = CASES.iter().map(|(name, _)| (*name, CALLS)).chain([("uniform1f + drawElements", DRAWS)]);
    let mut empty = 0.0;
    for (case, (name, calls)) in names.enumerate() {
        let mut nanoseconds = 0.0;
        // The first of two frames warms V8's compilers.
        for frame in 0..2 {
            let start = Instant::now();
            page.run_frame(case as u64 * 2 + frame).expect("frame");
            nanoseconds = start.elapsed().as_secs_f64() * 1e9 / f64::from(calls);
        }
        if case == 0 {
            empty = nanoseconds;
        }
        println!("{name:32} {:8.1} ns", nanoseconds - empty);
    }
    page.run_frame(1000).expect("no GL error");
}
