//! Program objects.

#[derive(Debug, Default)]
pub struct Program {
    pub deleted: bool,
}
