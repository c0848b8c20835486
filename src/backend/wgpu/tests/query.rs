use super::*;
use crate::shader::program::DriverBlock;

fn half_program(rig: &mut Rig) {
    let program = rig.program(&flat_vertex(0.0), &flat_fragment("1.0, 0.0, 0.0, 1.0"), layout());
    rig.push(Command::SetProgram(program));
    rig.positions(&WHOLE);
}

#[test]
fn queries_see_samples_and_their_absence() {
    let mut rig = Rig::new();
    let image = rig.image(rgba8(2, 1));
    rig.target(image, [2, 1]);
    half_program(&mut rig);
    let [seen, unseen, nothing] = [0, 1, 2].map(|_| QueryId(rig.id()));
    rig.push(Command::BeginQuery { id: seen });
    rig.draw(Topology::TriangleList, 3);
    rig.push(Command::EndQuery { id: seen });
    rig.push(Command::BeginQuery { id: unseen });
    rig.positions(&[[5.0, 5.0], [6.0, 5.0], [5.0, 6.0]]);
    rig.draw(Topology::TriangleList, 3);
    rig.push(Command::EndQuery { id: unseen });
    rig.push(Command::BeginQuery { id: nothing });
    rig.push(Command::EndQuery { id: nothing });
    rig.run();
    for (query, expected) in [(seen, true), (unseen, false), (nothing, false)] {
        assert_eq!(rig.backend.query_result(query).expect("an answer"), expected, "{query:?}");
    }
}

#[test]
fn a_query_spans_passes_and_ignores_clears() {
    let mut rig = Rig::new();
    let [a, b] = [0, 1].map(|_| rig.image(rgba8(2, 1)));
    let [clears, spans] = [0, 1].map(|_| QueryId(rig.id()));
    rig.target(a, [2, 1]);
    rig.push(Command::BeginQuery { id: clears });
    rig.push(Command::SetScissor(Some(Rect { x: 0, y: 0, width: 1, height: 1 })));
    rig.clear_color(ClearColor::Float([1.0; 4]));
    rig.push(Command::EndQuery { id: clears });
    rig.push(Command::SetScissor(None));
    half_program(&mut rig);
    rig.push(Command::BeginQuery { id: spans });
    rig.draw(Topology::TriangleList, 3);
    rig.target(b, [2, 1]);
    rig.clear_color(ClearColor::Float([0.0; 4]));
    rig.push(Command::EndQuery { id: spans });
    rig.run();
    assert!(!rig.backend.query_result(clears).expect("an answer"));
    assert!(rig.backend.query_result(spans).expect("an answer"));
}

#[test]
fn more_queries_than_slots() {
    let mut rig = Rig::new();
    let image = rig.image(rgba8(1, 1));
    rig.target(image, [1, 1]);
    half_program(&mut rig);
    let queries: Vec<_> = (0..2500).map(|_| QueryId(rig.id())).collect();
    for (index, id) in queries.iter().enumerate() {
        rig.push(Command::BeginQuery { id: *id });
        if index % 3 == 0 {
            rig.draw(Topology::TriangleList, 3);
        }
        rig.push(Command::EndQuery { id: *id });
    }
    rig.run();
    for (index, id) in queries.iter().enumerate() {
        assert_eq!(rig.backend.query_result(*id).expect("an answer"), index % 3 == 0, "{index}");
    }
}

#[test]
fn transform_feedback_captures_at_any_offset() {
    let mut rig = Rig::new();
    assert!(rig.backend.caps().vertex_writable_storage, "lavapipe can store from vertex shaders");
    let vertex = "struct Driver { range: vec4<f32>, a: vec4<i32>, b: vec4<i32>, c: vec4<i32> }
        @group(0) @binding(0) var<uniform> driver: Driver;
        @group(3) @binding(0) var<storage, read_write> captured: array<f32>;
        @vertex fn main(@builtin(vertex_index) index: u32, @location(0) p: vec2<f32>) -> @builtin(position) vec4<f32> {
            let base = driver.b.y + (i32(index) - driver.a.w) * 2;
            captured[base] = p.x * 10.0;
            captured[base + 1] = p.y * 10.0;
            return vec4<f32>(p, 0.0, 1.0);
        }";
    let capture = ProgramLayout { driver_block: true, feedback_buffers: 1, ..layout() };
    let program = rig.program(vertex, &flat_fragment("1.0, 0.0, 0.0, 1.0"), capture);
    let image = rig.image(rgba8(1, 1));
    rig.target(image, [1, 1]);
    rig.push(Command::SetProgram(program));
    rig.push(Command::SetRaster(RasterState { discard: true, ..plain_raster() }));
    rig.positions(&[[1.0, 2.0], [3.0, 4.0]]);
    let output = rig.buffer(&[0.0f32; 8]);
    rig.push(Command::SetFeedbackBuffer { slot: 0, id: output, offset: 4, size: 24 });
    let block = DriverBlock { feedback_vertices: 2, ..DriverBlock::default() };
    let data = rig.stream.push_data(bytemuck::bytes_of(&block));
    rig.push(Command::SetDriverUniforms(data));
    rig.draw(Topology::PointList, 2);
    rig.run();
    let bytes = rig.backend.read_buffer(output, 0, 32).expect("readable");
    assert_eq!(bytes, bytemuck::cast_slice::<f32, u8>(&[0.0, 10.0, 20.0, 30.0, 40.0, 0.0, 0.0, 0.0]));
    assert_eq!(rig.texel(image, 0, 0), [0; 4]);
    // What was captured can be drawn from in the next draw.
    let draw = rig.program(&flat_vertex(0.0), &flat_fragment("0.0, 1.0, 0.0, 1.0"), layout());
    rig.push(Command::SetProgram(draw));
    rig.push(Command::SetRaster(plain_raster()));
    rig.attributes(vec![attribute(0, VertexFormat::Float32x2, output, 20, 8)]);
    rig.draw(Topology::PointList, 1);
    assert_eq!(rig.texel(image, 0, 0), [0, 255, 0, 255]);
}
