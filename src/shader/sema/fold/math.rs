//! Small dense matrices of constants.

use super::to_float;
use crate::shader::hir::Constant;

/// Column-major.
pub struct Matrix {
    pub columns: usize,
    pub rows: usize,
    pub cells: Vec<f32>,
}

impl Matrix {
    pub fn new(columns: u8, rows: u8, values: &[Constant]) -> Option<Self> {
        let (columns, rows) = (usize::from(columns), usize::from(rows));
        let cells: Vec<f32> = values.iter().map(|&value| to_float(value)).collect();
        (cells.len() == columns * rows).then_some(Self { columns, rows, cells })
    }

    fn at(&self, column: usize, row: usize) -> f32 {
        self.cells.get(column * self.rows + row).copied().unwrap_or(0.0)
    }

    fn build(columns: usize, rows: usize, cell: impl Fn(usize, usize) -> f32) -> Self {
        let cells = (0..columns * rows).map(|index| cell(index / rows, index % rows)).collect();
        Self { columns, rows, cells }
    }

    pub fn multiply(&self, right: &Self) -> Option<Self> {
        (self.columns == right.rows).then(|| {
            Self::build(right.columns, self.rows, |column, row| {
                (0..self.columns).map(|k| self.at(k, row) * right.at(column, k)).sum()
            })
        })
    }

    pub fn transpose(&self) -> Self {
        Self::build(self.rows, self.columns, |column, row| self.at(row, column))
    }

    fn minor(&self, column: usize, row: usize) -> Self {
        let skip = |index: usize, skipped: usize| if index < skipped { index } else { index + 1 };
        Self::build(self.columns - 1, self.rows - 1, |c, r| self.at(skip(c, column), skip(r, row)))
    }

    pub fn determinant(&self) -> f32 {
        if self.columns == 1 {
            return self.at(0, 0);
        }
        (0..self.columns).map(|column| self.at(column, 0) * self.cofactor(column, 0)).sum()
    }

    fn cofactor(&self, column: usize, row: usize) -> f32 {
        let sign = if (column + row).is_multiple_of(2) { 1.0 } else { -1.0 };
        sign * self.minor(column, row).determinant()
    }

    pub fn inverse(&self) -> Self {
        let determinant = self.determinant();
        Self::build(self.columns, self.rows, |column, row| self.cofactor(row, column) / determinant)
    }

    pub fn into_constants(self) -> Vec<Constant> {
        self.cells.into_iter().map(Constant::Float).collect()
    }
}
