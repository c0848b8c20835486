use std::path::Path;

use super::*;
use crate::encode::png;
use crate::frame::FrameRate;

/// A folder of flat gray pictures, one a value.
fn folder(path: &Path, values: &[u8], (width, height): (u32, u32)) -> Source {
    std::fs::create_dir_all(path).unwrap();
    for (i, &v) in values.iter().enumerate() {
        let rgba = [v, v, v, 255].repeat((width * height) as usize);
        png::write(path, i as u64, &rgba, width, height).unwrap();
    }
    Source::open(path).unwrap()
}

fn pixel(picture: &Picture, x: u32, y: u32) -> [u8; 4] {
    picture.rgba[((y * picture.width + x) * 4) as usize..][..4].try_into().unwrap()
}

fn thirty(frames: u64) -> FrameTimes {
    FrameTimes::constant(FrameRate::new(30, 1).unwrap(), frames)
}

#[test]
fn the_default_is_the_benchmarks_sixteen() {
    // Seed 000: every 3.625 s from 0 to 54.4 s of 58 s at 30 fps; the frame then on screen.
    let frames = Choice::Even.frames(1740, Some(&thirty(1740)), None).unwrap();
    let expected = [0, 108, 217, 326, 435, 543, 652, 761, 870, 978, 1087, 1196, 1305, 1413, 1522, 1631];
    assert_eq!(frames, expected);
    // The same without a clock, and by time.
    assert_eq!(Choice::Even.frames(1740, None, None).unwrap(), expected);
    let every = Choice::Every { num: 3625, den: 1000 };
    assert_eq!(every.frames(1740, Some(&thirty(1740)), None).unwrap(), expected);
}

#[test]
fn even_spacing_is_in_time_where_frames_are_uneven() {
    // Ten frames of one tick, then one that stays for ninety.
    let line = FrameTimes { scale: 10, starts: (0..11).collect(), end: 100 };
    let grid = Some("2x2".parse().unwrap());
    assert_eq!(Choice::Even.frames(11, Some(&line), grid).unwrap(), [0, 10]);
}

#[test]
fn choices_are_checked() {
    let line = thirty(10);
    assert_eq!(Choice::Frames(vec![9, 0]).frames(10, None, None).unwrap(), [9, 0]);
    let beyond = Choice::Frames(vec![3, 10]).frames(10, None, None);
    assert!(matches!(beyond, Err(ReportError::FrameOutOfRange { frame: 10, last: 9 })));
    assert!(matches!(Choice::Even.frames(0, None, None), Err(ReportError::NoFrames)));
    let every = Choice::Every { num: 1, den: 10 };
    assert!(matches!(every.frames(10, None, None), Err(ReportError::NoRate)));
    assert_eq!(every.frames(10, Some(&line), None).unwrap(), [0, 3, 6, 9]);
    assert_eq!(every.frames(10, Some(&line), Some("2x1".parse().unwrap())).unwrap(), [0, 3]);
    let grid = |frames, asked: Option<&str>| {
        Grid::for_frames(frames, &Choice::Frames(vec![]), asked.map(|g| g.parse().unwrap())).map(|g| g.to_string())
    };
    assert_eq!(grid(3, None).unwrap(), "2x2");
    assert_eq!(grid(7, None).unwrap(), "3x3");
    assert_eq!(grid(1, None).unwrap(), "1x1");
    assert_eq!(grid(15, Some("5x3")).unwrap(), "5x3");
    assert!(matches!(grid(16, Some("5x3")), Err(ReportError::GridTooSmall { frames: 16, .. })));
    for bad in ["4", "0x4", "4x101", "axb", "4x4x4", "-1x2"] {
        assert!(bad.parse::<Grid>().is_err(), "{bad}");
    }
}

#[test]
fn cells_keep_the_pictures_shape_and_never_touch() {
    assert_eq!(layout::cell_size(&[(1080, 1920)], None), (270, 480));
    assert_eq!(layout::cell_size(&[(1920, 1080)], None), (480, 270));
    assert_eq!(layout::cell_size(&[(1080, 1920)], Some(100)), (100, 178));
    assert_eq!(layout::cell_size(&[(1920, 1080), (1080, 1920)], Some(90)), (90, 160));
    assert_eq!(layout::fit((1920, 1080), (90, 160)), (90, 51));
    assert_eq!(layout::fit((1, 9000), (90, 160)), (1, 160));
    let layout = Layout::new("4x4".parse().unwrap(), (270, 480), false);
    let (width, height) = layout.size().unwrap();
    for place in 0..16 {
        let (x, y) = layout.cell_at(place);
        assert!(x + 270 < width && y + 480 < height, "{place}");
        let (baseline, size) = layout.label_at(place);
        let strip = f64::from(y + 480);
        assert!(baseline - size > strip && (place / 4 == 3 || baseline < f64::from(layout.cell_at(place + 4).1)));
    }
    assert_eq!(width, 4 * 270 + 3 * 8 + 2 * 12);
    let huge = Layout::new("100x100".parse().unwrap(), (270, 480), false);
    assert!(matches!(huge.size(), Err(ReportError::TooLarge { .. })));
}

#[test]
fn each_cell_shows_its_frame() {
    let dir = tempfile::tempdir().unwrap();
    let values: Vec<u8> = (0..32).map(|i| i * 8).collect();
    let mut source = folder(dir.path(), &values, (120, 60));
    let sheet = make(&mut source, &Settings::default(), None).unwrap();
    assert_eq!(sheet.frames, (0..16).map(|k| k * 2).collect::<Vec<_>>());
    assert_eq!(sheet.layout.cell, (120, 60));
    assert_eq!((sheet.picture.width, sheet.picture.height), sheet.layout.size().unwrap());
    for place in 0..16 {
        let (x, y) = sheet.layout.cell_at(place);
        let v = values[place * 2];
        for (dx, dy) in [(0, 0), (119, 59)] {
            assert_eq!(pixel(&sheet.picture, x + dx, y + dy), [v, v, v, 255], "{place}");
        }
        assert_eq!(pixel(&sheet.picture, x - 1, y)[..3], [0x16, 0x18, 0x1b]);
        // Something is written under it.
        let label = (y + 62..y + 84).any(|y| (x..x + 120).any(|x| pixel(&sheet.picture, x, y)[0] > 120));
        assert!(label, "{place}");
    }
    assert!(sheet.times.iter().all(Option::is_none));
}

#[test]
fn a_short_film_leaves_cells_empty_and_bytes_repeat() {
    let dir = tempfile::tempdir().unwrap();
    let mut source = folder(dir.path(), &[10, 200], (64, 64));
    let settings = Settings {
        grid: Some("2x2".parse().unwrap()),
        cell_width: Some(160),
        times: Some(FrameTimes::constant(FrameRate::new(25, 1).unwrap(), 2)),
        title: Some("A".to_owned()),
        ..Settings::default()
    };
    let bytes = |source: &mut Source, format: crate::report::Format| {
        let sheet = make(source, &settings, None).unwrap();
        assert_eq!((sheet.frames.len(), sheet.times[1]), (2, Some(0.04)));
        let (x, y) = sheet.layout.cell_at(3);
        assert_eq!(pixel(&sheet.picture, x + 80, y + 80)[..3], [0x1f, 0x22, 0x26]);
        format.encode(&sheet.picture).unwrap()
    };
    for format in [crate::report::Format::Png, crate::report::Format::Jpeg(90)] {
        assert_eq!(bytes(&mut source, format), bytes(&mut source, format));
    }
}

#[test]
fn pictures_of_another_shape_stand_in_the_middle_over_black() {
    let dir = tempfile::tempdir().unwrap();
    let mut source = folder(dir.path(), &[255], (100, 50));
    let settings = Settings { choice: Choice::Frames(vec![0]), ..Settings::default() };
    let sheet = make(&mut source, &settings, Some((100, 150))).unwrap();
    let (x, y) = sheet.layout.cell_at(0);
    let column: Vec<u8> = [0, 49, 50, 99, 100, 149].iter().map(|dy| pixel(&sheet.picture, x + 50, y + dy)[0]).collect();
    assert_eq!(column, [0, 0, 255, 255, 0, 0]);
}

#[test]
fn times_are_written_for_people() {
    assert_eq!(clock(3.6), "3.600 s");
    assert_eq!(clock(0.0), "0.000 s");
    assert_eq!(clock(59.9996), "1:00.000");
    assert_eq!(clock(3723.5), "62:03.500");
    assert_eq!(label(Labels::Places, 4, 900, Some(30.0)), ["5", ""]);
    assert_eq!(label(Labels::Times, 4, 900, Some(30.0)), ["30.000 s", "frame 900"]);
}

/// What ffmpeg writes to standard output.
fn ffmpeg(args: &[&str]) -> Vec<u8> {
    let out = std::process::Command::new("ffmpeg")
        .args(["-v", "error", "-y"])
        .args(args)
        .output()
        .unwrap_or_else(|e| panic!("this test needs `ffmpeg` (Debian package ffmpeg): {e}"));
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    out.stdout
}

#[test]
fn a_cell_of_a_foreign_film_is_the_frame_that_ffmpeg_extracts() {
    let dir = tempfile::tempdir().unwrap();
    let film = dir.path().join("film.mp4");
    let film = film.to_str().unwrap();
    // Smooth in space, so that how chroma and pixels are averaged matters little; five codes brighter each frame, so
    // that a neighbouring frame is told apart.
    let picture = "geq=lum='clip(40+100*X/W+5*N,16,235)':cb='96+64*Y/H':cr='160-64*X/W'";
    let source = format!("nullsrc=size=216x384:rate=25:duration=0.8,format=yuv420p,{picture}");
    let tags = "-color_primaries bt709 -color_trc bt709 -colorspace bt709 -color_range tv";
    let coder = "-c:v libx264 -profile:v high -preset fast -bf 0 -crf 10 -pix_fmt yuv420p";
    let options: Vec<&str> = coder.split(' ').chain(tags.split(' ')).collect();
    ffmpeg(&[&["-f", "lavfi", "-i", &source], &options[..], &[film]].concat());
    let mut source = Source::open(Path::new(film)).unwrap();
    let settings = Settings {
        grid: Some("3x1".parse().unwrap()),
        choice: Choice::Every { num: 1, den: 4 },
        cell_width: Some(108),
        times: FrameTimes::of(Path::new(film), source.len()),
        ..Settings::default()
    };
    let sheet = make(&mut source, &settings, None).unwrap();
    // 0.25 s is frame 6 (0.24 s) at 25 fps, 0.5 s frame 12 (0.48 s).
    assert_eq!(sheet.frames, [0, 6, 12]);
    assert_eq!(sheet.times, [Some(0.0), Some(0.24), Some(0.48)]);
    for (place, frame) in sheet.frames.iter().enumerate() {
        let filter = format!(
            "select=eq(n\\,{frame}),scale=108:192:flags=area+accurate_rnd+full_chroma_int+full_chroma_inp:\
             in_color_matrix=bt709:in_range=tv:out_range=pc,format=rgb24"
        );
        let theirs = ffmpeg(&["-i", film, "-vf", &filter, "-frames:v", "1", "-f", "rawvideo", "-"]);
        assert_eq!(theirs.len(), 108 * 192 * 3);
        let (left, top) = sheet.layout.cell_at(place);
        let (mut worst, mut sum) = (0, 0);
        for y in 0..192 {
            for x in 0..108 {
                let ours = pixel(&sheet.picture, left + x, top + y);
                for (a, b) in ours.iter().zip(&theirs[((y * 108 + x) * 3) as usize..][..3]) {
                    worst = worst.max(a.abs_diff(*b));
                    sum += u64::from(a.abs_diff(*b));
                }
            }
        }
        // Both round twice (matrix, mean): one code each; chroma, half a sample off at 0.6 codes a pixel, gives up to
        // 0.45 · 1.86 more. The frames next to it are 5.8 codes away.
        let mean = sum as f64 / f64::from(108 * 192 * 3);
        assert!(worst <= 3 && mean < 1.0, "frame {frame}: {worst} at worst, {mean} in the mean");
    }
}

/// Turns of a film as a camera writes them: `tkhd`'s matrix (ISO/IEC 14496-12 §6.2.2) set in the file's bytes.
fn with_matrix(film: &Path, matrix: [i32; 4]) {
    let mut bytes = std::fs::read(film).unwrap();
    let at = bytes.windows(4).position(|w| w == b"tkhd").unwrap() + 4 + 40;
    let [a, b, c, d] = matrix;
    let one = 0x1_0000;
    let words = [a * one, b * one, 0, c * one, d * one, 0, 0, 0, 0x4000_0000];
    bytes[at..at + 36].copy_from_slice(&words.map(i32::to_be_bytes).concat());
    std::fs::write(film, bytes).unwrap();
}

#[test]
fn a_turned_film_of_wide_pixels_is_shown_as_ffmpeg_shows_it() {
    let dir = tempfile::tempdir().unwrap();
    let picture = "geq=lum='clip(40+150*X/W+30*Y/H,16,235)':cb='96+64*Y/H':cr='160-64*X/W'";
    let source = format!("nullsrc=size=160x120:rate=25:duration=0.12,format=yuv420p,{picture}");
    let tags = "-color_primaries bt709 -color_trc bt709 -colorspace bt709 -color_range tv -c:v libx264 -bf 0 -crf 8";
    let plain = [1, 0, 0, 1];
    for (name, filter, matrix) in [
        ("wide", "setsar=2/1", plain),
        ("narrow", "setsar=8/9", plain),
        ("right", "setsar=1", [0, 1, -1, 0]),
        ("over", "setsar=1", [-1, 0, 0, -1]),
        ("left", "setsar=1", [0, -1, 1, 0]),
        ("mirror", "setsar=1", [-1, 0, 0, 1]),
        ("wide-right", "setsar=2/1", [0, 1, -1, 0]),
    ] {
        let film = dir.path().join(format!("{name}.mp4"));
        let path = film.to_str().unwrap();
        let graph = format!("{source},{filter}");
        ffmpeg(&[&["-f", "lavfi", "-i", &graph], &tags.split(' ').collect::<Vec<_>>()[..], &[path]].concat());
        with_matrix(&film, matrix);
        let mut source = Source::open(&film).unwrap();
        let settings = Settings { cell_width: Some(120), choice: Choice::Frames(vec![1]), ..Settings::default() };
        let shown = pictures(&mut source, &settings, Ok).unwrap().remove(0);
        let (width, height) = (shown.picture.width, shown.picture.height);
        // ffmpeg turns by itself, and tells the shape that is left.
        let text = String::from_utf8(ffmpeg(&[
            "-i",
            path,
            "-vf",
            "scale=iw*sar:ih,setsar=1",
            "-frames:v",
            "1",
            "-f",
            "framecrc",
            "-",
        ]))
        .unwrap();
        let size = text.lines().find_map(|line| line.strip_prefix("#dimensions 0: ")).unwrap();
        let (w, h) = size.split_once('x').map(|(w, h)| (w.parse::<f64>().unwrap(), h.parse::<f64>().unwrap())).unwrap();
        assert!((f64::from(height) - 120.0 * h / w).abs() <= 0.5, "{name}: {width}x{height}, ffmpeg has {size}");
        let scale = format!(
            "scale={width}:{height}:flags=area+accurate_rnd+full_chroma_int+full_chroma_inp:in_color_matrix=bt709:\
             in_range=tv:out_range=pc,format=rgb24"
        );
        let theirs = ffmpeg(&["-i", path, "-vf", &scale, "-frames:v", "1", "-f", "rawvideo", "-"]);
        assert_eq!(theirs.len(), (width * height * 3) as usize, "{name}");
        let ours = shown.picture.rgba.chunks(4).flat_map(|p| &p[..3]);
        let sum: u64 = ours.zip(&theirs).map(|(a, b)| u64::from(a.abs_diff(*b))).sum();
        // Any other turn differs by 20 and more.
        assert!(sum as f64 / (theirs.len() as f64) < 1.5, "{name}: {sum}");
    }
}
