//! Loudness against EBU Tech 3341's sine and ffmpeg's own meter.

use super::*;
use crate::verify::facts::{AudioFacts, Facts};
use crate::verify::mp4::FileInput;

fn sound(dir: &Path, name: &str, command: &str) -> AudioFacts {
    let path = ffmpeg(dir, name, command);
    Facts::of(&FileInput::open(&path).unwrap()).unwrap().audio.unwrap()
}

#[test]
fn a_sine_of_minus_23_dbfs_is_minus_23_lufs() {
    let dir = tempfile::tempdir().unwrap();
    // EBU Tech 3341, case 1: stereo, 1000 Hz, -23 dBFS peak in both channels. 10^(-23/20) = 0.0707945784.
    let sine = "aevalsrc=0.0707945784*sin(2*PI*1000*t)|0.0707945784*sin(2*PI*1000*t):s=48000:d=20";
    let audio = sound(dir.path(), "sine.mp4", &format!("-f lavfi -i {sine} -c:a aac -b:a 192k"));
    let loudness = audio.loudness.unwrap();
    assert!((loudness.integrated.unwrap() + 23.0).abs() <= 0.1, "{loudness:?}");
    assert!(loudness.range.unwrap() < 0.1 && !loudness.silent && loudness.complete && loudness.damaged == 0);
    // Case 3 in spirit: 20 LU between two parts, LRA as Tech 3342 case 2 says (-20 then -30 dBFS: 10 LU, +-1).
    let steps = "aevalsrc=if(lt(t\\,20)\\,0.1\\,0.0316228)*sin(2*PI*1000*t)|if(lt(t\\,20)\\,0.1\\,0.0316228)*sin(2*PI*1000*t):s=48000:d=40";
    let loudness = sound(dir.path(), "steps.mp4", &format!("-f lavfi -i {steps} -c:a aac -b:a 192k")).loudness.unwrap();
    assert!((loudness.range.unwrap() - 10.0).abs() <= 1.0, "{loudness:?}");
}

#[test]
fn silence_is_silent_and_other_codecs_say_why_not() {
    let dir = tempfile::tempdir().unwrap();
    let audio = sound(dir.path(), "silent.mp4", "-f lavfi -i anullsrc=r=48000:cl=stereo -t 2 -c:a aac");
    let loudness = audio.loudness.unwrap();
    assert!(loudness.silent && loudness.integrated.is_none() && loudness.true_peak.is_none(), "{loudness:?}");
    let audio = sound(dir.path(), "opus.mp4", "-f lavfi -i sine=sample_rate=48000:duration=1 -c:a libopus");
    assert_eq!((audio.codec.as_str(), audio.loudness), ("opus", None));
    assert!(audio.loudness_error.is_some());
}

#[test]
fn loudness_is_what_ffmpeg_measures() {
    let dir = tempfile::tempdir().unwrap();
    let noise = "-f lavfi -i anoisesrc=c=pink:r=48000:a=0.4:d=6:seed=7";
    for (name, codec) in
        [("lc.mp4", "-c:a aac -ac 2"), ("mono.mp4", "-c:a aac -ac 1 -ar 32000"), ("mp3.mp4", "-c:a libmp3lame -ac 2")]
    {
        let audio = sound(dir.path(), name, &format!("{noise} {codec}"));
        let loudness = audio.loudness.unwrap();
        let path = dir.path().join(name);
        let args = ["-nostats", "-i", &path.to_string_lossy(), "-af", "ebur128=peak=true", "-f", "null", "-"];
        let out = Command::new("ffmpeg").args(args).output().unwrap();
        let log = String::from_utf8_lossy(&out.stderr).into_owned();
        let summary = log.rsplit("Summary:").next().unwrap();
        let number = |label: &str| -> f64 {
            let rest = summary.split(label).nth(1).unwrap();
            rest.split_whitespace().next().unwrap().parse().unwrap()
        };
        // ffmpeg prints one digit.
        let near = |ours: Option<f64>, theirs: f64| ours.is_some_and(|ours| (ours - theirs).abs() <= 0.15);
        assert!(near(loudness.integrated, number("I:")), "{name}: {loudness:?} {summary}");
        assert!(near(loudness.range, number("LRA:")), "{name}: {loudness:?} {summary}");
        // Interpolation filters differ.
        assert!((loudness.true_peak.unwrap() - number("Peak:")).abs() <= 0.4, "{name}: {loudness:?} {summary}");
    }
}

/// replay's own library can write HE-AAC: 24 kHz core, 48 kHz out.
#[test]
fn sbr_that_only_the_stream_shows_is_noticed() {
    use fdk_aac::enc::{AudioObjectType, BitRate, ChannelMode, Encoder, EncoderParams, Transport};
    let dir = tempfile::tempdir().unwrap();
    let encoder = Encoder::new(EncoderParams {
        bit_rate: BitRate::Cbr(48_000),
        sample_rate: 48_000,
        transport: Transport::Adts,
        channels: ChannelMode::Stereo,
        audio_object_type: AudioObjectType::Mpeg4HeAac,
    })
    .unwrap();
    let info = encoder.info().unwrap();
    let frame = info.frameLength as usize * 2;
    let tone = |i: usize| ((i / 2) as f64 * 0.13).sin() * 8000.0;
    let (mut stream, mut buffer, mut at) = (Vec::new(), vec![0; 8192], 0);
    while at < 48_000 * 4 {
        let pcm: Vec<i16> = (at..at + frame).map(|i| tone(i) as i16).collect();
        let encoded = encoder.encode(&pcm, &mut buffer).unwrap();
        stream.extend_from_slice(&buffer[..encoded.output_size]);
        at += encoded.input_consumed;
    }
    let adts = dir.path().join("he.aac");
    std::fs::write(&adts, stream).unwrap();
    // ADTS can't announce SBR: ffmpeg copies a configuration of AAC LC at 24 kHz into the file.
    let audio = sound(dir.path(), "he.mp4", &format!("-i {} -c copy", adts.display()));
    assert_eq!((audio.profile.as_deref(), audio.sample_rate, audio.channels), (Some("HE-AAC"), 48_000, 2));
    let loudness = audio.loudness.unwrap();
    // 8000/32768 = -12.2 dBFS peak in both channels is -12.2 LUFS at 1 kHz.
    assert!((loudness.integrated.unwrap() + 12.2).abs() < 0.5, "{loudness:?}");
}
