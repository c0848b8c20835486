//! On files of other encoders and muxers, every number that ffprobe or MediaInfo has too is the same.

use super::*;
use crate::rules::Ratio;
use crate::verify::facts::Facts;
use crate::verify::mp4::FileInput;

/// Files in every way that a file can differ: name, ffmpeg's command, and the findings that do not hold in it.
fn corpus() -> Vec<(&'static str, String, &'static [&'static str])> {
    let x264 = "-c:v libx264 -preset veryfast -pix_fmt yuv420p";
    let with = |rest: &str| format!("{PICTURES} {x264} {rest}");
    let sound = |rest: &str| format!("{PICTURES} {TONE} {x264} {rest}");
    let hevc = "-c:v libx265 -preset ultrafast -x265-params log-level=error";
    vec![
        ("faststart.mp4", sound("-c:a aac -ac 2 -movflags +faststart"), &[]),
        ("moov-last.mp4", sound("-profile:v baseline -c:a aac"), &[]),
        ("open-gop-mp3.mp4", sound("-profile:v main -bf 3 -x264-params open-gop=1:keyint=20 -c:a libmp3lame"), &[]),
        ("422.mp4", format!("{PICTURES} -c:v libx264 -pix_fmt yuv422p"), &[]),
        ("444.mp4", format!("{PICTURES} -c:v libx264 -pix_fmt yuv444p"), &[]),
        ("10-bit.mp4", format!("{PICTURES} -c:v libx264 -pix_fmt yuv420p10le"), &[]),
        ("full-range.mp4", format!("{PICTURES} -c:v libx264 -pix_fmt yuvj420p -color_range pc"), &[]),
        (
            "cropped-ntsc.mp4",
            format!(
                "-f lavfi -i testsrc2=size=1920x1080:rate=30000/1001:duration=0.5 {x264} -color_primaries bt709 -color_trc bt709 -colorspace bt709 -color_range tv"
            ),
            &[],
        ),
        ("wide-pixels.mp4", with("-vf setsar=4/3"), &[]),
        ("wide-pixels.mov", with("-vf setsar=4/3"), &[]),
        ("interlaced.mp4", with("-flags +ildct+ilme -x264-params tff=1"), &[]),
        ("fragmented.mp4", sound("-g 15 -c:a aac -movflags frag_keyframe+empty_moov"), &[]),
        ("dash.mp4", sound("-g 15 -c:a aac -movflags frag_keyframe+empty_moov+default_base_moof+dash"), &[]),
        ("variable.mp4", with("-vf select='not(eq(mod(n,7),3))' -vsync vfr"), &[]),
        ("milliseconds.mp4", with("-video_track_timescale 1000"), &[]),
        ("mono-44.mp4", format!("{PICTURES} -f lavfi -i sine=sample_rate=44100:duration=2 {x264} -c:a aac -ac 1"), &[]),
        (
            "long-sound.mp4",
            format!("{PICTURES} -f lavfi -i sine=sample_rate=48000:duration=3 {x264} -c:a aac"),
            &["av-length"],
        ),
        ("opus.mp4", sound("-c:a libopus"), &[]),
        ("pcm.mov", sound("-c:a pcm_s16le"), &[]),
        ("hevc.mp4", format!("{PICTURES} {hevc} -pix_fmt yuv420p -tag:v hvc1"), &[]),
        (
            "hevc-hdr.mp4",
            format!(
                "{PICTURES} {hevc} -pix_fmt yuv420p10le -color_primaries bt2020 -color_trc smpte2084 -colorspace bt2020nc"
            ),
            &[],
        ),
        ("av1.mp4", format!("{PICTURES} -t 0.3 -c:v libaom-av1 -cpu-used 8 -pix_fmt yuv420p"), &[]),
        ("av1-10.mp4", format!("{PICTURES} -t 0.3 -c:v libaom-av1 -cpu-used 8 -pix_fmt yuv420p10le"), &[]),
        ("mpeg4.mp4", format!("{PICTURES} -c:v mpeg4"), &[]),
        ("jpeg.mp4", format!("{PICTURES} -c:v mjpeg"), &[]),
        ("png.mp4", format!("{PICTURES} -c:v png"), &[]),
        ("sound-only.mp4", format!("{TONE} -c:a aac"), &[]),
    ]
}

struct Compared<'a> {
    name: &'a str,
    /// What differs, and how.
    wrong: Vec<(String, String)>,
}

impl Compared<'_> {
    fn equal(&mut self, what: &str, ours: impl ToString, theirs: &Value) {
        let theirs = theirs.as_str().map_or_else(|| theirs.to_string(), str::to_owned);
        if ours.to_string() != theirs {
            let told = format!("{}: {what} is {}, ffprobe says {theirs}", self.name, ours.to_string());
            self.wrong.push((what.to_owned(), told));
        }
    }

    fn near(&mut self, what: &str, ours: f64, theirs: &Value, slack: f64) {
        let theirs: f64 = theirs.as_str().and_then(|t| t.parse().ok()).unwrap_or(f64::NAN);
        if (ours - theirs).abs() > slack || theirs.is_nan() {
            let told = format!("{}: {what} is {ours}, ffprobe says {theirs}", self.name);
            self.wrong.push((what.to_owned(), told));
        }
    }
}

fn or_null(text: &Option<String>) -> String {
    text.clone().unwrap_or_else(|| "null".to_owned())
}

/// Holds what we say against ffprobe.
fn compare(path: &Path, facts: &Facts, compared: &mut Compared<'_>) {
    let probe = ["-v", "error", "-of", "json", "-show_format", "-show_streams", "-count_packets"];
    let shown = path.to_string_lossy();
    let probed = json(&tool("ffprobe", &[&probe[..], &[&shown]].concat()));
    let stream = |kind: &str| {
        let all = probed["streams"].as_array().unwrap();
        all.iter().find(|s| s["codec_type"] == kind).cloned().unwrap_or(Value::Null)
    };
    // The whole file's duration is rounded to the milliseconds of `mvhd`, the others to microseconds.
    compared.near("duration", facts.duration.to_f64(), &probed["format"]["duration"], 1e-3);
    let theirs = stream("video");
    assert_eq!(facts.video.is_some(), theirs != Value::Null, "{}", compared.name);
    if let Some(v) = &facts.video {
        compared.equal("codec", &v.codec, &theirs["codec_name"]);
        compared.equal("width", v.width, &theirs["width"]);
        compared.equal("height", v.height, &theirs["height"]);
        compared.equal("frames", v.frames, &Value::from(theirs["nb_read_packets"].as_str().unwrap()));
        let quotient = |r: crate::rules::Ratio| format!("{}/{}", r.num(), r.den());
        compared.equal("mean rate", quotient(v.frame_rate.mean), &theirs["avg_frame_rate"]);
        if let Some(exact) = v.frame_rate.exact {
            compared.equal("rate", quotient(exact), &theirs["r_frame_rate"]);
        }
        compared.near("video duration", v.duration.to_f64(), &theirs["duration"], 1e-6);
        compared.near("video start", v.start.to_f64(), &theirs["start_time"], 1e-6);
        // Of the segments of DASH, ffprobe counts only some.
        if compared.name != "dash.mp4" {
            compared.near("video bit rate", v.bit_rate.mean.to_f64(), &theirs["bit_rate"], 1.0);
        }
        if !["mpeg4", "mjpeg", "png"].contains(&v.codec.as_str()) {
            compared.equal("profile", or_null(&v.profile), &theirs["profile"]);
            compared.equal("pixel format", or_null(&v.pixel_format), &theirs["pix_fmt"]);
            let ratio = v.sample_aspect;
            if let Some(theirs) = theirs.get("sample_aspect_ratio") {
                compared.equal("pixels", format!("{}:{}", ratio.num(), ratio.den()), theirs);
            }
            compared.equal("primaries", or_null(&v.color.primaries), &theirs["color_primaries"]);
            compared.equal("transfer", or_null(&v.color.transfer), &theirs["color_transfer"]);
            compared.equal("matrix", or_null(&v.color.matrix), &theirs["color_space"]);
            compared.equal("range", v.color.range.unwrap_or("null"), &theirs["color_range"]);
            let level: f64 = v.level.as_ref().unwrap().parse().unwrap();
            let scale = if v.codec == "hevc" { 30.0 } else { 10.0 };
            if v.codec != "av1" {
                compared.equal("level", (level * scale).round(), &theirs["level"]);
            }
        }
        if let Some(pictures) = v.pictures {
            assert_eq!(pictures, v.frames, "{}", compared.name);
        }
    }
    let theirs = stream("audio");
    assert_eq!(facts.audio.is_some(), theirs != Value::Null, "{}", compared.name);
    if let Some(a) = &facts.audio {
        compared.equal("sample rate", a.sample_rate, &theirs["sample_rate"]);
        compared.equal("channels", a.channels, &theirs["channels"]);
        compared.near("sound duration", a.duration.to_f64(), &theirs["duration"], 1e-6);
        compared.near("sound start", a.start.to_f64(), &theirs["start_time"], 1e-6);
        // Fragments lose the priming in what ffprobe sums up.
        if a.codec != "sowt" && !facts.file.fragmented {
            compared.equal("sound codec", &a.codec, &theirs["codec_name"]);
            compared.equal("packets", a.packets, &Value::from(theirs["nb_read_packets"].as_str().unwrap()));
            compared.near("sound bit rate", a.bit_rate.mean.to_f64(), &theirs["bit_rate"], 1.0);
        }
        if a.codec == "aac" {
            compared.equal("sound profile", or_null(&a.profile), &theirs["profile"]);
        }
    }
}

/// The busiest second, counted from ffprobe's packets, each by each.
fn busiest_second(path: &Path) -> f64 {
    let shown = path.to_string_lossy();
    let args = ["-v", "error", "-of", "json", "-show_entries", "packet=dts_time,size", &shown];
    let packets = json(&tool("ffprobe", &args));
    let packets = packets["packets"].as_array().unwrap();
    let number = |p: &Value, key: &str| p[key].as_str().unwrap().parse::<f64>().unwrap();
    let packets: Vec<(f64, f64)> = packets.iter().map(|p| (number(p, "dts_time"), number(p, "size") * 8.0)).collect();
    let window = |from: f64| {
        // Half a microsecond for ffprobe's rounding.
        packets.iter().filter(|(t, _)| *t >= from - 5e-7 && *t < from + 1.0 - 5e-7).map(|(_, bits)| bits).sum::<f64>()
    };
    packets.iter().map(|(t, _)| window(*t)).fold(0.0, f64::max)
}

#[test]
fn other_encoders_files_measure_as_ffprobe_and_mediainfo_say() {
    let dir = tempfile::tempdir().unwrap();
    let mut wrong = Vec::new();
    for (name, command, contradictions) in corpus() {
        let path = ffmpeg(dir.path(), name, &command);
        let facts = Facts::of(&FileInput::open(&path).unwrap()).unwrap_or_else(|e| panic!("{name}: {e}"));
        let mut compared = Compared { name, wrong: Vec::new() };
        compare(&path, &facts, &mut compared);
        wrong.extend(compared.wrong.into_iter().map(|(_, told)| told));
        let failed: Vec<_> = facts.consistency.findings.iter().filter(|f| f.ok == Some(false)).collect();
        let ids: Vec<_> = failed.iter().map(|f| f.id).collect();
        if ids != contradictions {
            wrong.push(format!("{name}: contradictions {failed:?}"));
        }
        let Some(video) = &facts.video else { continue };
        // MediaInfo: is every frame as long as the others?
        let shown = path.to_string_lossy();
        let mode = String::from_utf8(tool("mediainfo", &["--Inform=Video;%FrameRate_Mode%", &shown])).unwrap();
        let theirs = match name {
            // Rounded to milliseconds, 33 or 34 of them: MediaInfo calls that variable.
            "milliseconds.mp4" => "CFR",
            _ => mode.trim(),
        };
        let ours = if video.frame_rate.constant { "CFR" } else { "VFR" };
        if ours != theirs {
            wrong.push(format!("{name}: {ours}, MediaInfo says {theirs}"));
        }
        if matches!(name, "faststart.mp4" | "fragmented.mp4" | "variable.mp4") {
            let theirs = busiest_second(&path);
            if facts.bit_rate.peak as f64 != theirs {
                wrong.push(format!(
                    "{name}: {} bits in the busiest second, ffprobe's packets {theirs}",
                    facts.bit_rate.peak
                ));
            }
        }
        let fast = matches!(name, "faststart.mp4" | "fragmented.mp4" | "dash.mp4");
        assert_eq!((facts.file.moov_first, facts.file.fragmented), (fast, fast && name != "faststart.mp4"), "{name}");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn other_muxers_files_measure_as_ffprobe_says() {
    // Where ffprobe reads a file in another way: what differs, and what contradicts itself in the file.
    let known: [(&str, &[&str], &[&str]); 5] = [
        ("gstreamer.mp4", &[], &[]),
        ("gstreamer.mov", &[], &[]),
        // No edit list: pictures come two frames late, the sound does not.
        ("gstreamer-fragments.mp4", &[], &["av-length"]),
        // No edit list: ffprobe does not count the two frames before the first picture, but says they are there.
        ("mp4box-js.mp4", &["duration"], &[]),
        // ffprobe plays the encoder's delay, which the edit list leaves out.
        ("mp4box-js-fragments.mp4", &["duration", "sound duration", "sound start"], &[]),
    ];
    for (name, differences, contradictions) in known {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/verify/tests/files").join(name);
        let facts = Facts::of(&FileInput::open(&path).unwrap()).unwrap_or_else(|e| panic!("{name}: {e}"));
        let mut compared = Compared { name, wrong: Vec::new() };
        compare(&path, &facts, &mut compared);
        let found: Vec<_> = compared.wrong.iter().map(|(what, _)| what.as_str()).collect();
        assert_eq!(found, differences, "{:?}", compared.wrong);
        let failed: Vec<_> = facts.consistency.findings.iter().filter(|f| f.ok == Some(false)).map(|f| f.id).collect();
        assert_eq!(failed, contradictions, "{name}");
        let video = facts.video.unwrap();
        assert_eq!(
            (video.frames, video.pictures, video.frame_rate.exact),
            (30, Some(30), Some(crate::rules::Ratio::int(30)))
        );
        assert_eq!(video.duration, crate::rules::Ratio::int(1), "{name}");
        if !name.starts_with("mp4box-js.") {
            assert!((facts.bit_rate.peak as f64 - busiest_second(&path)).abs() < 1.0, "{name}");
        }
    }
}

#[test]
fn an_edit_list_that_cuts_is_legal_and_told() {
    let dir = tempfile::tempdir().unwrap();
    let base = ffmpeg(dir.path(), "base.mp4", &format!("{PICTURES} {TONE} -c:v libx264 -bf 2 -g 60 -c:a aac"));
    for name in ["cut.mov", "cut.mp4"] {
        let path = ffmpeg(dir.path(), name, &format!("-ss 0.8 -i {} -c copy", base.to_string_lossy()));
        let facts = Facts::of(&FileInput::open(&path).unwrap()).unwrap();
        let video = facts.video.as_ref().unwrap();
        let shown = path.to_string_lossy();
        let args = ["-v", "error", "-of", "json", "-count_frames", "-select_streams", "v", "-show_streams", &shown];
        let theirs = &json(&tool("ffprobe", &args))["streams"][0];
        assert_eq!(theirs["nb_read_frames"], video.presented_frames.to_string(), "{name}");
        assert_eq!(theirs["nb_frames"], video.frames.to_string(), "{name}");
        assert_eq!(facts.consistency.failed, 0, "{name}: {:?}", facts.consistency);
        let note = format!(
            "track {}: its edit list shows {} of {} pictures",
            video.track, video.presented_frames, video.frames
        );
        assert_eq!((video.presented_frames < video.frames, &facts.consistency.notes), (true, &vec![note]), "{name}");
        // The same edit, three times as long as the pictures that are there, or beginning behind their end.
        let bytes = std::fs::read(&path).unwrap();
        let at = bytes.windows(4).position(|w| w == b"elst").unwrap() + 12;
        for (place, words) in [(at, &6_000u32.to_be_bytes()), (at + 4, &0x7fff_ffffu32.to_be_bytes())] {
            let mut broken = bytes.clone();
            broken[place..place + 4].copy_from_slice(words);
            let findings = Facts::of(&broken[..]).unwrap().consistency.findings;
            assert!(findings.iter().any(|f| f.id == "edits" && f.ok == Some(false)), "{name}: {findings:?}");
        }
    }
}

#[test]
fn tracks_that_are_not_judged_are_listed() {
    let dir = tempfile::tempdir().unwrap();
    let two = format!("{PICTURES} {TONE} -map 0 -map 1 -map 0 -map 1 -c:v libx264 -c:a aac -disposition:v:1 0");
    let path = ffmpeg(dir.path(), "two.mp4", &two);
    let shown = path.to_string_lossy();
    let probed = json(&tool("ffprobe", &["-v", "error", "-of", "json", "-show_streams", &shown]));
    let theirs: Vec<(u32, &str)> = probed["streams"]
        .as_array()
        .unwrap()
        .iter()
        .map(|s| {
            let id = s["id"].as_str().unwrap().trim_start_matches("0x");
            (u32::from_str_radix(id, 16).unwrap(), s["codec_type"].as_str().unwrap())
        })
        .collect();
    let facts = Facts::of(&FileInput::open(&path).unwrap()).unwrap();
    let judged = [facts.video.unwrap().track, facts.audio.unwrap().track];
    let ours: Vec<(u32, &str)> = facts.file.not_judged.iter().map(|t| (t.track, t.kind.as_str())).collect();
    let others: Vec<(u32, &str)> = theirs.iter().filter(|(id, _)| !judged.contains(id)).copied().collect();
    assert_eq!((theirs.len(), ours), (4, others));
}

/// ISO/IEC 14496-12 8.3.2.3: a track whose `tkhd` has flag 1 cleared "is treated as if it were not present".
#[test]
fn disabled_tracks_count_as_not_there_and_are_told() {
    let dir = tempfile::tempdir().unwrap();
    let two = format!("{PICTURES} -f lavfi -i testsrc2=size=64x64:rate=30:duration=1 -map 0 -map 1 -c:v libx264");
    let whole = std::fs::read(ffmpeg(dir.path(), "two.mp4", &two)).unwrap();
    let places: Vec<usize> = (4..whole.len()).filter(|at| whole[..*at].ends_with(b"tkhd")).collect();
    let [first, second] = places[..] else { panic!("{places:?}") };
    let of = |enabled: [bool; 2]| {
        let mut bytes = whole.clone();
        for (place, enabled) in [first, second].into_iter().zip(enabled) {
            bytes[place + 3] = bytes[place + 3] & !1 | u8::from(enabled);
        }
        Facts::of(&bytes[..]).unwrap()
    };
    let told = |facts: &Facts| {
        facts.consistency.notes.iter().filter(|n| n.contains("is disabled")).cloned().collect::<Vec<_>>()
    };
    let both = of([true, true]);
    assert_eq!((both.video.as_ref().map(|v| v.track), told(&both).len()), (Some(1), 0));
    let only = of([false, true]);
    let video = only.video.as_ref().unwrap();
    assert_eq!((video.track, video.width, only.duration), (2, 64, Ratio::new(1, 1)));
    assert!(
        told(&only)[0].starts_with("track 1: this video track")
            && told(&only)[0].ends_with("track 2 is judged in its place")
    );
    // The other angle, switched off as usual.
    assert_eq!((of([true, false]).video.map(|v| v.track), told(&of([true, false])).len()), (Some(1), 0));
    let none = of([false, false]);
    assert!(none.video.is_none() && told(&none)[0].contains("there is no video without it"), "{:?}", told(&none));
    assert_eq!((none.file.video_tracks, none.file.not_judged.len()), (2, 2));
}

#[test]
fn contradictions_made_on_purpose_are_named() {
    let dir = tempfile::tempdir().unwrap();
    let x264 = "-c:v libx264 -preset ultrafast -pix_fmt yuv420p";
    let base = ffmpeg(dir.path(), "base.mp4", &format!("{PICTURES} {x264} -g 15"));
    let base = base.to_string_lossy();
    let bt601 = "-color_primaries smpte170m -color_trc smpte170m -colorspace smpte170m";
    for (name, command, expected) in [
        ("crop.mp4", format!("-i {base} -c copy -bsf:v h264_metadata=crop_right=40:crop_bottom=20"), "picture-size"),
        ("aspect.mp4", format!("-i {base} -c copy -bsf:v h264_metadata=sample_aspect_ratio=2/1"), "sample-aspect"),
        ("rate.mp4", format!("-i {base} -c copy -bsf:v h264_metadata=tick_rate=50"), "stream-rate"),
        (
            "color.mp4",
            format!(
                "-i {base} -c copy {bt601} -bsf:v h264_metadata=colour_primaries=1:transfer_characteristics=1:matrix_coefficients=1"
            ),
            "color",
        ),
        ("start-codes.mp4", format!("-i {base} -c copy -bsf:v dump_extra"), "pictures"),
    ] {
        let path = ffmpeg(dir.path(), name, &command);
        let facts = Facts::of(&FileInput::open(&path).unwrap()).unwrap();
        let findings = facts.consistency.findings;
        let named = findings.iter().any(|f| f.id == expected && f.ok == Some(false) && !f.detail.is_empty());
        assert!(
            named,
            "{name}: {expected} not found, but {:?}",
            findings.iter().filter(|f| f.ok == Some(false)).collect::<Vec<_>>()
        );
    }
}
