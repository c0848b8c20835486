use super::*;

fn limits(frames: u64) -> RateLimits {
    RateLimits { window: 30, window_bits: 20_000_000, total_bits: 1_600_000_000, frames, pixels: 1080 * 1920 }
}

/// The largest sum over `window` neighbours: the promise, checked from outside.
fn worst_window(bits: &[u64], window: usize) -> u64 {
    bits.windows(window.min(bits.len())).map(|w| w.iter().sum()).max().unwrap_or(0)
}

/// A codec whose pictures take `complexity(i)` bits at quantiser 0, halving every six steps, but never
/// under `least`; it obeys caps the way `h264` does. Gives the bits of each picture and the retries.
fn drive(limits: RateLimits, least: u64, complexity: impl Fn(u64) -> f64) -> (Vec<u64>, u32) {
    let mut control = RateControl::new(limits);
    let mut sent = Vec::new();
    let mut retries = 0;
    for i in 0..limits.frames {
        let activity = Activity { spatial: 20.0, temporal: 20.0 };
        let kind = if i % 60 == 0 { PictureKind::Intra } else { PictureKind::Inter };
        let size = |qp: u8| ((complexity(i) / (f64::from(qp) / 6.0).exp2()) as u64).max(least);
        let plan = control.plan(kind, activity);
        let mut qp = plan.qp;
        control.learn(kind, activity, qp, size(qp));
        while size(qp) > plan.cap
            && let Some(coarser) = control.retry(activity, qp, size(qp), plan.cap)
        {
            qp = coarser;
            retries += 1;
        }
        let bits = size(qp).min(plan.cap);
        control.spend(bits);
        sent.push(bits);
    }
    (sent, retries)
}

#[test]
fn calm_content_keeps_the_base_quantiser() {
    let mut control = RateControl::new(limits(300));
    let calm = Activity { spatial: 1.5, temporal: 0.5 };
    for i in 0..300 {
        let kind = if i % 60 == 0 { PictureKind::Intra } else { PictureKind::Inter };
        let plan = control.plan(kind, calm);
        assert_eq!(plan.qp, if i % 60 == 0 { 18 } else { 20 }, "picture {i}");
        let bits = if i % 60 == 0 { 900_000 } else { 200_000 };
        assert!(bits <= plan.cap);
        control.learn(kind, calm, plan.qp, bits);
        control.spend(bits);
    }
}

#[test]
fn heavy_content_stays_under_the_window_with_few_second_codings_and_wastes_little() {
    let (sent, retries) = drive(limits(600), 1000, |_| 60e6);
    assert!(worst_window(&sent, 30) <= 20_000_000);
    assert!(retries < 20, "{retries}");
    let mean = sent[60..].iter().sum::<u64>() as f64 / 540.0 * 30.0;
    assert!(mean > 12e6, "{mean} of 20 Mbit/s used");
}

#[test]
fn bursts_and_cuts_stay_under_the_window() {
    for period in [7, 31, 97] {
        let (sent, _) = drive(limits(500), 1000, |i| if i / period % 2 == 0 { 2e6 } else { 900e6 });
        assert!(worst_window(&sent, 30) <= 20_000_000, "period {period}");
    }
}

#[test]
fn a_long_track_stays_under_the_total() {
    let mut l = limits(9000);
    l.total_bits = 200_000_000;
    let (sent, _) = drive(l, 1000, |i| if i % 1000 < 500 { 60e6 } else { 1e6 });
    assert!(sent.iter().sum::<u64>() <= l.total_bits);
    // The end is not starved: the last second gets at least half of an even share.
    let last: u64 = sent[8970..].iter().sum();
    assert!(last as f64 > 200e6 / 9000.0 * 30.0 * 0.5 || sent[8969] < 200_000, "{last}");
}

#[test]
fn the_cap_never_leaves_a_later_picture_without_room() {
    let l = limits(400);
    let mut control = RateControl::new(l);
    let mut sent = Vec::new();
    for _ in 0..l.frames {
        let cap = control.cap();
        assert!(cap as f64 >= control.least_bits() * 0.99, "{cap}");
        control.spend(cap);
        sent.push(cap);
    }
    assert!(worst_window(&sent, 30) <= l.window_bits);
}
