//! Index lists: reading, scanning, and turning modes wgpu lacks into lists.

use crate::gl::command::Topology;
use crate::gl::enums::{IndexType, PrimitiveMode};

/// What a scan of an index range finds; restart indices do not count as vertices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct IndexScan {
    /// Smallest and greatest index; `None` if there are only restarts.
    pub range: Option<(u32, u32)>,
    pub has_restart: bool,
}

/// Decodes little-endian indices.
pub fn read(bytes: &[u8], ty: IndexType) -> Vec<u32> {
    match ty {
        IndexType::U8 => bytes.iter().map(|&b| u32::from(b)).collect(),
        IndexType::U16 => bytes.as_chunks().0.iter().map(|b| u32::from(u16::from_le_bytes(*b))).collect(),
        IndexType::U32 => bytes.as_chunks().0.iter().map(|b| u32::from_le_bytes(*b)).collect(),
    }
}

/// Scans a range. `restart`: primitive restart is on (WebGL 2).
pub fn scan(bytes: &[u8], ty: IndexType, restart: bool) -> IndexScan {
    let skip = restart.then(|| ty.restart());
    match ty {
        IndexType::U8 => scan_values(bytes.iter().map(|&b| u32::from(b)), skip),
        IndexType::U16 => scan_values(bytes.as_chunks().0.iter().map(|b| u32::from(u16::from_le_bytes(*b))), skip),
        IndexType::U32 => scan_values(bytes.as_chunks().0.iter().map(|b| u32::from_le_bytes(*b)), skip),
    }
}

fn scan_values(values: impl Iterator<Item = u32>, skip: Option<u32>) -> IndexScan {
    let (mut min, mut max, mut any, mut has_restart) = (u32::MAX, 0, false, false);
    for value in values {
        if Some(value) == skip {
            has_restart = true;
        } else {
            any = true;
            min = min.min(value);
            max = max.max(value);
        }
    }
    IndexScan { range: any.then_some((min, max)), has_restart }
}

/// List topology that stands for `mode`.
pub fn list_topology(mode: PrimitiveMode) -> Topology {
    match mode {
        PrimitiveMode::Points => Topology::PointList,
        PrimitiveMode::Lines | PrimitiveMode::LineLoop | PrimitiveMode::LineStrip => Topology::LineList,
        _ => Topology::TriangleList,
    }
}

/// Writes `mode` over `indices` as a plain list without restarts. `last_provokes`: the GPU takes flat values from
/// the first vertex of a primitive, so GL's last one is put there (winding kept).
pub fn to_list(indices: &[u32], mode: PrimitiveMode, restart: Option<u32>, last_provokes: bool) -> Vec<u32> {
    let mut out = Vec::with_capacity(indices.len() * 3);
    match restart {
        Some(restart) => {
            for run in indices.split(|&index| index == restart) {
                run_to_list(run, mode, last_provokes, &mut out);
            }
        }
        None => run_to_list(indices, mode, last_provokes, &mut out),
    }
    out
}

fn run_to_list(run: &[u32], mode: PrimitiveMode, last_provokes: bool, out: &mut Vec<u32>) {
    let line = |a: u32, b: u32, out: &mut Vec<u32>| out.extend(if last_provokes { [b, a] } else { [a, b] });
    // The third vertex provokes; a rotation keeps the winding.
    let triangle = |a: u32, b: u32, c: u32, out: &mut Vec<u32>| {
        out.extend(if last_provokes { [c, a, b] } else { [a, b, c] });
    };
    match mode {
        PrimitiveMode::Points => out.extend_from_slice(run),
        PrimitiveMode::Lines => run.as_chunks().0.iter().for_each(|&[a, b]| line(a, b, out)),
        PrimitiveMode::LineStrip => run.windows(2).for_each(|pair| line(pair[0], pair[1], out)),
        PrimitiveMode::LineLoop => {
            run.windows(2).for_each(|pair| line(pair[0], pair[1], out));
            if let (Some(&first), Some(&last), true) = (run.first(), run.last(), run.len() > 1) {
                line(last, first, out);
            }
        }
        PrimitiveMode::Triangles => run.as_chunks().0.iter().for_each(|&[a, b, c]| triangle(a, b, c, out)),
        PrimitiveMode::TriangleStrip => {
            for (i, three) in run.windows(3).enumerate() {
                let (a, b) = if i % 2 == 0 { (three[0], three[1]) } else { (three[1], three[0]) };
                triangle(a, b, three[2], out);
            }
        }
        PrimitiveMode::TriangleFan => {
            if let Some((&hub, rim)) = run.split_first() {
                rim.windows(2).for_each(|pair| triangle(hub, pair[0], pair[1], out));
            }
        }
    }
}

/// Byte indices as 16-bit ones; `restart`: 0xFF means restart and becomes 0xFFFF.
pub fn widen_u8(bytes: &[u8], restart: bool) -> Vec<u8> {
    bytes.iter().flat_map(|&b| (if restart && b == 0xff { 0xffff } else { u16::from(b) }).to_le_bytes()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use PrimitiveMode as M;

    /// ES 3.0 §2.8 figures 2.1–2.3 and table 2.7.
    #[test]
    fn modes_become_lists() {
        let list = |indices: &[u32], mode| to_list(indices, mode, None, false);
        assert_eq!(list(&[0, 1, 2, 3], M::TriangleFan), [0, 1, 2, 0, 2, 3]);
        assert_eq!(list(&[0, 1, 2, 3, 4], M::TriangleStrip), [0, 1, 2, 2, 1, 3, 2, 3, 4]);
        assert_eq!(list(&[5, 6, 7], M::LineLoop), [5, 6, 6, 7, 7, 5]);
        assert_eq!(list(&[5], M::LineLoop), [0u32; 0]);
        assert_eq!(list(&[5, 6, 7], M::LineStrip), [5, 6, 6, 7]);
        assert_eq!(list(&[0, 1, 2, 3], M::Triangles), [0, 1, 2]);
    }

    #[test]
    fn restart_ends_a_primitive() {
        assert_eq!(to_list(&[0, 1, 2, 9, 3, 4, 5, 6], M::TriangleFan, Some(9), false), [0, 1, 2, 3, 4, 5, 3, 5, 6]);
        assert_eq!(to_list(&[0, 1, 9, 2, 3, 4], M::Triangles, Some(9), false), [2, 3, 4]);
        assert_eq!(to_list(&[0, 1, 9, 2, 3], M::LineLoop, Some(9), false), [0, 1, 1, 0, 2, 3, 3, 2]);
    }

    /// GL's provoking vertex is the last of each primitive (ES 3.0 §2.10.3 table); the GPU's is the first.
    #[test]
    fn last_vertex_comes_first_with_the_same_winding() {
        assert_eq!(to_list(&[0, 1, 2], M::Triangles, None, true), [2, 0, 1]);
        assert_eq!(to_list(&[0, 1, 2, 3], M::TriangleStrip, None, true), [2, 0, 1, 3, 2, 1]);
        assert_eq!(to_list(&[0, 1, 2, 3], M::TriangleFan, None, true), [2, 0, 1, 3, 0, 2]);
        assert_eq!(to_list(&[0, 1], M::Lines, None, true), [1, 0]);
    }

    #[test]
    fn scan_leaves_restarts_out() {
        assert_eq!(scan(&[3, 255, 1], IndexType::U8, true), IndexScan { range: Some((1, 3)), has_restart: true });
        assert_eq!(scan(&[3, 255, 1], IndexType::U8, false), IndexScan { range: Some((1, 255)), has_restart: false });
        assert_eq!(scan(&[0xff, 0xff], IndexType::U16, true), IndexScan { range: None, has_restart: true });
        assert_eq!(widen_u8(&[1, 255], true), [1, 0, 0xff, 0xff]);
        assert_eq!(widen_u8(&[1, 255], false), [1, 0, 255, 0]);
    }
}
