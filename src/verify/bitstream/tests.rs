//! Headers bit by bit: written by hand from the specifications' syntax tables.

use super::*;
use crate::encode::bits::{BitWriter, escape};

/// Writes `(bits, value)` as u(n), and `(0, value)` as ue(v).
fn written(fields: &[(u32, u32)]) -> Vec<u8> {
    let mut w = BitWriter::default();
    for &(bits, value) in fields {
        if bits == 0 { w.ue(value) } else { w.bits(bits, value) }
    }
    w.finish()
}

fn avc(fields: &[(u32, u32)]) -> avc::Sps {
    let nal = [vec![0x67], escape(&written(fields))].concat();
    let whole = avc::Sps::parse(&nal).unwrap();
    // The last byte may be all stop bit; any other that is missing must be noticed or leave a shorter VUI.
    for len in 0..nal.len() {
        let _ = avc::Sps::parse(&nal[..len]);
    }
    whole
}

/// profile 100, level 4.0, id 0, 4:2:0 8 bit, no scaling lists, frame_num 4 bits, POC type 0, 4 reference frames.
const HIGH: [(u32, u32); 15] = [
    (8, 100),
    (8, 0),
    (8, 40),
    (0, 0),
    (0, 1),
    (0, 0),
    (0, 0),
    (1, 0),
    (1, 0),
    (0, 0),
    (0, 0),
    (0, 0),
    (0, 4),
    (1, 0),
    (0, 119),
];

#[test]
fn h264_cropping_is_in_chroma_units_and_fields_count_twice() {
    // 120 x 68 macroblocks, frames only, 8 rows cropped below: 1920 x 1080.
    let frames = avc(&[&HIGH[..], &[(0, 67), (1, 1), (1, 1), (1, 1), (0, 0), (0, 0), (0, 0), (0, 4), (1, 0)]].concat());
    let sequence = &frames.sequence;
    assert_eq!((sequence.coded, sequence.size, sequence.progressive), ((1920, 1088), (1920, 1080), true));
    assert_eq!((sequence.profile.as_str(), sequence.level.as_str()), ("High", "4.0"));
    assert_eq!((sequence.chroma_format, sequence.bit_depth, frames.max_ref_frames), (1, 8, 4));
    // The same in fields: 34 map units of two macroblock rows, crop units of four luma rows.
    let fields =
        avc(&[&HIGH[..], &[(0, 33), (1, 0), (1, 0), (1, 1), (1, 1), (0, 0), (0, 0), (0, 0), (0, 2), (1, 0)]].concat());
    assert_eq!((fields.sequence.size, fields.sequence.progressive), ((1920, 1080), false));
    // More cropped than there is.
    let nal = [
        &[0x67][..],
        &written(&[&HIGH[..], &[(0, 67), (1, 1), (1, 1), (1, 1), (0, 0), (0, 2000), (0, 0), (0, 0), (1, 0)]].concat()),
    ]
    .concat();
    assert_eq!(avc::Sps::parse(&nal), None);
}

#[test]
fn h264_usability_information_tells_aspect_colours_and_timing() {
    let vui = [
        (0, 67),
        (1, 1),
        (1, 1),
        (1, 0),
        (1, 1), // vui_parameters_present_flag
        (1, 1),
        (8, 255),
        (16, 64),
        (16, 45),
        (1, 0), // overscan
        (1, 1), // video_signal_type_present_flag
        (3, 5),
        (1, 1),
        (1, 1),
        (8, 9),
        (8, 16),
        (8, 9),
        (1, 0), // chroma_loc
        (1, 1), // timing: has zero bytes that need escaping
        (32, 1001),
        (32, 60_000),
        (1, 1),
        (1, 1), // nal_hrd: two buffers
        (0, 1),
        (8, 0),
        (0, 1000),
        (0, 1000),
        (1, 0),
        (0, 2000),
        (0, 2000),
        (1, 0),
        (20, 0),
        (1, 0), // vcl_hrd
        (1, 0), // low_delay_hrd_flag, because of nal_hrd
        (1, 0),
        (1, 1), // bitstream_restriction_flag
        (1, 1),
        (0, 0),
        (0, 0),
        (0, 16),
        (0, 16),
        (0, 2),
        (0, 4),
    ];
    let sequence = avc(&[&HIGH[..], &vui].concat()).sequence;
    assert_eq!(sequence.sample_aspect, Some((64, 45)));
    assert_eq!(sequence.color, Color { primaries: 9, transfer: 16, matrix: 9, full_range: Some(true) });
    assert_eq!((sequence.timing, sequence.reorder), (Some((1001, 60_000)), Some(2)));
}

#[test]
fn h264_scaling_lists_and_picture_orders_are_stepped_over() {
    // High 4:2:2, 10 bits, a list of 16 with deltas, one that ends at once (next scale 0), POC type 1 with two offsets.
    let mut fields = vec![(8, 122), (8, 0), (8, 41), (0, 0), (0, 2), (0, 2), (0, 2), (1, 0), (1, 1)];
    fields.push((1, 1));
    fields.extend([(0, 1); 16]);
    fields.push((1, 1));
    fields.push((0, 16)); // se(-8): 8 - 8 = 0
    fields.extend([(1, 0); 6]);
    fields.extend([(0, 0), (0, 1), (1, 0), (0, 0), (0, 0), (0, 2), (0, 3), (0, 4), (0, 1), (1, 0)]);
    fields.extend([(0, 3), (0, 2), (1, 1), (1, 1), (1, 0), (1, 0)]);
    let sequence = avc(&fields).sequence;
    assert_eq!((sequence.profile.as_str(), sequence.size), ("High 4:2:2", (64, 48)));
    assert_eq!((sequence.chroma_format, sequence.bit_depth, sequence.bit_depth_chroma), (2, 10, 10));
}

#[test]
fn h264_profiles_and_levels_have_the_names_of_annex_a() {
    let names = [(66, 0x40), (66, 0), (77, 0), (100, 0), (100, 0x0c), (110, 0x10), (244, 0)];
    let names = names.map(|(p, c)| avc::profile_name(p, c));
    assert_eq!(
        names,
        ["Constrained Baseline", "Baseline", "Main", "High", "High", "High 10 Intra", "High 4:4:4 Predictive"]
    );
    // Level 1b is level_idc 11 with constraint_set3_flag below High.
    let tail = [(0, 0), (0, 0), (0, 2), (0, 1), (1, 0), (0, 10), (0, 8), (1, 1), (1, 1), (1, 0), (1, 0)];
    let level =
        |constraints, level| avc(&[&[(8, 66), (8, constraints), (8, level)][..], &tail].concat()).sequence.level;
    assert_eq!((level(0x10, 11), level(0, 11), level(0, 51)), ("1b".into(), "1.1".into(), "5.1".into()));
}

#[test]
fn a_picture_begins_with_its_first_macroblock() {
    // first_mb_in_slice = 0 is the single bit 1.
    assert_eq!(avc::begins_picture(&[0x65, 0x88]), Some(true));
    assert_eq!(avc::begins_picture(&[0x41, 0x48]), Some(false));
    assert_eq!(avc::begins_picture(&[0x67, 0x88]), Some(false));
    assert_eq!(avc::begins_picture(&[]), None);
}

#[test]
fn aac_configurations_announce_sbr_and_ps_in_two_ways() {
    let parse = |bytes: &[u8]| aac::AudioConfig::parse(bytes).unwrap();
    // AAC LC, 48 kHz, stereo: 00010 0011 0010 000.
    let lc = parse(&[0x11, 0x90]);
    assert_eq!((lc.profile().as_str(), lc.output_rate, lc.output_channels(), lc.sbr), ("LC", 48_000, Some(2), false));
    // 44.1 kHz mono with 960 values a frame: 00010 0100 0001 1 0 0.
    let short = parse(&[0x12, 0x0c]);
    assert_eq!((short.rate, short.channels, short.frame_length), (44_100, Some(1), 960));
    // Hierarchical: object type 5 (SBR) over LC: 00101 0110 0010 0011 00010 000 = 24 kHz core, 48 kHz out.
    let explicit = parse(&written(&[(5, 5), (4, 6), (4, 2), (4, 3), (5, 2), (3, 0)]));
    assert_eq!((explicit.profile().as_str(), explicit.rate, explicit.output_rate), ("HE-AAC", 24_000, 48_000));
    // Backward compatible: LC 24 kHz mono, then syncExtensionType 0x2b7 with SBR at 48 kHz and 0x548 with PS.
    let hidden = parse(&written(&[
        (5, 2),
        (4, 6),
        (4, 1),
        (3, 0),
        (11, 0x2b7),
        (5, 5),
        (1, 1),
        (4, 3),
        (11, 0x548),
        (1, 1),
        (7, 0),
    ]));
    assert_eq!(
        (hidden.profile().as_str(), hidden.output_rate, hidden.output_channels()),
        ("HE-AACv2", 48_000, Some(2))
    );
    // A rate written out, and 5.1.
    let free = parse(&written(&[(5, 2), (4, 15), (24, 50_000), (4, 6), (3, 0)]));
    assert_eq!((free.rate, free.channels), (50_000, Some(6)));
    // Channels in a program config element: one front pair, one LFE.
    let pce = [(5, 2), (4, 3), (4, 0), (3, 0)];
    let element = [
        (4, 0),
        (2, 1),
        (4, 3),
        (4, 1),
        (4, 0),
        (4, 0),
        (2, 1),
        (3, 0),
        (4, 0),
        (1, 0),
        (1, 0),
        (1, 0),
        (1, 1),
        (4, 0),
        (4, 0),
    ];
    assert_eq!(parse(&written(&[&pce[..], &element].concat())).channels, Some(3));
    assert_eq!(aac::AudioConfig::parse(&[]), None);
}
