//! The packing rule of GLSL ES (1.00 appendix A.7, 3.00 §11): whether variables fit into rows of four.

use super::types::register_shape;
use crate::shader::program::VariableType;

/// One variable to be packed: its type and array length.
#[derive(Clone, Copy, Debug)]
pub struct Packed {
    pub ty: VariableType,
    pub size: u32,
}

struct Grid {
    /// Bit per used column.
    rows: Vec<u8>,
}

impl Grid {
    /// First run of `count` rows whose columns `mask` are free.
    fn find(&self, mask: u8, count: usize) -> Option<usize> {
        let mut run = 0;
        for (row, used) in self.rows.iter().enumerate() {
            run = if used & mask == 0 { run + 1 } else { 0 };
            if run == count {
                return Some(row + 1 - count);
            }
        }
        None
    }

    /// Last run, for two-component variables that fill from the bottom.
    fn find_last(&self, mask: u8, count: usize) -> Option<usize> {
        let mut run = 0;
        for (row, used) in self.rows.iter().enumerate().rev() {
            run = if used & mask == 0 { run + 1 } else { 0 };
            if run == count {
                return Some(row);
            }
        }
        None
    }

    fn fill(&mut self, mask: u8, start: usize, count: usize) {
        for used in self.rows.iter_mut().skip(start).take(count) {
            *used |= mask;
        }
    }
}

/// Whether all variables fit into `max_rows` rows of four components.
pub fn fits(variables: &[Packed], max_rows: u32) -> bool {
    let mut sorted: Vec<(u32, u32)> = variables
        .iter()
        .map(|v| {
            let (rows, components) = register_shape(v.ty);
            // A 2-column matrix is packed like an array of two-component vectors, and so on.
            (components, rows.saturating_mul(v.size))
        })
        .filter(|(components, rows)| *components > 0 && *rows > 0)
        .collect();
    sorted.sort_by(|a, b| b.cmp(a));
    let total: u32 = sorted.iter().fold(0, |sum, (_, rows)| sum.saturating_add(*rows));
    if total <= max_rows {
        return true;
    }
    if sorted.iter().any(|(_, rows)| *rows > max_rows) {
        return false;
    }
    let mut grid = Grid { rows: vec![0; max_rows as usize] };
    for (components, rows) in sorted {
        let count = rows as usize;
        let place = match components {
            4 => grid.find(0b1111, count).map(|row| (0b1111, row)),
            3 => grid.find(0b0111, count).map(|row| (0b0111, row)),
            2 => grid
                .find(0b0011, count)
                .map(|row| (0b0011, row))
                .or_else(|| grid.find_last(0b1100, count).map(|row| (0b1100, row))),
            _ => narrowest_column(&grid, count),
        };
        let Some((mask, row)) = place else { return false };
        grid.fill(mask, row, count);
    }
    true
}

/// One-component variables go to the column with the smallest sufficient space.
fn narrowest_column(grid: &Grid, count: usize) -> Option<(u8, usize)> {
    (0..4)
        .filter_map(|column| {
            let mask = 1u8 << column;
            let row = grid.find(mask, count)?;
            let free = grid.rows.iter().filter(|used| **used & mask == 0).count();
            Some((free, mask, row))
        })
        .min()
        .map(|(_, mask, row)| (mask, row))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shader::hir::Scalar::Float;

    /// GLSL ES 1.00, appendix A.7, "Example of a packing": it fits into eight rows and not into fewer.
    #[test]
    fn example_of_the_specification() {
        let vec = |n, size| Packed { ty: VariableType::Vector(Float, n), size };
        let float = |size| Packed { ty: VariableType::Scalar(Float), size };
        let variables = [
            vec(4, 1),
            Packed { ty: VariableType::Matrix { columns: 3, rows: 3 }, size: 1 },
            vec(2, 3),
            vec(2, 2),
            vec(2, 1),
            float(3),
            float(2),
            float(1),
        ];
        assert!(fits(&variables, 8));
        assert!(!fits(&variables, 7));
    }
}
