//! The sequence parameter set: parsed as openh264 writes it, written again as the file needs it
//! (ITU-T H.264 §7.3.2.1.1, Annex E). openh264 leaves out chroma siting and timing.

use super::super::bits::{BitReader, BitWriter, escape, unescape};
use crate::frame::FrameRate;

/// Those fields of a 4:2:0, 8-bit, frame-only SPS without scaling lists that vary.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sps {
    pub profile: u8,
    /// constraint_set0_flag (most significant) to constraint_set5_flag and two zero bits.
    pub constraints: u8,
    pub level: u8,
    pub id: u32,
    pub log2_max_frame_num: u32,
    pub poc: PicOrder,
    pub max_ref_frames: u32,
    pub gaps_allowed: bool,
    pub width_mbs: u32,
    pub height_mbs: u32,
    pub direct_8x8: bool,
    /// Left, right, top, bottom, in chroma samples.
    pub crop: Option<[u32; 4]>,
    /// Timing to write; `None` leaves the VUI out.
    pub vui: Option<FrameRate>,
}

/// pic_order_cnt_type: 0 with its log2_max_pic_order_cnt_lsb, or 2 (output order is coding order).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PicOrder {
    Lsb(u32),
    Output,
}

impl Sps {
    /// Reads a NAL unit (header byte included, no start code). `None` for syntax this type leaves out.
    /// The VUI is not read.
    pub fn parse(nal: &[u8]) -> Option<Self> {
        let (&header, payload) = nal.split_first()?;
        if header & 0x1f != 7 {
            return None;
        }
        let rbsp = unescape(payload);
        let mut r = BitReader::new(&rbsp);
        let profile = r.bits(8)? as u8;
        let constraints = r.bits(8)? as u8;
        let level = r.bits(8)? as u8;
        let id = r.ue()?;
        if profile == 100 {
            let (chroma, luma_depth, chroma_depth) = (r.ue()?, r.ue()?, r.ue()?);
            let (bypass, scaling) = (r.bit()?, r.bit()?);
            if (chroma, luma_depth, chroma_depth, bypass, scaling) != (1, 0, 0, false, false) {
                return None;
            }
        }
        let log2_max_frame_num = r.ue()?.checked_add(4)?;
        let poc = match r.ue()? {
            0 => PicOrder::Lsb(r.ue()?.checked_add(4)?),
            2 => PicOrder::Output,
            _ => return None,
        };
        let max_ref_frames = r.ue()?;
        let gaps_allowed = r.bit()?;
        let width_mbs = r.ue()?.checked_add(1)?;
        let height_mbs = r.ue()?.checked_add(1)?;
        if !r.bit()? {
            return None;
        }
        let direct_8x8 = r.bit()?;
        let crop = if r.bit()? { Some([r.ue()?, r.ue()?, r.ue()?, r.ue()?]) } else { None };
        r.bit()?;
        Some(Self {
            profile,
            constraints,
            level,
            id,
            log2_max_frame_num,
            poc,
            max_ref_frames,
            gaps_allowed,
            width_mbs,
            height_mbs,
            direct_8x8,
            crop,
            vui: None,
        })
    }

    /// The same at `level`, or at the encoder's own if that is higher, with a full VUI at `fps`.
    pub fn with_video_usability(mut self, fps: FrameRate, level: u8) -> Self {
        self.level = self.level.max(level);
        self.vui = Some(fps);
        self
    }

    /// Writes the NAL unit, emulation prevention included.
    pub fn to_nal(&self) -> Vec<u8> {
        let mut w = BitWriter::default();
        w.bits(8, self.profile.into());
        w.bits(8, self.constraints.into());
        w.bits(8, self.level.into());
        w.ue(self.id);
        if self.profile == 100 {
            w.ue(1); // chroma_format_idc: 4:2:0
            w.ue(0); // bit_depth_luma_minus8
            w.ue(0); // bit_depth_chroma_minus8
            w.bit(false); // qpprime_y_zero_transform_bypass_flag
            w.bit(false); // seq_scaling_matrix_present_flag
        }
        w.ue(self.log2_max_frame_num.saturating_sub(4));
        match self.poc {
            PicOrder::Lsb(log2) => {
                w.ue(0);
                w.ue(log2.saturating_sub(4));
            }
            PicOrder::Output => w.ue(2),
        }
        w.ue(self.max_ref_frames);
        w.bit(self.gaps_allowed);
        w.ue(self.width_mbs.saturating_sub(1));
        w.ue(self.height_mbs.saturating_sub(1));
        w.bit(true); // frame_mbs_only_flag
        w.bit(self.direct_8x8);
        w.bit(self.crop.is_some());
        for edge in self.crop.into_iter().flatten() {
            w.ue(edge);
        }
        w.bit(self.vui.is_some());
        if let Some(fps) = self.vui {
            self.write_vui(&mut w, fps);
        }
        let mut nal = vec![0x67];
        nal.extend(escape(&w.finish()));
        nal
    }

    /// vui_parameters(), E.1.1.
    fn write_vui(&self, w: &mut BitWriter, fps: FrameRate) {
        w.bit(true); // aspect_ratio_info_present_flag
        w.bits(8, 1); // aspect_ratio_idc: square
        w.bit(false); // overscan_info_present_flag
        w.bit(true); // video_signal_type_present_flag
        w.bits(3, 5); // video_format: unspecified
        w.bit(false); // video_full_range_flag
        w.bit(true); // colour_description_present_flag
        w.bits(8, 1); // colour_primaries: BT.709
        w.bits(8, 1); // transfer_characteristics: BT.709
        w.bits(8, 1); // matrix_coefficients: BT.709
        w.bit(true); // chroma_loc_info_present_flag
        w.ue(0); // chroma_sample_loc_type_top_field: left
        w.ue(0); // chroma_sample_loc_type_bottom_field: left
        w.bit(true); // timing_info_present_flag
        w.bits(32, fps.den()); // num_units_in_tick: a tick is half a frame
        w.bits(32, fps.num().saturating_mul(2)); // time_scale
        w.bit(true); // fixed_frame_rate_flag
        w.bit(false); // nal_hrd_parameters_present_flag
        w.bit(false); // vcl_hrd_parameters_present_flag
        w.bit(false); // pic_struct_present_flag
        w.bit(true); // bitstream_restriction_flag
        w.bit(true); // motion_vectors_over_pic_boundaries_flag
        w.ue(0); // max_bytes_per_pic_denom: no limit
        w.ue(0); // max_bits_per_mb_denom: no limit
        w.ue(13); // log2_max_mv_length_horizontal: ±2048 pixels
        w.ue(11); // log2_max_mv_length_vertical: ±512 pixels, the most of any level
        w.ue(0); // max_num_reorder_frames: no B pictures
        w.ue(self.max_ref_frames); // max_dec_frame_buffering
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Sps {
        Sps {
            profile: 100,
            constraints: 0x0c,
            level: 40,
            id: 0,
            log2_max_frame_num: 15,
            poc: PicOrder::Output,
            max_ref_frames: 1,
            gaps_allowed: false,
            width_mbs: 68,
            height_mbs: 120,
            direct_8x8: true,
            crop: Some([0, 4, 0, 0]),
            vui: None,
        }
    }

    #[test]
    fn what_is_written_is_read_back() {
        let plain = sample();
        assert_eq!(Sps::parse(&plain.to_nal()), Some(plain.clone()));
        let full = plain.clone().with_video_usability(FrameRate::new(30000, 1001).unwrap(), 31);
        assert_eq!(full.level, 40, "the higher level stays");
        assert_eq!(Sps::parse(&full.to_nal()), Some(plain));
        let lsb = Sps { poc: PicOrder::Lsb(16), crop: None, profile: 77, ..sample() };
        assert_eq!(Sps::parse(&lsb.to_nal()), Some(lsb));
    }

    #[test]
    fn truncated_and_foreign_units_are_refused() {
        let nal = sample().to_nal();
        for len in 0..nal.len() - 2 {
            assert_eq!(Sps::parse(&nal[..len]), None, "{len} bytes");
        }
        assert_eq!(Sps::parse(&[0x68, 1, 2, 3]), None);
    }

    #[test]
    fn zero_bytes_of_the_timing_are_escaped() {
        let nal = sample().with_video_usability(FrameRate::new(1, 1).unwrap(), 40).to_nal();
        assert!(nal.windows(3).all(|w| !(w[0] == 0 && w[1] == 0 && w[2] < 3)), "{nal:02x?}");
    }
}
