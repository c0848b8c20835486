//! Constructors of constants (GLSL ES 3.00 §5.4).

use super::convert;
use crate::shader::hir::{Constant, Scalar, Type};

/// A checked constructor whose arguments are all constant.
pub fn construct(ty: &Type, arguments: &[(&Type, &[Constant])]) -> Option<Vec<Constant>> {
    match *ty {
        Type::Scalar(scalar) => Some(vec![convert(*arguments.first()?.1.first()?, scalar)]),
        Type::Vector(scalar, size) => vector(scalar, usize::from(size), arguments),
        Type::Matrix { columns, rows } => matrix(usize::from(columns), usize::from(rows), arguments),
        Type::Struct(_) | Type::Array(..) => {
            Some(arguments.iter().flat_map(|(_, values)| values.iter().copied()).collect())
        }
        Type::Void | Type::Sampler(_) => None,
    }
}

fn vector(scalar: Scalar, size: usize, arguments: &[(&Type, &[Constant])]) -> Option<Vec<Constant>> {
    if let [(Type::Scalar(_), values)] = arguments {
        return Some(vec![convert(*values.first()?, scalar); size]);
    }
    let values: Vec<Constant> = arguments
        .iter()
        .flat_map(|(_, values)| values.iter().copied())
        .take(size)
        .map(|value| convert(value, scalar))
        .collect();
    (values.len() == size).then_some(values)
}

fn matrix(columns: usize, rows: usize, arguments: &[(&Type, &[Constant])]) -> Option<Vec<Constant>> {
    let identity = |column, row| Constant::Float(if column == row { 1.0 } else { 0.0 });
    let cells = (0..columns).flat_map(|column| (0..rows).map(move |row| (column, row)));
    match arguments {
        [(Type::Scalar(_), values)] => {
            let diagonal = convert(*values.first()?, Scalar::Float);
            Some(cells.map(|(column, row)| if column == row { diagonal } else { Constant::Float(0.0) }).collect())
        }
        [(Type::Matrix { columns: from_columns, rows: from_rows }, values)] => {
            let (from_columns, from_rows) = (usize::from(*from_columns), usize::from(*from_rows));
            cells
                .map(|(column, row)| {
                    if column < from_columns && row < from_rows {
                        values.get(column * from_rows + row).copied()
                    } else {
                        Some(identity(column, row))
                    }
                })
                .collect()
        }
        _ => vector(Scalar::Float, columns * rows, arguments),
    }
}
