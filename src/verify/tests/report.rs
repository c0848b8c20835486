//! Rules, verdicts and the JSON: the schema is kept, each broken requirement fails its own rule.

use super::*;
use crate::rules::schema::conforms;
use crate::rules::{RulesError, Verdict};
use crate::verify::facts::Facts;
use crate::verify::mp4::FileInput;
use crate::verify::pictures;
use crate::verify::{Profile, Report, SCHEMA, Verified, VerifyError, verify};

/// A video's report.
fn of_video(of: Result<Verified, VerifyError>) -> Report {
    match of.unwrap() {
        Verified::Video(report) => *report,
        Verified::Pictures(report) => panic!("pictures: {report:?}"),
    }
}

fn sample(dir: &Path) -> PathBuf {
    let x264 = "-c:v libx264 -preset veryfast -pix_fmt yuv420p -profile:v high";
    ffmpeg(dir, "sample.mp4", &format!("{PICTURES} {TONE} {x264} -c:a aac -ac 2 -movflags +faststart"))
}

#[test]
fn what_is_printed_conforms_to_the_schema() {
    let dir = tempfile::tempdir().unwrap();
    let schema = json(SCHEMA.as_bytes());
    let x264 = "-c:v libx264 -preset ultrafast";
    let files = [
        sample(dir.path()),
        ffmpeg(dir.path(), "vfr.mp4", &format!("{PICTURES} -vf select='not(eq(mod(n,7),3))' -vsync vfr {x264}")),
        ffmpeg(dir.path(), "sound.mp4", &format!("{TONE} -c:a libopus")),
    ];
    for path in files {
        for profile in [Profile::none(), Profile::built_in("prague-bench").unwrap()] {
            let report = serde_json::to_value(verify(&path, &profile).unwrap()).unwrap();
            conforms(&report, &schema).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        }
    }
}

/// The numbers of a file that keeps H1 to H6: those of a real one, with the benchmark's put in place.
fn exemplary(dir: &Path) -> Value {
    let mut facts = serde_json::to_value(Facts::of(&FileInput::open(&sample(dir)).unwrap()).unwrap()).unwrap();
    for (path, value) in [
        ("video.width", Value::from(1080)),
        ("video.height", Value::from(1920)),
        ("video.duration", serde_json::json!({ "exact": "58", "value": 58.0 })),
        ("video.presented_frames", Value::from(1740)),
        ("video.without_picture", Value::from(0)),
    ] {
        set(&mut facts, path, value);
    }
    facts
}

fn set(facts: &mut Value, path: &str, value: Value) {
    let node = path.split('.').fold(facts, |node, name| node.get_mut(name).unwrap());
    *node = value;
}

#[test]
fn each_hard_requirement_fails_alone() {
    let dir = tempfile::tempdir().unwrap();
    let facts = exemplary(dir.path());
    let profile = Profile::built_in("prague-bench").unwrap();
    let verdicts = |facts: &Value| -> Vec<(String, Verdict)> {
        profile.judge(facts).into_iter().map(|r| (r.id, r.verdict)).collect()
    };
    let passed = verdicts(&facts);
    assert_eq!(passed.iter().map(|(id, _)| id.as_str()).collect::<Vec<_>>(), ["H1", "H2", "H3", "H4", "H5", "H6"]);
    assert!(passed.iter().all(|(_, v)| *v == Verdict::Pass), "{passed:?}");
    let exact = |text: &str| serde_json::json!({ "exact": text, "value": 0.0 });
    for (rule, path, value) in [
        ("H1", "file.moov_first", Value::from(false)),
        ("H1", "video.profile", Value::from("Main")),
        ("H1", "video.pixel_format", Value::from("yuvj420p")),
        ("H1", "video.codec", Value::from("hevc")),
        ("H2", "video.width", Value::from(1088)),
        ("H2", "video.sample_aspect", exact("1/2")),
        ("H2", "video.rotation", Value::Null),
        ("H3", "video.frame_rate.constant", Value::from(false)),
        ("H3", "video.frame_rate.exact", exact("30000/1001")),
        ("H3", "video.frame_rate.exact", Value::Null),
        ("H4", "video.duration", exact("54999/1000")),
        ("H4", "video.duration", exact("1801/30")),
        ("H5", "bit_rate.peak", Value::from(20_000_001)),
        ("H5", "file.bytes", Value::from(200_000_000)),
        ("H6", "audio", Value::Null),
        ("H6", "audio.profile", Value::from("HE-AAC")),
        ("H6", "audio.sample_rate", Value::from(44_100)),
        ("H6", "audio.channels", Value::from(1)),
        ("H1", "video.without_picture", Value::from(1)),
    ] {
        let mut changed = facts.clone();
        set(&mut changed, path, value.clone());
        let failed: Vec<_> = verdicts(&changed).into_iter().filter(|(_, v)| *v != Verdict::Pass).collect();
        assert_eq!(failed, [(rule.to_owned(), Verdict::Fail)], "{path} = {value}");
    }
    // At the very limits, and off the aims, all still holds.
    for (path, value) in [
        ("video.duration", exact("55")),
        ("video.duration", exact("60")),
        ("video.presented_frames", Value::from(1700)),
        ("bit_rate.peak", Value::from(20_000_000)),
        ("file.bytes", Value::from(199_999_999)),
    ] {
        let mut changed = facts.clone();
        set(&mut changed, path, value);
        assert!(verdicts(&changed).iter().all(|(_, v)| *v == Verdict::Pass), "{path}");
    }
    // Without pictures there is nothing to pass.
    let mut changed = facts;
    set(&mut changed, "video", Value::Null);
    let failed: Vec<_> =
        verdicts(&changed).into_iter().filter(|(_, v)| *v == Verdict::Fail).map(|(id, _)| id).collect();
    assert_eq!(failed, ["H1", "H2", "H3", "H4"]);
}

#[test]
fn a_users_profile_has_conditions_and_its_mistakes_are_named() {
    let dir = tempfile::tempdir().unwrap();
    let path = sample(dir.path());
    let profile = |text: &str| Profile::parse("mine.toml", &format!("name = \"mine\"\n{text}"));
    let mine = profile(
        r#"
        [[rule]]
        id = "loud"
        title = "not too loud"
        when = { value = "audio.codec", is = "aac" }
        checks = [{ value = "audio.loudness.integrated", above = -40, below = -10.5 }]
        [[rule]]
        id = "level"
        title = "HEVC's level"
        when = { value = "video.codec", one_of = ["hevc", "av1"] }
        checks = [{ value = "video.level", is = "4.0" }]
        [[rule]]
        id = "rate"
        title = "NTSC"
        checks = [{ value = "video.frame_rate.exact", is = "30000/1001" }]
        "#,
    )
    .unwrap();
    let report = of_video(verify(&path, &mine));
    let verdicts: Vec<_> = report.rules.iter().map(|r| r.verdict).collect();
    assert_eq!(verdicts, [Verdict::Pass, Verdict::NotApplicable, Verdict::Fail]);
    assert!(!report.ok);
    let error =
        profile("[[rule]]\nid = \"a\"\ntitle = \"b\"\nchecks = [{ value = \"video.colour\", is = 1 }]").unwrap_err();
    assert!(matches!(&error, RulesError::Rule { rule, .. } if rule == "a"), "{error}");
    assert!(error.to_string().contains("`video.colour` is no value"), "{error}");
}

#[test]
fn an_output_folder_is_held_against_its_manifest() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path();
    let video = sample(out);
    std::fs::rename(&video, out.join("video.mp4")).unwrap();
    let bytes = std::fs::read(out.join("video.mp4")).unwrap();
    let hash = crate::frame::hash::Hash::of(&bytes).to_string();
    let peak = Facts::of(&bytes[..]).unwrap().bit_rate.peak;
    let mut manifest = serde_json::json!({
        "format": 1, "complete": true, "error": null,
        "engine": { "name": "replay", "version": "0", "v8": "1", "three": null },
        "adapter": { "vendor": "", "renderer": "", "driver": "" },
        "settings": {}, "page": { "missing": [], "blocked": [] }, "files": [],
        "frames": vec![hash.clone(); 60], "frames_sha256": hash,
        "video": {
            "file": "video.mp4", "sha256": hash, "bytes": bytes.len(), "codec": "h264", "width": 320, "height": 240,
            "fps": "30", "frames": 60, "duration": "2", "peak_bits_per_second": peak, "degraded": [], "audio": "tone"
        },
        "unsupported": [], "warnings": []
    });
    let report = |manifest: &Value| -> Report {
        std::fs::write(out.join("manifest.json"), manifest.to_string()).unwrap();
        of_video(verify(out, &Profile::none()))
    };
    let good = report(&manifest);
    assert!(good.ok && good.manifest.as_ref().is_some_and(|all| all.iter().all(|c| c.ok)), "{:?}", good.manifest);
    for (name, path, value) in [
        ("sha256", "video.sha256", Value::from("0".repeat(64))),
        ("frames", "video.frames", Value::from(61)),
        ("size", "video.width", Value::from(322)),
        ("duration", "video.duration", Value::from("61/30")),
        ("peak_bits_per_second", "video.peak_bits_per_second", Value::from(1)),
        ("complete", "complete", Value::from(false)),
    ] {
        let kept = manifest.clone();
        set(&mut manifest, path, value);
        let report = report(&manifest);
        let failed: Vec<_> = report.manifest.iter().flatten().filter(|c| !c.ok).map(|c| c.name).collect();
        assert_eq!((report.ok, failed), (false, vec![name]), "{path}");
        manifest = kept;
    }
    // Without a manifest a folder is its video; without a video it is nothing.
    std::fs::remove_file(out.join("manifest.json")).unwrap();
    assert_eq!(of_video(verify(out, &Profile::none())).manifest, None);
    std::fs::remove_file(out.join("video.mp4")).unwrap();
    assert!(verify(out, &Profile::none()).is_err());
}

#[test]
fn what_is_said_of_pictures_conforms_to_its_schema() {
    let dir = tempfile::tempdir().unwrap();
    let frames = dir.path().join("frames");
    std::fs::create_dir(&frames).unwrap();
    for n in [0, 1, 9] {
        crate::encode::png::write(&frames, n, &[7; 24], 3, 2).unwrap();
    }
    let schema = json(pictures::SCHEMA.as_bytes());
    for profile in [Profile::none(), Profile::built_in("prague-bench").unwrap()] {
        let verified = verify(dir.path(), &profile).unwrap();
        assert!(!verified.ok(), "picture 2 is called 9");
        conforms(&serde_json::to_value(&verified).unwrap(), &schema).unwrap();
        let Verified::Pictures(report) = verified else { panic!() };
        assert_eq!((report.pictures.files, report.pictures.last, report.pictures.width), (3, 9, Some(3)));
        assert!(report.rules.iter().all(|rule| rule.verdict == Verdict::NotApplicable));
        assert_eq!(report.manifest, None);
    }
}
