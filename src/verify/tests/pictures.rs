//! Pictures by number: those that ffmpeg decodes, in any order.

use super::*;
use crate::verify::Source;

/// All pictures of a file as ffmpeg gives them, edit lists left aside.
fn reference(path: &Path) -> Vec<u8> {
    let shown = path.to_string_lossy();
    // Chroma is repeated, not interpolated, as ours is.
    let flags = "accurate_rnd+full_chroma_int+neighbor";
    let input = ["-v", "error", "-ignore_editlist", "1", "-i", &shown, "-vsync", "passthrough", "-sws_flags", flags];
    tool("ffmpeg", &[&input[..], &["-pix_fmt", "rgba", "-f", "rawvideo", "-"]].concat())
}

#[test]
fn pictures_come_by_number_whatever_the_order_of_decoding() {
    let dir = tempfile::tempdir().unwrap();
    let x264 = "-c:v libx264 -preset veryfast -pix_fmt yuv420p";
    for (name, rest) in [
        ("b-pictures.mp4", "-bf 3 -g 24"),
        ("open-gop.mp4", "-bf 3 -x264-params open-gop=1:keyint=12:min-keyint=12"),
        ("pyramid.mp4", "-bf 7 -refs 5 -x264-params b-pyramid=strict"),
        ("fragments.mp4", "-g 10 -movflags frag_keyframe+empty_moov"),
        ("intra.mp4", "-g 1"),
        ("full-range.mp4", "-bf 0 -color_range pc"),
    ] {
        let path = ffmpeg(dir.path(), name, &format!("{PICTURES} {x264} {rest}"));
        let reference = reference(&path);
        let size = 320 * 240 * 4;
        let mut source = Source::open(&path).unwrap();
        assert_eq!((source.len(), reference.len()), (60, 60 * size), "{name}");
        for index in [0, 1, 2, 3, 30, 31, 7, 59, 58, 0, 45, 44, 12, 13, 25] {
            let picture = source.picture_at(index).unwrap().unwrap();
            let theirs = &reference[index as usize * size..][..size];
            let error: u64 = picture.rgba.iter().zip(theirs).map(|(a, b)| u64::from(a.abs_diff(*b))).sum();
            // Neighbouring pictures of this source differ by more than 3 on average.
            assert!((error as f64 / size as f64) < 0.5, "{name}: picture {index} differs by {error} in all");
        }
        assert!(source.picture_at(60).unwrap().is_none());
        // And one after the other.
        let mut source = Source::open(&path).unwrap();
        let mut count = 0;
        while let Some(picture) = source.next_picture().unwrap() {
            assert_eq!(picture.rgba.len(), size);
            count += 1;
        }
        assert_eq!(count, 60, "{name}");
    }
}

#[test]
fn what_the_decoder_does_not_know_is_said() {
    let dir = tempfile::tempdir().unwrap();
    for (name, rest, says) in [
        ("hevc.mp4", "-c:v libx265 -preset ultrafast -x265-params log-level=error", "only H.264"),
        ("422.mp4", "-c:v libx264 -pix_fmt yuv422p", "High 4:2:2"),
        ("fields.mp4", "-c:v libx264 -pix_fmt yuv420p -flags +ildct+ilme", "interlaced"),
    ] {
        let path = ffmpeg(dir.path(), name, &format!("{PICTURES} -t 0.2 {rest}"));
        let error = Source::open(&path).err().map(|e| e.to_string()).unwrap_or_default();
        assert!(error.contains(says), "{name}: {error}");
    }
}
