use super::*;

/// ITU-R BT.709-6 item 3.2–3.4 and H.264 Annex E, in f64.
fn closed_form(r: f64, g: f64, b: f64) -> [f64; 3] {
    let (kr, kb) = (0.2126, 0.0722);
    let y = (kr * r + (1.0 - kr - kb) * g + kb * b) / 255.0;
    let cb = (b / 255.0 - y) / (2.0 * (1.0 - kb));
    let cr = (r / 255.0 - y) / (2.0 * (1.0 - kr));
    [16.0 + 219.0 * y, 128.0 + 224.0 * cb, 128.0 + 224.0 * cr]
}

fn convert(rgba: &[u8], width: u32, height: u32, background: [u8; 3]) -> Yuv420 {
    let mut out = Yuv420::black(width, height).unwrap();
    rgba_to_yuv420(rgba, background, &mut out).unwrap();
    out
}

fn noise(len: usize) -> Vec<u8> {
    let mut state = 1u64;
    (0..len)
        .map(|_| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 56) as u8
        })
        .collect()
}

#[test]
fn every_colour_of_a_33_step_cube_is_the_rounded_closed_form_or_one_off() {
    let steps: Vec<u8> = (0..33).map(|i| (i * 255 / 32) as u8).collect();
    let mut off = 0;
    for &r in &steps {
        for &g in &steps {
            for &b in &steps {
                let out = convert(&[r, g, b, 255].repeat(4), 2, 2, [0; 3]);
                let exact = closed_form(f64::from(r), f64::from(g), f64::from(b));
                for (got, want) in [out.y[0], out.cb[0], out.cr[0]].into_iter().zip(exact) {
                    assert!((f64::from(got) - want).abs() < 0.52, "{r},{g},{b}: {got} for {want}");
                    off += u32::from(f64::from(got) != want.round());
                }
            }
        }
    }
    // Only values within 0.02 of a rounding boundary may differ: well under 2 % of 107,811.
    assert!(off < 2000, "{off}");
}

#[test]
fn greys_are_neutral_and_the_primaries_have_the_values_of_the_standard() {
    for v in 0..=255u8 {
        let out = convert(&[v, v, v, 255].repeat(4), 2, 2, [0; 3]);
        assert_eq!((out.cb[0], out.cr[0]), (128, 128), "grey {v}");
        assert_eq!(out.y[0], (16.0 + 219.0 * f64::from(v) / 255.0).round() as u8, "grey {v}");
    }
    let of = |rgb: [u8; 3]| {
        let out = convert(&[rgb[0], rgb[1], rgb[2], 255].repeat(4), 2, 2, [0; 3]);
        [out.y[0], out.cb[0], out.cr[0]]
    };
    // 100 % colour bars, BT.709 limited, 8 bit.
    assert_eq!(of([255, 255, 255]), [235, 128, 128]);
    assert_eq!(of([0, 0, 0]), [16, 128, 128]);
    assert_eq!(of([255, 0, 0]), [63, 102, 240]);
    assert_eq!(of([0, 255, 0]), [173, 42, 26]);
    assert_eq!(of([0, 0, 255]), [32, 240, 118]);
    assert_eq!(of([255, 255, 0]), [219, 16, 138]);
    assert_eq!(of([0, 255, 255]), [188, 154, 16]);
    assert_eq!(of([255, 0, 255]), [78, 214, 230]);
}

#[test]
fn chroma_is_sited_left_and_filtered_as_documented() {
    let (w, h) = (38u32, 130u32);
    let rgba: Vec<u8> = noise((w * h * 4) as usize).chunks_exact(4).flat_map(|p| [p[0], p[1], p[2], 255]).collect();
    let out = convert(&rgba, w, h, [0; 3]);
    let at = |x: i64, y: i64, c: usize| {
        let x = x.clamp(0, i64::from(w) - 1);
        i64::from(rgba[((y * i64::from(w) + x) * 4) as usize + c])
    };
    for cy in 0..i64::from(h / 2) {
        for cx in 0..i64::from(w / 2) {
            let rgb = [0, 1, 2].map(|c| {
                let row = |y| at(2 * cx - 1, y, c) + 2 * at(2 * cx, y, c) + at(2 * cx + 1, y, c);
                (row(2 * cy) + row(2 * cy + 1)) as f64 / 8.0
            });
            let exact = closed_form(rgb[0], rgb[1], rgb[2]);
            let i = (cy * i64::from(w / 2) + cx) as usize;
            assert!((f64::from(out.cb[i]) - exact[1]).abs() < 0.52);
            assert!((f64::from(out.cr[i]) - exact[2]).abs() < 0.52);
        }
    }
}

#[test]
fn straight_alpha_goes_over_the_background() {
    let px = [200, 100, 50, 128];
    let out = convert(&px.repeat(4), 2, 2, [0, 0, 255]);
    let mix = |c: f64, bg: f64| ((c * 128.0 + bg * 127.0) / 255.0).round();
    let exact = closed_form(mix(200.0, 0.0), mix(100.0, 0.0), mix(50.0, 255.0));
    assert!((f64::from(out.y[0]) - exact[0]).abs() < 0.52);
    assert!((f64::from(out.cb[0]) - exact[1]).abs() < 0.52);
    let clear = convert(&[9, 9, 9, 0].repeat(4), 2, 2, [0; 3]);
    assert_eq!((clear.y[0], clear.cb[0], clear.cr[0]), (16, 128, 128));
}

#[test]
fn bytes_do_not_depend_on_the_number_of_threads() {
    let (w, h) = (64, 200);
    let rgba = noise(w * h * 4);
    let run = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| convert(&rgba, w as u32, h as u32, [1, 2, 3]))
    };
    let one = run(1);
    assert_eq!(one, run(2));
    assert_eq!(one, run(8));
}

#[test]
fn a_short_source_is_refused() {
    let mut out = Yuv420::black(4, 4).unwrap();
    let error = rgba_to_yuv420(&[0; 63], [0; 3], &mut out);
    assert_eq!(error, Err(ColorError::Length { width: 4, height: 4, expected: 64, actual: 63 }));
}
