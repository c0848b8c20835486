//! What script sees of WebGL, run in the page on the null back end. Expectations are WebGL's and WebIDL's rules, and
//! for the surface what Chromium reports of its own interfaces (testdata/idl.json).

mod three;

use std::rc::Rc;
use std::sync::Arc;

use crate::backend::null::NullBackend;
use crate::gl::backend::{BackendError, GlBackend};
use crate::host::MemoryRoot;
use crate::project::Project;
use crate::runtime::{GlFactory, Runtime, RuntimeOptions};

/// A page of one module, with null back ends, loaded; panics with the exception it throws.
fn load(module: String) -> Runtime {
    load_with(module, Rc::new(|_| Ok(Box::new(NullBackend::new()) as Box<dyn GlBackend>)))
}

fn load_with(module: String, factory: GlFactory) -> Runtime {
    let root = MemoryRoot::new(vec![("main.js", module.into_bytes())]);
    let project = Project::from_roots(Arc::new(root), Vec::new(), None).expect("project");
    let mut page = Runtime::new(Arc::new(project), RuntimeOptions::default(), factory).expect("runtime");
    page.load().unwrap_or_else(|error| panic!("{error:?}"));
    page
}

/// Runs `script` in a fresh page; fails with the exception it throws.
fn check(script: &str) {
    load(format!("{}\n{{\n{script}\n}}", include_str!("../testdata/assert.js")));
}

#[test]
fn interfaces_have_every_member_of_chromiums() {
    let idl = include_str!("../testdata/idl.json");
    check(&format!(
        r#"
        const idl = {idl};
        const missing = [];
        for (const [name, want] of Object.entries(idl.interfaces)) {{
            const Interface = globalThis[name];
            if (typeof Interface !== "function") {{ missing.push(name); continue; }}
            const {{ prototype }} = Interface;
            const tag = Object.prototype.toString.call(prototype);
            if (tag !== `[object ${{name}}]`) missing.push(`${{name}} tag ${{tag}}`);
            const parent = Object.getPrototypeOf(prototype).constructor.name;
            if (parent !== want.parent) missing.push(`${{name}} extends ${{parent}}`);
            for (const [method, length] of Object.entries(want.methods)) {{
                const found = Object.getOwnPropertyDescriptor(prototype, method);
                if (typeof found?.value !== "function" || !found.enumerable || found.value.length !== length || found.value.name !== method) {{
                    missing.push(`${{name}}.${{method}}(${{length}}) is ${{found?.value?.length}}`);
                }}
            }}
            for (const [attribute, kind] of Object.entries(want.attributes)) {{
                const found = Object.getOwnPropertyDescriptor(prototype, attribute);
                if (!found?.get || (kind === "rw") !== (found.set !== undefined)) missing.push(`${{name}}.${{attribute}}`);
            }}
            for (const [constant, value] of Object.entries(want.constants)) {{
                if (prototype[constant] !== value || Interface[constant] !== value) missing.push(`${{name}}.${{constant}}`);
            }}
            if (name !== "WebGLContextEvent") throws(() => new Interface(), name);
        }}
        if (missing.length) throw new Error(missing.join(", "));
        "#
    ));
}

#[test]
fn offered_extensions_have_every_member_of_chromiums() {
    let idl = include_str!("../testdata/idl.json");
    check(&format!(
        r#"
        const idl = {idl};
        const wrong = [];
        for (const type of ["webgl", "webgl2"]) {{
            const gl = make(type);
            for (const name of gl.getSupportedExtensions()) {{
                const extension = gl.getExtension(name.toUpperCase());
                if (!extension) {{ wrong.push(`${{type}} ${{name}}`); continue; }}
                same(gl.getExtension(name), extension, name);
                const want = idl.extensions[name];
                if (!want) continue;
                const tag = Object.prototype.toString.call(extension);
                if (tag !== `[object ${{want.tag}}]`) wrong.push(`${{name}} ${{tag}}`);
                for (const [method, length] of Object.entries(want.methods)) {{
                    if (extension[method]?.length !== length) wrong.push(`${{name}}.${{method}}`);
                }}
                for (const [constant, value] of Object.entries(want.constants)) {{
                    if (extension[constant] !== value) wrong.push(`${{name}}.${{constant}}`);
                }}
            }}
            same(gl.getExtension("no_such_extension"), null);
        }}
        if (wrong.length) throw new Error(wrong.join(", "));
        "#
    ));
}

#[test]
fn get_context_gives_one_context_per_canvas() {
    check(
        r#"
        const canvas = document.createElement("canvas");
        const gl = canvas.getContext("webgl2", { alpha: false, antialias: false });
        if (!(gl instanceof WebGL2RenderingContext)) throw new Error("not WebGL 2");
        same(gl instanceof WebGLRenderingContext, false);
        same(canvas.getContext("webgl2"), gl);
        same(canvas.getContext("webgl"), null);
        same(canvas.getContext("2d"), null);
        same(gl.canvas, canvas);
        const attributes = gl.getContextAttributes();
        same(attributes.alpha, false);
        same(attributes.antialias, false);
        same(attributes.depth, true);
        same(attributes.stencil, false);
        same(attributes.premultipliedAlpha, true);
        same(attributes.preserveDrawingBuffer, false);
        same(attributes.powerPreference, "default");
        const other = document.createElement("canvas");
        const one = other.getContext("experimental-webgl");
        if (!(one instanceof WebGLRenderingContext)) throw new Error("not WebGL 1");
        same(other.getContext("webgl"), one);
        throws(() => document.createElement("canvas").getContext("webgl", { powerPreference: "much" }));
        const flat = document.createElement("canvas");
        flat.getContext("2d");
        same(flat.getContext("webgl2"), null);
        "#,
    );
}

#[test]
fn drawing_buffer_follows_the_canvas() {
    check(
        r#"
        const gl = make();
        same(gl.drawingBufferWidth, 300);
        same(gl.drawingBufferHeight, 150);
        gl.canvas.width = 64;
        gl.canvas.height = 32;
        same(gl.drawingBufferWidth, 64);
        same(gl.drawingBufferHeight, 32);
        list(gl.getParameter(gl.VIEWPORT), [0, 0, 300, 150]);
        "#,
    );
}

#[test]
fn calls_with_too_few_or_wrong_arguments_throw() {
    check(
        r#"
        const gl = make();
        same(throws(() => gl.bindBuffer(gl.ARRAY_BUFFER)),
            "Failed to execute 'bindBuffer' on 'WebGL2RenderingContext': 2 arguments required, but only 1 present.");
        throws(() => gl.bindBuffer(gl.ARRAY_BUFFER, {}));
        throws(() => gl.bindBuffer(gl.ARRAY_BUFFER, gl.createTexture()));
        throws(() => gl.bindBuffer(gl.ARRAY_BUFFER, 1));
        throws(() => gl.compileShader(null));
        throws(() => gl.attachShader(gl.createProgram(), null));
        throws(() => gl.uniform1f({}, 1));
        throws(() => gl.uniform1f());
        throws(() => gl.enable(Symbol()));
        throws(() => gl.enable(1n));
        throws(() => gl.uniform4fv(null, 5));
        throws(() => gl.uniform4fv(null, null));
        throws(() => gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 1, 1, 0, gl.RGBA));
        throws(() => gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, {}));
        throws(() => gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, null));
        throws(() => gl.bufferSubData(gl.ARRAY_BUFFER, 0, null));
        throws(() => gl.bufferSubData(gl.ARRAY_BUFFER, 0, 4));
        throws(() => WebGL2RenderingContext.prototype.enable.call({}, gl.BLEND));
        throws(() => WebGL2RenderingContext.prototype.canvas);
        gl.errorIs(gl.NO_ERROR);
        gl.enable(NaN);
        gl.errorIs(gl.INVALID_ENUM, "NaN is 0");
        gl.enable(gl.BLEND + 2 ** 32);
        gl.errorIs(gl.NO_ERROR, "GLenum wraps at 2^32");
        same(gl.isEnabled(gl.BLEND), true);
        gl.bindBuffer(gl.ARRAY_BUFFER, undefined);
        gl.errorIs(gl.NO_ERROR);
        "#,
    );
}

#[test]
fn first_error_stays_until_asked() {
    check(
        r#"
        const gl = make();
        gl.enable(0xffff);
        gl.viewport(0, 0, -1, 1);
        gl.errorIs(gl.INVALID_ENUM);
        gl.errorIs(gl.NO_ERROR);
        "#,
    );
}

#[test]
fn objects_of_another_context_are_refused() {
    check(
        r#"
        const gl = make(), other = make();
        const cases = [
            () => gl.bindBuffer(gl.ARRAY_BUFFER, other.createBuffer()),
            () => gl.bindTexture(gl.TEXTURE_2D, other.createTexture()),
            () => gl.bindFramebuffer(gl.FRAMEBUFFER, other.createFramebuffer()),
            () => gl.bindRenderbuffer(gl.RENDERBUFFER, other.createRenderbuffer()),
            () => gl.bindVertexArray(other.createVertexArray()),
            () => gl.bindSampler(0, other.createSampler()),
            () => gl.useProgram(other.createProgram()),
            () => gl.compileShader(other.createShader(gl.VERTEX_SHADER)),
            () => gl.deleteBuffer(other.createBuffer()),
            () => gl.beginQuery(gl.ANY_SAMPLES_PASSED, other.createQuery()),
            () => gl.bindTransformFeedback(gl.TRANSFORM_FEEDBACK, other.createTransformFeedback()),
        ];
        for (const call of cases) {
            call();
            gl.errorIs(gl.INVALID_OPERATION, String(call));
            other.errorIs(gl.NO_ERROR);
        }
        "#,
    );
}

#[test]
fn deleted_objects_are_gone() {
    check(
        r#"
        const gl = make();
        const buffer = gl.createBuffer();
        same(gl.isBuffer(buffer), false, "never bound");
        gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
        same(gl.isBuffer(buffer), true);
        same(gl.getParameter(gl.ARRAY_BUFFER_BINDING), buffer);
        gl.deleteBuffer(buffer);
        same(gl.getParameter(gl.ARRAY_BUFFER_BINDING), null);
        same(gl.isBuffer(buffer), false);
        gl.errorIs(gl.NO_ERROR);
        gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
        gl.errorIs(gl.INVALID_OPERATION);
        gl.deleteBuffer(buffer);
        gl.deleteBuffer(null);
        gl.errorIs(gl.NO_ERROR);
        const program = gl.createProgram(), shader = gl.createShader(gl.VERTEX_SHADER);
        gl.attachShader(program, shader);
        gl.deleteShader(shader);
        same(gl.isShader(shader), true, "attached shaders live on");
        same(gl.getShaderParameter(shader, gl.DELETE_STATUS), true);
        same(gl.getAttachedShaders(program)[0], shader);
        gl.detachShader(program, shader);
        same(gl.isShader(shader), false);
        gl.errorIs(gl.NO_ERROR);
        gl.compileShader(shader);
        gl.errorIs(gl.INVALID_VALUE);
        "#,
    );
}

#[test]
fn get_parameter_answers_with_webgls_types() {
    check(
        r#"
        const gl = make();
        const type = (name, want) => {
            const value = gl.getParameter(gl[name]);
            const got = value === null ? "null" : typeof value === "object" ? value.constructor.name : typeof value;
            same(got, want, name);
        };
        type("ALIASED_LINE_WIDTH_RANGE", "Float32Array");
        type("ALIASED_POINT_SIZE_RANGE", "Float32Array");
        type("BLEND_COLOR", "Float32Array");
        type("COLOR_CLEAR_VALUE", "Float32Array");
        type("COLOR_WRITEMASK", "Array");
        type("COMPRESSED_TEXTURE_FORMATS", "Uint32Array");
        type("DEPTH_RANGE", "Float32Array");
        type("MAX_VIEWPORT_DIMS", "Int32Array");
        type("SCISSOR_BOX", "Int32Array");
        type("VIEWPORT", "Int32Array");
        type("VERSION", "string");
        type("SHADING_LANGUAGE_VERSION", "string");
        type("VENDOR", "string");
        type("RENDERER", "string");
        type("ARRAY_BUFFER_BINDING", "null");
        type("CURRENT_PROGRAM", "null");
        type("VERTEX_ARRAY_BINDING", "null");
        type("BLEND", "boolean");
        type("DEPTH_WRITEMASK", "boolean");
        type("MAX_TEXTURE_SIZE", "number");
        type("MAX_ELEMENT_INDEX", "number");
        type("UNPACK_FLIP_Y_WEBGL", "boolean");
        type("TRANSFORM_FEEDBACK_ACTIVE", "boolean");
        type("SAMPLE_COVERAGE_INVERT", "boolean");
        type("GPU_DISJOINT_EXT", "null");
        same(gl.getError(), gl.INVALID_ENUM);
        list(gl.getParameter(gl.COLOR_WRITEMASK), [true, true, true, true]);
        list(gl.getParameter(gl.DEPTH_RANGE), [0, 1]);
        list(gl.getParameter(gl.VIEWPORT), [0, 0, 300, 150]);
        same(gl.getParameter(gl.STENCIL_VALUE_MASK), 0xffffffff);
        same(gl.getParameter(gl.VERSION).startsWith("WebGL 2.0"), true);
        same(gl.getParameter(gl.SHADING_LANGUAGE_VERSION).startsWith("WebGL GLSL ES 3.00"), true);
        same(make("webgl").getParameter(gl.VERSION).startsWith("WebGL 1.0"), true);
        const texture = gl.createTexture(), vao = gl.createVertexArray(), fb = gl.createFramebuffer();
        gl.bindTexture(gl.TEXTURE_CUBE_MAP, texture);
        same(gl.getParameter(gl.TEXTURE_BINDING_CUBE_MAP), texture);
        gl.bindVertexArray(vao);
        same(gl.getParameter(gl.VERTEX_ARRAY_BINDING), vao);
        gl.bindFramebuffer(gl.READ_FRAMEBUFFER, fb);
        same(gl.getParameter(gl.READ_FRAMEBUFFER_BINDING), fb);
        same(gl.getParameter(gl.DRAW_FRAMEBUFFER_BINDING), null);
        gl.errorIs(gl.NO_ERROR);
        "#,
    );
}

#[test]
fn buffer_data_takes_every_kind_of_source() {
    check(
        r#"
        const gl = make();
        gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
        const size = () => gl.getBufferParameter(gl.ARRAY_BUFFER, gl.BUFFER_SIZE);
        gl.bufferData(gl.ARRAY_BUFFER, 20, gl.STATIC_DRAW);
        same(size(), 20);
        gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(6), gl.STATIC_DRAW);
        same(size(), 24);
        gl.bufferData(gl.ARRAY_BUFFER, new ArrayBuffer(28), gl.STATIC_DRAW);
        same(size(), 28);
        gl.bufferData(gl.ARRAY_BUFFER, new (new WebAssembly.Memory({ initial: 0, maximum: 1, shared: true }).buffer.constructor)(32), gl.STATIC_DRAW);
        same(size(), 32);
        gl.bufferData(gl.ARRAY_BUFFER, new DataView(new ArrayBuffer(40), 4), gl.STATIC_DRAW);
        same(size(), 36);
        gl.bufferData(gl.ARRAY_BUFFER, new Uint16Array(10), gl.STATIC_DRAW, 2);
        same(size(), 16);
        gl.bufferData(gl.ARRAY_BUFFER, new Uint16Array(10), gl.STATIC_DRAW, 2, 3);
        same(size(), 6);
        gl.bufferData(gl.ARRAY_BUFFER, "12", gl.STATIC_DRAW);
        same(size(), 12);
        gl.errorIs(gl.NO_ERROR);
        gl.bufferData(gl.ARRAY_BUFFER, null, gl.STATIC_DRAW);
        gl.errorIs(gl.INVALID_VALUE, "null");
        gl.bufferData(gl.ARRAY_BUFFER, -1, gl.STATIC_DRAW);
        gl.errorIs(gl.INVALID_VALUE, "negative");
        gl.bufferData(gl.ARRAY_BUFFER, new Uint16Array(10), gl.STATIC_DRAW, 11);
        gl.errorIs(gl.INVALID_VALUE, "offset");
        gl.bufferData(gl.ARRAY_BUFFER, new Uint16Array(10), gl.STATIC_DRAW, 8, 3);
        gl.errorIs(gl.INVALID_VALUE, "length");
        gl.bufferData(gl.ARRAY_BUFFER, 4, 0x1234);
        gl.errorIs(gl.INVALID_ENUM, "usage");
        gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, 4, gl.STATIC_DRAW);
        gl.errorIs(gl.INVALID_OPERATION, "nothing bound");
        "#,
    );
}

#[test]
fn buffers_read_back_what_was_written() {
    check(
        r#"
        const gl = make();
        gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
        gl.bufferData(gl.ARRAY_BUFFER, new Uint8Array([1, 2, 3, 4, 5, 6, 7, 8]), gl.DYNAMIC_DRAW);
        gl.bufferSubData(gl.ARRAY_BUFFER, 1, new Uint8Array([9, 10, 11, 12]), 1, 2);
        const small = new Uint8Array(8);
        gl.getBufferSubData(gl.ARRAY_BUFFER, 0, small);
        list(small, [1, 10, 11, 4, 5, 6, 7, 8]);
        const large = new Uint16Array(100);
        gl.getBufferSubData(gl.ARRAY_BUFFER, 4, large, 50, 2);
        list(large.slice(49, 53), [0, 5 + 6 * 256, 7 + 8 * 256, 0]);
        gl.errorIs(gl.NO_ERROR);
        gl.getBufferSubData(gl.ARRAY_BUFFER, 4, new Uint8Array(5));
        gl.errorIs(gl.INVALID_VALUE);
        "#,
    );
}

const PROGRAM: &str = r#"
    const compile = (gl, type, source) => {
        const shader = gl.createShader(type);
        gl.shaderSource(shader, source);
        gl.compileShader(shader);
        if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader));
        return shader;
    };
    const link = (gl, vertex, fragment) => {
        const program = gl.createProgram();
        gl.attachShader(program, compile(gl, gl.VERTEX_SHADER, vertex));
        gl.attachShader(program, compile(gl, gl.FRAGMENT_SHADER, fragment));
        gl.linkProgram(program);
        if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program));
        return program;
    };
    const VERTEX = `#version 300 es
        in vec3 position; uniform mat4 matrix; uniform float size[3];
        void main() { gl_Position = matrix * vec4(position, size[0] + size[2]); }`;
    const FRAGMENT = `#version 300 es
        precision highp float; uniform vec4 color; uniform ivec2 at; uniform bool flag; uniform mat2x3 wide; uniform uint count;
        out vec4 result;
        void main() { result = color + float(at.x + at.y) + (flag ? 1.0 : 0.0) + wide[1].xyzz + float(count); }`;
"#;

#[test]
fn uniforms_are_set_and_read_back() {
    check(&format!(
        r#"{PROGRAM}
        const gl = make();
        const program = link(gl, VERTEX, FRAGMENT);
        gl.useProgram(program);
        const at = name => gl.getUniformLocation(program, name);
        const get = name => gl.getUniform(program, at(name));
        gl.uniform4f(at("color"), 1, 2, 3, 4);
        list(get("color"), [1, 2, 3, 4]);
        same(get("color").constructor, Float32Array);
        gl.uniform4fv(at("color"), [5, "6", 7, 8]);
        list(get("color"), [5, 6, 7, 8]);
        gl.uniform4fv(at("color"), new Float32Array([0, 1, 2, 3, 4, 5, 6]), 2, 4);
        list(get("color"), [2, 3, 4, 5]);
        gl.uniform4fv(at("color"), new Set([9, 8, 7, 6]));
        list(get("color"), [9, 8, 7, 6]);
        gl.uniform2i(at("at"), -3, 2.9);
        list(get("at"), [-3, 2]);
        same(get("at").constructor, Int32Array);
        gl.uniform1i(at("flag"), 5);
        same(get("flag"), true);
        gl.uniform1ui(at("count"), 4294967295);
        same(get("count"), 4294967295);
        gl.uniformMatrix2x3fv(at("wide"), false, [1, 2, 3, 4, 5, 6]);
        list(get("wide"), [1, 2, 3, 4, 5, 6]);
        gl.uniformMatrix2x3fv(at("wide"), true, [1, 2, 3, 4, 5, 6]);
        list(get("wide"), [1, 3, 5, 2, 4, 6]);
        const identity = new Float32Array([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]);
        gl.uniformMatrix4fv(at("matrix"), false, identity);
        list(get("matrix"), Array.from(identity));
        gl.uniform1fv(at("size"), [1, 2, 3, 4]);
        same(get("size[2]"), 3);
        gl.errorIs(gl.NO_ERROR, "all of these are right");
        same(at("absent"), null);
        gl.uniform1f(null, 1);
        gl.errorIs(gl.NO_ERROR, "a null location is ignored");
        gl.uniform1f(at("color"), 1);
        gl.errorIs(gl.INVALID_OPERATION, "wrong size");
        gl.uniform4i(at("color"), 1, 1, 1, 1);
        gl.errorIs(gl.INVALID_OPERATION, "wrong type");
        gl.uniform4fv(at("color"), [1, 2, 3]);
        gl.errorIs(gl.INVALID_VALUE, "too short");
        gl.uniform4fv(at("color"), new Float32Array(4), 5);
        gl.errorIs(gl.INVALID_VALUE, "offset");
        const other = link(gl, VERTEX, FRAGMENT);
        gl.uniform4f(gl.getUniformLocation(other, "color"), 1, 1, 1, 1);
        gl.errorIs(gl.INVALID_OPERATION, "another program's location");
        const old = at("color");
        gl.linkProgram(program);
        gl.uniform4f(old, 1, 1, 1, 1);
        gl.errorIs(gl.INVALID_OPERATION, "an earlier link's location");
        "#
    ));
}

#[test]
fn programs_tell_what_is_active() {
    check(&format!(
        r#"{PROGRAM}
        const gl = make();
        const program = link(gl, VERTEX, FRAGMENT);
        same(gl.getProgramParameter(program, gl.ACTIVE_ATTRIBUTES), 1);
        same(gl.getProgramParameter(program, gl.ATTACHED_SHADERS), 2);
        const uniforms = {{}};
        for (let i = 0; i < gl.getProgramParameter(program, gl.ACTIVE_UNIFORMS); i++) {{
            const info = gl.getActiveUniform(program, i);
            if (!(info instanceof WebGLActiveInfo)) throw new Error("no WebGLActiveInfo");
            uniforms[info.name] = [info.type, info.size];
        }}
        list(uniforms["matrix"], [gl.FLOAT_MAT4, 1]);
        list(uniforms["size[0]"], [gl.FLOAT, 3]);
        list(uniforms["color"], [gl.FLOAT_VEC4, 1]);
        list(uniforms["flag"], [gl.BOOL, 1]);
        list(uniforms["wide"], [gl.FLOAT_MAT2x3, 1]);
        const attribute = gl.getActiveAttrib(program, 0);
        same(attribute.name, "position");
        same(attribute.type, gl.FLOAT_VEC3);
        same(gl.getAttribLocation(program, "position"), 0);
        same(gl.getAttribLocation(program, "absent"), -1);
        same(gl.getActiveUniform(program, 99), null);
        gl.errorIs(gl.INVALID_VALUE);
        const shader = gl.createShader(gl.FRAGMENT_SHADER);
        gl.shaderSource(shader, "nonsense");
        same(gl.getShaderSource(shader), "nonsense");
        gl.compileShader(shader);
        same(gl.getShaderParameter(shader, gl.COMPILE_STATUS), false);
        same(gl.getShaderInfoLog(shader).startsWith("ERROR: 0:1:"), true, gl.getShaderInfoLog(shader));
        same(gl.createShader(0), null);
        gl.errorIs(gl.INVALID_ENUM);
        const format = gl.getShaderPrecisionFormat(gl.VERTEX_SHADER, gl.HIGH_FLOAT);
        list([format.rangeMin, format.rangeMax, format.precision], [127, 127, 23]);
        "#
    ));
}

#[test]
fn tex_image_takes_every_kind_of_source() {
    check(
        r#"
        const gl = make();
        gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
        const { TEXTURE_2D: T, RGBA, UNSIGNED_BYTE: UB } = gl;
        gl.texImage2D(T, 0, RGBA, 2, 2, 0, RGBA, UB, null);
        gl.texImage2D(T, 0, RGBA, 2, 2, 0, RGBA, UB, undefined);
        gl.texImage2D(T, 0, RGBA, 2, 2, 0, RGBA, UB, new Uint8Array(16));
        gl.texImage2D(T, 0, RGBA, 2, 2, 0, RGBA, UB, new Uint8ClampedArray(16));
        gl.texImage2D(T, 0, RGBA, 2, 2, 0, RGBA, UB, new Uint8Array(20), 4);
        gl.texImage2D(T, 0, RGBA, RGBA, UB, new ImageData(4, 4));
        gl.texImage2D(T, 0, RGBA, 2, 2, 0, RGBA, UB, new ImageData(4, 4));
        const canvas = document.createElement("canvas");
        canvas.getContext("2d");
        gl.texImage2D(T, 0, RGBA, RGBA, UB, canvas);
        const webgl = make();
        gl.texImage2D(T, 0, RGBA, RGBA, UB, webgl.canvas);
        gl.texImage2D(T, 0, gl.RGBA32F, 1, 1, 0, RGBA, gl.FLOAT, new Float32Array(4));
        gl.errorIs(gl.NO_ERROR, "all of these are right");
        gl.texImage2D(T, 0, RGBA, 2, 2, 0, RGBA, UB, new Float32Array(16));
        gl.errorIs(gl.INVALID_OPERATION, "wrong type of view");
        gl.texImage2D(T, 0, RGBA, 2, 2, 0, RGBA, UB, new Uint8Array(15));
        gl.errorIs(gl.INVALID_OPERATION, "too small");
        gl.texImage2D(T, 0, RGBA, 2, 2, 0, RGBA, UB, 0);
        gl.errorIs(gl.INVALID_OPERATION, "no unpack buffer");
        gl.bindBuffer(gl.PIXEL_UNPACK_BUFFER, gl.createBuffer());
        gl.bufferData(gl.PIXEL_UNPACK_BUFFER, 32, gl.STATIC_DRAW);
        gl.texImage2D(T, 0, RGBA, 2, 2, 0, RGBA, UB, 16);
        gl.errorIs(gl.NO_ERROR, "from the buffer");
        gl.texImage2D(T, 0, RGBA, 2, 2, 0, RGBA, UB, new Uint8Array(16));
        gl.errorIs(gl.INVALID_OPERATION, "a view while a buffer is bound");
        gl.bindBuffer(gl.PIXEL_UNPACK_BUFFER, null);
        gl.texImage2D(T, 0, RGBA, RGBA, UB, document.createElement("img"));
        gl.errorIs(gl.INVALID_VALUE, "an image that is not loaded");
        gl.texSubImage2D(T, 0, 0, 0, 1, 1, RGBA, UB, new Uint8Array(4));
        gl.texSubImage2D(T, 0, 0, 0, RGBA, UB, new ImageData(1, 1));
        gl.bindTexture(gl.TEXTURE_3D, gl.createTexture());
        gl.texImage3D(gl.TEXTURE_3D, 0, RGBA, 2, 2, 2, 0, RGBA, UB, new Uint8Array(32));
        gl.texSubImage3D(gl.TEXTURE_3D, 0, 0, 0, 0, 1, 1, 1, RGBA, UB, new Uint8Array(8), 4);
        gl.errorIs(gl.NO_ERROR, "parts");
        const one = make("webgl");
        one.bindTexture(T, one.createTexture());
        throws(() => one.texImage2D(T, 0, RGBA, 2, 2, 0, RGBA, UB, 0));
        one.texImage2D(T, 0, RGBA, 2, 2, 0, RGBA, UB, new Uint8Array(16), 99);
        one.errorIs(gl.NO_ERROR, "WebGL 1 has no srcOffset");
        "#,
    );
}

#[test]
fn read_pixels_needs_a_fitting_view() {
    check(
        r#"
        const gl = make();
        const { RGBA, UNSIGNED_BYTE: UB } = gl;
        gl.readPixels(0, 0, 1, 1, RGBA, UB, new Uint8Array(4));
        gl.readPixels(0, 0, 2, 2, RGBA, UB, new Uint8Array(20), 4);
        gl.errorIs(gl.NO_ERROR);
        gl.readPixels(0, 0, 1, 1, RGBA, UB, null);
        gl.errorIs(gl.INVALID_VALUE, "null");
        gl.readPixels(0, 0, 2, 2, RGBA, UB, new Uint8Array(15));
        gl.errorIs(gl.INVALID_OPERATION, "too small");
        gl.readPixels(0, 0, 1, 1, RGBA, UB, new Uint16Array(4));
        gl.errorIs(gl.INVALID_OPERATION, "wrong view");
        gl.readPixels(0, 0, -1, 1, RGBA, UB, new Uint8Array(4));
        gl.errorIs(gl.INVALID_VALUE, "negative");
        "#,
    );
}

#[test]
fn framebuffers_report_their_attachments() {
    check(
        r#"
        const gl = make();
        const texture = gl.createTexture(), fb = gl.createFramebuffer(), rb = gl.createRenderbuffer();
        gl.bindTexture(gl.TEXTURE_2D, texture);
        gl.texStorage2D(gl.TEXTURE_2D, 1, gl.RGBA8, 16, 16);
        gl.bindFramebuffer(gl.FRAMEBUFFER, fb);
        same(gl.checkFramebufferStatus(gl.FRAMEBUFFER), gl.FRAMEBUFFER_INCOMPLETE_MISSING_ATTACHMENT);
        gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, texture, 0);
        gl.bindRenderbuffer(gl.RENDERBUFFER, rb);
        gl.renderbufferStorage(gl.RENDERBUFFER, gl.DEPTH_COMPONENT24, 16, 16);
        gl.framebufferRenderbuffer(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.RENDERBUFFER, rb);
        same(gl.checkFramebufferStatus(gl.FRAMEBUFFER), gl.FRAMEBUFFER_COMPLETE);
        const get = (at, name) => gl.getFramebufferAttachmentParameter(gl.FRAMEBUFFER, at, name);
        same(get(gl.COLOR_ATTACHMENT0, gl.FRAMEBUFFER_ATTACHMENT_OBJECT_NAME), texture);
        same(get(gl.DEPTH_ATTACHMENT, gl.FRAMEBUFFER_ATTACHMENT_OBJECT_NAME), rb);
        same(get(gl.COLOR_ATTACHMENT0, gl.FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE), gl.TEXTURE);
        gl.bindFramebuffer(gl.FRAMEBUFFER, null);
        gl.deleteTexture(texture);
        gl.bindFramebuffer(gl.FRAMEBUFFER, fb);
        same(get(gl.COLOR_ATTACHMENT0, gl.FRAMEBUFFER_ATTACHMENT_OBJECT_NAME), texture, "kept by the attachment");
        gl.errorIs(gl.NO_ERROR);
        "#,
    );
}

#[test]
fn losing_a_context_silences_it() {
    check(
        r#"
        const gl = make();
        const extension = gl.getExtension("WEBGL_lose_context");
        extension.loseContext();
        same(gl.isContextLost(), true);
        gl.errorIs(gl.CONTEXT_LOST_WEBGL);
        gl.errorIs(gl.NO_ERROR);
        same(gl.createBuffer(), null);
        same(gl.getParameter(gl.VERSION), null);
        same(gl.getContextAttributes(), null);
        same(gl.getSupportedExtensions(), null);
        same(gl.checkFramebufferStatus(gl.FRAMEBUFFER), gl.FRAMEBUFFER_UNSUPPORTED);
        gl.enable(0xffff);
        gl.errorIs(gl.NO_ERROR);
        "#,
    );
}

/// Chromium holds 16 contexts; the 17th takes the place of the oldest, which hears of it.
#[test]
fn the_oldest_of_too_many_contexts_is_lost() {
    check(
        r#"
        const made = [], lost = [];
        for (let n = 0; n < 18; n++) {
            const gl = document.createElement("canvas").getContext("webgl2");
            gl.canvas.addEventListener("webglcontextlost", () => lost.push(n));
            made.push(gl);
            // What the page lost itself takes no place.
            if (n === 5) gl.getExtension("WEBGL_lose_context").loseContext();
        }
        list(made.map((gl, n) => gl.isContextLost() ? n : -1).filter(n => n >= 0), [0, 5]);
        await new Promise(resolve => setTimeout(resolve));
        list(lost, [5, 0]);
        made[17].clear(made[17].COLOR_BUFFER_BIT);
        made[17].errorIs(0);
        "#,
    );
}

#[test]
fn a_lost_context_comes_back_empty() {
    check(
        r#"
        const gl = make();
        const extension = gl.getExtension("WEBGL_lose_context");
        const old = gl.createBuffer();
        gl.enable(gl.BLEND);
        extension.restoreContext();
        gl.errorIs(gl.INVALID_OPERATION, "not lost");
        const seen = [];
        gl.canvas.addEventListener("webglcontextlost", event => {
            seen.push(event instanceof WebGLContextEvent, event.cancelable, gl.isContextLost());
            event.preventDefault();
            setTimeout(() => extension.restoreContext());
        });
        const restored = new Promise(resolve => gl.canvas.addEventListener("webglcontextrestored", resolve));
        extension.loseContext();
        list(seen, [], "events are tasks of their own");
        gl.errorIs(gl.CONTEXT_LOST_WEBGL);
        await restored;
        list(seen, [true, true, true]);
        same(gl.isContextLost(), false);
        same(gl.isEnabled(gl.BLEND), false);
        gl.bindBuffer(gl.ARRAY_BUFFER, old);
        gl.errorIs(gl.INVALID_OPERATION, "an object from before the loss");
        const buffer = gl.createBuffer();
        gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
        same(gl.getParameter(gl.ARRAY_BUFFER_BINDING), buffer);
        gl.errorIs(gl.NO_ERROR);
        "#,
    );
}

#[test]
fn a_context_that_cannot_be_made_says_why() {
    let refuse: GlFactory = Rc::new(|_| Err(BackendError::DeviceLost("no adapter".into())));
    let script = r#"
        const canvas = document.createElement("canvas");
        let message;
        canvas.addEventListener("webglcontextcreationerror", event => { message = event.statusMessage; });
        same(canvas.getContext("webgl2"), null);
        same(message.includes("no adapter"), true, message);
    "#;
    load_with(format!("{}\n{script}", include_str!("../testdata/assert.js")), refuse);
}

#[test]
fn fences_answer_in_a_later_task() {
    check(
        r#"
        const gl = make();
        const sync = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
        same(gl.isSync(sync), true);
        same(gl.getSyncParameter(sync, gl.SYNC_STATUS), gl.UNSIGNALED);
        await new Promise(resolve => setTimeout(resolve));
        same(gl.getSyncParameter(sync, gl.SYNC_STATUS), gl.SIGNALED);
        same(gl.clientWaitSync(sync, 0, 0), gl.ALREADY_SIGNALED);
        gl.deleteSync(sync);
        same(gl.isSync(sync), false);
        same(gl.fenceSync(0, 0), null);
        gl.errorIs(gl.INVALID_ENUM);
        "#,
    );
}

#[test]
fn canvases_show_what_was_drawn() {
    check(
        r#"
        const gl = make();
        same(gl.canvas.toDataURL().startsWith("data:image/png;base64,"), true);
        const blob = await new Promise(resolve => gl.canvas.toBlob(resolve));
        same(blob.type, "image/png");
        gl.errorIs(gl.NO_ERROR);
        "#,
    );
}

#[test]
fn refused_calls_are_told_on_the_console() {
    let mut page = load("document.createElement('canvas').getContext('webgl2').enable(1);".into());
    page.run_frame(0).expect("frame");
    let said: Vec<String> = page.report().console.into_iter().map(|line| line.text).collect();
    assert!(said.iter().any(|line| line.starts_with("WebGL: INVALID_ENUM: enable")), "{said:?}");
}

#[test]
fn webgl1_extensions_add_their_calls() {
    check(
        r#"
        const gl = make("webgl");
        const arrays = gl.getExtension("OES_vertex_array_object");
        const vao = arrays.createVertexArrayOES();
        same(arrays.isVertexArrayOES(vao), false);
        arrays.bindVertexArrayOES(vao);
        same(arrays.isVertexArrayOES(vao), true);
        same(gl.getParameter(arrays.VERTEX_ARRAY_BINDING_OES), vao);
        arrays.deleteVertexArrayOES(vao);
        same(gl.getParameter(arrays.VERTEX_ARRAY_BINDING_OES), null);
        const instanced = gl.getExtension("ANGLE_instanced_arrays");
        instanced.vertexAttribDivisorANGLE(1, 2);
        same(gl.getVertexAttrib(1, instanced.VERTEX_ATTRIB_ARRAY_DIVISOR_ANGLE), 2);
        gl.errorIs(gl.NO_ERROR);
        same(gl.drawArraysInstanced, undefined);
        same(gl.createVertexArray, undefined);
        same("TEXTURE_3D" in gl, false);
        gl.bindTexture(0x806f, gl.createTexture());
        gl.errorIs(gl.INVALID_ENUM, "no 3D textures");
        throws(() => instanced.drawArraysInstancedANGLE(gl.TRIANGLES, 0, 3));
        "#,
    );
}
