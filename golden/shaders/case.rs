//! Reads the text cases of dEQP's shader library (`*.test`): groups, cases, values, sources.

/// What a value is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Storage {
    Input,
    Output,
    Uniform,
}

/// One line of a `values` block.
#[derive(Clone, Debug)]
pub struct Value {
    pub storage: Storage,
    /// GLSL name of the type: `vec3`, `mat2x4`, `bool`.
    pub ty: String,
    pub name: String,
    /// One list of scalars for each sub-case (or one for all).
    pub elements: Vec<Vec<f64>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expect {
    Pass,
    CompileFail,
    LinkFail,
    CompileOrLinkFail,
    BuildSuccessful,
}

#[derive(Clone, Debug)]
pub struct Case {
    pub name: String,
    /// `100` or `300 es`.
    pub version: String,
    pub expect: Expect,
    pub values: Vec<Vec<Value>>,
    pub vertex: Option<String>,
    pub fragment: Option<String>,
    pub both: Option<String>,
}

/// Component kind of a type: `f`, `i`, `u` or `b`.
pub fn kind(ty: &str) -> char {
    match ty {
        "int" | "ivec2" | "ivec3" | "ivec4" => 'i',
        "uint" | "uvec2" | "uvec3" | "uvec4" => 'u',
        "bool" | "bvec2" | "bvec3" | "bvec4" => 'b',
        _ => 'f',
    }
}

/// Columns and rows (1 column for scalars and vectors).
pub fn shape(ty: &str) -> (usize, usize) {
    let digit = |at: usize| ty.as_bytes()[at] as usize - b'0' as usize;
    if let Some(rest) = ty.strip_prefix("mat") {
        let at = ty.len() - rest.len();
        return if rest.len() == 1 { (digit(at), digit(at)) } else { (digit(at), digit(at + 2)) };
    }
    match ty.find("vec") {
        Some(at) => (1, digit(at + 3)),
        None => (1, 1),
    }
}

pub fn scalars(ty: &str) -> usize {
    let (columns, rows) = shape(ty);
    columns * rows
}

struct Reader<'t> {
    rest: &'t str,
}

impl<'t> Reader<'t> {
    fn skip(&mut self) {
        loop {
            self.rest = self.rest.trim_start();
            match self.rest.strip_prefix('#') {
                Some(comment) => self.rest = comment.find('\n').map_or("", |end| &comment[end..]),
                None => return,
            }
        }
    }

    fn word(&mut self) -> &'t str {
        self.skip();
        let end = self
            .rest
            .find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '.' || c == '+' || c == '-'))
            .unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end.max(usize::from(!self.rest.is_empty())));
        self.rest = rest;
        word
    }

    fn peek(&self) -> &'t str {
        Reader { rest: self.rest }.word()
    }

    /// `"text"` on one line, or `""` … `""` over several.
    fn string(&mut self) -> String {
        self.skip();
        if let Some(rest) = self.rest.strip_prefix("\"\"") {
            let end = rest.find("\"\"").expect("unterminated source");
            self.rest = &rest[end + 2..];
            return unescape(&dedent(&rest[..end]));
        }
        let rest = self.rest.strip_prefix('"').expect("string expected");
        let end = rest.find('"').expect("unterminated string");
        self.rest = &rest[end + 1..];
        rest[..end].to_owned()
    }

    fn expect(&mut self, text: &str) {
        self.skip();
        self.rest = self
            .rest
            .strip_prefix(text)
            .unwrap_or_else(|| panic!("{text:?} expected at {:?}", &self.rest[..self.rest.len().min(60)]));
    }

    fn accept(&mut self, text: &str) -> bool {
        self.skip();
        match self.rest.strip_prefix(text) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }
}

/// The escapes of the library's strings.
fn unescape(text: &str) -> String {
    text.replace("\\n", "\n").replace("\\t", "\t").replace("\\\"", "\"").replace("\\\\", "\\")
}

/// Removes the indentation of the first line that has text from all lines, as the library does.
fn dedent(text: &str) -> String {
    let lines: Vec<&str> = text.lines().skip_while(|line| line.trim().is_empty()).collect();
    let indent = lines.first().map_or(0, |line| line.len() - line.trim_start().len());
    let cut = |line: &&str| {
        let blank = line.len() - line.trim_start().len();
        line[blank.min(indent)..].to_owned()
    };
    lines.iter().map(cut).collect::<Vec<_>>().join("\n") + "\n"
}

/// All cases of a file, names prefixed by their groups.
pub fn parse(text: &str) -> Vec<Case> {
    let mut reader = Reader { rest: text };
    let mut cases = Vec::new();
    let mut groups: Vec<String> = Vec::new();
    loop {
        match reader.word() {
            "" => return cases,
            "group" => {
                groups.push(reader.word().to_owned());
                reader.string();
            }
            "end" => {
                groups.pop();
            }
            "case" => {
                let name = reader.word();
                let full = groups.iter().map(String::as_str).chain([name]).collect::<Vec<_>>().join(".");
                cases.push(case(&mut reader, full));
            }
            other => panic!("unexpected {other:?}"),
        }
    }
}

fn case(reader: &mut Reader<'_>, name: String) -> Case {
    let mut case = Case {
        name,
        version: "100".into(),
        expect: Expect::Pass,
        values: Vec::new(),
        vertex: None,
        fragment: None,
        both: None,
    };
    loop {
        match reader.word() {
            "end" => return case,
            "version" => {
                case.version = reader.word().to_owned();
                if reader.peek() == "es" {
                    reader.word();
                }
                if case.version != "100" {
                    case.version.push_str(" es");
                }
            }
            "desc" => {
                reader.string();
            }
            "expect" => {
                case.expect = match reader.word() {
                    "pass" => Expect::Pass,
                    "compile_fail" => Expect::CompileFail,
                    "link_fail" => Expect::LinkFail,
                    "compile_or_link_fail" => Expect::CompileOrLinkFail,
                    "build_successful" => Expect::BuildSuccessful,
                    other => panic!("unknown expectation {other:?}"),
                }
            }
            "values" => case.values.push(values(reader)),
            "vertex" => case.vertex = Some(reader.string()),
            "fragment" => case.fragment = Some(reader.string()),
            "both" => case.both = Some(reader.string()),
            other => panic!("unexpected {other:?} in case {}", case.name),
        }
    }
}

fn values(reader: &mut Reader<'_>) -> Vec<Value> {
    reader.expect("{");
    let mut out = Vec::new();
    while !reader.accept("}") {
        let storage = match reader.word() {
            "input" => Storage::Input,
            "output" => Storage::Output,
            "uniform" => Storage::Uniform,
            other => panic!("unexpected {other:?} in values"),
        };
        let ty = reader.word().to_owned();
        reader.skip();
        let name = if reader.rest.starts_with('"') { reader.string() } else { reader.word().to_owned() };
        reader.expect("=");
        let mut elements = Vec::new();
        if reader.accept("[") {
            loop {
                elements.push(element(reader, &ty));
                if !reader.accept("|") {
                    break;
                }
            }
            reader.expect("]");
        } else {
            elements.push(element(reader, &ty));
        }
        reader.expect(";");
        out.push(Value { storage, ty, name, elements });
    }
    out
}

fn element(reader: &mut Reader<'_>, ty: &str) -> Vec<f64> {
    let count = scalars(ty);
    if count > 1 {
        assert_eq!(reader.word(), ty);
        reader.expect("(");
    }
    let mut out = Vec::new();
    for index in 0..count {
        if index > 0 {
            reader.expect(",");
        }
        let negative = reader.accept("-");
        let word = reader.word();
        let value: f64 = match word {
            "true" => 1.0,
            "false" => 0.0,
            _ => {
                word.trim_end_matches(['u', 'f']).parse().unwrap_or_else(|_| panic!("number expected, found {word:?}"))
            }
        };
        out.push(if negative { -value } else { value });
    }
    if count > 1 {
        reader.expect(")");
    }
    out
}
