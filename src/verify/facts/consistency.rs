//! Does the file agree with itself: the headers with each other, with the samples, and with the streams?

use serde::Serialize;

use super::audio::Audio;
use super::units::Walked;
use super::video::Video;
use crate::rules::Ratio;
use crate::verify::bitstream::Sequence;
use crate::verify::bitstream::avc::Sps;
use crate::verify::bitstream::hevc;
use crate::verify::mp4::{Codec, Kind, Movie, Track};
use crate::verify::timeline::Timeline;

/// One thing that was compared.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    pub id: &'static str,
    /// What should hold.
    pub title: &'static str,
    /// `None` where there is nothing to compare.
    pub ok: Option<bool>,
    /// The numbers.
    pub detail: String,
}

/// `Err` tells what does not hold, `Ok` the numbers that do; `None`: nothing to compare.
type Outcome = Option<Result<String, String>>;

pub fn check(
    movie: &Movie,
    video: Option<&Video<'_>>,
    audio: Option<&Audio<'_>>,
    walked: Option<&Walked>,
) -> Vec<Finding> {
    let outcomes: [(&'static str, &'static str, Outcome); 18] = [
        ("tables", "the sample tables agree with each other", tables(movie)),
        ("data", "every sample lies inside an `mdat`", data(movie)),
        ("stray-bytes", "nothing stands behind the last box", stray(movie)),
        ("media-duration", "`mdhd` is the sum of the samples' durations", media_duration(movie)),
        ("track-duration", "`tkhd` is what the edit list presents", track_duration(movie)),
        ("movie-duration", "`mvhd` is the longest track's duration", movie_duration(movie)),
        ("decode-times", "decode times rise, and no two pictures are shown at once", decode_times(video)),
        ("edits", "the edit lists present what the samples hold", edits(movie)),
        ("av-length", "pictures and sound begin and end together", av_length(video, audio)),
        ("parameter-sets", "`avcC` or `hvcC` agrees with its parameter sets", parameter_sets(video)),
        ("in-band", "parameter sets in the samples are those of the header", in_band(video, walked)),
        ("pictures", "every sample is one picture, its NAL units fill it", pictures(video, walked)),
        ("first-picture", "the first sample can be decoded alone", first_picture(video, walked)),
        ("picture-size", "stream, sample entry and `tkhd` say the same size", picture_size(movie, video)),
        ("sample-aspect", "`pasp` and the stream say the same pixel shape", sample_aspect(video)),
        ("color", "`colr` and the stream say the same colours", color(video)),
        ("stream-rate", "the stream's own timing is the measured frame rate", stream_rate(video)),
        ("audio-config", "the sample entry and the AAC configuration say the same", audio_config(audio)),
    ];
    outcomes
        .into_iter()
        .map(|(id, title, outcome)| {
            let ok = outcome.as_ref().map(Result::is_ok);
            let detail = outcome.map_or_else(String::new, |o| o.unwrap_or_else(|e| e));
            Finding { id, title, ok, detail }
        })
        .collect()
}

fn verdict(wrong: Vec<String>, right: impl Into<String>) -> Outcome {
    Some(if wrong.is_empty() { Ok(right.into()) } else { Err(wrong.join("; ")) })
}

/// Something about every track, told with its number.
fn each_track(movie: &Movie, of: impl Fn(&Track) -> Option<Result<String, String>>) -> Outcome {
    let (mut wrong, mut right) = (Vec::new(), Vec::new());
    for track in &movie.tracks {
        match of(track) {
            Some(Ok(text)) => right.push(format!("track {}: {text}", track.id)),
            Some(Err(text)) => wrong.push(format!("track {}: {text}", track.id)),
            None => {}
        }
    }
    if wrong.is_empty() && right.is_empty() { None } else { verdict(wrong, right.join("; ")) }
}

fn tables(movie: &Movie) -> Outcome {
    each_track(movie, |track| {
        let mut defects = track.defects.clone();
        let entries = track.entries.len();
        if track.samples.iter().any(|s| s.entry as usize >= entries) {
            defects.push(format!("samples name a description beyond the {entries} there are"));
        }
        Some(if defects.is_empty() { Ok(format!("{} samples", track.samples.len())) } else { Err(defects.join(", ")) })
    })
}

fn data(movie: &Movie) -> Outcome {
    // In file order, for the search below.
    let ranges: Vec<(u64, u64)> = movie
        .boxes
        .iter()
        .filter(|b| b.kind.0 == *b"mdat")
        .map(|b| (b.at.saturating_add(8), b.at.saturating_add(b.size)))
        .collect();
    each_track(movie, |track| {
        let outside = |at: u64, end: u64| {
            let next = ranges.partition_point(|(from, _)| *from <= at);
            !next.checked_sub(1).and_then(|i| ranges.get(i)).is_some_and(|(from, to)| at >= *from && end <= *to)
        };
        let mut wrong = track.samples.iter().enumerate().filter(|(_, s)| s.size > 0 && outside(s.at, s.end()));
        let first = wrong.next();
        let count = wrong.count() + 1;
        match first {
            None => Some(Ok(format!("{} samples", track.samples.len()))),
            Some((i, s)) if s.end() > movie.size => Some(Err(format!(
                "{count} samples, first {i}: bytes {} to {}, the file has {}",
                s.at,
                s.end(),
                movie.size
            ))),
            Some((i, s)) => Some(Err(format!("{count} samples, first {i}: bytes {} to {}", s.at, s.end()))),
        }
    })
}

fn stray(movie: &Movie) -> Outcome {
    match movie.stray {
        0 => Some(Ok(String::new())),
        n => Some(Err(format!("{n} bytes that are no box"))),
    }
}

fn media_duration(movie: &Movie) -> Outcome {
    each_track(movie, |track| {
        let said = track.media_duration.filter(|d| !(movie.fragmented && *d == 0))?;
        let sum: u128 = track.samples.iter().map(|s| u128::from(s.duration)).sum();
        let text = format!("says {said}, the samples sum to {sum} of 1/{} s", track.timescale);
        Some(if u128::from(said) == sum { Ok(text) } else { Err(text) })
    })
}

fn track_duration(movie: &Movie) -> Outcome {
    let tick = Ratio::new(1, movie.timescale.into());
    each_track(movie, |track| {
        let said = track.duration.filter(|d| !(movie.fragmented && *d == 0))?;
        let said = Ratio::new(said.into(), movie.timescale.into());
        let timeline = Timeline::of(track, movie.timescale);
        // Empty edits in front count; without an edit list, the composition offset of the first picture does not.
        let shown = if track.edits.is_empty() { timeline.duration } else { timeline.end() };
        let text = format!("says {} s, {} s are presented", said.to_f64(), shown.to_f64());
        Some(if said.minus(shown).abs() <= tick { Ok(text) } else { Err(text) })
    })
}

fn movie_duration(movie: &Movie) -> Outcome {
    let said = movie.duration.filter(|d| !(movie.fragmented && *d == 0))?;
    let longest = movie.tracks.iter().filter_map(|t| t.duration).max()?;
    let text = format!("says {said}, the longest track {longest} of 1/{} s", movie.timescale);
    Some(if said.abs_diff(longest) <= 1 { Ok(text) } else { Err(text) })
}

fn decode_times(video: Option<&Video<'_>>) -> Outcome {
    let samples = &video?.track.samples;
    let still = samples.windows(2).position(|w| matches!(w, [a, b] if b.decode_time <= a.decode_time));
    let mut shown: Vec<i128> = samples.iter().map(crate::verify::mp4::Sample::composition_time).collect();
    shown.sort_unstable();
    let twice = shown.windows(2).filter(|w| matches!(w, [a, b] if a == b)).count();
    let mut wrong = Vec::new();
    if let Some(i) = still {
        wrong.push(format!("sample {} is decoded no later than the one before it", i + 1));
    }
    if twice > 0 {
        wrong.push(format!("{twice} pictures are shown at the same time as another"));
    }
    verdict(wrong, format!("{} samples", samples.len()))
}

/// An edit may cut, wait and hold, but only show what is there.
fn edits(movie: &Movie) -> Outcome {
    each_track(movie, |track| {
        let last = track.samples.iter().map(|s| s.composition_time() + i128::from(s.duration)).max()?;
        let longest = track.samples.iter().map(|s| s.duration).max()?;
        let (scale, movie_scale) = (i128::from(track.timescale), i128::from(movie.timescale));
        let slack = Ratio::new(longest.into(), scale).plus(Ratio::new(1, movie_scale));
        let played = track.edits.iter().filter(|e| e.media_time >= 0 && e.rate > 0);
        let mut wrong = Vec::new();
        for edit in played {
            let rest = Ratio::new(last - i128::from(edit.media_time), scale);
            let length = Ratio::new(edit.duration.into(), movie_scale).times(Ratio::new(edit.rate.into(), 0x1_0000));
            if rest <= Ratio::ZERO {
                wrong.push(format!("an edit begins at {} of 1/{scale} s, the samples end at {last}", edit.media_time));
            } else if length > rest.plus(slack) {
                wrong.push(format!("an edit shows {} s, of which {} s are there", length.to_f64(), rest.to_f64()));
            }
        }
        match track.edits.len() {
            0 => None,
            _ if !wrong.is_empty() => Some(Err(wrong.join(", "))),
            n => Some(Ok(format!("{n} edits"))),
        }
    })
}

/// What the edit lists do that a viewer may take for a fault, and tracks that are switched off.
pub fn notes(movie: &Movie, video: Option<&Video<'_>>) -> Vec<String> {
    let mut out = Vec::new();
    for (kind, name) in [(Kind::Video, "video"), (Kind::Audio, "audio")] {
        let Some(first) = movie.tracks.iter().find(|t| t.kind == kind && !t.enabled) else { continue };
        let then = match movie.track(kind) {
            // Another language, another angle.
            Some(judged) if movie.tracks.iter().find(|t| t.kind == kind).is_some_and(|t| t.id == judged.id) => continue,
            Some(judged) => format!("track {} is judged in its place", judged.id),
            None => format!("there is no {name} without it, though some players show it all the same"),
        };
        out.push(format!(
            "track {}: this {name} track is disabled (`tkhd`), which counts as not there (ISO/IEC 14496-12, 8.3.2): {then}",
            first.id
        ));
    }
    for track in &movie.tracks {
        let pauses = track.edits.iter().skip(1).filter(|e| e.media_time < 0).count();
        let held = track.edits.iter().filter(|e| e.media_time >= 0 && e.rate != 0x1_0000).count();
        for (count, what) in [(pauses, "pauses"), (held, "edits at another speed")] {
            if count > 0 {
                out.push(format!("track {}: its edit list makes {count} {what}", track.id));
            }
        }
    }
    if let Some(video) = video {
        let (shown, all) = (video.timeline.presented, video.track.samples.len() as u64);
        if shown != all {
            out.push(format!("track {}: its edit list shows {shown} of {all} pictures", video.track.id));
        }
    }
    out
}

fn av_length(video: Option<&Video<'_>>, audio: Option<&Audio<'_>>) -> Outcome {
    let (video, audio) = (video?, audio?);
    // The last packet ends up to a packet later, the last picture lasts a frame.
    let packet = audio.track.samples.iter().map(|s| s.duration).max().unwrap_or_default();
    let slack = Ratio::new(packet.into(), audio.track.timescale.into()).plus(video.timeline.rate.longest);
    let start = audio.timeline.start.minus(video.timeline.start);
    let end = audio.timeline.end().minus(video.timeline.end());
    let text = format!(
        "sound begins {:+.4} s and ends {:+.4} s after the pictures do ({:.4} s allowed)",
        start.to_f64(),
        end.to_f64(),
        slack.to_f64()
    );
    Some(if start.abs() <= slack && end.abs() <= slack { Ok(text) } else { Err(text) })
}

fn parameter_sets(video: Option<&Video<'_>>) -> Outcome {
    match &video?.entry?.codec {
        Codec::Avc(config) if !config.sps.is_empty() => {
            let mut wrong = Vec::new();
            let said = (config.profile, config.constraints, config.level);
            for nal in &config.sps {
                match Sps::parse(nal) {
                    None => wrong.push("a sequence parameter set that can't be read".to_owned()),
                    Some(sps) => {
                        let set = (sps.sequence.profile_number as u8, sps.constraints, sps.level);
                        if set != said {
                            wrong.push(format!(
                                "avcC says {said:?}, the parameter set {set:?} (profile, constraints, level)"
                            ));
                        }
                    }
                }
            }
            if config.pps.is_empty() {
                wrong.push("no picture parameter set".to_owned());
            }
            verdict(wrong, format!("profile {}, constraints {:#04x}, level {}", said.0, said.1, said.2))
        }
        Codec::Hevc(config) if !config.sps.is_empty() => {
            let mut wrong = Vec::new();
            for nal in &config.sps {
                match hevc::parse(nal) {
                    None => wrong.push("a sequence parameter set that can't be read".to_owned()),
                    Some(set) => {
                        let level = hevc::level_name(config.level.into());
                        let tier = if config.tier { "High" } else { "Main" };
                        let same = set.profile_number == u32::from(config.profile)
                            && set.level == level
                            && set.tier == Some(tier)
                            && set.chroma_format == u32::from(config.chroma_format)
                            && set.bit_depth == u32::from(config.bit_depth);
                        if !same {
                            wrong.push(format!(
                                "hvcC says profile {} level {level}, the parameter set {} level {}",
                                config.profile, set.profile_number, set.level
                            ));
                        }
                    }
                }
            }
            verdict(wrong, format!("profile {}, level {}", config.profile, hevc::level_name(config.level.into())))
        }
        _ => None,
    }
}

fn in_band(video: Option<&Video<'_>>, walked: Option<&Walked>) -> Outcome {
    let found = &walked.filter(|w| !w.sps.is_empty())?.sps;
    let header = match &video?.entry?.codec {
        Codec::Avc(config) if !config.sps.is_empty() => &config.sps,
        Codec::Hevc(config) if !config.sps.is_empty() => &config.sps,
        _ => return None,
    };
    let trimmed =
        |nal: &[u8]| nal.iter().rposition(|&b| b != 0).and_then(|last| nal.get(..=last)).unwrap_or_default().to_vec();
    let known: Vec<Vec<u8>> = header.iter().map(|nal| trimmed(nal)).collect();
    let other = found.iter().filter(|nal| !known.contains(&trimmed(nal))).count();
    let text = format!("{} in the samples", found.len());
    Some(if other == 0 { Ok(text) } else { Err(format!("{other} of {} in the samples differ", found.len())) })
}

fn pictures(video: Option<&Video<'_>>, walked: Option<&Walked>) -> Outcome {
    let (video, walked) = (video?, walked?);
    let mut wrong = Vec::new();
    if walked.broken > 0 {
        let first = walked.first_broken.unwrap_or_default();
        wrong.push(format!("the NAL units of {} samples do not fill them, first {first}", walked.broken));
    }
    let without = walked.samples - walked.with_picture;
    if without > 0 {
        wrong.push(format!("{without} samples hold no picture"));
    }
    // Two fields may share a sample.
    let fields = !video.sequence.as_ref().is_none_or(|s| s.progressive);
    if walked.pictures > walked.with_picture && !fields {
        wrong.push(format!("{} pictures in {} samples", walked.pictures, walked.with_picture));
    }
    let all = video.track.samples.len() as u64;
    let seen =
        if walked.samples < all { format!(" (the first {} of {all} samples)", walked.samples) } else { String::new() };
    verdict(wrong, format!("{} pictures{seen}", walked.pictures))
}

fn first_picture(video: Option<&Video<'_>>, walked: Option<&Walked>) -> Outcome {
    let first = video?.track.samples.first()?;
    let mut wrong = Vec::new();
    if !first.sync {
        wrong.push("it is not marked as a sync sample".to_owned());
    }
    if walked.and_then(|w| w.starts_with_idr) == Some(false) {
        wrong.push("it is no IDR picture".to_owned());
    }
    verdict(wrong, "")
}

fn picture_size(movie: &Movie, video: Option<&Video<'_>>) -> Outcome {
    let video = video?;
    let entry = (u32::from(video.visual.width), u32::from(video.visual.height));
    let mut wrong = Vec::new();
    if let Some(Sequence { size, .. }) = &video.sequence
        && *size != entry
    {
        wrong.push(format!("the stream says {}x{}, the sample entry {}x{}", size.0, size.1, entry.0, entry.1));
    }
    // tkhd is the size it is shown with, in 16.16: pixels of any other shape than square stretch it one way or the other.
    let (shown_w, shown_h) = (f64::from(video.track.width) / 65_536.0, f64::from(video.track.height) / 65_536.0);
    let aspect = video.facts.sample_aspect.to_f64();
    let (w, h) = (f64::from(entry.0), f64::from(entry.1));
    let fits = |x: f64, y: f64| (shown_w - x).abs() <= 1.0 && (shown_h - y).abs() <= 1.0;
    // QuickTime leaves `pasp` out of it (QTFF, "Track header atoms"; its `tapt` holds the stretched sizes).
    let quicktime = video.facts.sample_aspect_from == "pasp" && movie.file_type.major.is_none_or(|b| b.0 == *b"qt  ");
    let sizes = fits(w, h) && (quicktime || (aspect - 1.0).abs() < 1e-9) || fits(w * aspect, h) || fits(w, h / aspect);
    if !sizes {
        wrong.push(format!(
            "`tkhd` says {shown_w}x{shown_h}, the sample entry {}x{} with pixels of {aspect:.4}",
            entry.0, entry.1
        ));
    }
    verdict(wrong, format!("{}x{}", entry.0, entry.1))
}

fn sample_aspect(video: Option<&Video<'_>>) -> Outcome {
    let video = video?;
    let pasp = video.visual.pixel_aspect.filter(|(x, y)| *x > 0 && *y > 0)?;
    let stream = video.sequence.as_ref()?.sample_aspect?;
    let (pasp, stream) = (Ratio::new(pasp.0.into(), pasp.1.into()), Ratio::new(stream.0.into(), stream.1.into()));
    Some(if pasp == stream { Ok(pasp.to_string()) } else { Err(format!("`pasp` says {pasp}, the stream {stream}")) })
}

fn color(video: Option<&Video<'_>>) -> Outcome {
    let video = video?;
    let tag = video.visual.color?;
    let stream = video.sequence.as_ref()?.color;
    let mut wrong = Vec::new();
    for (name, tag, stream) in [
        ("primaries", tag.primaries, stream.primaries),
        ("transfer", tag.transfer, stream.transfer),
        ("matrix", tag.matrix, stream.matrix),
    ] {
        // What one leaves open is not contradicted.
        if tag != stream && tag != 2 && stream != 2 {
            wrong.push(format!("{name}: `colr` says {tag}, the stream {stream}"));
        }
    }
    if let (Some(tag), Some(stream)) = (tag.full_range, stream.full_range)
        && tag != stream
    {
        wrong.push(format!("full range: `colr` says {tag}, the stream {stream}"));
    }
    verdict(wrong, format!("{}, {}, {}", tag.primaries, tag.transfer, tag.matrix))
}

fn stream_rate(video: Option<&Video<'_>>) -> Outcome {
    let video = video?;
    let measured = video.timeline.rate.exact?;
    let (tick, scale) = video.sequence.as_ref()?.timing.filter(|(tick, scale)| *tick > 0 && *scale > 0)?;
    // H.264 counts fields.
    let fields = if video.facts.codec == "h264" { 2 } else { 1 };
    let said = Ratio::new(scale.into(), i128::from(tick) * fields);
    let text = format!("the stream says {said}, measured is {measured}");
    Some(if said == measured { Ok(text) } else { Err(text) })
}

fn audio_config(audio: Option<&Audio<'_>>) -> Outcome {
    let audio = audio?;
    let config = audio.config.as_ref()?;
    let mut wrong = Vec::new();
    let entry = audio.entry;
    // Rates above 65535 do not fit the entry.
    if entry.rate != config.rate && entry.rate != config.output_rate && config.output_rate < 65_536 {
        wrong.push(format!("the sample entry says {} Hz, the configuration {}", entry.rate, config.output_rate));
    }
    // 2 is what the specification wants there, whatever is in the stream (ISO/IEC 14496-14 §5.6).
    let told = [Some(2), config.channels, config.output_channels()];
    if let Some(channels) = config.channels
        && !told.contains(&Some(entry.channels))
    {
        wrong.push(format!("the sample entry says {} channels, the configuration {channels}", entry.channels));
    }
    // The first and the last packet may be cut.
    let ticks = Ratio::new(config.frame_length.into(), config.rate.into());
    let scale = audio.track.timescale;
    let odd = audio.track.samples.iter().filter(|s| Ratio::new(s.duration.into(), scale.into()) != ticks).count();
    if odd > 2 && i128::from(scale) % ticks.den() == 0 {
        wrong.push(format!("{odd} packets do not last {} values of {} Hz", config.frame_length, config.rate));
    }
    verdict(wrong, format!("{} Hz, {} channels", config.output_rate, audio.facts.channels))
}
