//! The boxes of `moov` for what a file holds so far.

use mp4_atom::esds::{DecoderConfig, DecoderSpecific, EsDescriptor, SLConfig};
use mp4_atom::{
    AnySampleGroupEntry, Audio, Av01, Av1c, Avc1, Avcc, AvccExt, Btrt, Co64, Codec, Colr, Dinf, Dref, Edts, Elst,
    ElstEntry, Esds, FourCC, Ftyp, Hdlr, Mdhd, Mdia, Minf, Moov, Mp4a, Mvhd, Pasp, Sbgp, SbgpEntry, Sgpd, SgpdEntry,
    Smhd, Stbl, Stco, Stsc, StscEntry, Stsd, Stss, Stsz, StszSamples, Stts, SttsEntry, Tkhd, Trak, Url, Visual, Vmhd,
};

use super::super::{AudioLayout, Layout, MuxError};
use super::table::SampleTable;
use crate::encode::VideoConfig;
use crate::frame::FrameRate;

/// Ticks a second and ticks a frame: exact, and at least 10,000 ticks a second.
pub fn time_scale(fps: FrameRate) -> (u32, u32) {
    let mut k = 1;
    while fps.num().saturating_mul(k) < 10_000 {
        k *= 10;
    }
    (fps.num().saturating_mul(k), fps.den().saturating_mul(k))
}

pub fn ftyp(config: &VideoConfig) -> Ftyp {
    let codec = match config {
        VideoConfig::H264 { .. } => b"avc1",
        VideoConfig::Av1 { .. } => b"av01",
    };
    Ftyp {
        major_brand: FourCC::new(b"isom"),
        minor_version: 512,
        compatible_brands: [b"isom", b"iso2", codec, b"mp41"].map(FourCC::new).to_vec(),
    }
}

/// Everything a player must know. Without video packets there is no track to describe.
pub fn moov(layout: &Layout, config: &VideoConfig, video: &SampleTable, audio: &SampleTable) -> Result<Moov, MuxError> {
    let (timescale, per_frame) = time_scale(layout.fps);
    let duration = video.len() * u64::from(per_frame);
    let mut trak = vec![video_track(layout, config, video, timescale, per_frame)?];
    if let Some(sound) = layout.audio.as_ref().filter(|_| audio.len() > 0) {
        let samples = layout.fps.samples_for(video.len(), sound.sample_rate);
        trak.push(audio_track(sound, audio, samples, duration)?);
    }
    let mvhd = Mvhd {
        timescale,
        duration,
        rate: 1.into(),
        volume: 1.into(),
        next_track_id: trak.len() as u32 + 1,
        ..Mvhd::default()
    };
    Ok(Moov { mvhd, trak, ..Moov::default() })
}

fn video_track(
    layout: &Layout,
    config: &VideoConfig,
    table: &SampleTable,
    timescale: u32,
    per_frame: u32,
) -> Result<Trak, MuxError> {
    let duration = table.len() * u64::from(per_frame);
    let stts = vec![SttsEntry { sample_count: table.len() as u32, sample_delta: per_frame }];
    let window = layout.fps.frames_in_a_second();
    let btrt = bit_rates(table, window, duration, timescale);
    let mut stbl = sample_boxes(table, video_entry(layout, config, btrt)?, stts);
    stbl.stss = Some(Stss { entries: table.keys.clone() });
    Ok(Trak {
        tkhd: Tkhd {
            track_id: 1,
            duration,
            enabled: true,
            in_movie: true,
            width: layout.width.into(),
            height: layout.height.into(),
            ..Tkhd::default()
        },
        edts: Some(edit(duration, 0)),
        mdia: Mdia {
            mdhd: Mdhd { timescale, duration, language: "und".into(), ..Mdhd::default() },
            hdlr: Hdlr { handler: FourCC::new(b"vide"), name: "VideoHandler".into() },
            minf: Minf { vmhd: Some(Vmhd::default()), dinf: here(), stbl, ..Minf::default() },
        },
        ..Trak::default()
    })
}

fn audio_track(sound: &AudioLayout, table: &SampleTable, samples: u64, shown: u64) -> Result<Trak, MuxError> {
    let frame = u64::from(sound.frame_len);
    // The last packet lasts as long as is heard of it, so that the track ends where the video does.
    let heard = (samples + u64::from(sound.delay)).min(table.len() * frame);
    let last = heard.saturating_sub((table.len() - 1) * frame).clamp(1, frame);
    let duration = (table.len() - 1) * frame + last;
    let whole = SttsEntry { sample_count: table.len() as u32 - 1, sample_delta: sound.frame_len };
    let rest = SttsEntry { sample_count: 1, sample_delta: last as u32 };
    let stts = if last == frame {
        vec![SttsEntry { sample_count: table.len() as u32, ..whole }]
    } else {
        [whole, rest].into_iter().filter(|e| e.sample_count > 0).collect()
    };
    let window = (sound.sample_rate as usize).div_ceil(sound.frame_len as usize);
    let btrt = bit_rates(table, window, duration, sound.sample_rate);
    let mut stbl = sample_boxes(table, audio_entry(sound, btrt)?, stts);
    // Decoding from a packet is right only after the one before it has been decoded.
    stbl.sgpd = vec![Sgpd {
        grouping_type: FourCC::new(b"roll"),
        default_length: Some(2),
        default_group_description_index: None,
        static_group_description: false,
        static_mapping: false,
        essential: false,
        entries: vec![SgpdEntry {
            description_length: None,
            entry: AnySampleGroupEntry::UnknownGroupingType(FourCC::new(b"roll"), (-1i16).to_be_bytes().to_vec()),
        }],
    }];
    stbl.sbgp = vec![Sbgp {
        grouping_type: FourCC::new(b"roll"),
        grouping_type_parameter: None,
        entries: vec![SbgpEntry { sample_count: table.len() as u32, group_description_index: 1 }],
    }];
    Ok(Trak {
        tkhd: Tkhd {
            track_id: 2,
            duration: shown,
            alternate_group: 1,
            enabled: true,
            in_movie: true,
            volume: 1.into(),
            ..Tkhd::default()
        },
        edts: Some(edit(shown, sound.delay.into())),
        mdia: Mdia {
            mdhd: Mdhd { timescale: sound.sample_rate, duration, language: "und".into(), ..Mdhd::default() },
            hdlr: Hdlr { handler: FourCC::new(b"soun"), name: "SoundHandler".into() },
            minf: Minf { smhd: Some(Smhd::default()), dinf: here(), stbl, ..Minf::default() },
        },
        ..Trak::default()
    })
}

/// One edit: `duration` movie ticks of the media, from media tick `start` on.
fn edit(duration: u64, start: u64) -> Edts {
    let entry = ElstEntry { segment_duration: duration, media_time: Some(start), media_rate: 1.into() };
    Edts { elst: Some(Elst { entries: vec![entry] }) }
}

/// The media lies in this file.
fn here() -> Dinf {
    Dinf { dref: Dref { entries: vec![Url::default().into()] } }
}

fn sample_boxes(table: &SampleTable, entry: Codec, stts: Vec<SttsEntry>) -> Stbl {
    let runs = table.runs().into_iter().map(|(first_chunk, samples_per_chunk)| StscEntry {
        first_chunk,
        samples_per_chunk,
        sample_description_index: 1,
    });
    let mut stbl = Stbl {
        stsd: Stsd { codecs: vec![entry] },
        stts: Stts { entries: stts },
        stsc: Stsc { entries: runs.collect() },
        stsz: Stsz { samples: StszSamples::Different { sizes: table.sizes.clone() } },
        ..Stbl::default()
    };
    let short: Result<Vec<u32>, _> = table.chunks.iter().map(|c| u32::try_from(c.offset)).collect();
    match short {
        Ok(entries) => stbl.stco = Some(Stco { entries }),
        Err(_) => stbl.co64 = Some(Co64 { entries: table.chunks.iter().map(|c| c.offset).collect() }),
    }
    stbl
}

fn bit_rates(table: &SampleTable, window: usize, duration: u64, timescale: u32) -> Btrt {
    let rate = u128::from(table.bytes()) * 8 * u128::from(timescale) / u128::from(duration.max(1));
    let clamp = |v: u128| u32::try_from(v).unwrap_or(u32::MAX);
    Btrt {
        buffer_size_db: table.sizes.iter().copied().max().unwrap_or(0),
        max_bitrate: clamp(u128::from(table.peak(window)) * 8),
        avg_bitrate: clamp(rate),
    }
}

fn video_entry(layout: &Layout, config: &VideoConfig, btrt: Btrt) -> Result<Codec, MuxError> {
    let visual = Visual { data_reference_index: 1, width: layout.width, height: layout.height, ..Visual::default() };
    // BT.709 primaries, transfer and matrix; limited range.
    let colr = Colr::new(1, 1, 1, false).map_err(|e| MuxError::Box(e.to_string()))?;
    let pasp = Pasp { h_spacing: 1, v_spacing: 1 };
    Ok(match config {
        VideoConfig::H264 { sps, pps } => {
            let &[_, profile, compatibility, level, ..] = &sps[..] else {
                return Err(MuxError::Box("the sequence parameter set is too short".into()));
            };
            let ext = AvccExt {
                chroma_format: 1,
                bit_depth_luma: 8,
                bit_depth_chroma: 8,
                sequence_parameter_sets_ext: vec![],
            };
            Codec::Avc1(Avc1 {
                visual,
                avcc: Avcc {
                    configuration_version: 1,
                    avc_profile_indication: profile,
                    profile_compatibility: compatibility,
                    avc_level_indication: level,
                    length_size: 4,
                    sequence_parameter_sets: vec![sps.clone()],
                    picture_parameter_sets: vec![pps.clone()],
                    ext: Some(ext),
                },
                btrt: Some(btrt),
                colr: Some(colr),
                pasp: Some(pasp),
                ..Avc1::default()
            })
        }
        VideoConfig::Av1 { sequence_header, profile, level, tier } => Codec::Av01(Av01 {
            visual,
            av1c: Av1c {
                seq_profile: *profile,
                seq_level_idx_0: *level,
                seq_tier_0: *tier,
                chroma_subsampling_x: true,
                chroma_subsampling_y: true,
                chroma_sample_position: 1,
                config_obus: sequence_header.clone(),
                ..Av1c::default()
            },
            btrt: Some(btrt),
            colr: Some(colr),
            pasp: Some(pasp),
            ..Av01::default()
        }),
    })
}

fn audio_entry(sound: &AudioLayout, btrt: Btrt) -> Result<Codec, MuxError> {
    let rate = u16::try_from(sound.sample_rate).map_err(|_| MuxError::Box("the sample rate exceeds 16 bits".into()))?;
    let byte = |i: usize| sound.config.get(i).copied().unwrap_or(0);
    Ok(Codec::Mp4a(Mp4a {
        audio: Audio {
            data_reference_index: 1,
            channel_count: sound.channels,
            sample_size: 16,
            sample_rate: rate.into(),
        },
        esds: Esds {
            es_desc: EsDescriptor {
                es_id: 2,
                depends_on_es_id: None,
                url: None,
                ocr_es_id: None,
                stream_priority: 0,
                dec_config: DecoderConfig {
                    object_type_indication: 0x40, // MPEG-4 audio
                    stream_type: 5,               // audio stream
                    up_stream: 0,
                    buffer_size_db: btrt
                        .buffer_size_db
                        .try_into()
                        .map_err(|_| MuxError::Box("an audio packet is too big".into()))?,
                    max_bitrate: btrt.max_bitrate,
                    avg_bitrate: btrt.avg_bitrate,
                    dec_specific: Some(DecoderSpecific {
                        profile: byte(0) >> 3,
                        freq_index: (byte(0) & 7) << 1 | byte(1) >> 7,
                        chan_conf: byte(1) >> 3 & 15,
                        raw: sound.config.clone(),
                    }),
                },
                sl_config: SLConfig {},
            },
        },
        btrt: Some(btrt),
        taic: None,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_scales_are_exact() {
        let scale = |n, d| time_scale(FrameRate::new(n, d).unwrap());
        assert_eq!(scale(30, 1), (30_000, 1_000));
        assert_eq!(scale(30_000, 1_001), (30_000, 1_001));
        assert_eq!(scale(25, 2), (25_000, 2_000));
        assert_eq!(scale(1, 1000), (10_000, 10_000_000));
    }
}
