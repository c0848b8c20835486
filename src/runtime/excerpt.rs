//! The source that an error message shows: of long lines only what stands around the place.

use miette::{MietteError, MietteSpanContents, SourceCode, SourceSpan, SpanContents};

/// Bytes of a line that are shown at most; minified programs have lines of megabytes.
const MAX_LINE: usize = 160;

/// A source file, shown around one place of it.
#[derive(Clone, Debug)]
pub struct Excerpt {
    name: String,
    /// The file with long lines cut.
    text: String,
    /// The line of the place whole.
    line: String,
    /// Columns cut off before what is shown of that line, and where the line begins in `text`.
    shift: usize,
    begin: usize,
}

impl Excerpt {
    /// `at` is the byte in `text` that the message is about; the span of the same byte in what is shown comes along.
    pub(super) fn new(name: String, text: &str, at: usize) -> (Self, SourceSpan) {
        let begin = text.get(..at).and_then(|before| before.rfind('\n')).map_or(0, |end| end + 1);
        let mut shown = String::new();
        let (mut start, mut shift, mut new_begin, mut new_at) = (0, 0, 0, 0);
        for line in text.split_inclusive('\n') {
            let (body, end) = line.strip_suffix('\n').map_or((line, ""), |body| (body, "\n"));
            if start == begin {
                let column = at.saturating_sub(begin).min(body.len());
                let from = if body.len() > MAX_LINE { floor(body, column.saturating_sub(MAX_LINE / 2)) } else { 0 };
                let to = floor(body, from.saturating_add(MAX_LINE).min(body.len()));
                shift = body.get(..from).map_or(0, |cut| cut.encode_utf16().count());
                new_begin = shown.len();
                shown += body.get(from..to).unwrap_or_default();
                new_at = new_begin + column.saturating_sub(from);
            } else {
                shown += body.get(..floor(body, MAX_LINE.min(body.len()))).unwrap_or_default();
            }
            shown += end;
            start += line.len();
        }
        let line = text.get(begin..).and_then(|rest| rest.lines().next()).unwrap_or_default().to_owned();
        (Self { name, text: shown, line, shift, begin: new_begin }, (new_at, 1).into())
    }

    /// The line of the place, whole.
    pub(super) fn line(&self) -> &str {
        &self.line
    }
}

/// The nearest character boundary at or before `at`.
fn floor(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|i| text.is_char_boundary(*i)).unwrap_or(0)
}

impl SourceCode for Excerpt {
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        before: usize,
        after: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let inner = self.text.read_span(span, before, after)?;
        // The header says where the place is in the file itself.
        let line_end =
            self.text.get(self.begin..).and_then(|t| t.find('\n')).map_or(self.text.len(), |n| self.begin + n);
        let here = (self.begin..=line_end).contains(&inner.span().offset());
        let column = inner.column() + if here { self.shift } else { 0 };
        Ok(Box::new(MietteSpanContents::new_named(
            self.name.clone(),
            inner.data(),
            *inner.span(),
            inner.line(),
            column,
            inner.line_count(),
        )))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_line_is_cut_around_the_place_and_the_column_stays() {
        let text = format!("first\n{}HERE{}\nlast", "a".repeat(5000), "b".repeat(5000));
        let (excerpt, span) = Excerpt::new("x.js".into(), &text, 6 + 5000);
        let shown = excerpt.read_span(&span, 1, 1).unwrap();
        let data = std::str::from_utf8(shown.data()).unwrap();
        assert!(data.len() < 200 && data.contains("aHEREb") && data.starts_with("first\n"), "{data}");
        let place = excerpt.read_span(&span, 0, 0).unwrap();
        assert_eq!((place.line(), place.column(), place.data().first()), (1, 5000, Some(&b'H')));
        assert_eq!(excerpt.line().len(), 10_004);
        // A short one is shown as it is.
        let (excerpt, span) = Excerpt::new("x.js".into(), "let ä = ;\n", 9);
        let place = excerpt.read_span(&span, 0, 0).unwrap();
        assert_eq!((place.data().first(), excerpt.line()), (Some(&b';'), "let ä = ;"));
    }
}
