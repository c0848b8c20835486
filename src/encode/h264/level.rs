//! The lowest H.264 level that holds a stream (ITU-T H.264 Table A-1).

use crate::frame::FrameRate;

/// level_idc, MaxMBPS, MaxFS, MaxDpbMbs, MaxBR (1000 bit/s for Main; High allows 1.25 times as much).
const LEVELS: [(u8, u64, u64, u64, u64); 19] = [
    (10, 1_485, 99, 396, 64),
    (11, 3_000, 396, 900, 192),
    (12, 6_000, 396, 2_376, 384),
    (13, 11_880, 396, 2_376, 768),
    (20, 11_880, 396, 2_376, 2_000),
    (21, 19_800, 792, 4_752, 4_000),
    (22, 20_250, 1_620, 8_100, 4_000),
    (30, 40_500, 1_620, 8_100, 10_000),
    (31, 108_000, 3_600, 18_000, 14_000),
    (32, 216_000, 5_120, 20_480, 20_000),
    (40, 245_760, 8_192, 32_768, 20_000),
    (41, 245_760, 8_192, 32_768, 50_000),
    (42, 522_240, 8_704, 34_816, 50_000),
    (50, 589_824, 22_080, 110_400, 135_000),
    (51, 983_040, 36_864, 184_320, 240_000),
    (52, 2_073_600, 36_864, 184_320, 240_000),
    (60, 4_177_920, 139_264, 696_320, 240_000),
    (61, 8_355_840, 139_264, 696_320, 480_000),
    (62, 16_711_680, 139_264, 696_320, 800_000),
];

/// level_idc for High profile with one reference picture; `None` if even 6.2 is too small.
pub fn choose(width: u32, height: u32, fps: FrameRate, max_bits_per_second: u64) -> Option<u8> {
    let (w, h) = (u64::from(width.div_ceil(16)), u64::from(height.div_ceil(16)));
    let size = w * h;
    let (num, den) = (u64::from(fps.num()), u64::from(fps.den()));
    LEVELS.iter().find_map(|&(level, mbps, fs, dpb, br)| {
        let fits = size * num <= mbps * den
            && size <= fs
            && w * w <= 8 * fs
            && h * h <= 8 * fs
            && size <= dpb
            && max_bits_per_second <= br * 1250;
        fits.then_some(level)
    })
}

#[cfg(test)]
mod tests {
    use super::choose;
    use crate::frame::FrameRate;

    #[test]
    fn well_known_formats_have_their_levels() {
        let fps = |n| FrameRate::new(n, 1).unwrap();
        // The benchmark: 68 × 120 macroblocks at 30 fps is 244,800 a second, level 4.0 up to 25 Mbit/s.
        assert_eq!(choose(1080, 1920, fps(30), 20_000_000), Some(40));
        assert_eq!(choose(1920, 1080, fps(30), 25_000_001), Some(41));
        assert_eq!(choose(1920, 1080, fps(60), 20_000_000), Some(42));
        assert_eq!(choose(1280, 720, fps(30), 14_000_000), Some(31));
        assert_eq!(choose(3840, 2160, fps(30), 20_000_000), Some(51));
        // 32,400 macroblocks 1000 times a second are more than level 6.2's 16,711,680.
        assert_eq!(choose(3840, 2160, fps(1000), 20_000_000), None);
        // A long thin picture is held by the side limit: 240² macroblocks need MaxFS of 7,200.
        assert_eq!(choose(3840, 16, fps(1), 64_000), Some(40));
    }
}
