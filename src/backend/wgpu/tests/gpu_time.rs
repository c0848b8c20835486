//! The GPU's time, by its own clock, against the wall's.

#![expect(clippy::disallowed_methods, reason = "compares with the wall clock")]

use std::time::Instant;

use super::*;

/// Some work for each pixel.
const SLOW: &str = "@group(0) @binding(0) var<uniform> color: vec4<f32>;
    @fragment fn main(@builtin(position) at: vec4<f32>) -> @location(0) vec4<f32> {
        var sum = color.x + at.x * 0.001;
        for (var i = 0; i < 64; i++) { sum = sin(sum + at.y); }
        return vec4<f32>(sum, color.yzw);
    }";

/// Draws frame `frame` at `size` of the picture's 512 pixels and presents it.
fn film(rig: &mut Rig, image: ImageId, frame: u64, size: u32) {
    rig.target(image, [512, 512]);
    let (width, height) = (size as f32, size as f32);
    rig.push(Command::SetViewport(Viewport { x: 0.0, y: 0.0, width, height, min_depth: 0.0, max_depth: 1.0 }));
    rig.uniforms(ShaderStage::Fragment, &[frame as f32, 0.0, 0.0, 1.0]);
    rig.draw(Topology::TriangleList, 3);
    rig.push(Command::Present { image, frame, opaque: true, premultiplied: true });
    rig.run();
}

#[test]
fn more_work_takes_more_of_the_gpus_time_and_never_more_than_the_walls() {
    // Its own device: others draw with the shared one.
    let device = WgpuDevice::open(&DeviceOptions::default()).expect("an adapter");
    let Some(none) = device.gpu_time() else {
        assert!(!device.adapter.features().contains(wgpu::Features::TIMESTAMP_QUERY));
        return;
    };
    assert_eq!((none.total, none.frames.len()), (0.0, 0));
    let mut rig = Rig::on(device.clone());
    let program = rig.program(&flat_vertex(0.0), SLOW, ProgramLayout { fragment_block: 16, ..layout() });
    let image = rig.image(rgba8(512, 512));
    rig.push(Command::SetProgram(program));
    rig.positions(&WHOLE);
    let begin = Instant::now();
    // The first compiles.
    for (frame, size) in [(7, 16), (8, 16), (9, 512), (10, 16), (11, 16)] {
        film(&mut rig, image, frame, size);
    }
    rig.backend.finish().expect("the stream runs");
    let wall = begin.elapsed().as_secs_f64();
    let time = device.gpu_time().expect("as before");
    assert!(time.frames.keys().eq(&[7, 8, 9, 10, 11]) && time.frames.values().all(|t| *t > 0.0), "{time:?}");
    // 1024 times the pixels; all copy the picture. Of those with little work the one that nothing else held up.
    let light = [8, 10, 11].map(|frame| time.frames[&frame]).into_iter().fold(f64::INFINITY, f64::min);
    assert!(time.frames[&9] > 3.0 * light, "{time:?}");
    let sum: f64 = time.frames.values().sum();
    assert!((sum - time.total).abs() < 1e-9, "{sum} {}", time.total);
    assert!(time.total <= wall, "{} s in {wall} s", time.total);
    assert_eq!(rig.frames.lock().expect("no panic").len(), 5);
}

/// What is sent to the GPU before a frame is the frame's, in however many pieces; what comes after the last is in the total.
#[test]
fn all_that_is_submitted_counts() {
    let device = WgpuDevice::open(&DeviceOptions::default()).expect("an adapter");
    let Some(_) = device.gpu_time() else { return };
    let mut rig = Rig::on(device.clone());
    let program = rig.program(&flat_vertex(0.0), SLOW, ProgramLayout { fragment_block: 16, ..layout() });
    let image = rig.image(rgba8(512, 512));
    rig.push(Command::SetProgram(program));
    rig.positions(&WHOLE);
    film(&mut rig, image, 0, 16);
    let mut draw = |color: f32| {
        rig.uniforms(ShaderStage::Fragment, &[color, 0.0, 0.0, 1.0]);
        rig.push(Command::SetViewport(Viewport {
            x: 0.0,
            y: 0.0,
            width: 512.0,
            height: 512.0,
            min_depth: 0.0,
            max_depth: 1.0,
        }));
        rig.draw(Topology::TriangleList, 3);
        // Reads flush.
        rig.texel(image, 0, 0);
    };
    for color in [0.1, 0.2, 0.3] {
        draw(color);
    }
    for frame in 1..5 {
        film(&mut rig, image, frame, 16);
    }
    let mut draw = |color: f32| {
        rig.uniforms(ShaderStage::Fragment, &[color, 0.0, 0.0, 1.0]);
        rig.target(image, [512, 512]);
        rig.draw(Topology::TriangleList, 3);
        rig.texel(image, 0, 0);
    };
    draw(0.4);
    rig.backend.finish().expect("the stream runs");
    let time = device.gpu_time().expect("as before");
    let light = [2, 3, 4].map(|frame| time.frames[&frame]).into_iter().fold(f64::INFINITY, f64::min);
    assert!(time.frames[&1] > 3.0 * light, "{time:?}");
    let sum: f64 = time.frames.values().sum();
    assert!(time.total > sum + light, "{time:?}");
}
