//! Code points of ISO/IEC 23091-2 and pixel formats, under ffmpeg's names.

use crate::verify::bitstream::Sequence;

pub fn primaries(code: u16) -> Option<String> {
    named(
        code,
        &[
            (1, "bt709"),
            (4, "bt470m"),
            (5, "bt470bg"),
            (6, "smpte170m"),
            (7, "smpte240m"),
            (8, "film"),
            (9, "bt2020"),
            (10, "smpte428"),
            (11, "smpte431"),
            (12, "smpte432"),
            (22, "ebu3213"),
        ],
    )
}

pub fn transfer(code: u16) -> Option<String> {
    named(
        code,
        &[
            (1, "bt709"),
            (4, "bt470m"),
            (5, "bt470bg"),
            (6, "smpte170m"),
            (7, "smpte240m"),
            (8, "linear"),
            (9, "log100"),
            (10, "log316"),
            (11, "iec61966-2-4"),
            (12, "bt1361e"),
            (13, "iec61966-2-1"),
            (14, "bt2020-10"),
            (15, "bt2020-12"),
            (16, "smpte2084"),
            (17, "smpte428"),
            (18, "arib-std-b67"),
        ],
    )
}

pub fn matrix(code: u16) -> Option<String> {
    named(
        code,
        &[
            (0, "gbr"),
            (1, "bt709"),
            (4, "fcc"),
            (5, "bt470bg"),
            (6, "smpte170m"),
            (7, "smpte240m"),
            (8, "ycgco"),
            (9, "bt2020nc"),
            (10, "bt2020c"),
            (11, "smpte2085"),
            (12, "chroma-derived-nc"),
            (13, "chroma-derived-c"),
            (14, "ictcp"),
        ],
    )
}

fn named(code: u16, names: &[(u16, &str)]) -> Option<String> {
    // 2: unspecified.
    (code != 2).then(|| {
        names.iter().find(|(c, _)| *c == code).map_or_else(|| format!("code {code}"), |(_, n)| (*n).to_owned())
    })
}

/// What ffmpeg decodes the stream to.
pub fn pixel_format(codec: &str, sequence: &Sequence) -> String {
    let full = sequence.color.full_range == Some(true) && sequence.bit_depth == 8 && codec != "av1";
    let family = match sequence.chroma_format {
        0 => "gray".to_owned(),
        3 if sequence.color.matrix == 0 => "gbrp".to_owned(),
        chroma => format!(
            "yuv{}{}p",
            if full { "j" } else { "" },
            ["420", "422", "444"].get(chroma as usize - 1).unwrap_or(&"")
        ),
    };
    match sequence.bit_depth.max(sequence.bit_depth_chroma) {
        8 => family,
        depth => format!("{family}{depth}le"),
    }
}
