//! The numbers as a person reads them.

use std::fmt::Write as _;

use super::record::{Collision, Cost, GpuTime, Measured, Metrics, Motion, Route, Scene, TakeOff, Until};
use super::series::contact_name;
use crate::evidence::clearance::InsideBy;
use crate::rules::{CheckResult, RuleResult, Verdict};

/// Frame ranges of collisions that are shown.
const SHOWN: usize = 6;

/// A summary of some twenty lines.
pub fn summary(m: &Metrics) -> String {
    let run = &m.run;
    let mut out = format!("{}  {} frames, {} fps, {:.3} s\n", run.name, run.frames, run.fps, run.duration);
    for complaint in m.evidence.complaints() {
        let _ = writeln!(out, "  !! {complaint}");
    }
    let mut line = |text: String| {
        let _ = writeln!(out, "  {text}");
    };
    section(&mut line, "camera", &m.smoothness.camera, motion);
    section(&mut line, "drone", &m.smoothness.drone, motion);
    section(&mut line, "route", &m.route, route);
    section(&mut line, "take-off", &m.take_off, take_off);
    section(&mut line, "collision", &m.collision, collision);
    section(&mut line, "scene", &m.scene, scene);
    section(&mut line, "procedural", &m.procedural, |p| {
        let kinds: Vec<_> = p.files.iter().map(|k| format!("{} {}", k.files, k.kind)).collect();
        vec![format!(
            "{}: files read: {}; {} own data: or blob: addresses, {} network attempts, {} missing",
            if p.procedural { "yes" } else { "no" },
            if kinds.is_empty() { "none".to_owned() } else { kinds.join(", ") },
            p.own.iter().map(|k| k.files).sum::<u64>(),
            p.network_attempts,
            p.missing
        )]
    });
    section(&mut line, "determinism", &m.determinism, |d| {
        vec![match &d.difference {
            None => format!("{} runs, every frame and byte equal", d.runs),
            Some(what) => format!("{} runs differ: {what}", d.runs),
        }]
    });
    section(&mut line, "cost", &m.cost, cost);
    if !m.rules.is_empty() {
        line(m.profile.clone());
        for rule in &m.rules {
            line(format!("  {}", verdict(rule)));
        }
    }
    // What stands above already.
    let complaints = m.evidence.complaints();
    let warnings = m.route.value().map_or(&[][..], |r| &r.warnings);
    let told = |note: &&String| complaints.contains(note) || warnings.iter().any(|w| note.ends_with(w.as_str()));
    for note in m.notes.iter().filter(|note| !told(note)) {
        line(format!("note: {note}"));
    }
    out
}

fn section<T>(line: &mut impl FnMut(String), name: &str, part: &Measured<T>, tell: impl Fn(&T) -> Vec<String>) {
    match part {
        Measured::Not { not_measured } => line(format!("{name}: not measured: {not_measured}")),
        Measured::Yes(value) => {
            for (number, text) in tell(value).into_iter().enumerate() {
                line(if number == 0 { format!("{name}: {text}") } else { format!("  {text}") });
            }
        }
    }
}

fn motion(m: &Motion) -> Vec<String> {
    let mut lines = vec![format!(
        "{:.1} m in {}, mean {:.2} m/s ({:.1} km/h){}",
        m.path_length,
        match m.shots.len() {
            1 => "one shot".to_owned(),
            n => format!("{n} shots (cuts at frames {})", list(&m.cuts)),
        },
        m.mean_speed,
        m.mean_speed_kmh,
        m.speed.map_or(String::new(), |s| format!(", peak {:.2} m/s at frame {}", s.peak, s.peak_frame)),
    )];
    if let (Some(a), Some(j)) = (m.acceleration, m.jerk) {
        lines.push(format!("acceleration RMS {:.2}, peak {:.2} m/s² at frame {}", a.rms, a.peak, a.peak_frame));
        lines.push(format!(
            "jerk RMS {:.2}, p95 {:.2}, peak {:.2} m/s³ at frame {} (rounding alone {:.1e})",
            j.rms, j.p95, j.peak, j.peak_frame, m.noise.jerk
        ));
    }
    if let (Some(w), Some(j)) = (m.angular_speed, m.angular_jerk) {
        lines.push(format!(
            "turning: RMS {:.1}, peak {:.1} °/s at frame {}; angular jerk RMS {:.0} °/s³",
            w.rms, w.peak, w.peak_frame, j.rms
        ));
    }
    let known = |v: Option<f64>| v.map_or("–".to_owned(), |v| format!("{v:.2}"));
    lines.push(match (m.log_dimensionless_jerk, m.spectral_arc_length) {
        (None, None) => "smoothness: nothing moves by more than rounding".to_owned(),
        (jerk, arc) => format!(
            "smoothness: log dimensionless jerk {}, spectral arc length {} (nearer 0 is smoother)",
            jerk.map_or_else(|| "– (none but rounding)".to_owned(), |v| known(Some(v))),
            known(arc)
        ),
    });
    lines
}

fn route(r: &Route) -> Vec<String> {
    let f = &r.flight;
    let c = &f.cross_track_followed;
    let mut lines = vec![
        format!("{} ({}, {:.0} m, {} waypoints), flown by the {}", r.file, r.kind, r.length, r.waypoints, r.of),
        format!(
            "off the route: mean {:.2}, RMS {:.2}, p95 {:.2}, most {:.2} m at frame {}, until frame {}; over all frames most {:.2} m",
            c.mean, c.rms, c.p95, c.peak, c.peak_frame, f.furthest_frame, f.cross_track.peak
        ),
        format!(
            "{} of {} waypoints within {} m, {} in order{}; {:.1} % flown, {:.1} m back",
            f.passed,
            r.waypoints,
            f.waypoint_radius,
            f.passed_in_order,
            if f.missed.is_empty() { String::new() } else { format!(" (missed {})", list(&f.missed)) },
            f.flown_share * 100.0,
            f.backward
        ),
        format!("Hausdorff {:.2} m, Fréchet {:.2} m (± {:.2})", f.hausdorff, f.frechet, f.frechet_step),
    ];
    let g = &r.georeference;
    lines.push(format!(
        "heading {:.2}°, {:.4} m a unit{}: {}",
        g.heading,
        g.scale,
        g.residual.map_or(String::new(), |r| format!(", residual {r:.2} m")),
        g.note
    ));
    lines.extend(r.warnings.iter().map(|warning| format!("beware: {warning}")));
    if let Some(height) = f.above_ground {
        lines
            .push(format!("height above the ground {:.1} to {:.1}, mean {:.1} m", height.min, height.max, height.mean));
    }
    lines
}

fn take_off(t: &TakeOff) -> Vec<String> {
    let height = t.start_height.map_or("starts at an unknown height above the ground".to_owned(), |h| {
        format!("starts {h:.2} m above the ground")
    });
    let percent = |share: &Measured<f64>| share.value().map_or("–".to_owned(), |s| format!("{:.0} %", s * 100.0));
    let span = match t.until {
        Until::Window => format!("in the first {} s", t.window),
        Until::Cut => format!("in the {:.2} s until the first cut", t.seconds),
        Until::Film => format!("in the {:.2} s of the film", t.seconds),
    };
    let mut lines = vec![format!("the {} {height}, rises {:.2} m {span}", t.of, t.rise)];
    if t.drone_in_view.value().is_some() {
        lines.push(format!(
            "in view in {} of the frames, {} of those in the first {} s{}",
            percent(&t.drone_in_view),
            percent(&t.drone_in_view_at_start),
            t.window,
            t.drone_screen_area
                .value()
                .map_or(String::new(), |a| format!(", {:.2} % of the picture on average", a.mean * 100.0))
        ));
        lines.push(format!("in view is: {}", t.in_view_means));
    } else if let Some(why) = t.drone_in_view.why() {
        lines.push(format!("in view: not measured: {why}"));
    }
    lines
}

fn collision(c: &Collision) -> Vec<String> {
    let mut through: Vec<(&str, u64)> = Vec::new();
    for cut in &c.cuts_through {
        match through.iter_mut().find(|(name, _)| *name == cut.object) {
            Some((_, count)) => *count += 1,
            None => through.push((&cut.object, 1)),
        }
    }
    let nearest = c.distance.map_or(String::new(), |d| format!(", nearest surface {:.2} m", d.min));
    let mut lines = vec![format!(
        "{} of {} frames: {} passed through, {} inside, {} glued; {} near{nearest}",
        c.colliding, c.frames, c.passed_through, c.inside, c.glued, c.near
    )];
    if !through.is_empty() {
        let named: Vec<String> = through.iter().map(|(name, count)| format!("{name} ({count})")).collect();
        lines.push(format!(
            "beware: {} cuts go straight on through something solid; a straight jump of {} m or more, or one after which the flight is another, counts as a cut, not as a collision: {}",
            c.cuts_through.len(),
            crate::evidence::collision::LONGEST_HOP,
            named.join(", ")
        ));
    }
    let grave = || c.ranges.iter().filter(|r| super::collision::collides(r.verdict));
    for r in grave().take(SHOWN) {
        let frames =
            if r.first == r.last { format!("frame {}", r.first) } else { format!("frames {}–{}", r.first, r.last) };
        let by = match r.inside_by {
            Some(InsideBy::NearPlane) => " (the near plane cuts it open)",
            _ => "",
        };
        lines.push(format!("{} {frames}: {}{by}", contact_name(r.verdict), r.objects.join(", ")));
    }
    let more = grave().count().saturating_sub(SHOWN);
    if more > 0 {
        lines.push(format!("and {more} more, see metrics.json"));
    }
    lines.extend(c.hops.iter().take(SHOWN).map(|hop| {
        format!("frame {} lies {:.1} m further on: no cut, since the flight goes on as it was", hop.frame, hop.length)
    }));
    if c.unknown > 0 {
        lines.push(format!("{} of {} frames are not known to be clear", c.unknown, c.frames));
    }
    lines.extend(c.untested.kinds.iter().map(|k| {
        let what = match k.kind.as_str() {
            "direct" => "raw WebGL that looks solid, through another camera than the picture's",
            "unreadable" => "triangles that look solid, too large or by a shader that cannot be read",
            "turning" => "things near the camera that turn or move too fast to tell their way",
            "faint" => "raw WebGL that leaves no depth",
            other => other,
        };
        format!(
            "not tested: {what}, {} draws in {} frames ({} in frame {}){}",
            k.draws,
            k.frames,
            k.worst_draws,
            k.worst_frame,
            if k.solid { "" } else { "; they count as nothing to touch" }
        )
    }));
    for w in c.waived.iter().take(SHOWN) {
        let frames =
            if w.first == w.last { format!("frame {}", w.first) } else { format!("frames {}–{}", w.first, w.last) };
        lines.push(format!("counts for nothing: {} {frames}: {} ({})", contact_name(w.verdict), w.object, w.why));
    }
    if let Some(more @ 1..) = c.waived.len().checked_sub(SHOWN) {
        lines.push(format!("and {more} more of these, see metrics.json"));
    }
    lines
}

fn scene(s: &Scene) -> Vec<String> {
    vec![
        format!(
            "{:.0} triangles a frame ({:.0} to {:.0}), {:.0} draws, {:.0} instances, {:.0} programs, {:.1} MB of images (textures, render targets and the canvas itself)",
            s.triangles.mean,
            s.triangles.min,
            s.triangles.max,
            s.draws.mean,
            s.instances.mean,
            s.programs.max,
            s.texture_bytes.max / 1e6
        ),
        format!(
            "{:.0} pedestrians, {:.0} moving by their matrices{}, {:.0} in view at most{}, some in {:.0} % of the frames",
            s.pedestrians.max,
            s.pedestrians_moving.max,
            match s.pedestrians_perhaps_moving.max - s.pedestrians_moving.max {
                more if more > 0.0 => format!(
                    " ({more:.0} more are skinned, morphed or have a shader of their own, and may move otherwise)"
                ),
                _ => String::new(),
            },
            s.pedestrians_visible.max,
            s.pedestrians_unhidden
                .value()
                .map_or(String::new(), |seen| format!(" ({:.0} of them not hidden)", seen.max)),
            s.frames_with_pedestrians * 100.0
        ),
    ]
}

fn cost(c: &Cost) -> Vec<String> {
    fn or<T>(value: &Measured<T>, tell: impl Fn(&T) -> String) -> String {
        value.value().map_or_else(|| format!("not measured ({})", value.why().unwrap_or_default()), tell)
    }
    vec![
        format!(
            "{:.1} s{}, CPU {}, memory {}",
            c.wall,
            c.wall_per_frame.map_or(String::new(), |w| format!(" ({:.1} ms a frame)", w * 1000.0)),
            or(&c.cpu, |t| format!("{:.1} s", t.total)),
            or(&c.peak_memory, |b| format!("{:.0} MB", b.bytes as f64 / 1e6)),
        ),
        format!(
            "GPU {}, energy {}",
            or(&c.gpu, gpu),
            or(&c.energy, |e| format!("{:.0} J ({:.1} W)", e.joules, e.watts))
        ),
    ]
}

fn gpu(t: &GpuTime) -> String {
    let frame = t.frame.map_or(String::new(), |f| {
        format!(" ({:.1} ms a frame, at most {:.1} in frame {})", f.mean, f.peak, f.peak_frame)
    });
    let note = if t.note.is_empty() { String::new() } else { format!(" [{}]", t.note) };
    format!("{:.1} s{frame}{note}", t.seconds)
}

/// `H8 fail  Follows the route: …`
pub fn verdict(rule: &RuleResult) -> String {
    let name = verdict_name(rule.verdict);
    let told: Vec<String> = rule.checks.iter().map(check).collect();
    format!("{:<4}{name:<13}{}: {}", rule.id, rule.title, told.join("; "))
}

pub fn verdict_name(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Pass => "pass",
        Verdict::Fail => "fail",
        Verdict::NotMeasured => "not measured",
        Verdict::NotApplicable => "n/a",
    }
}

fn check(c: &CheckResult) -> String {
    let found = match (&c.not_measured, c.found.as_f64()) {
        (Some(why), _) => return format!("{}: {why}", c.value),
        (None, Some(v)) if v.fract() != 0.0 => format!("{v:.3}"),
        (None, Some(v)) => format!("{v}"),
        (None, None) => c.found.to_string(),
    };
    let state = if c.holds {
        ""
    } else if c.aim {
        ", missed"
    } else {
        ", fails"
    };
    format!("{} {found} ({}{}{state})", c.value, if c.aim { "aim " } else { "" }, c.wanted)
}

/// At most ten numbers.
fn list(numbers: &[u64]) -> String {
    let shown: Vec<_> = numbers.iter().take(10).map(u64::to_string).collect();
    let more = if numbers.len() > 10 { ", …" } else { "" };
    format!("{}{more}", shown.join(", "))
}
