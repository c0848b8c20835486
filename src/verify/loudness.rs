//! How loud the sound is: EBU R 128 (ITU-R BS.1770) over the decoded track.

use ebur128::{EbuR128, Mode};
use serde::Serialize;
use symphonia::core::audio::layouts;
use symphonia::core::codecs::audio::well_known::{CODEC_ID_AAC, CODEC_ID_MP3};
use symphonia::core::codecs::audio::{AudioCodecParameters, AudioDecoder, AudioDecoderOptions};
use symphonia::core::packet::PacketRef;
use symphonia::core::units::{Duration, Timestamp};

use super::bitstream::aac::AudioConfig;
use super::mp4::{Input, Track};

/// Packets that are decoded: two hours and more of AAC at 48 kHz, in under half a minute.
const MOST_PACKETS: usize = 350_000;
/// Bytes of one packet: the most of AAC is 6144 bits a channel, 48 channels.
const LARGEST_PACKET: u32 = 1 << 18;
/// Below the absolute gate of R 128, in LUFS.
const GATE: f64 = -70.0;

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Loudness {
    /// Integrated, LUFS; `None` below the gate of −70.
    pub integrated: Option<f64>,
    /// Loudness range, LU; `None` below the gate.
    pub range: Option<f64>,
    /// dBTP; `None` where every value is 0.
    pub true_peak: Option<f64>,
    /// dBFS; `None` where every value is 0.
    pub sample_peak: Option<f64>,
    /// Below the gate all the time.
    pub silent: bool,
    /// Packets that did not decode.
    pub damaged: u64,
    /// Was the whole track heard?
    pub complete: bool,
    /// The library that decoded it.
    pub decoder: &'static str,
    /// Channels and rate that came out.
    #[serde(skip)]
    pub output: (u32, u32),
}

/// What a decoder must know.
pub enum Coding<'a> {
    Aac { config: &'a [u8], parsed: &'a AudioConfig },
    Mp3 { channels: u32, rate: u32 },
}

/// One decoder or the other.
enum Decoder {
    Symphonia(Box<dyn AudioDecoder>),
    /// For what symphonia leaves out: SBR, PS, more than two channels. 16 bits, and peaks are held down to full scale.
    Fdk {
        decoder: fdk_aac::dec::Decoder,
        pcm: Vec<i16>,
    },
}

impl Decoder {
    fn open(coding: &Coding<'_>) -> Result<Self, String> {
        let mut parameters = AudioCodecParameters::new();
        match coding {
            Coding::Aac { config, parsed } => {
                // Cores of low rate may have SBR that nothing announces.
                if parsed.sbr
                    || parsed.rate <= 24_000
                    || parsed.object_type != 2
                    || parsed.frame_length != 1024
                    || !matches!(parsed.channels, Some(1 | 2))
                {
                    let mut decoder = fdk_aac::dec::Decoder::new(fdk_aac::dec::Transport::Raw);
                    decoder.config_raw(config).map_err(|e| e.message().to_owned())?;
                    return Ok(Self::Fdk { decoder, pcm: vec![0; 8 * 2048] });
                }
                parameters.for_codec(CODEC_ID_AAC).with_extra_data((*config).into());
            }
            Coding::Mp3 { channels, rate } => {
                let layout = if *channels == 1 { layouts::CHANNEL_LAYOUT_MONO } else { layouts::CHANNEL_LAYOUT_STEREO };
                parameters.for_codec(CODEC_ID_MP3).with_sample_rate(*rate).with_channels(layout);
            }
        }
        let options = AudioDecoderOptions::default();
        let opened = symphonia::default::get_codecs().make_audio_decoder(&parameters, &options);
        opened.map(Self::Symphonia).map_err(|e| e.to_string())
    }

    fn name(&self) -> &'static str {
        match self {
            Self::Symphonia(_) => "symphonia",
            Self::Fdk { .. } => "fdk-aac",
        }
    }

    /// Decodes a packet to interleaved values; gives channels and rate.
    fn decode(&mut self, packet: &[u8], out: &mut Vec<f32>) -> Option<(u32, u32)> {
        out.clear();
        match self {
            Self::Symphonia(decoder) => {
                let packet = PacketRef::new(0, Timestamp::new(0), Duration::new(0), packet);
                let decoded = decoder.decode_ref(&packet).ok()?;
                decoded.copy_to_vec_interleaved(out);
                Some((u32::try_from(decoded.num_planes()).ok()?, decoded.spec().rate()))
            }
            Self::Fdk { decoder, pcm } => {
                if decoder.fill(packet).ok()? != packet.len() {
                    return None;
                }
                decoder.decode_frame(pcm).ok()?;
                let len = decoder.decoded_frame_size();
                let info = decoder.stream_info();
                let (channels, rate) = (u32::try_from(info.numChannels).ok()?, u32::try_from(info.sampleRate).ok()?);
                out.extend(pcm.get(..len)?.iter().map(|&v| f32::from(v) / 32_768.0));
                Some((channels, rate))
            }
        }
    }
}

/// Decodes the whole track and measures what is heard of it: `skip` and `keep` are values per channel that the edit list
/// leaves out in front, and presents after them.
///
/// # Errors
/// The track can't be read or decoded at all.
pub fn measure(
    input: &(impl Input + ?Sized),
    track: &Track,
    coding: &Coding<'_>,
    skip: u64,
    keep: u64,
) -> Result<Loudness, String> {
    let mut decoder = Decoder::open(coding)?;
    let mut meter: Option<(EbuR128, u32, u32)> = None;
    let (mut skip, mut keep) = (skip, keep);
    let (mut values, mut bytes) = (Vec::new(), Vec::new());
    let mut damaged = 0;
    // Packets may lie over each other; those of an honest file fill it once at most.
    let mut budget = input.len().saturating_mul(2);
    let mut complete = true;
    for (index, packet) in track.samples.iter().enumerate() {
        let left = budget.checked_sub(packet.size.into()).filter(|_| index < MOST_PACKETS);
        let Some(left) = left else {
            complete = false;
            break;
        };
        budget = left;
        if packet.size > LARGEST_PACKET {
            damaged += 1;
            continue;
        }
        bytes.resize(packet.size as usize, 0);
        input.read_at(packet.at, &mut bytes).map_err(|e| format!("reading byte {}: {e}", packet.at))?;
        let Some((channels, rate)) = decoder.decode(&bytes, &mut values) else {
            damaged += 1;
            continue;
        };
        if meter.is_none() {
            let new = EbuR128::new(channels, rate, Mode::I | Mode::LRA | Mode::TRUE_PEAK | Mode::SAMPLE_PEAK);
            meter = Some((new.map_err(|e| e.to_string())?, channels, rate));
        }
        let Some((meter, at_first, rate_at_first)) = &mut meter else { continue };
        if (channels, rate) != (*at_first, *rate_at_first) {
            return Err(format!(
                "it changes from {at_first} channels at {rate_at_first} Hz to {channels} at {rate} Hz"
            ));
        }
        let frames = (values.len() / channels.max(1) as usize) as u64;
        let cut = skip.min(frames);
        skip -= cut;
        let heard = (frames - cut).min(keep);
        keep -= heard;
        let (from, to) = (cut as usize * channels as usize, (cut + heard) as usize * channels as usize);
        let heard = values.get(from..to).unwrap_or_default();
        meter.add_frames_f32(heard).map_err(|e| e.to_string())?;
    }
    let (meter, channels, rate) = meter.ok_or_else(|| match damaged {
        0 => "there are no packets".to_owned(),
        n => format!("none of its {n} packets can be decoded"),
    })?;
    let decibel = |peak: Result<f64, _>| peak.ok().filter(|&p| p > 0.0).map(|p| 20.0 * p.log10());
    let loudest = |of: &dyn Fn(u32) -> Option<f64>| (0..channels).filter_map(of).reduce(f64::max);
    let integrated = meter.loudness_global().ok().filter(|l| l.is_finite() && *l > GATE);
    Ok(Loudness {
        integrated,
        range: meter.loudness_range().ok().filter(|_| integrated.is_some()),
        true_peak: loudest(&|c| decibel(meter.true_peak(c))),
        sample_peak: loudest(&|c| decibel(meter.sample_peak(c))),
        silent: integrated.is_none(),
        damaged,
        complete,
        decoder: decoder.name(),
        output: (channels, rate),
    })
}
