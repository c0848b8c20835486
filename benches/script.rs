//! One WebGL call as JavaScript pays for it, on the null back end.

use std::rc::Rc;
use std::sync::Arc;

use criterion::{Criterion, Throughput};
use replay::backend::null::NullBackend;
use replay::gl::backend::GlBackend;
use replay::host::MemoryRoot;
use replay::project::Project;
use replay::runtime::{Runtime, RuntimeOptions};

const CALLS: u64 = 100_000;

/// What each frame of the page does so often; `i` counts.
const LOOPS: [(&str, &str); 14] = [
    ("empty_loop", "sum += i"),
    ("enable", "i & 1 ? gl.enable(gl.BLEND) : gl.disable(gl.BLEND)"),
    ("bindBuffer", "gl.bindBuffer(gl.ARRAY_BUFFER, i & 1 ? a : b)"),
    ("bindTexture", "gl.bindTexture(gl.TEXTURE_2D, i & 1 ? ta : tb)"),
    ("bindBuffer_same", "gl.bindBuffer(gl.ARRAY_BUFFER, a)"),
    ("activeTexture", "gl.activeTexture(gl.TEXTURE0 + (i & 7))"),
    ("depthMask", "gl.depthMask((i & 1) === 0)"),
    ("vertexAttribPointer", "gl.vertexAttribPointer(0, 3, gl.FLOAT, false, 0, (i & 7) * 4)"),
    ("uniform1f", "gl.uniform1f(scale, i)"),
    ("uniform4fv", "gl.uniform4fv(color, four)"),
    ("uniform4fv_array", "gl.uniform4fv(color, plain)"),
    ("uniformMatrix4fv", "gl.uniformMatrix4fv(model, false, matrix)"),
    ("drawElements", "gl.drawElements(gl.TRIANGLES, 3, gl.UNSIGNED_SHORT, 0)"),
    ("getError", "gl.getError()"),
];

fn page(body: &str) -> String {
    format!(
        "const canvas = document.createElement('canvas'); document.body.append(canvas);
        const gl = canvas.getContext('webgl2');
        const program = gl.createProgram();
        for (const [type, text] of [[gl.VERTEX_SHADER, `{vertex}`], [gl.FRAGMENT_SHADER, `{fragment}`]]) {{
          const shader = gl.createShader(type); gl.shaderSource(shader, text); gl.compileShader(shader); gl.attachShader(program, shader);
        }}
        gl.linkProgram(program); gl.useProgram(program);
        const scale = gl.getUniformLocation(program, 'scale'), model = gl.getUniformLocation(program, 'model'), color = gl.getUniformLocation(program, 'color');
        const a = gl.createBuffer(), b = gl.createBuffer(), ta = gl.createTexture(), tb = gl.createTexture(), indices = gl.createBuffer();
        gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, indices); gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, new Uint16Array([0, 1, 2]), gl.STATIC_DRAW);
        gl.bindBuffer(gl.ARRAY_BUFFER, a); gl.bufferData(gl.ARRAY_BUFFER, 36, gl.STATIC_DRAW);
        gl.enableVertexAttribArray(0); gl.vertexAttribPointer(0, 3, gl.FLOAT, false, 0, 0);
        const matrix = new Float32Array(16), four = new Float32Array(4), plain = [1, 2, 3, 4];
        let sum = 0, n = 0;
        const work = () => {{ for (let i = 0; i < {CALLS}; i++) {{ {body}; }} }};
        requestAnimationFrame(function frame() {{
          requestAnimationFrame(frame); work(); gl.clear(gl.COLOR_BUFFER_BIT);
          if (n++ === 0 && gl.getError()) throw new Error('a call failed');
        }});",
        vertex = crate::front_end::VERTEX,
        fragment = crate::front_end::FRAGMENT,
    )
}

pub fn op_call(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("op_call");
    group.throughput(Throughput::Elements(CALLS));
    for (name, body) in LOOPS {
        let root = MemoryRoot::new([("main.js", page(body))]);
        let project = Project::from_roots(Arc::new(root), Vec::new(), None).expect("a page");
        let gl = Rc::new(|_: &_| Ok(Box::new(NullBackend::new()) as Box<dyn GlBackend>));
        let mut runtime = Runtime::new(Arc::new(project), RuntimeOptions::default(), gl).expect("a runtime");
        runtime.load().expect("the page loads");
        let mut frame = 0;
        group.bench_function(name, |b| {
            b.iter(|| {
                runtime.run_frame(frame).expect("the frame runs");
                frame += 1;
            });
        });
    }
    group.finish();
}
