//! The files as ffprobe, ffmpeg and our own box reader see them.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

use super::*;
use crate::encode::aac::AacEncoder;
use crate::encode::av1::Av1Encoder;
use crate::encode::h264::H264Encoder;
use crate::encode::{AudioEncoder, VideoEncoder, VideoSettings};
use crate::frame::color::rgba_to_yuv420;
use crate::frame::{FrameRate, Yuv420};
use crate::mux::{AudioLayout, Layout, Muxer};

const RATE: u32 = 48_000;

struct Job {
    width: u32,
    height: u32,
    fps: FrameRate,
    frames: u64,
    sound: bool,
    /// Stop after so many frames, without `finish`.
    killed_at: Option<u64>,
    av1: bool,
}

impl Default for Job {
    fn default() -> Self {
        let fps = FrameRate::new(30, 1).unwrap();
        Self { width: 180, height: 318, fps, frames: 70, sound: true, killed_at: None, av1: false }
    }
}

fn rgba(width: u32, height: u32, t: u64) -> Vec<u8> {
    let mut out = Vec::with_capacity((width * height * 4) as usize);
    for y in 0..height {
        for x in 0..width {
            let ring = ((x + 2 * t as u32) / 12 + y / 12) % 2;
            out.extend([(x * 255 / width) as u8, (y * 255 / height) as u8, 40 + 120 * ring as u8, 255]);
        }
    }
    out
}

fn picture(width: u32, height: u32, t: u64) -> Yuv420 {
    let mut out = Yuv420::black(width, height).unwrap();
    rgba_to_yuv420(&rgba(width, height, t), [0; 3], &mut out).unwrap();
    out
}

/// A 1 kHz tone from the first sample on.
fn tone(start: u64, pairs: usize) -> Vec<i16> {
    let at = |i: u64| (8000.0 * (i as f64 * 1000.0 / f64::from(RATE) * std::f64::consts::TAU).sin()) as i16;
    (start..start + pairs as u64).flat_map(|i| [at(i), at(i)]).collect()
}

fn write(path: &Path, job: &Job) {
    let settings = VideoSettings {
        width: job.width,
        height: job.height,
        fps: job.fps,
        frames: job.frames,
        max_bits_per_second: 19_700_000,
        max_total_bits: 1_590_000_000,
        threads: 2,
    };
    let mut video: Box<dyn VideoEncoder> = if job.av1 {
        Box::new(Av1Encoder::new(settings).unwrap())
    } else {
        Box::new(H264Encoder::new(settings).unwrap())
    };
    let mut aac = AacEncoder::new().unwrap();
    let audio = job.sound.then(|| AudioLayout {
        sample_rate: RATE,
        channels: 2,
        frame_len: aac.frame_len(),
        delay: aac.delay(),
        config: aac.config().to_vec(),
    });
    let layout = Layout {
        width: job.width as u16,
        height: job.height as u16,
        fps: job.fps,
        max_frames: job.frames,
        group: 15,
        audio,
    };
    let mut mp4 = Mp4Writer::create(path, layout.clone()).unwrap();
    let mut packets = 0;
    let mut sound = |mp4: &mut Mp4Writer, until: u64| {
        while packets < layout.audio_packets_for(until) {
            let pcm = tone(packets * 1024, 1024);
            mp4.audio(&aac.encode(&pcm).unwrap()).unwrap();
            packets += 1;
        }
    };
    let mut drain = |video: &mut Box<dyn VideoEncoder>, mp4: &mut Mp4Writer| {
        while let Some(packet) = video.receive().unwrap() {
            mp4.set_video_config(video.config().unwrap());
            mp4.video(&packet).unwrap();
            if mp4.frames().is_multiple_of(15) {
                let frames = mp4.frames();
                sound(mp4, frames);
                mp4.checkpoint().unwrap();
            }
        }
    };
    for t in 0..job.killed_at.unwrap_or(job.frames) {
        video.send(&picture(job.width, job.height, t)).unwrap();
        drain(&mut video, &mut mp4);
    }
    if job.killed_at.is_some() {
        return;
    }
    video.finish().unwrap();
    drain(&mut video, &mut mp4);
    sound(&mut mp4, job.frames);
    assert_eq!(mp4.frames(), job.frames);
    mp4.finish().unwrap();
}

fn tool(name: &str, args: &[&str], path: &Path) -> Vec<u8> {
    let out = Command::new(name)
        .args(args)
        .arg(path)
        .args(if name == "ffmpeg" { &["-f", "rawvideo", "-"][..] } else { &[] })
        .output()
        .unwrap_or_else(|e| panic!("this test needs `{name}` (Debian package ffmpeg): {e}"));
    let errors = String::from_utf8_lossy(&out.stderr);
    assert!(out.status.success() && errors.trim().is_empty(), "{name}: {errors}");
    out.stdout
}

fn probe(path: &Path) -> Value {
    let args = ["-v", "warning", "-count_packets", "-count_frames", "-show_streams", "-show_format", "-of", "json"];
    serde_json::from_slice(&tool("ffprobe", &args, path)).unwrap()
}

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap_or_else(|| panic!("no {key} in {value}"))
}

/// Seconds of a stream, exactly as ticks times time base.
fn seconds(stream: &Value) -> f64 {
    let (num, den) = text(stream, "time_base").split_once('/').unwrap();
    stream["duration_ts"].as_f64().unwrap() * num.parse::<f64>().unwrap() / den.parse::<f64>().unwrap()
}

/// Top-level boxes: kind and size, in file order.
fn top_level(path: &Path) -> Vec<(String, u64)> {
    let bytes = std::fs::read(path).unwrap();
    let mut at = 0usize;
    let mut found = Vec::new();
    while at + 8 <= bytes.len() {
        let mut size = u64::from(u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap()));
        if size == 1 {
            size = u64::from_be_bytes(bytes[at + 8..at + 16].try_into().unwrap());
        }
        found.push((String::from_utf8_lossy(&bytes[at + 4..at + 8]).into_owned(), size));
        at += size as usize;
    }
    assert_eq!(at, bytes.len(), "boxes fill the file: {found:?}");
    found
}

fn psnr(a: &[u8], b: &[u8]) -> f64 {
    assert_eq!(a.len(), b.len());
    let sum: f64 = a.iter().zip(b).map(|(&a, &b)| (f64::from(a) - f64::from(b)).powi(2)).sum();
    10.0 * (255.0f64.powi(2) / (sum / a.len() as f64).max(1e-9)).log10()
}

#[test]
fn others_read_what_was_meant() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.mp4");
    let job = Job::default();
    write(&path, &job);
    let kinds: Vec<String> = top_level(&path).into_iter().map(|b| b.0).collect();
    assert_eq!(kinds, ["ftyp", "moov", "free", "mdat"]);

    let found = probe(&path);
    let (video, audio) = (&found["streams"][0], &found["streams"][1]);
    for (key, want) in [
        ("codec_name", "h264"),
        ("profile", "High"),
        ("codec_tag_string", "avc1"),
        ("pix_fmt", "yuv420p"),
        ("color_range", "tv"),
        ("color_space", "bt709"),
        ("color_transfer", "bt709"),
        ("color_primaries", "bt709"),
        ("chroma_location", "left"),
        ("field_order", "progressive"),
        ("sample_aspect_ratio", "1:1"),
        ("r_frame_rate", "30/1"),
        ("avg_frame_rate", "30/1"),
        ("nb_frames", "70"),
        ("nb_read_frames", "70"),
        ("start_time", "0.000000"),
    ] {
        assert_eq!(text(video, key), want, "{key}");
    }
    assert_eq!((video["width"].as_u64(), video["height"].as_u64()), (Some(180), Some(318)));
    assert_eq!(video["has_b_frames"].as_u64(), Some(0));
    assert_eq!(seconds(video), 70.0 / 30.0);
    for (key, want) in [("codec_name", "aac"), ("profile", "LC"), ("sample_rate", "48000"), ("start_time", "0.000000")]
    {
        assert_eq!(text(audio, key), want, "{key}");
    }
    assert_eq!(audio["channels"].as_u64(), Some(2));
    assert_eq!(text(&found["format"], "duration"), "2.333333");

    // Decoded: the pictures we sent, and exactly as much sound as picture.
    let raw = tool("ffmpeg", &["-v", "warning", "-i"], &path);
    let one = (180 * 318 * 3 / 2) as usize;
    assert_eq!(raw.len(), one * 70);
    for t in [0, 1, 35, 69] {
        let want = picture(180, 318, t as u64);
        let got = &raw[t * one..(t + 1) * one];
        let luma = psnr(&got[..180 * 318], &want.y);
        let chroma = psnr(&got[180 * 318..][..want.cb.len()], &want.cb);
        assert!(luma > 40.0 && chroma > 40.0, "frame {t}: {luma} dB, {chroma} dB");
    }
}

#[test]
fn sound_starts_with_the_picture_and_ends_with_it() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.mp4");
    write(&path, &Job::default());
    let out = Command::new("ffmpeg")
        .args(["-v", "warning", "-i", path.to_str().unwrap(), "-map", "0:a", "-f", "s16le", "-"])
        .output()
        .unwrap_or_else(|e| panic!("this test needs `ffmpeg`: {e}"));
    let decoded: Vec<i16> = out.stdout.chunks_exact(2).map(|b| i16::from_le_bytes([b[0], b[1]])).collect();
    // 70/30 s at 48 kHz are exactly 112,000 pairs; ffmpeg gives the last packet whole.
    assert!((2 * 112_000..2 * (112_000 + 1024)).contains(&decoded.len()), "{}", decoded.len());
    // The shift that fits the tone best is none: the edit list hides the encoder's delay exactly.
    let want = tone(0, 20_000);
    let error = |shift: i64| {
        (4_000..16_000i64)
            .map(|i| (f64::from(decoded[(2 * (i + shift)) as usize]) - f64::from(want[2 * i as usize])).powi(2))
            .sum::<f64>()
    };
    // A 1 kHz tone repeats every 48 samples.
    let best = (-23..=24).min_by(|&a, &b| error(a).total_cmp(&error(b)));
    assert_eq!(best, Some(0));
    // And it is there from the first samples on, not 1024 later.
    let power = |r: std::ops::Range<usize>| decoded[r].iter().map(|&v| f64::from(v).powi(2)).sum::<f64>();
    assert!(power(200..1000) > 0.3 * power(20_200..21_000));
}

#[test]
fn durations_are_exact_at_odd_rates_and_lengths() {
    let dir = tempfile::tempdir().unwrap();
    for (num, den, frames) in [(30_000, 1_001, 31), (24, 1, 1), (25, 2, 26), (60, 1, 17), (1, 2, 3)] {
        let path = dir.path().join("a.mp4");
        let fps = FrameRate::new(num, den).unwrap();
        write(&path, &Job { width: 64, height: 48, fps, frames, ..Job::default() });
        let found = probe(&path);
        let video = &found["streams"][0];
        let ticks = video["duration_ts"].as_u64().unwrap();
        let (one, scale) = text(video, "time_base").split_once('/').unwrap();
        // ticks / scale == frames · den / num, in integers.
        assert_eq!(one, "1");
        assert_eq!(ticks * u64::from(num), frames * u64::from(den) * scale.parse::<u64>().unwrap(), "{fps}");
        assert_eq!(text(video, "avg_frame_rate"), format!("{}/{}", fps.num(), fps.den()));
        // The sound lasts as long, to the sample.
        let sound = seconds(&found["streams"][1]) - seconds(video);
        assert!((-1e-9..1.0 / 48_000.0 + 1e-9).contains(&sound), "{fps}: {sound}");
        let exact = frames as f64 * f64::from(den) / f64::from(num);
        let movie: f64 = text(&found["format"], "duration").parse().unwrap();
        assert!((movie - exact).abs() < 3e-5, "{fps}: {movie} for {exact}");
    }
}

#[test]
fn headers_agree_with_each_other() {
    use mp4_atom::{Atom as _, DecodeAtom as _, Header, Moov, ReadFrom as _};
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.mp4");
    let fps = FrameRate::new(30_000, 1_001).unwrap();
    write(&path, &Job { width: 64, height: 48, fps, frames: 100, ..Job::default() });
    let bytes = std::fs::read(&path).unwrap();
    let mut rest = &bytes[32..];
    let header = Header::read_from(&mut rest).unwrap();
    assert_eq!(header.kind, Moov::KIND);
    let moov = Moov::decode_atom(&header, &mut rest).unwrap();
    let (video, audio) = (&moov.trak[0], &moov.trak[1]);
    let exact = 100 * 1001;
    assert_eq!((moov.mvhd.timescale, moov.mvhd.duration), (30_000, exact));
    assert_eq!((video.mdia.mdhd.timescale, video.mdia.mdhd.duration), (30_000, exact));
    assert_eq!((video.tkhd.duration, audio.tkhd.duration), (exact, exact));
    let stts = &video.mdia.minf.stbl.stts.entries;
    assert_eq!((stts.len(), stts[0].sample_count, stts[0].sample_delta), (1, 100, 1001));
    for (track, start) in [(video, 0), (audio, u64::from(AacEncoder::new().unwrap().delay()))] {
        let edit = &track.edts.as_ref().unwrap().elst.as_ref().unwrap().entries;
        assert_eq!((edit.len(), edit[0].segment_duration, edit[0].media_time), (1, exact, Some(start)));
    }
    let sound: u64 =
        audio.mdia.minf.stbl.stts.entries.iter().map(|e| u64::from(e.sample_count) * u64::from(e.sample_delta)).sum();
    assert_eq!(sound, audio.mdia.mdhd.duration);
}

#[test]
fn a_killed_run_leaves_a_file_that_plays_up_to_the_last_checkpoint() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.mp4");
    write(&path, &Job { frames: 200, killed_at: Some(50), ..Job::default() });
    let found = probe(&path);
    assert_eq!(text(&found["streams"][0], "nb_read_frames"), "45");
    assert_eq!(text(&found["format"], "duration"), "1.500000");
}

#[test]
fn the_same_job_gives_the_same_bytes() {
    let dir = tempfile::tempdir().unwrap();
    let (a, b) = (dir.path().join("a.mp4"), dir.path().join("b.mp4"));
    write(&a, &Job::default());
    write(&b, &Job::default());
    assert!(std::fs::read(a).unwrap() == std::fs::read(b).unwrap());
}

#[test]
fn av1_is_read_by_others_too() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.mp4");
    write(&path, &Job { width: 128, height: 96, frames: 40, av1: true, ..Job::default() });
    let found = probe(&path);
    let video = &found["streams"][0];
    for (key, want) in [
        ("codec_name", "av1"),
        ("profile", "Main"),
        ("pix_fmt", "yuv420p"),
        ("color_range", "tv"),
        ("color_space", "bt709"),
        ("avg_frame_rate", "30/1"),
        ("nb_read_frames", "40"),
    ] {
        assert_eq!(text(video, key), want, "{key}");
    }
    let raw = tool("ffmpeg", &["-v", "warning", "-i"], &path);
    let one = 128 * 96 * 3 / 2;
    assert_eq!(raw.len(), one * 40);
    let luma = psnr(&raw[39 * one..][..128 * 96], &picture(128, 96, 39).y);
    assert!(luma > 33.0, "{luma} dB");
}
