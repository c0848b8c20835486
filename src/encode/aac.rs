//! AAC-LC, 48 kHz stereo, by Fraunhofer's FDK AAC (crate `fdk-aac`, the C sources built in).

use fdk_aac::enc::{AudioObjectType, BitRate, ChannelMode, Encoder, EncoderParams, Transport};

use super::{AudioEncoder, EncodeError, Packet};

/// Sample pairs a second.
pub const SAMPLE_RATE: u32 = 48_000;
/// Constant bit rate: transparent for stereo AAC-LC.
pub const BIT_RATE: u32 = 192_000;
/// The most bits one second can hold beyond [`BIT_RATE`]: the encoder's bit reservoir, 6144 bits a
/// channel (ISO/IEC 14496-3 §4.5.3.2), and one frame of rounding.
pub const BIT_RATE_SLACK: u32 = 2 * 6144 + BIT_RATE / 46;

pub struct AacEncoder {
    encoder: Encoder,
    config: Vec<u8>,
    delay: u32,
    frame_len: u32,
    out: Vec<u8>,
}

impl AacEncoder {
    /// # Errors
    /// The library refuses its settings.
    pub fn new() -> Result<Self, EncodeError> {
        let fail = |e| EncodeError::library("fdk-aac", "opening", e);
        let encoder = Encoder::new(EncoderParams {
            bit_rate: BitRate::Cbr(BIT_RATE),
            sample_rate: SAMPLE_RATE,
            transport: Transport::Raw,
            channels: ChannelMode::Stereo,
            audio_object_type: AudioObjectType::Mpeg4LowComplexity,
        })
        .map_err(fail)?;
        let info = encoder.info().map_err(fail)?;
        let config = info.confBuf.get(..info.confSize as usize).unwrap_or(&[]).to_vec();
        let out = vec![0; info.maxOutBufBytes.max(1536) as usize];
        Ok(Self { encoder, config, delay: info.nDelayCore, frame_len: info.frameLength, out })
    }
}

impl AudioEncoder for AacEncoder {
    fn frame_len(&self) -> u32 {
        self.frame_len
    }

    fn delay(&self) -> u32 {
        self.delay
    }

    fn config(&self) -> &[u8] {
        &self.config
    }

    fn encode(&mut self, pcm: &[i16]) -> Result<Packet, EncodeError> {
        let whole = self.frame_len as usize * 2;
        let padded;
        let pcm = if pcm.len() < whole {
            padded = pcm.iter().copied().chain(std::iter::repeat(0)).take(whole).collect::<Vec<_>>();
            &padded[..]
        } else {
            &pcm[..whole]
        };
        let fail = |detail: String| EncodeError::library("fdk-aac", "coding a frame", detail);
        let done = self.encoder.encode(pcm, &mut self.out).map_err(|e| fail(e.to_string()))?;
        if done.input_consumed != whole || done.output_size == 0 {
            return Err(fail(format!("{} of {whole} samples gave {} bytes", done.input_consumed, done.output_size)));
        }
        let data = self.out.get(..done.output_size).unwrap_or(&[]).to_vec();
        Ok(Packet { data, key: true })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_configuration_says_aac_lc_48_khz_stereo() {
        let aac = AacEncoder::new().unwrap();
        // 5 bits object type 2, 4 bits frequency index 3 (48 kHz), 4 bits channel configuration 2.
        assert_eq!(aac.config()[..2], [0b0001_0001, 0b1001_0000]);
        assert_eq!(aac.frame_len(), 1024);
        assert!(aac.delay() > 0);
    }

    #[test]
    fn every_frame_gives_a_packet_and_the_rate_keeps_to_its_bound() {
        let mut aac = AacEncoder::new().unwrap();
        let mut state = 7u32;
        let sizes: Vec<u64> = (0..200)
            .map(|_| {
                let noise: Vec<i16> = (0..2048)
                    .map(|_| {
                        state = state.wrapping_mul(1664525).wrapping_add(1013904223);
                        (state >> 16) as i16
                    })
                    .collect();
                aac.encode(&noise).unwrap().data.len() as u64 * 8
            })
            .collect();
        let worst = sizes.windows(47).map(|w| w.iter().sum::<u64>()).max().unwrap();
        assert!(worst <= u64::from(BIT_RATE + BIT_RATE_SLACK), "{worst}");
    }
}
