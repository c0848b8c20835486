//! Where each packet of a track lies in the file.

/// Sizes and places of a track's packets, in order.
#[derive(Clone, Debug, Default)]
pub struct SampleTable {
    pub sizes: Vec<u32>,
    /// 1-based numbers of packets at which decoding can start.
    pub keys: Vec<u32>,
    pub chunks: Vec<Chunk>,
    /// Where the last packet ends.
    end: u64,
}

/// Packets of one track that follow each other without a gap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chunk {
    pub offset: u64,
    pub packets: u32,
}

impl SampleTable {
    /// Notes a packet of `size` bytes at `offset`.
    pub fn push(&mut self, offset: u64, size: u32, key: bool) {
        self.sizes.push(size);
        if key {
            self.keys.push(self.sizes.len() as u32);
        }
        match self.chunks.last_mut() {
            Some(chunk) if self.end == offset => chunk.packets += 1,
            _ => self.chunks.push(Chunk { offset, packets: 1 }),
        }
        self.end = offset + u64::from(size);
    }

    pub fn len(&self) -> u64 {
        self.sizes.len() as u64
    }

    /// Bytes of all packets.
    pub fn bytes(&self) -> u64 {
        self.sizes.iter().map(|&s| u64::from(s)).sum()
    }

    /// Most bytes of any `window` neighbouring packets.
    pub fn peak(&self, window: usize) -> u64 {
        let mut sum = 0u64;
        let mut peak = 0;
        for (i, &size) in self.sizes.iter().enumerate() {
            sum += u64::from(size);
            if let Some(gone) = i.checked_sub(window.max(1)).and_then(|i| self.sizes.get(i)) {
                sum -= u64::from(*gone);
            }
            peak = peak.max(sum);
        }
        peak
    }

    /// Runs of equally long chunks: number of the first (from 1), packets in each.
    pub fn runs(&self) -> Vec<(u32, u32)> {
        let mut runs: Vec<(u32, u32)> = Vec::new();
        for (chunk, number) in self.chunks.iter().zip(1u32..) {
            if runs.last().is_none_or(|&(_, packets)| packets != chunk.packets) {
                runs.push((number, chunk.packets));
            }
        }
        runs
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_share_a_chunk_and_equal_chunks_share_a_run() {
        let mut table = SampleTable::default();
        for (offset, size, key) in [(100, 10, true), (110, 5, false), (200, 7, false), (207, 3, true), (300, 1, false)]
        {
            table.push(offset, size, key);
        }
        let chunk = |offset, packets| Chunk { offset, packets };
        assert_eq!(table.chunks, [chunk(100, 2), chunk(200, 2), chunk(300, 1)]);
        assert_eq!(table.runs(), [(1, 2), (3, 1)]);
        assert_eq!(table.keys, [1, 4]);
        assert_eq!((table.bytes(), table.peak(2), table.peak(99)), (26, 15, 26));
    }
}
