use std::path::Path;

use super::*;
use crate::mux::MuxError;

fn settings(output: &Path, frames: u64, codec: Codec) -> FilmSettings {
    FilmSettings {
        width: 96,
        height: 64,
        fps: FrameRate::new(30, 1).unwrap(),
        frames,
        codec,
        audio: AudioSource::Silence,
        background: Some([0; 3]),
        max_bits_per_second: 20_000_000,
        max_bytes: 200_000_000,
        threads: 2,
        output: output.to_owned(),
        journal: None,
        witness: None,
        expected: Vec::new(),
    }
}

fn frame(index: u64) -> PresentedFrame {
    let rgba = (0..96 * 64u64).flat_map(|i| [(i + index) as u8, (i / 96) as u8, 40, 255]).collect();
    PresentedFrame { frame: index, width: 96, height: 64, rgba }
}

fn film(settings: FilmSettings, frames: impl Iterator<Item = PresentedFrame>) -> (FilmReport, Option<RenderError>) {
    let film = Film::start(settings).unwrap();
    let feed = film.feed();
    frames.for_each(|frame| feed.push(frame));
    film.finish()
}

#[test]
fn frames_arrive_in_any_order_and_leave_in_theirs() {
    let dir = tempfile::tempdir().unwrap();
    let (a, b) = (dir.path().join("a.mp4"), dir.path().join("b.mp4"));
    let (straight, e1) = film(settings(&a, 20, Codec::H264), (0..20).map(frame));
    let swapped = (0..20).map(|i| frame(i ^ 1));
    let (mixed, e2) = film(settings(&b, 20, Codec::H264), swapped);
    assert!(e1.is_none() && e2.is_none());
    assert_eq!(straight.hashes, mixed.hashes);
    assert_eq!(straight.hashes[7], Hash::of(&frame(7).rgba));
    assert_eq!((straight.coded, straight.uniform), (20, None));
    assert!(std::fs::read(a).unwrap() == std::fs::read(b).unwrap());
}

#[test]
fn a_lost_frame_is_an_error_and_the_rest_is_kept() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.mp4");
    let (report, error) = film(settings(&path, 40, Codec::H264), (0..40).filter(|i| *i != 10).map(frame));
    assert!(matches!(error, Some(RenderError::LostFrame { frame: 10 })), "{error:?}");
    assert_eq!((report.coded, report.hashes.len()), (10, 10));
    assert!(path.metadata().unwrap().len() > 1000);
}

#[test]
fn one_colour_throughout_is_noticed_and_a_change_of_it_too() {
    let dir = tempfile::tempdir().unwrap();
    let plain = |index, v| PresentedFrame { frame: index, width: 96, height: 64, rgba: [v, v, v, 255].repeat(96 * 64) };
    let (blank, _) = film(settings(&dir.path().join("a.mp4"), 5, Codec::H264), (0..5).map(|i| plain(i, 9)));
    assert_eq!(blank.uniform, Some([9, 9, 9, 255]));
    let (fade, _) = film(settings(&dir.path().join("b.mp4"), 5, Codec::H264), (0..5).map(|i| plain(i, i as u8)));
    assert_eq!(fade.uniform, None);
}

#[test]
fn a_canvas_of_another_size_is_fitted_into_videos_and_pngs_alike() {
    let dir = tempfile::tempdir().unwrap();
    let odd = |index| PresentedFrame { frame: index, width: 5, height: 3, rgba: [1, 2, 3, 255].repeat(15) };
    let (report, error) = film(settings(&dir.path().join("a.mp4"), 2, Codec::H264), (0..2).map(odd));
    assert!(error.is_none());
    assert_eq!(report.fitted, [(5, 3)]);
    let (report, error) = film(settings(dir.path(), 2, Codec::Png), (0..2).map(odd));
    assert!(error.is_none());
    assert_eq!(report.fitted, [(5, 3)]);
    // 96 wide is 57 high: bars of 3 above and 4 below.
    let (rgba, width, height) = crate::encode::png::read(&dir.path().join("000001.png")).unwrap();
    let at = |x: usize, y: usize| &rgba[(y * 96 + x) * 4..][..4];
    assert_eq!((width, height), (96, 64));
    assert_eq!(
        (at(0, 2), at(0, 3), at(95, 59), at(95, 60)),
        (&[0, 0, 0, 255][..], &[1, 2, 3, 255][..], &[1, 2, 3, 255][..], &[0, 0, 0, 255][..])
    );
    // A canvas that changes its size on the way does not change the pictures'.
    let (report, error) = film(settings(dir.path(), 2, Codec::Png), [frame(0), odd(1)].into_iter());
    assert!(error.is_none());
    assert_eq!(report.fitted, [(5, 3)]);
    assert_eq!(crate::encode::png::read(&dir.path().join("000000.png")).unwrap().0, frame(0).rgba);
    assert_eq!(crate::encode::png::read(&dir.path().join("000001.png")).unwrap().1, 96);
}

#[test]
fn a_resumed_film_must_repeat_its_first_frames() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.mp4");
    let mut expected: Vec<Hash> = (0..4).map(|i| Hash::of(&frame(i).rgba)).collect();
    let (_, error) =
        film(FilmSettings { expected: expected.clone(), ..settings(&path, 6, Codec::H264) }, (0..6).map(frame));
    assert!(error.is_none());
    expected[2] = Hash([0; 32]);
    let (report, error) = film(FilmSettings { expected, ..settings(&path, 6, Codec::H264) }, (0..6).map(frame));
    assert!(matches!(error, Some(RenderError::Diverged { frame: 2 })));
    assert_eq!(report.coded, 2);
}

#[test]
fn a_full_disk_stops_the_film_with_its_name() {
    let full = Path::new("/dev/full");
    if !full.exists() {
        return;
    }
    // /dev/full takes no byte, so the header already fails.
    let started = Film::start(settings(full, 5, Codec::H264));
    let error = match started {
        Err(e) => e,
        Ok(film) => film.finish().1.unwrap_or(RenderError::Mux(MuxError::NoConfig)),
    };
    assert!(matches!(&error, RenderError::DiskFull { path } if path == full), "{error}");
    assert_eq!(error.exit_code(), 2);
}

#[test]
fn no_second_of_the_file_holds_more_than_the_limit_as_ffprobe_counts() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.mp4");
    // Calm, then noise, then calm: cuts and load.
    let noisy = |index: u64| {
        let mut state = index + 1;
        let mut rgba = frame(index).rgba;
        if (30..70).contains(&index) {
            for v in &mut rgba {
                state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                *v = (state >> 56) as u8 | 1;
            }
        }
        PresentedFrame { rgba, ..frame(index) }
    };
    let limit = 1_000_000;
    let settings = FilmSettings { max_bits_per_second: limit, ..settings(&path, 100, Codec::H264) };
    let (report, error) = film(settings, (0..100).map(noisy));
    assert!(error.is_none(), "{error:?}");
    let out = std::process::Command::new("ffprobe")
        .args(["-v", "error", "-show_entries", "packet=dts_time,size", "-of", "csv=p=0"])
        .arg(&path)
        .output()
        .unwrap_or_else(|e| panic!("this test needs `ffprobe` (Debian package ffmpeg): {e}"));
    let mut packets: Vec<(f64, u64)> = String::from_utf8_lossy(&out.stdout)
        .lines()
        .filter_map(|line| {
            let mut fields = line.split(',');
            Some((fields.next()?.parse().ok()?, fields.next()?.parse().ok()?))
        })
        .collect();
    assert!(packets.len() > 250, "{}", packets.len());
    packets.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut worst = 0;
    for (i, (start, _)) in packets.iter().enumerate() {
        let second = packets[i..].iter().take_while(|(t, _)| *t < start + 1.0 - 1e-6);
        worst = worst.max(second.map(|(_, size)| size * 8).sum::<u64>());
    }
    assert!(worst <= limit, "{worst}");
    assert!(worst <= report.peak_bits_per_second && report.peak_bits_per_second <= limit, "{report:?}");
}
