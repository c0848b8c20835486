//! HTML and SVG text in which everything that varies is escaped by construction.

use std::fmt::Write as _;

/// Markup under construction. Tags and attribute names are literals of ours; texts and values may come from anybody.
#[derive(Clone, Debug, Default)]
pub struct Markup {
    text: String,
}

impl Markup {
    pub fn new() -> Self {
        Self::default()
    }

    /// `<tag name="value" …>`.
    pub fn open(&mut self, tag: &'static str, attributes: &[(&'static str, &str)]) -> &mut Self {
        let _ = write!(self.text, "<{tag}");
        for (name, value) in attributes {
            let _ = write!(self.text, " {name}=\"");
            escape(value, &mut self.text);
            self.text.push('"');
        }
        self.text.push('>');
        self
    }

    pub fn close(&mut self, tag: &'static str) -> &mut Self {
        let _ = write!(self.text, "</{tag}>");
        self
    }

    pub fn text(&mut self, text: &str) -> &mut Self {
        escape(text, &mut self.text);
        self
    }

    /// `<tag …>text</tag>`.
    pub fn element(&mut self, tag: &'static str, attributes: &[(&'static str, &str)], text: &str) -> &mut Self {
        self.open(tag, attributes).text(text).close(tag)
    }

    /// Markup made by the same means.
    pub fn append(&mut self, other: &Self) -> &mut Self {
        self.text.push_str(&other.text);
        self
    }

    /// Text of this program's own source.
    pub fn own(&mut self, literal: &'static str) -> &mut Self {
        self.text.push_str(literal);
        self
    }

    /// A block of data for scripts; nothing in it can end the block.
    pub fn data(&mut self, id: &'static str, value: &serde_json::Value) -> &mut Self {
        let json = value.to_string();
        let _ = write!(self.text, "<script type=\"application/json\" id=\"{id}\">");
        for c in json.chars() {
            match c {
                '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => {
                    let _ = write!(self.text, "\\u{:04x}", u32::from(c));
                }
                c => self.text.push(c),
            }
        }
        self.text.push_str("</script>");
        self
    }

    pub fn finish(self) -> String {
        self.text
    }
}

/// As text or as a value in double quotes. Characters that HTML forbids become U+FFFD; those that turn the direction of
/// what follows become visible.
fn escape(text: &str, out: &mut String) {
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\n' | '\t' => out.push(c),
            '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}' | '\u{61c}' => {
                let _ = write!(out, "U+{:04X}", u32::from(c));
            }
            c if c.is_control() => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_varies_becomes_markup() {
        let bad = "\"><script>alert('1')</script>&amp;\u{0}\u{202e}";
        let mut page = Markup::new();
        page.element("p", &[("title", bad)], bad);
        let safe = "&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;amp;\u{fffd}U+202E";
        assert_eq!(page.finish(), format!("<p title=\"{safe}\">{safe}</p>"));
    }

    #[test]
    fn data_cannot_end_its_block() {
        let mut page = Markup::new();
        let value = serde_json::json!({ "</script><!--": "<!--<script>\u{2028}&" });
        page.data("data", &value);
        let text = page.finish();
        let inner = text.strip_prefix("<script type=\"application/json\" id=\"data\">").unwrap();
        let inner = inner.strip_suffix("</script>").unwrap();
        assert!(!inner.contains(['<', '>', '&', '\u{2028}']), "{inner}");
        assert_eq!(serde_json::from_str::<serde_json::Value>(inner).unwrap(), value);
    }
}
