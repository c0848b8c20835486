//! Interned identifiers and token texts of one shader.

use std::rc::Rc;

use rustc_hash::FxHashMap;

/// An interned string; comparing symbols compares texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Symbol(u32);

/// The table behind [`Symbol`].
#[derive(Debug, Default)]
pub struct Names {
    map: FxHashMap<Rc<str>, Symbol>,
    list: Vec<Rc<str>>,
}

impl Names {
    pub fn intern(&mut self, text: &str) -> Symbol {
        if let Some(&symbol) = self.map.get(text) {
            return symbol;
        }
        let symbol = Symbol(self.list.len() as u32);
        let text: Rc<str> = text.into();
        self.list.push(text.clone());
        self.map.insert(text, symbol);
        symbol
    }

    /// The text of a symbol of this table.
    pub fn get(&self, symbol: Symbol) -> &str {
        self.list.get(symbol.0 as usize).map_or("", |text| text)
    }
}
