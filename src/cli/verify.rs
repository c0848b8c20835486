//! `replay verify`: what an MP4 file is, and whether it keeps a profile's rules.

use std::fmt::Write as _;
use std::path::Path;
use std::process::ExitCode;

use miette::IntoDiagnostic as _;
use serde_json::Value;

use super::args::VerifyArgs;
use super::{Ended, profile, show};
use crate::evidence::MANIFEST;
use crate::evidence::sums::SUMS;
use crate::rules::{Ratio, RuleResult, Verdict};
use crate::verify::facts::Facts;
use crate::verify::pictures::PicturesReport;
use crate::verify::{self, ManifestCheck, Report, Verified};

pub fn verify(args: &VerifyArgs, quiet: bool, json: bool) -> Ended {
    if args.show_profile {
        return profile::show::<verify::Settings>(&args.profile);
    }
    let profile = profile::find(&args.profile)?;
    let report = crate::verify::verify(args.path.as_deref().unwrap_or(Path::new("")), &profile)?;
    if json {
        show::print_json(&serde_json::to_value(&report).into_diagnostic()?);
    } else if !quiet || !report.ok() {
        show::print(&match &report {
            Verified::Video(report) if quiet => verdicts(report),
            Verified::Video(report) => text(report),
            Verified::Pictures(report) => pictures(report, quiet),
        });
    }
    Ok(ExitCode::from(u8::from(!report.ok())))
}

fn mark(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Pass => "pass",
        Verdict::Fail => "FAIL",
        Verdict::NotMeasured => "?   ",
        Verdict::NotApplicable => "n/a ",
    }
}

/// A rule's line with the numbers that hold, and under it those that do not.
fn rule_text(rule: &RuleResult, out: &mut String) {
    let name = |path: &str| path.rsplit('.').next().unwrap_or_default().replace('_', " ");
    let held = rule.checks.iter().filter(|c| c.holds && !c.aim);
    let held: Vec<_> = held.map(|c| format!("{} {}", name(&c.value), plain(&c.found))).collect();
    let held = if held.is_empty() { String::new() } else { format!(": {}", held.join(", ")) };
    let _ = writeln!(out, "  {}  {:4} {}{held}", mark(rule.verdict), rule.id, rule.title);
    for check in rule.checks.iter().filter(|c| !c.holds) {
        let aim = if check.aim { " (an aim: fails nothing)" } else { "" };
        let _ = writeln!(out, "             {} is {}, wanted: {}{aim}", check.value, plain(&check.found), check.wanted);
    }
}

/// A value as it is read; quotients with their decimals.
fn plain(value: &Value) -> String {
    match value {
        Value::String(text) if text.contains('/') => match Ratio::parse(text) {
            Some(ratio) => format!("{text} ({:.4})", ratio.to_f64()),
            None => text.clone(),
        },
        Value::String(text) => text.clone(),
        Value::Bool(yes) => if *yes { "yes" } else { "no" }.to_owned(),
        Value::Null => "not there".to_owned(),
        other => other.to_string(),
    }
}

/// Only what was judged.
fn verdicts(report: &Report) -> String {
    let mut out = String::new();
    report.rules.iter().for_each(|rule| rule_text(rule, &mut out));
    let failed = &report.facts.consistency.findings;
    for finding in failed.iter().filter(|f| f.ok == Some(false)) {
        let mark = if report.consistency_required { "FAIL" } else { "note" };
        let _ = writeln!(out, "  {mark}  {}: not so: {}", finding.title, finding.detail);
    }
    for note in &report.facts.consistency.notes {
        let _ = writeln!(out, "  note  {note}");
    }
    broken_word(report.manifest.as_deref(), "the file", &mut out);
    let judged = report.rules.iter().filter(|r| r.verdict != Verdict::NotApplicable).count();
    let kept = report.rules.iter().filter(|r| r.verdict == Verdict::Pass).count();
    let of =
        if judged > 0 { format!("{kept} of {judged} rules of {} hold", report.profile) } else { "no rules".to_owned() };
    let checks = report.facts.consistency.findings.iter().filter(|f| f.ok.is_some()).count();
    let agree = match report.facts.consistency.failed {
        0 => format!("the file agrees with itself in all {checks} comparisons"),
        n => format!("it contradicts itself in {n} of {checks} comparisons"),
    };
    let manifest = kept_word(report.manifest.as_deref());
    let _ = writeln!(out, "{}: {of}; {agree}{manifest}", if report.ok { "ok" } else { "failed" });
    out
}

/// The check that fails for what an unfinished render left.
const COMPLETE: &str = "complete";

/// What the manifest says and `it` is not.
fn broken_word(checks: Option<&[ManifestCheck]>, it: &str, out: &mut String) {
    for check in checks.into_iter().flatten().filter(|c| !c.ok) {
        let _ = match check.name {
            COMPLETE => writeln!(out, "  FAIL  {MANIFEST} says that the render did not end"),
            MANIFEST => writeln!(out, "  FAIL  {SUMS} says {MANIFEST} {}, it is {}", check.said, check.found),
            name => writeln!(out, "  FAIL  {MANIFEST} says {name} {}, {it} {}", check.said, check.found),
        };
    }
}

fn kept_word(checks: Option<&[ManifestCheck]>) -> &'static str {
    match checks {
        None => "",
        Some(all) if all.iter().all(|c| c.ok) => "; it is what manifest.json says",
        Some(all) if all.iter().all(|c| c.ok || c.name == COMPLETE) => "; it is what an unfinished render left",
        Some(all) if all.iter().all(|c| c.ok || c.name == MANIFEST) => "; manifest.json is NOT what SHA256SUMS says",
        Some(_) => "; it is NOT what manifest.json says",
    }
}

/// A PNG sequence: what there is, and what is wrong with it.
fn pictures(report: &PicturesReport, quiet: bool) -> String {
    let mut out = String::new();
    let all = &report.pictures;
    if !quiet {
        let size = all.width.zip(all.height).map_or_else(|| "no size".to_owned(), |(w, h)| format!("{w}x{h}"));
        let (first, last, megabytes) = (all.first, all.last, all.bytes as f64 / 1e6);
        let _ = writeln!(out, "{}", report.path.display());
        let _ = writeln!(out, "  pictures  {} PNG files, {first} to {last}, {size}, {megabytes:.2} MB\n", all.files);
    }
    report.rules.iter().for_each(|rule| rule_text(rule, &mut out));
    for finding in report.consistency.findings.iter().filter(|f| f.ok == Some(false)) {
        let _ = writeln!(out, "  FAIL  {}: not so: {}", finding.title, finding.detail);
    }
    broken_word(report.manifest.as_deref(), "the pictures are", &mut out);
    let agree = match report.consistency.failed {
        0 => "the sequence is whole".to_owned(),
        n => format!("the sequence fails {n} of {} checks", report.consistency.findings.len()),
    };
    let none = if report.rules.is_empty() { "no rules" } else { "no rule applies: a sequence of pictures is no video" };
    let (end, manifest) = (if report.ok { "ok" } else { "failed" }, kept_word(report.manifest.as_deref()));
    let _ = writeln!(out, "{end}: {none}; {agree}{manifest}");
    out
}

/// Numbers, then verdicts.
fn text(report: &Report) -> String {
    format!("{}\n{}\n{}", report.path.display(), numbers(&report.facts), verdicts(report))
}

fn seconds(time: Ratio) -> String {
    format!("{:.4}", time.to_f64()).trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn megabits(bits: f64) -> String {
    format!("{:.3} Mbit", bits / 1e6)
}

/// Said only where there is more than what is judged.
fn tracks(facts: &Facts, out: &mut String) {
    let file = &facts.file;
    let judged = [
        ("video", file.video_tracks, facts.video.as_ref().map(|v| v.track)),
        ("audio", file.audio_tracks, facts.audio.as_ref().map(|a| a.track)),
    ];
    // One that is there and not judged is disabled.
    let several = judged.into_iter().filter(|(_, count, judged)| *count > u64::from(judged.is_some())).map(
        |(kind, count, judged)| {
            let judged = judged.map_or_else(|| "none is judged".to_owned(), |id| format!("track {id} is judged"));
            let others =
                file.not_judged.iter().filter(|t| t.kind == kind).map(|t| t.track.to_string()).collect::<Vec<_>>();
            let plural = if count == 1 { "" } else { "s" };
            format!("{count} {kind} track{plural}: {judged}, {} is not", others.join(", "))
        },
    );
    let several: Vec<String> = several.collect();
    if !several.is_empty() {
        let _ = writeln!(out, "  tracks  {}", several.join("; "));
    }
    let rest: Vec<String> = file
        .not_judged
        .iter()
        .filter(|t| t.kind != "video" && t.kind != "audio")
        .map(|t| format!("{} (`{}`)", t.track, t.kind))
        .collect();
    if !rest.is_empty() {
        let _ = writeln!(out, "  tracks  neither video nor audio, not judged: {}", rest.join(", "));
    }
}

fn numbers(facts: &Facts) -> String {
    let mut out = String::new();
    let file = &facts.file;
    let _ = writeln!(
        out,
        "  file    {} bytes ({:.2} MB), {} s, {}, {}{}",
        file.bytes,
        file.bytes as f64 / 1e6,
        seconds(facts.duration),
        file.brand.as_deref().unwrap_or("no brand").trim_end(),
        if file.moov_first { "moov first" } else { "moov behind the data" },
        if file.fragmented { format!(", {} fragments", file.fragments) } else { String::new() },
    );
    let rate = &facts.bit_rate;
    let _ = writeln!(
        out,
        "          {} in the busiest second (from {} s), {}/s on average",
        megabits(rate.peak as f64),
        seconds(rate.peak_at),
        megabits(rate.mean.to_f64()),
    );
    tracks(facts, &mut out);
    match &facts.video {
        None => out += "  video   none\n",
        Some(v) => {
            let or = |text: &Option<String>| text.clone().unwrap_or_else(|| "?".to_owned());
            let _ = writeln!(
                out,
                "  video   {} {} level {}, {}, {}x{}{}, pixels {}:{} ({}){}",
                v.codec,
                or(&v.profile),
                or(&v.level),
                or(&v.pixel_format),
                v.width,
                v.height,
                if (v.width, v.height) == (v.coded_width, v.coded_height) {
                    String::new()
                } else {
                    format!(" (coded {}x{})", v.coded_width, v.coded_height)
                },
                v.sample_aspect.num(),
                v.sample_aspect.den(),
                v.sample_aspect_from,
                match v.rotation {
                    Some(0) => String::new(),
                    Some(turn) => format!(", turned by {turn} degrees"),
                    None => ", transformed".to_owned(),
                },
            );
            let tag = |text: &Option<String>| text.clone().unwrap_or_else(|| "unspecified".to_owned());
            let _ = writeln!(
                out,
                "          colours {}/{}/{}, {}",
                tag(&v.color.primaries),
                tag(&v.color.transfer),
                tag(&v.color.matrix),
                v.color.range.unwrap_or("range unspecified"),
            );
            let r = &v.frame_rate;
            let rate = match r.exact {
                Some(exact) => format!("constant {exact} fps"),
                None => format!(
                    "VARIABLE rate, {:.4} fps on average, frames last {} to {} s, {} irregular{}",
                    r.mean.to_f64(),
                    seconds(r.shortest),
                    seconds(r.longest),
                    r.irregular,
                    r.first_irregular.map_or(String::new(), |i| format!(" from frame {i}")),
                ),
            };
            let shown =
                if v.presented_frames == v.frames { String::new() } else { format!(" ({} shown)", v.presented_frames) };
            let _ = writeln!(
                out,
                "          {} frames{shown}, {} key, {rate}, {} s{}",
                v.frames,
                v.sync_frames,
                v.duration,
                if v.reordered { ", B pictures" } else { "" },
            );
            let _ = writeln!(
                out,
                "          {} in the busiest second, {}/s on average",
                megabits(v.bit_rate.peak as f64),
                megabits(v.bit_rate.mean.to_f64()),
            );
        }
    }
    match &facts.audio {
        None => out += "  audio   none\n",
        Some(a) => {
            let _ = writeln!(
                out,
                "  audio   {}{}, {} Hz, {} channels, {} s, {:.1} kbit/s",
                a.codec,
                a.profile.as_ref().map_or(String::new(), |p| format!(" {p}")),
                a.sample_rate,
                a.channels,
                seconds(a.duration),
                a.bit_rate.mean.to_f64() / 1e3,
            );
            let number = |n: Option<f64>| n.map_or_else(|| "-inf".to_owned(), |n| format!("{n:.1}"));
            let _ = match &a.loudness {
                Some(l) if l.silent => {
                    writeln!(out, "          silent (below -70 LUFS, true peak {} dBTP)", number(l.true_peak))
                }
                Some(l) => writeln!(
                    out,
                    "          loudness {} LUFS, range {} LU, true peak {} dBTP",
                    number(l.integrated),
                    number(l.range),
                    number(l.true_peak),
                ),
                None => {
                    writeln!(out, "          loudness not measured: {}", a.loudness_error.as_deref().unwrap_or("?"))
                }
            };
        }
    }
    out
}
