//! Uniform blocks (GLSL ES 3.00 §4.3.7, §4.3.8.3).

use super::scope::Entry;
use super::{Analyzer, types};
use crate::shader::ast::{self, Qualifier};
use crate::shader::error::{Checked, Diagnostic};
use crate::shader::hir::{Field, Span, Storage, Type, UniformBlock};

/// What `layout(…) uniform;` has set. Every block is laid out as std140.
#[derive(Clone, Copy, Debug, Default)]
pub struct Defaults {
    row_major: bool,
}

impl Analyzer<'_> {
    /// `layout(row_major) uniform;`
    pub fn block_defaults(&mut self, qualifiers: &ast::Qualifiers, span: Span) -> Checked<()> {
        let resolved = self.resolve_qualifiers(qualifiers)?;
        if resolved.storage != Some(Qualifier::Uniform) || !resolved.has_layout {
            return Err(Diagnostic::new(span, "", "only 'uniform' can have global layout qualifiers"));
        }
        if resolved.layout.location.is_some() || resolved.layout.index.is_some() || resolved.precision.is_some() {
            return Err(Diagnostic::new(span, "layout", "invalid layout qualifier"));
        }
        if let Some(row_major) = resolved.layout.row_major {
            self.block_defaults.row_major = row_major;
        }
        Ok(())
    }

    pub fn uniform_block(&mut self, block: &ast::Block) -> Checked<()> {
        let ast::Name { symbol, span } = block.name;
        let qualifiers = self.resolve_qualifiers(&block.qualifiers)?;
        if !self.essl300() {
            return Err(self.error(span, symbol, "interface blocks need GLSL ES 3.00"));
        }
        if qualifiers.storage != Some(Qualifier::Uniform) {
            return Err(self.error(span, symbol, "invalid qualifier: interface blocks must be uniform"));
        }
        if qualifiers.precision.is_some() || qualifiers.invariant {
            return Err(self.error(span, symbol, "invalid qualifier on an interface block"));
        }
        if qualifiers.layout.location.is_some() || qualifiers.layout.index.is_some() {
            return Err(self.error(span, symbol, "invalid layout qualifier: location is not allowed on a block"));
        }
        self.check_name(symbol, span)?;
        let row_major = qualifiers.layout.row_major.unwrap_or(self.block_defaults.row_major);
        let mut fields = Vec::new();
        for member in &block.members {
            self.block_fields(member, row_major, &mut fields)?;
        }
        self.check_fields(&fields, block.span)?;
        self.declare_entry(block.name, Entry::BlockName)?;
        let (instance, array) = self.block_instance_name(block)?;
        let index = self.blocks.len() as u32;
        let name = self.text(symbol).to_owned();
        let global_symbol = block.instance.as_ref().map_or(symbol, |(name, _)| name.symbol);
        let global = self.add_global(global_symbol, span, Type::Void, Storage::Block(index), None);
        match &block.instance {
            Some((name, _)) => self.declare_entry(*name, Entry::Global(global))?,
            None => self.declare_members(block, global)?,
        }
        self.blocks.push(UniformBlock { name, instance, array, fields, used: false, span });
        Ok(())
    }

    fn block_fields(&mut self, member: &ast::Member, row_major: bool, fields: &mut Vec<Field>) -> Checked<()> {
        let span = member.ty.span;
        let qualifiers = self.resolve_qualifiers(&member.ty.qualifiers)?;
        if !matches!(qualifiers.storage, None | Some(Qualifier::Uniform)) || qualifiers.invariant || qualifiers.flat {
            return Err(Diagnostic::new(span, "", "invalid qualifier on an interface block member"));
        }
        if qualifiers.layout.std140 || qualifiers.layout.location.is_some() {
            return Err(Diagnostic::new(span, "layout", "invalid layout qualifier on an interface block member"));
        }
        let row_major = qualifiers.layout.row_major.unwrap_or(row_major);
        let first = fields.len();
        self.member_fields(member, qualifiers.precision, row_major, fields)?;
        for field in fields.iter().skip(first) {
            if types::contains_sampler(&field.ty, &self.structs) {
                return Err(Diagnostic::new(span, field.name.as_str(), "samplers are not allowed in interface blocks"));
            }
        }
        Ok(())
    }

    fn block_instance_name(&mut self, block: &ast::Block) -> Checked<(Option<String>, Option<u32>)> {
        let Some((name, array)) = &block.instance else { return Ok((None, None)) };
        self.check_name(name.symbol, name.span)?;
        let array = match array {
            None => None,
            Some(ast::ArraySize { size: Some(size), .. }) => Some(self.array_length(size)?),
            Some(array) => return Err(Diagnostic::new(array.span, "[]", "array size required")),
        };
        Ok((Some(self.text(name.symbol).to_owned()), array))
    }

    fn declare_members(&mut self, block: &ast::Block, global: crate::shader::hir::GlobalId) -> Checked<()> {
        let declarators = block.members.iter().flat_map(|member| &member.declarators);
        for (field, declarator) in declarators.enumerate() {
            self.declare_entry(declarator.name, Entry::BlockMember { global, field: field as u32 })?;
        }
        Ok(())
    }
}
