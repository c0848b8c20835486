use super::*;

fn pixel(canvas: &Canvas, x: u32, y: u32) -> [u8; 4] {
    let data = canvas.image_data(x as i32, y as i32, 1, 1);
    [data[0], data[1], data[2], data[3]]
}

fn canvas() -> Canvas {
    Canvas::new(100, 50).unwrap()
}

fn fill_style(canvas: &mut Canvas, css: &str) {
    canvas.state_mut().fill = Style::Color(parse_color(css).unwrap());
}

/// CSS Color 4 examples and CSSOM serialisation.
#[test]
fn colors_parse_and_serialize() {
    let cases = [
        ("#f80", "#ff8800"),
        ("#11223344", "rgba(17, 34, 51, 0.267)"),
        ("rebeccapurple", "#663399"),
        ("RGB(255, 0, 127.6)", "#ff0080"),
        ("rgb(10% 20% 30% / 50%)", "rgba(26, 51, 77, 0.5)"),
        ("hsl(120, 100%, 25%)", "#008000"),
        ("hsla(0.5turn 50% 50% / .25)", "rgba(64, 191, 191, 0.25)"),
        ("hwb(90 20% 40%)", "#669933"),
        ("transparent", "rgba(0, 0, 0, 0)"),
    ];
    for (css, expected) in cases {
        assert_eq!(serialize_color(parse_color(css).unwrap()), expected, "{css}");
    }
    for css in ["", "#12345", "nocolor", "rgb(1, 2)", "hsl(a, b, c)"] {
        assert!(parse_color(css).is_none(), "{css}");
    }
}

/// What Chromium 156's canvas draws with these (`getImageData`); its rounding may differ by one.
#[test]
fn colours_beyond_srgb_are_those_of_chromium() {
    let cases: [(&str, [i32; 3]); 24] = [
        ("oklch(0.7 0.1 200)", [64, 177, 183]),
        ("OKLCH(60% 0.15 50)", [196, 96, 22]),
        ("oklch(0.9 0.4 140)", [0, 255, 0]),
        ("oklab(0.6 0.1 -0.1)", [159, 99, 186]),
        ("oklab(60% 25% -25%)", [159, 99, 186]),
        ("lab(50 20 30)", [161, 105, 69]),
        ("lab(87 -80 80)", [0, 253, 4]),
        ("lch(50 30 40)", [162, 103, 87]),
        ("lch(50% 100% 300)", [86, 65, 255]),
        ("color(srgb 1 0.5 0)", [255, 128, 0]),
        ("color(srgb-linear 0.5 0.2 0.1)", [188, 124, 89]),
        ("color(display-p3 1 0.5 0)", [255, 118, 0]),
        ("color(display-p3 0.2 0.4 0.6)", [26, 104, 157]),
        ("color(a98-rgb 0.2 0.6 0.4)", [0, 154, 99]),
        ("color(prophoto-rgb 0.3 0.4 0.5)", [16, 126, 150]),
        ("color(rec2020 0.3 0.4 0.5)", [66, 118, 142]),
        ("color(xyz 0.3 0.4 0.5)", [92, 184, 181]),
        ("color(xyz-d50 0.3 0.4 0.2)", [122, 184, 127]),
        ("color-mix(in srgb, red, blue)", [128, 0, 128]),
        ("color-mix(in srgb, red 30%, blue)", [77, 0, 179]),
        ("color-mix(in oklab, white, black)", [99, 99, 99]),
        ("color-mix(in oklch, red, blue)", [186, 0, 194]),
        ("color-mix(in hsl, red, lime)", [255, 255, 0]),
        ("color-mix(in srgb, 30% color-mix(in srgb, red, red), rgb(0, 0, 255))", [77, 0, 179]),
    ];
    for (css, expected) in cases {
        let c = parse_color(css).unwrap_or_else(|| panic!("{css}"));
        let got = [c.r, c.g, c.b].map(i32::from);
        assert!(got.iter().zip(expected).all(|(a, b)| (a - b).abs() <= 1), "{css}: {got:?}, not {expected:?}");
        assert_eq!(c.a, 1.0, "{css}");
    }
    let alpha = |css| parse_color(css).map(|c| (c.a * 100.0).round() / 100.0);
    assert_eq!(alpha("oklch(70% 0.1 200deg / 50%)"), Some(0.5));
    assert_eq!(alpha("color-mix(in srgb, red 20%, transparent)"), Some(0.2));
    assert_eq!(alpha("color-mix(in srgb, red 20%, blue 20%)"), Some(0.4));
    for css in [
        "oklch(0.7 0.1)",
        "lab(50, 20, 30)",
        "color(foo 1 1 1)",
        "color-mix(in srgb, red)",
        "color-mix(in no, red, blue)",
    ] {
        assert!(parse_color(css).is_none(), "{css}");
    }
}

#[test]
fn rectangles_fill_clear_and_transform() {
    let mut c = canvas();
    fill_style(&mut c, "#ff0000");
    c.state_mut().transform = kurbo::Affine::translate((10.0, 5.0)) * kurbo::Affine::scale(2.0);
    c.fill_rect([0.0, 0.0, 10.0, 10.0]);
    assert_eq!(pixel(&c, 9, 5), [0, 0, 0, 0]);
    assert_eq!(pixel(&c, 10, 5), [255, 0, 0, 255]);
    assert_eq!(pixel(&c, 29, 24), [255, 0, 0, 255]);
    assert_eq!(pixel(&c, 30, 25), [0, 0, 0, 0]);
    c.clear_rect([1.0, 1.0, 2.0, 2.0]);
    assert_eq!(pixel(&c, 12, 7), [0, 0, 0, 0]);
    assert_eq!(pixel(&c, 16, 11), [255, 0, 0, 255]);
}

/// WPT 2d.gradient.interpolate.solid and .overlap: halfway between black and white is mid grey.
#[test]
fn linear_gradients_interpolate() {
    let mut c = canvas();
    let mut gradient = Gradient::linear([0.0, 0.0, 100.0, 0.0]);
    gradient.add_stop(1.0, parse_color("white").unwrap());
    gradient.add_stop(0.0, parse_color("black").unwrap());
    c.state_mut().fill = Style::Gradient(std::rc::Rc::new(std::cell::RefCell::new(gradient)));
    c.fill_rect([0.0, 0.0, 100.0, 50.0]);
    for x in [0u32, 25, 50, 99] {
        let expected = (f64::from(x) + 0.5) / 100.0 * 255.0;
        assert!((f64::from(pixel(&c, x, 20)[0]) - expected).abs() <= 1.0, "{x}: {:?}", pixel(&c, x, 20));
    }
}

/// WPT 2d.path.arc.angle.3 and friends: the whole circle and nothing but it.
#[test]
fn arcs_cover_their_disc() {
    let mut c = canvas();
    fill_style(&mut c, "#00ff00");
    let (path, transform) = c.path_mut();
    path.ellipse((50.0, 25.0), (20.0, 20.0), 0.0, (0.0, std::f64::consts::TAU), false, transform).unwrap();
    c.fill(None, FillRule::NonZero);
    assert_eq!(pixel(&c, 50, 25), [0, 255, 0, 255]);
    assert_eq!(pixel(&c, 69, 25)[3], 255);
    assert_eq!(pixel(&c, 66, 41)[3], 0);
    let covered: f64 = c.pixels().chunks_exact(4).map(|p| f64::from(p[3]) / 255.0).sum();
    assert!((covered - std::f64::consts::PI * 400.0).abs() < 4.0, "{covered}");
    let (path, transform) = c.path_mut();
    assert_eq!(
        path.ellipse((0.0, 0.0), (-1.0, 1.0), 0.0, (0.0, 1.0), false, transform),
        Err(PathError::NegativeRadius)
    );
}

/// Which quarters of the disc, from the lower right clockwise, and whether its middle is painted: Chromium 150.
#[test]
fn arcs_go_round_the_way_they_are_told() {
    use std::f64::consts::{FRAC_PI_2, PI, TAU};
    let cases = [
        (0.0, TAU, true, "11111"),
        (0.0, TAU, false, "11111"),
        (0.0, -TAU, true, "11111"),
        (0.0, -TAU, false, "11111"),
        (1.0, 1.0, true, "00000"),
        (0.0, PI, true, "00110"),
        (0.0, -FRAC_PI_2, true, "00010"),
        (0.0, -FRAC_PI_2, false, "11101"),
        (0.0, TAU + FRAC_PI_2, true, "01111"),
        (0.0, -3.0 * PI, false, "11001"),
    ];
    for (start, end, counterclockwise, expected) in cases {
        let mut c = canvas();
        let (path, transform) = c.path_mut();
        path.ellipse((50.0, 25.0), (20.0, 20.0), 0.0, (start, end), counterclockwise, transform).unwrap();
        c.fill(None, FillRule::NonZero);
        let painted: String = [(63, 36), (36, 36), (36, 13), (63, 13), (50, 25)]
            .map(|(x, y)| if pixel(&c, x, y)[3] > 127 { '1' } else { '0' })
            .iter()
            .collect();
        assert_eq!(painted, expected, "{start} to {end}, {counterclockwise}");
    }
}

/// A rectangle with rounded corners by four `arcTo`: its area is known, whichever way it goes round.
#[test]
fn arc_to_rounds_a_corner() {
    for points in
        [[(90.0, 5.0), (90.0, 45.0), (10.0, 45.0), (10.0, 5.0)], [(10.0, 45.0), (90.0, 45.0), (90.0, 5.0), (10.0, 5.0)]]
    {
        let mut c = canvas();
        let (path, transform) = c.path_mut();
        let middle = |a: (f64, f64), b: (f64, f64)| [(a.0 + b.0) / 2.0, (a.1 + b.1) / 2.0];
        let [x, y] = middle(points[3], points[0]);
        path.move_to(x, y, transform);
        for i in 0..4 {
            let (a, b) = (points[i], points[(i + 1) % 4]);
            path.arc_to([a.0, a.1, b.0, b.1, 15.0], transform).unwrap();
        }
        c.fill(None, FillRule::NonZero);
        let covered: f64 = c.pixels().chunks_exact(4).map(|p| f64::from(p[3]) / 255.0).sum();
        let expected = 80.0 * 40.0 - (4.0 - std::f64::consts::PI) * 225.0;
        // The four arcs are flattened to within a twentieth of a pixel.
        assert!((covered - expected).abs() < 15.0 * std::f64::consts::TAU / 20.0, "{covered}, not {expected}");
        assert_eq!((pixel(&c, 11, 6)[3], pixel(&c, 14, 20)[3], pixel(&c, 50, 6)[3]), (0, 255, 255));
    }
}

/// Porter-Duff on opaque and empty pixels (Compositing 1 §9).
#[test]
fn compositing_follows_porter_duff() {
    // (mode, over painted, over empty, painted outside the new shape)
    type Case = (&'static str, [u8; 4], [u8; 4], [u8; 4]);
    let cases: [Case; 6] = [
        ("source-over", [0, 255, 0, 255], [0, 255, 0, 255], [255, 0, 0, 255]),
        ("destination-over", [255, 0, 0, 255], [0, 255, 0, 255], [255, 0, 0, 255]),
        ("source-in", [0, 255, 0, 255], [0, 0, 0, 0], [0, 0, 0, 0]),
        ("destination-out", [0, 0, 0, 0], [0, 0, 0, 0], [255, 0, 0, 255]),
        ("copy", [0, 255, 0, 255], [0, 255, 0, 255], [0, 0, 0, 0]),
        ("xor", [0, 0, 0, 0], [0, 255, 0, 255], [255, 0, 0, 255]),
    ];
    for (mode, over, empty, outside) in cases {
        let mut c = canvas();
        fill_style(&mut c, "red");
        c.fill_rect([0.0, 0.0, 50.0, 50.0]);
        assert!(c.state_mut().set_composite(mode));
        fill_style(&mut c, "lime");
        c.fill_rect([25.0, 0.0, 50.0, 50.0]);
        assert_eq!([pixel(&c, 40, 20), pixel(&c, 60, 20), pixel(&c, 10, 20)], [over, empty, outside], "{mode}");
    }
}

#[test]
fn clip_and_restore() {
    let mut c = canvas();
    c.save();
    let (path, transform) = c.path_mut();
    path.rect([10.0, 10.0, 20.0, 20.0], transform);
    c.clip(None, FillRule::NonZero);
    c.fill_rect([0.0, 0.0, 100.0, 50.0]);
    assert_eq!(pixel(&c, 15, 15)[3], 255);
    assert_eq!(pixel(&c, 5, 5)[3], 0);
    c.restore();
    c.fill_rect([0.0, 0.0, 100.0, 50.0]);
    assert_eq!(pixel(&c, 5, 5)[3], 255);
}

#[test]
fn image_data_round_trips_and_images_scale() {
    let mut c = canvas();
    let data: Vec<u8> = (0..16).flat_map(|i| [i * 10, 255 - i * 10, i, 255]).collect();
    c.put_image_data(&data, (4, 4), 3, 2, [0, 0, 4, 4]);
    assert_eq!(c.image_data(3, 2, 4, 4), data);
    assert_eq!(&c.image_data(-1, 2, 2, 1)[..4], [0, 0, 0, 0]);
    let bitmap = Bitmap::new(2, 1, &[255, 0, 0, 255, 0, 0, 255, 255], false).unwrap();
    c.state_mut().smoothing = Smoothing::Off;
    c.draw_image(&bitmap, [0.0, 0.0, 2.0, 1.0], [20.0, 10.0, 40.0, 20.0]);
    assert_eq!(pixel(&c, 39, 15), [255, 0, 0, 255]);
    assert_eq!(pixel(&c, 40, 15), [0, 0, 255, 255]);
    assert_eq!(pixel(&c, 60, 15)[3], 0);
}

#[test]
fn dashes_and_caps() {
    let mut c = canvas();
    c.state_mut().line_width = 4.0;
    c.state_mut().dash = vec![10.0, 10.0];
    let (path, transform) = c.path_mut();
    path.move_to(0.0, 20.0, transform);
    path.line_to(100.0, 20.0, transform);
    c.stroke(None);
    assert_eq!([5u32, 15, 25].map(|x| pixel(&c, x, 20)[3]), [255, 0, 255]);
    assert_eq!(pixel(&c, 5, 23)[3], 0);
}

/// DejaVu Sans: advance of "H" is 1540 of 2048 units, cap height 1493 (the font's own tables).
#[test]
fn text_is_measured_and_drawn() {
    let mut c = Canvas::new(200, 100).unwrap();
    assert_eq!(
        c.state_mut().set_font("bold 20px 'Times New Roman', serif").unwrap(),
        "bold 20px \"Times New Roman\", serif"
    );
    assert!(c.state_mut().set_font("20px").is_none());
    c.state_mut().set_font("64px sans-serif").unwrap();
    let metrics = c.measure_text("H");
    assert!((metrics.width - 64.0 * 1540.0 / 2048.0).abs() < 0.01, "{metrics:?}");
    assert!((metrics.actual_ascent - 64.0 * 1493.0 / 2048.0).abs() < 0.5, "{metrics:?}");
    c.fill_text("H", 10.0, 80.0, None);
    let covered: u64 = c.pixels().chunks_exact(4).map(|p| u64::from(p[3])).sum();
    assert!(covered / 255 > 500, "{covered}");
    assert_eq!(pixel(&c, 100, 50)[3], 0);
    assert_eq!(c.measure_text("").width, 0.0);
}

/// A Gaussian keeps the sum; Filter Effects 1 maps for the rest.
#[test]
fn filters_apply() {
    let mut c = canvas();
    assert!(c.state_mut().set_filter("invert(1) opacity(50%)"));
    fill_style(&mut c, "#ff0000");
    c.fill_rect([0.0, 0.0, 10.0, 10.0]);
    let [r, g, b, a] = pixel(&c, 5, 5);
    assert!(r <= 1 && g >= 254 && b >= 254 && (127..=128).contains(&a), "{:?}", [r, g, b, a]);
    assert!(!c.state_mut().set_filter("nothing(1)"));
    let mut c = canvas();
    assert!(c.state_mut().set_filter("blur(3px)"));
    c.fill_rect([40.0, 20.0, 10.0, 10.0]);
    let covered: f64 = c.pixels().chunks_exact(4).map(|p| f64::from(p[3]) / 255.0).sum();
    assert!((covered - 100.0).abs() < 3.0, "{covered}");
    assert!(pixel(&c, 37, 25)[3] > 0 && pixel(&c, 45, 25)[3] < 255);
}

/// A half-plane blurred: the integral of the normal distribution, 0.5 at its edge, 0.1587 one deviation outside.
#[test]
fn a_wide_blur_is_close_to_a_gaussian() {
    let mut layer = tiny_skia::Pixmap::new(1300, 1300).unwrap();
    for row in layer.data_mut().chunks_exact_mut(1300 * 4) {
        row[..650 * 4].fill(255);
    }
    filter::blur(&mut layer, 120.0);
    let at = |x: usize| f64::from(layer.data()[(650 * 1300 + x) * 4 + 3]);
    for (x, expected) in [(650, 127.5), (770, 255.0 * 0.1587), (530, 255.0 * 0.8413)] {
        assert!((at(x) - expected).abs() < 3.0, "{x}: {} instead of {expected}", at(x));
    }
    // However wide, it takes no longer.
    filter::blur(&mut layer, 1e9);
    assert_eq!(layer.data()[3], 0);
}
