//! The second stage: encodes, writes, keeps the file playable.

#![expect(clippy::disallowed_methods, reason = "the output folder; real time is reported, never used")]

use std::fs;
use std::sync::atomic::Ordering;
use std::time::Instant;

use crossbeam_channel::Receiver;

use super::{FilmSettings, Picture, Prepared, Shared};
use crate::encode::aac::{AacEncoder, BIT_RATE, BIT_RATE_SLACK, SAMPLE_RATE};
use crate::encode::av1::Av1Encoder;
use crate::encode::h264::H264Encoder;
use crate::encode::wav::AudioSource;
use crate::encode::{AudioEncoder as _, VideoEncoder, VideoSettings, png};
use crate::frame::hash::Hash;
use crate::mux::{AudioLayout, Layout, Mp4Writer, Muxer as _};
use crate::pipeline::output::Journal;
use crate::pipeline::{Codec, RenderError};

#[derive(Default)]
pub struct Outcome {
    pub coded: u64,
    /// Of each PNG file.
    pub pictures: Vec<(u64, Hash)>,
    pub bytes: u64,
    pub peak_bits_per_second: u64,
    pub degraded: Vec<u64>,
    pub ms: f64,
    pub error: Option<RenderError>,
}

pub struct Coder {
    target: Target,
    journal: Option<Journal>,
    out: Outcome,
}

enum Target {
    Png { folder: std::path::PathBuf },
    Video(Box<Video>),
}

struct Video {
    encoder: Box<dyn VideoEncoder>,
    mp4: Mp4Writer,
    layout: Layout,
    aac: AacEncoder,
    audio: AudioSource,
    /// Audio packets written.
    audio_packets: u64,
}

impl Coder {
    pub fn new(settings: FilmSettings) -> Result<Self, RenderError> {
        let journal = settings.journal;
        let target = if settings.codec == Codec::Png {
            fs::create_dir_all(&settings.output).map_err(|e| RenderError::write(&settings.output, e))?;
            Target::Png { folder: settings.output }
        } else {
            Target::Video(Box::new(Video::new(FilmSettings { journal: None, ..settings })?))
        };
        Ok(Self { target, journal, out: Outcome::default() })
    }

    pub fn run(mut self, from: &Receiver<Prepared>, shared: &Shared) -> Outcome {
        for prepared in from {
            if self.out.error.is_some() {
                continue;
            }
            let begin = Instant::now();
            if let Err(error) = self.take(prepared) {
                self.out.error = Some(error);
                shared.failed.store(true, Ordering::Relaxed);
            }
            self.out.ms += begin.elapsed().as_secs_f64() * 1000.0;
            shared.coded.store(self.out.coded, Ordering::Relaxed);
        }
        let begin = Instant::now();
        let Self { target, mut out, .. } = self;
        if let Target::Video(video) = target
            && let Err(error) = video.finish(&mut out)
        {
            out.error.get_or_insert(error);
        }
        out.ms += begin.elapsed().as_secs_f64() * 1000.0;
        out
    }

    fn take(&mut self, prepared: Prepared) -> Result<(), RenderError> {
        match (&mut self.target, prepared.picture) {
            (Target::Png { folder }, Picture::Rgba { rgba, width, height }) => {
                let path = folder.join(png::file_name(self.out.coded));
                let bytes = png::encode(&rgba, width, height)?;
                let hash = Hash::of(&bytes);
                fs::write(&path, &bytes).map_err(|e| RenderError::write(&path, e))?;
                self.out.pictures.push((bytes.len() as u64, hash));
                self.out.bytes += bytes.len() as u64;
                self.out.coded += 1;
            }
            (Target::Video(video), Picture::Yuv(yuv)) => {
                video.encoder.send(&yuv)?;
                video.drain()?;
                self.out.coded = video.mp4.frames();
            }
            _ => return Err(RenderError::Internal("a picture of the wrong kind reached the coder".to_owned())),
        }
        match &mut self.journal {
            Some(journal) => journal.add(&prepared.hash),
            None => Ok(()),
        }
    }
}

impl Video {
    fn new(settings: FilmSettings) -> Result<Self, RenderError> {
        let aac = AacEncoder::new()?;
        let seconds = settings.fps.samples_for(settings.frames, 1).max(1);
        let sound = u64::from(BIT_RATE + BIT_RATE_SLACK);
        // What the header, the sound and a little caution take from both limits.
        let header = 64 * 1024 + settings.frames * 16 + seconds * 1024;
        let total = (settings.max_bytes.saturating_sub(header) * 8).saturating_sub(sound * (seconds + 1));
        let video = VideoSettings {
            width: settings.width,
            height: settings.height,
            fps: settings.fps,
            frames: settings.frames,
            max_bits_per_second: settings.max_bits_per_second.saturating_sub(sound),
            max_total_bits: total,
            threads: settings.threads,
        };
        let encoder: Box<dyn VideoEncoder> = match settings.codec {
            Codec::Av1 => Box::new(Av1Encoder::new(video)?),
            Codec::H264 | Codec::Png => Box::new(H264Encoder::new(video)?),
        };
        let side = |n: u32| u16::try_from(n).map_err(|_| RenderError::Internal(format!("a side of {n} pixels")));
        let layout = Layout {
            width: side(settings.width)?,
            height: side(settings.height)?,
            fps: settings.fps,
            max_frames: settings.frames,
            group: (settings.fps.frames_in_a_second() as u64).div_ceil(2),
            audio: Some(AudioLayout {
                sample_rate: SAMPLE_RATE,
                channels: 2,
                frame_len: aac.frame_len(),
                delay: aac.delay(),
                config: aac.config().to_vec(),
            }),
        };
        let mp4 = Mp4Writer::create(&settings.output, layout.clone())?;
        Ok(Self { encoder, mp4, layout, aac, audio: settings.audio, audio_packets: 0 })
    }

    /// Writes what the encoder has ready, a group of frames and the sound beside it at a time.
    fn drain(&mut self) -> Result<(), RenderError> {
        while let Some(packet) = self.encoder.receive()? {
            if let Some(config) = self.encoder.config() {
                self.mp4.set_video_config(config);
            }
            self.mp4.video(&packet)?;
            if self.mp4.frames().is_multiple_of(self.layout.group) {
                self.sound()?;
                self.mp4.checkpoint()?;
            }
        }
        Ok(())
    }

    /// Writes sound up to the last frame.
    fn sound(&mut self) -> Result<(), RenderError> {
        let len = self.aac.frame_len() as usize * 2;
        while self.audio_packets < self.layout.audio_packets_for(self.mp4.frames()) {
            let pcm = self.audio.slice(self.audio_packets * len as u64, len);
            let packet = self.aac.encode(&pcm)?;
            self.mp4.audio(&packet)?;
            self.audio_packets += 1;
        }
        Ok(())
    }

    fn finish(mut self: Box<Self>, out: &mut Outcome) -> Result<(), RenderError> {
        // After an error (a full disk) the rest may fail again; the header is tried all the same.
        let mut ended = Ok(());
        if out.error.is_none() {
            ended = self.encoder.finish().map_err(RenderError::from).and_then(|()| self.drain());
            ended = ended.and_then(|()| self.sound());
        }
        out.coded = self.mp4.frames();
        out.degraded = self.encoder.degraded().to_vec();
        out.peak_bits_per_second = self.mp4.peak_bits_per_second();
        if out.coded > 0 {
            let bytes = self.mp4.finish().map_err(RenderError::from);
            ended = ended.and_then(|()| bytes.map(|bytes| out.bytes = bytes));
        }
        ended
    }
}
