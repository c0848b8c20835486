//! From pixels to the file: hash, colours, encoder, container.

use std::hint::black_box;

use criterion::{BatchSize, Criterion, Throughput};
use replay::encode::h264::H264Encoder;
use replay::encode::{Packet, VideoConfig, VideoEncoder as _, VideoSettings};
use replay::frame::color::rgba_to_yuv420;
use replay::frame::hash::Hash;
use replay::frame::{FrameRate, Yuv420};
use replay::mux::{Layout, Mp4Writer, Muxer as _};

use crate::{size, smoke};

/// A picture with slopes, edges and a little noise that moves by `shift` pixels.
fn picture(shift: u32) -> Vec<u8> {
    let (width, height) = size();
    let pixel = |x: u32, y: u32| {
        let x = x + shift;
        let block = if (x / 40 + y / 56).is_multiple_of(3) { 70 } else { 0 };
        let noise = (x.wrapping_mul(2654435761) ^ y.wrapping_mul(40503)) >> 13 & 7;
        [(x / 8 + block) as u8, (y / 9 + noise) as u8, (block * 2 + noise) as u8, 255]
    };
    (0..height).flat_map(|y| (0..width).flat_map(move |x| pixel(x, y))).collect()
}

fn yuv(rgba: &[u8]) -> Yuv420 {
    let (width, height) = size();
    let mut out = Yuv420::black(width, height).expect("an even size");
    rgba_to_yuv420(rgba, [0; 3], &mut out).expect("the right length");
    out
}

fn fps() -> FrameRate {
    FrameRate::new(30, 1).expect("a rate")
}

pub fn color_convert(criterion: &mut Criterion) {
    let rgba = picture(0);
    let mut out = yuv(&rgba);
    let mut group = criterion.benchmark_group("color_convert");
    group.throughput(Throughput::Bytes(rgba.len() as u64));
    for threads in [1, 2] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        group.bench_function(format!("{threads}_threads"), |b| {
            b.iter(|| pool.install(|| rgba_to_yuv420(black_box(&rgba), [0; 3], &mut out).expect("the right length")));
        });
    }
    group.finish();
}

pub fn hash(criterion: &mut Criterion) {
    let rgba = picture(0);
    let mut group = criterion.benchmark_group("hash");
    group.throughput(Throughput::Bytes(rgba.len() as u64));
    group.bench_function("sha256", |b| b.iter(|| Hash::of(black_box(&rgba))));
    group.finish();
}

pub fn encode(criterion: &mut Criterion) {
    let (width, height) = size();
    let pictures: Vec<Yuv420> = (0..8).map(|i| yuv(&picture(i * 3))).collect();
    let mut group = criterion.benchmark_group("encode");
    group.throughput(Throughput::Elements(1));
    for threads in [1, 2] {
        let settings = VideoSettings {
            width,
            height,
            fps: fps(),
            frames: 1740,
            max_bits_per_second: 20_000_000,
            max_total_bits: 1_600_000_000,
            threads,
        };
        let mut encoder = H264Encoder::new(settings).expect("an encoder");
        let mut next = 0;
        group.bench_function(format!("h264_{threads}_threads"), |b| {
            b.iter(|| {
                encoder.send(&pictures[next % pictures.len()]).expect("a picture of the size");
                next += 1;
                while encoder.receive().expect("packets").is_some() {}
            });
        });
    }
    group.finish();
}

pub fn mux(criterion: &mut Criterion) {
    let frames = if smoke() { 30 } else { 1740 };
    let (width, height) = size();
    let layout =
        Layout { width: width as u16, height: height as u16, fps: fps(), max_frames: frames, group: 15, audio: None };
    // Parameter sets of a baseline stream: the container stores them without looking further.
    let config = VideoConfig::H264 {
        sps: vec![0x67, 0x42, 0xc0, 0x1f, 0x95, 0xa0, 0x14, 0x01, 0x6e, 0x40],
        pps: vec![0x68, 0xce, 0x3c, 0x80],
    };
    let packet = Packet { data: vec![7; 40_000], key: true };
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("video.mp4");
    let mut group = criterion.benchmark_group("mux");
    group.throughput(Throughput::Elements(frames));
    group.bench_function("mp4", |b| {
        b.iter_batched(
            || Mp4Writer::create(&path, layout.clone()).expect("a file"),
            |mut mp4| {
                mp4.set_video_config(config.clone());
                for _ in 0..frames {
                    mp4.video(&packet).expect("room on the disk");
                }
                mp4.finish().expect("room on the disk")
            },
            BatchSize::PerIteration,
        );
    });
    group.finish();
}
