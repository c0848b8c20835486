//! Files made by hand, box by box, against what ISO/IEC 14496-12 says of them.

use super::*;

/// A box.
fn b(kind: &[u8; 4], body: &[u8]) -> Vec<u8> {
    let mut out = (body.len() as u32 + 8).to_be_bytes().to_vec();
    out.extend(kind);
    out.extend(body);
    out
}

/// A full box of version 0 with flags, its body as 32-bit words.
fn words(kind: &[u8; 4], flags: u32, body: &[u32]) -> Vec<u8> {
    let bytes: Vec<u8> = [flags].iter().chain(body).flat_map(|w| w.to_be_bytes()).collect();
    b(kind, &bytes)
}

fn stsd() -> Vec<u8> {
    let mut entry = vec![0; 78];
    entry[24..28].copy_from_slice(&[0, 64, 0, 48]);
    entry.extend(b(b"pasp", &[0, 0, 0, 4, 0, 0, 0, 3]));
    entry.extend(b(b"colr", b"nclx\0\x01\0\x01\0\x01\x80"));
    b(b"stsd", &[&[0, 0, 0, 0, 0, 0, 0, 1][..], &b(b"zzzz", &entry)].concat())
}

/// A movie with one video track of timescale 10 and these boxes in `stbl` after `stsd`, and others in `trak` and `moov`.
fn movie(tables: &[Vec<u8>], in_trak: &[u8], in_moov: &[u8]) -> Vec<u8> {
    let stbl = b(b"stbl", &[vec![stsd()], tables.to_vec()].concat().concat());
    let mdhd = words(b"mdhd", 0, &[0, 0, 10, 60, 0]);
    let hdlr = b(b"hdlr", b"\0\0\0\0\0\0\0\0vide\0\0\0\0\0\0\0\0\0\0\0\0\0");
    let mdia = b(b"mdia", &[mdhd, hdlr, b(b"minf", &stbl)].concat());
    let mut tkhd = vec![0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 2, 0x58];
    tkhd.extend([0; 16]);
    tkhd.extend([0x1_0000u32, 0, 0, 0, 0x1_0000, 0, 0, 0, 0x4000_0000].iter().flat_map(|w| w.to_be_bytes()));
    tkhd.extend([64u32 << 16, 48 << 16].iter().flat_map(|w| w.to_be_bytes()));
    let trak = b(b"trak", &[b(b"tkhd", &tkhd), in_trak.to_vec(), mdia].concat());
    let mvhd = words(b"mvhd", 0, &[&[0, 0, 100, 600][..], &[0; 20]].concat());
    [b(b"ftyp", b"isom\0\0\0\x01isommp42"), b(b"moov", &[mvhd, trak, in_moov.to_vec()].concat())].concat()
}

/// Six samples in three chunks: sizes 10 to 60, two of 5 ticks and four of 10, the second and the third shown the other way
/// round, the first and the fifth sync.
fn six() -> [Vec<u8>; 6] {
    [
        words(b"stts", 0, &[2, 2, 5, 4, 10]),
        words(b"ctts", 0, &[4, 1, 0, 1, 10, 1, (-5i32).cast_unsigned(), 3, 0]),
        words(b"stss", 0, &[2, 1, 5]),
        words(b"stsz", 0, &[0, 6, 10, 20, 30, 40, 50, 60]),
        words(b"stsc", 0, &[2, 1, 1, 1, 2, 3, 1]),
        words(b"stco", 0, &[3, 1000, 2000, 3000]),
    ]
}

fn read(bytes: &[u8]) -> Result<Movie, Mp4Error> {
    Movie::read(bytes)
}

#[test]
fn sample_tables_become_samples() {
    let edts = b(b"edts", &words(b"elst", 0, &[2, 100, u32::MAX, 0x1_0000, 500, 5, 0x1_0000]));
    let movie = read(&[movie(&six(), &edts, &[]), b(b"mdat", &[0; 100])].concat()).unwrap();
    assert_eq!((movie.timescale, movie.duration, movie.is_fast_start()), (100, Some(600), true));
    assert_eq!(movie.file_type.major.unwrap().to_string(), "isom");
    let track = movie.track(Kind::Video).unwrap();
    assert_eq!((track.id, track.timescale, track.media_duration, track.duration), (3, 10, Some(60), Some(600)));
    assert_eq!((track.width, track.height, track.matrix), (64 << 16, 48 << 16, [0x1_0000, 0, 0, 0x1_0000]));
    assert_eq!(track.edits[0], Edit { duration: 100, media_time: -1, rate: 0x1_0000 });
    assert_eq!(track.edits[1], Edit { duration: 500, media_time: 5, rate: 0x1_0000 });
    // Chunk 1 holds one sample, chunk 2 and 3 (from the second `stsc` entry on) three each; only five are left for them.
    let places: Vec<_> = track.samples.iter().map(|s| (s.at, s.size)).collect();
    assert_eq!(places, [(1000, 10), (2000, 20), (2020, 30), (2050, 40), (3000, 50), (3050, 60)]);
    let times: Vec<_> = track.samples.iter().map(|s| (s.decode_time, s.duration, s.composition_time())).collect();
    assert_eq!(times, [(0, 5, 0), (5, 5, 15), (10, 10, 5), (20, 10, 20), (30, 10, 30), (40, 10, 40)]);
    let sync: Vec<_> = track.samples.iter().map(|s| s.sync).collect();
    assert_eq!(sync, [true, false, false, false, true, false]);
    assert!(track.defects.is_empty(), "{:?}", track.defects);
    let Streams::Video(visual) = &track.entries[0].streams else { panic!() };
    assert_eq!((visual.width, visual.height, visual.pixel_aspect), (64, 48, Some((4, 3))));
    let color = ColorTag { primaries: 1, transfer: 1, matrix: 1, full_range: Some(true) };
    assert_eq!(visual.color, Some(color));
}

#[test]
fn compact_sizes_equal_sizes_and_long_offsets_are_read() {
    for (bits, bytes) in
        [(4u32, vec![0x12, 0x34, 0x56]), (8, vec![1, 2, 3, 4, 5, 6]), (16, vec![0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6])]
    {
        let mut tables = six();
        let mut body: Vec<u8> = [0, bits, 6].iter().flat_map(|w: &u32| w.to_be_bytes()).collect();
        body.extend(bytes);
        tables[3] = b(b"stz2", &body);
        let sizes: Vec<_> = read(&movie(&tables, &[], &[])).unwrap().tracks[0].samples.iter().map(|s| s.size).collect();
        assert_eq!(sizes, [1, 2, 3, 4, 5, 6], "{bits} bits");
    }
    let mut tables = six();
    tables[3] = words(b"stsz", 0, &[7, 6]);
    tables[5] = words(b"co64", 0, &[3, 1, 0, 2, 0, 3, 0]);
    let places: Vec<_> =
        read(&movie(&tables, &[], &[])).unwrap().tracks[0].samples.iter().map(|s| (s.at, s.size)).collect();
    assert_eq!(places[..3], [(1 << 32, 7), (2 << 32, 7), ((2 << 32) + 7, 7)]);
}

#[test]
fn fragments_add_samples_by_the_rules_of_their_headers() {
    let empty = [words(b"stts", 0, &[0]), words(b"stsz", 0, &[0, 0]), words(b"stsc", 0, &[0]), words(b"stco", 0, &[0])];
    let mvex = b(b"mvex", &words(b"trex", 0, &[3, 1, 10, 100, 0x1_0000]));
    let head = movie(&empty, &[], &mvex);
    // Offsets from the moof; the first sample's flags, sizes of its own.
    let first = [words(b"tfhd", 0x2_0000, &[3]), words(b"tfdt", 0, &[50]), words(b"trun", 0x205, &[2, 96, 0, 11, 12])];
    // A base of its own, another duration, two runs behind each other, one with composition offsets.
    let second = [words(b"tfhd", 0x9, &[3, 0, 5000, 20]), words(b"trun", 0x800, &[2, 40, 0]), words(b"trun", 0, &[1])];
    let moof = |parts: &[Vec<u8>]| b(b"moof", &[words(b"mfhd", 0, &[1]), b(b"traf", &parts.concat())].concat());
    let at = head.len() as u64;
    let file = [head, moof(&first), b(b"mdat", &[0; 23]), moof(&second), b(b"mdat", &[0; 300])].concat();
    let movie = read(&file).unwrap();
    assert!(movie.fragmented && movie.fragments == 2);
    let track = &movie.tracks[0];
    let all: Vec<_> =
        track.samples.iter().map(|s| (s.at, s.size, s.decode_time, s.duration, s.offset, s.sync)).collect();
    let expected = [
        (at + 96, 11, 50, 10, 0, true),
        (at + 107, 12, 60, 10, 0, false),
        (5000, 100, 70, 20, 40, false),
        (5100, 100, 90, 20, 0, false),
        (5200, 100, 110, 20, 0, false),
    ];
    assert_eq!(all, expected);
}

#[test]
fn counts_are_held_against_the_room_there_is() {
    let with = |index: usize, table: Vec<u8>| {
        let mut tables = six();
        tables[index] = table;
        read(&movie(&tables, &[], &[]))
    };
    for (index, table, says) in [
        (0, words(b"stts", 0, &[u32::MAX, 1, 5]), "`stts` box"),
        (3, words(b"stsz", 0, &[0, u32::MAX]), "has room for 0"),
        (4, words(b"stsc", 0, &[0x4000_0000]), "`stsc` box"),
        (5, words(b"stco", 0, &[2, 1]), "it says 2 entries and has room for 1"),
        (5, words(b"co64", 0, &[1, 1]), "has room for 0"),
        // 4 billion samples of one byte need no table.
        (3, words(b"stsz", 0, &[1, u32::MAX]), "more than 5000000 samples"),
    ] {
        let error = with(index, table).unwrap_err().to_string();
        assert!(error.contains(says), "{error}");
    }
    let error = with(3, words(b"stsz", 0, &[1000, 100])).unwrap_err().to_string();
    assert!(error.contains("100 samples of 1000 bytes are larger than the file"), "{error}");
    let defects = |index: usize, table| with(index, table).unwrap().tracks[0].defects.join("; ");
    assert_eq!(defects(0, words(b"stts", 0, &[1, 5, 5])), "`stts` is about 5 samples, `stsz` about 6");
    assert_eq!(defects(4, words(b"stsc", 0, &[1, 1, 1, 1])), "`stsc` and `stco` place 3 of 6 samples");
    // A run of samples in a fragment that need no bytes of their own.
    let mvex = b(b"mvex", &words(b"trex", 0, &[3, 1, 10, 100, 0]));
    let traf = b(b"traf", &[words(b"tfhd", 0, &[3]), words(b"trun", 0, &[u32::MAX])].concat());
    let error = read(&[movie(&six(), &[], &mvex), b(b"moof", &traf)].concat()).unwrap_err();
    assert!(matches!(error, Mp4Error::TooLarge(_)), "{error}");
    let traf = b(b"traf", &[words(b"tfhd", 0, &[3]), words(b"trun", 0, &[1000])].concat());
    let error = read(&[movie(&six(), &[], &mvex), b(b"moof", &traf)].concat()).unwrap_err();
    assert!(error.to_string().contains("1000 samples of 100 bytes are larger than the file"), "{error}");
}

#[test]
fn errors_name_the_box_and_the_byte() {
    let says = |bytes: &[u8]| read(bytes).unwrap_err().to_string();
    let whole = movie(&six(), &[], &[]);
    assert!(says(&[]).contains("it is empty"));
    assert!(says(b"#!/bin/sh\necho no movie at all").contains("no MP4 file"));
    assert!(says(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR").contains("no MP4 file"));
    assert!(says(&whole[..24]).contains("no `moov` box"));
    let cut = says(&whole[..whole.len() - 1]);
    assert!(cut.contains("cut off: the `moov` box at byte 24"), "{cut}");
    let cut = says(&[whole.clone(), b(b"mdat", &[0; 50])[..20].to_vec()].concat());
    assert!(cut.contains(&format!("`mdat` box at byte {} says 58 bytes, but only 20", whole.len())), "{cut}");
    // A child that is larger than its parent.
    let mut damaged = whole.clone();
    damaged[24 + 8 + 3] = 0xff;
    damaged[24 + 8 + 2] = 0xff;
    assert!(
        says(&damaged).contains("the `moov` box at byte 24 is damaged: the box in it at byte 32 (`mvhd`)"),
        "{}",
        says(&damaged)
    );
    // What stands behind the last box, whatever it looks like, is junk as long as it names no box that files have there.
    for junk in [&[0; 5][..], b"text behind the end", b"\x7f\xff\xff\xffabcd", b"\0\0\0\x01abcd\0\0\0\0\0\0\0\x03"] {
        let stray = read(&[&whole[..], junk].concat()).unwrap();
        assert_eq!((stray.stray, stray.tracks.len()), (junk.len() as u64, 1), "{junk:?}");
    }
    assert!(says(&[&whole[..], b"\0\0\0\x40free"].concat()).contains("`free` box"));
}
