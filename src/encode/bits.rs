//! Bit-level reading and writing of H.264 RBSP syntax (ITU-T H.264 §7.2, §9.1).

/// Reads RBSP bits, most significant first; `None` past the end.
pub struct BitReader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> BitReader<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    pub fn bit(&mut self) -> Option<bool> {
        let byte = self.bytes.get(self.at / 8)?;
        let bit = byte >> (7 - self.at % 8) & 1;
        self.at += 1;
        Some(bit == 1)
    }

    /// `count` bits (32 at most) as an unsigned number: u(n).
    pub fn bits(&mut self, count: u32) -> Option<u32> {
        let mut value = 0u32;
        for _ in 0..count.min(32) {
            value = value << 1 | u32::from(self.bit()?);
        }
        Some(value)
    }

    /// ue(v); `None` above 2^32 - 2.
    pub fn ue(&mut self) -> Option<u32> {
        let mut zeros = 0;
        while !self.bit()? {
            zeros += 1;
            if zeros > 31 {
                return None;
            }
        }
        let rest = u64::from(self.bits(zeros)?);
        u32::try_from((1u64 << zeros) - 1 + rest).ok()
    }
}

/// Writes RBSP bits, most significant first.
#[derive(Default)]
pub struct BitWriter {
    bytes: Vec<u8>,
    used: u32,
}

impl BitWriter {
    pub fn bit(&mut self, bit: bool) {
        if self.used.is_multiple_of(8) {
            self.bytes.push(0);
        }
        if let Some(last) = self.bytes.last_mut() {
            *last |= u8::from(bit) << (7 - self.used % 8);
        }
        self.used = (self.used + 1) % 8;
    }

    /// The low `count` bits of `value`: u(n).
    pub fn bits(&mut self, count: u32, value: u32) {
        for i in (0..count.min(32)).rev() {
            self.bit(value >> i & 1 == 1);
        }
    }

    /// ue(v).
    pub fn ue(&mut self, value: u32) {
        let code = u64::from(value) + 1;
        let len = 64 - code.leading_zeros();
        for _ in 1..len {
            self.bit(false);
        }
        for i in (0..len).rev() {
            self.bit(code >> i & 1 == 1);
        }
    }

    /// Adds rbsp_trailing_bits() and gives the bytes.
    pub fn finish(mut self) -> Vec<u8> {
        self.bit(true);
        self.bytes
    }
}

/// Removes emulation_prevention_three_byte from a NAL unit's payload (§7.4.1).
pub fn unescape(payload: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(payload.len());
    let mut zeros = 0;
    for &byte in payload {
        if zeros >= 2 && byte == 3 {
            zeros = 0;
            continue;
        }
        zeros = if byte == 0 { zeros + 1 } else { 0 };
        out.push(byte);
    }
    out
}

/// Adds emulation_prevention_three_byte where §7.4.1 needs it.
pub fn escape(rbsp: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(rbsp.len() + 4);
    let mut zeros = 0;
    for &byte in rbsp {
        if zeros >= 2 && byte <= 3 {
            out.push(3);
            zeros = 0;
        }
        zeros = if byte == 0 { zeros + 1 } else { 0 };
        out.push(byte);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exp_golomb_codes_of_table_9_2() {
        // codeNum 0..=8 and their bit strings.
        let codes = ["1", "010", "011", "00100", "00101", "00110", "00111", "0001000", "0001001"];
        for (value, code) in codes.iter().enumerate() {
            let mut w = BitWriter::default();
            w.ue(value as u32);
            let bytes = w.finish();
            let text: String = bytes.iter().map(|b| format!("{b:08b}")).collect();
            assert_eq!(&text[..code.len()], *code);
            assert_eq!(&text[code.len()..=code.len()], "1", "the stop bit");
            assert_eq!(BitReader::new(&bytes).ue(), Some(value as u32));
        }
        for value in [1000, 30000, 60000, u32::MAX - 1] {
            let mut w = BitWriter::default();
            w.bit(true);
            w.ue(value);
            w.bits(5, 19);
            let bytes = w.finish();
            let mut r = BitReader::new(&bytes);
            assert_eq!((r.bit(), r.ue(), r.bits(5)), (Some(true), Some(value), Some(19)));
        }
        assert_eq!(BitReader::new(&[0, 0, 0, 0, 0]).ue(), None);
        assert_eq!(BitReader::new(&[1]).bits(9), None);
    }

    #[test]
    fn start_code_emulation_is_prevented_and_undone() {
        assert_eq!(escape(&[0, 0, 0, 0, 0, 1, 0, 0, 4]), [0, 0, 3, 0, 0, 3, 0, 1, 0, 0, 4]);
        assert_eq!(escape(&[0, 0, 3]), [0, 0, 3, 3]);
        for rbsp in [&[0u8, 0, 0, 0, 0, 1, 0, 0, 4][..], &[0, 0, 3, 0, 0, 2], &[5, 0, 0]] {
            assert_eq!(unescape(&escape(rbsp)), rbsp);
        }
    }
}
