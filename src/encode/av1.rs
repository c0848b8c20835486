//! AV1 Main by rav1e: 8-bit 4:2:0, BT.709 limited, constant frame rate, no hidden delay in the file.
//!
//! rav1e reorders pictures inside; a packet is a temporal unit in presentation order. Tiles are fixed
//! by the picture's size, so threads never change a byte. The bit rate is steered by rav1e, which
//! promises an average, not a window: [`super::VideoEncoder`]'s user checks the window afterwards.

use std::sync::Arc;

use rav1e::prelude::{
    ChromaSamplePosition, ChromaSampling, ColorDescription, ColorPrimaries, Config, Context, EncoderConfig,
    EncoderStatus, MatrixCoefficients, PixelRange, Rational, SpeedSettings, TransferCharacteristics,
};

use super::{EncodeError, Packet, VideoConfig, VideoEncoder, VideoSettings};
use crate::frame::Yuv420;

/// rav1e's presets run from 0 (slow) to 10; 9 codes about as fast as lavapipe draws.
const SPEED: u8 = 9;
/// Lower quantisers (0 to 255) would spend bits nobody sees.
const FINEST: u8 = 50;

pub struct Av1Encoder {
    context: Context<u8>,
    settings: VideoSettings,
    level: u8,
    header: Option<Vec<u8>>,
}

impl Av1Encoder {
    /// # Errors
    /// The size is odd or below 16 pixels, or the library refuses the settings.
    pub fn new(settings: VideoSettings) -> Result<Self, EncodeError> {
        let (w, h) = (settings.width, settings.height);
        if w % 2 != 0 || h % 2 != 0 || w < 16 || h < 16 {
            let limit = "even sides of 16 pixels or more".to_owned();
            return Err(EncodeError::InvalidConfig {
                codec: "AV1",
                what: "the size",
                value: format!("{w}x{h}"),
                limit,
            });
        }
        let level = level(&settings);
        let seconds = settings.frames.max(1) as f64 / settings.fps.as_f64();
        let mean = (settings.max_bits_per_second as f64 * 0.6).min(settings.max_total_bits as f64 * 0.8 / seconds);
        let interval = (2 * u64::from(settings.fps.num()) / u64::from(settings.fps.den())).max(1);
        let config = EncoderConfig {
            width: w as usize,
            height: h as usize,
            sample_aspect_ratio: Rational::new(1, 1),
            time_base: Rational::new(settings.fps.den().into(), settings.fps.num().into()),
            bit_depth: 8,
            chroma_sampling: ChromaSampling::Cs420,
            chroma_sample_position: ChromaSamplePosition::Vertical,
            pixel_range: PixelRange::Limited,
            color_description: Some(ColorDescription {
                color_primaries: ColorPrimaries::BT709,
                transfer_characteristics: TransferCharacteristics::BT709,
                matrix_coefficients: MatrixCoefficients::BT709,
            }),
            level_idx: Some(level),
            min_key_frame_interval: interval.min(12),
            max_key_frame_interval: interval,
            bitrate: mean.clamp(10_000.0, f64::from(i32::MAX)) as i32,
            quantizer: 100,
            min_quantizer: FINEST,
            tiles: if u64::from(w) * u64::from(h) > 1280 * 720 { 4 } else { 1 },
            speed_settings: SpeedSettings::from_preset(SPEED),
            ..EncoderConfig::default()
        };
        let context = Config::new()
            .with_encoder_config(config)
            .with_threads(settings.threads.max(1))
            .new_context()
            .map_err(|e| EncodeError::library("rav1e", "opening", e))?;
        Ok(Self { context, settings, level, header: None })
    }
}

impl VideoEncoder for Av1Encoder {
    fn send(&mut self, picture: &Yuv420) -> Result<(), EncodeError> {
        let (width, height) = (picture.width(), picture.height());
        let (expected_width, expected_height) = (self.settings.width, self.settings.height);
        if (width, height) != (expected_width, expected_height) {
            return Err(EncodeError::WrongSize { width, height, expected_width, expected_height });
        }
        let mut frame = self.context.new_frame();
        let stride = width as usize;
        for (plane, (bytes, stride)) in
            frame.planes.iter_mut().zip([(&picture.y, stride), (&picture.cb, stride / 2), (&picture.cr, stride / 2)])
        {
            plane.copy_from_raw_u8(bytes, stride, 1);
        }
        self.context.send_frame(Arc::new(frame)).map_err(|e| EncodeError::library("rav1e", "taking a picture", e))
    }

    fn finish(&mut self) -> Result<(), EncodeError> {
        self.context.flush();
        Ok(())
    }

    fn receive(&mut self) -> Result<Option<Packet>, EncodeError> {
        loop {
            match self.context.receive_packet() {
                Ok(packet) => {
                    let key = packet.frame_type == rav1e::prelude::FrameType::KEY;
                    let mut data = Vec::with_capacity(packet.data.len());
                    for obu in obus(&packet.data) {
                        match obu.kind {
                            // A container leaves temporal delimiters out.
                            OBU_TEMPORAL_DELIMITER => {}
                            kind => {
                                if kind == OBU_SEQUENCE_HEADER && self.header.is_none() {
                                    self.header = Some(obu.bytes.to_vec());
                                }
                                data.extend_from_slice(obu.bytes);
                            }
                        }
                    }
                    return Ok(Some(Packet { data, key }));
                }
                Err(EncoderStatus::Encoded) => {}
                Err(EncoderStatus::NeedMoreData | EncoderStatus::LimitReached) => return Ok(None),
                Err(e) => return Err(EncodeError::library("rav1e", "coding a picture", e)),
            }
        }
    }

    fn config(&self) -> Option<VideoConfig> {
        let sequence_header = self.header.clone()?;
        Some(VideoConfig::Av1 { sequence_header, profile: 0, level: self.level, tier: false })
    }

    fn degraded(&self) -> &[u64] {
        &[]
    }
}

const OBU_SEQUENCE_HEADER: u8 = 1;
const OBU_TEMPORAL_DELIMITER: u8 = 2;

struct Obu<'a> {
    kind: u8,
    bytes: &'a [u8],
}

/// The open bitstream units of a temporal unit (AV1 §5.3); one without a size field runs to the end.
fn obus(mut bytes: &[u8]) -> Vec<Obu<'_>> {
    let mut found = Vec::new();
    while let Some(&header) = bytes.first() {
        let kind = header >> 3 & 15;
        let extension = usize::from(header >> 2 & 1);
        let mut at = 1 + extension;
        let mut len = bytes.len().saturating_sub(at) as u64;
        if header >> 1 & 1 == 1 {
            len = 0;
            for i in 0..8 {
                let Some(&byte) = bytes.get(at) else { break };
                at += 1;
                len |= u64::from(byte & 0x7f) << (7 * i);
                if byte & 0x80 == 0 {
                    break;
                }
            }
        }
        let end = at.saturating_add(usize::try_from(len).unwrap_or(usize::MAX)).min(bytes.len());
        let (obu, rest) = bytes.split_at(end);
        found.push(Obu { kind, bytes: obu });
        bytes = rest;
    }
    found
}

/// seq_level_idx (AV1 Annex A.3) of the Main tier; 31 where no level holds the stream.
fn level(settings: &VideoSettings) -> u8 {
    /// seq_level_idx, MaxPicSize, MaxHSize, MaxVSize, MaxDisplayRate, MainMbps · 10.
    const LEVELS: [(u8, u64, u64, u64, u64, u64); 12] = [
        (0, 147_456, 2_048, 1_152, 4_423_680, 15),
        (1, 278_784, 2_816, 1_584, 8_363_520, 30),
        (4, 665_856, 4_352, 2_448, 19_975_680, 60),
        (5, 1_065_024, 5_504, 3_096, 31_950_720, 100),
        (8, 2_359_296, 6_144, 3_456, 70_778_880, 120),
        (9, 2_359_296, 6_144, 3_456, 141_557_760, 200),
        (12, 8_912_896, 8_192, 4_352, 267_386_880, 300),
        (13, 8_912_896, 8_192, 4_352, 534_773_760, 400),
        (14, 8_912_896, 8_192, 4_352, 1_069_547_520, 600),
        (16, 35_651_584, 16_384, 8_704, 1_069_547_520, 600),
        (17, 35_651_584, 16_384, 8_704, 2_139_095_040, 1_000),
        (18, 35_651_584, 16_384, 8_704, 4_278_190_080, 1_600),
    ];
    let (w, h) = (u64::from(settings.width), u64::from(settings.height));
    let rate = w * h * u64::from(settings.fps.num()) / u64::from(settings.fps.den());
    let fits = |&&(_, size, width, height, display, mbps): &&(u8, u64, u64, u64, u64, u64)| {
        w * h <= size && w <= width && h <= height && rate <= display && settings.max_bits_per_second <= mbps * 100_000
    };
    LEVELS.iter().find(fits).map_or(31, |level| level.0)
}
