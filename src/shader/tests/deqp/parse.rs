//! The text format of dEQP's shader cases.

/// A named value of a case: `output vec3 out0`.
#[derive(Clone, Debug)]
pub struct Value {
    /// `input`, `output` or `uniform`.
    pub storage: String,
    pub ty: String,
    pub name: String,
}

#[derive(Clone, Debug)]
pub enum Source {
    Both(String),
    Pair { vertex: String, fragment: String },
}

#[derive(Clone, Debug)]
pub struct Case {
    pub name: String,
    pub essl300: bool,
    /// `pass` unless the case says otherwise.
    pub expect: String,
    pub values: Vec<Value>,
    pub source: Source,
}

struct Reader<'a> {
    rest: &'a str,
}

impl<'a> Reader<'a> {
    fn skip(&mut self) {
        loop {
            self.rest = self.rest.trim_start();
            if !self.rest.starts_with('#') {
                return;
            }
            self.rest = self.rest.split_once('\n').map_or("", |(_, rest)| rest);
        }
    }

    /// A word, a quoted string, a `""` block or one character of punctuation.
    fn token(&mut self) -> &'a str {
        self.skip();
        if let Some(body) = self.rest.strip_prefix("\"\"") {
            let (text, rest) = body.split_once("\"\"").expect("closing quotes");
            self.rest = rest;
            return text;
        }
        if let Some(body) = self.rest.strip_prefix('"') {
            let (text, rest) = body.split_once('"').expect("closing quote");
            self.rest = rest;
            return text;
        }
        let word = |c: char| c.is_ascii_alphanumeric() || "_.-+".contains(c);
        let length = self.rest.find(|c| !word(c)).unwrap_or(self.rest.len());
        let length = length.max(self.rest.chars().next().map_or(0, char::len_utf8));
        let (token, rest) = self.rest.split_at(length);
        self.rest = rest;
        token
    }
}

/// All cases of a file, named `prefix.group.case`.
pub fn parse_file(text: &str, prefix: &str) -> Vec<Case> {
    let mut reader = Reader { rest: text };
    let mut groups = vec![prefix.to_owned()];
    let mut cases = Vec::new();
    loop {
        match reader.token() {
            "" => return cases,
            "group" => {
                let name = reader.token();
                groups.push(name.to_owned());
                reader.token();
            }
            "end" => {
                groups.pop();
            }
            "case" => {
                let name = format!("{}.{}", groups.join("."), reader.token());
                cases.extend(parse_case(&mut reader, name));
            }
            other => panic!("{prefix}: unexpected {other:?}"),
        }
    }
}

fn parse_case(reader: &mut Reader, name: String) -> Option<Case> {
    let mut case =
        Case { name, essl300: false, expect: "pass".into(), values: Vec::new(), source: Source::Both(String::new()) };
    let (mut vertex, mut fragment, mut both) = (None, None, None);
    loop {
        match reader.token() {
            "end" => break,
            "version" => {
                case.essl300 = reader.token() == "300";
            }
            // Of `300 es`, and of a mistaken `100 es`.
            "es" => {}
            "expect" => case.expect = reader.token().to_owned(),
            "desc" => {
                reader.token();
            }
            "values" => values(reader, &mut case.values),
            "both" => both = Some(reader.token()),
            "vertex" => vertex = Some(reader.token()),
            "fragment" => fragment = Some(reader.token()),
            other => panic!("{}: unexpected {other:?}", case.name),
        }
    }
    case.source = match (both, vertex, fragment) {
        (Some(both), ..) => Source::Both(clean(both)),
        (None, Some(vertex), Some(fragment)) => Source::Pair { vertex: clean(vertex), fragment: clean(fragment) },
        _ => return None,
    };
    Some(case)
}

fn values(reader: &mut Reader, values: &mut Vec<Value>) {
    assert_eq!(reader.token(), "{");
    loop {
        let storage = reader.token();
        if storage == "}" {
            return;
        }
        let ty = reader.token();
        let name = reader.token();
        if ["input", "output", "uniform"].contains(&storage) && !values.iter().any(|value| value.name == name) {
            values.push(Value { storage: storage.into(), ty: ty.into(), name: name.into() });
        }
        // The numbers matter only to those who draw.
        while reader.token() != ";" {}
    }
}

/// dEQP drops the indentation, so that `#version` comes first, and unescapes backslashes.
fn clean(source: &str) -> String {
    let lines: Vec<&str> = source.trim_matches('\n').lines().collect();
    let indent = |line: &&str| line.len() - line.trim_start().len();
    let least = lines.iter().filter(|line| !line.trim().is_empty()).map(indent).min().unwrap_or(0);
    let lines: Vec<&str> = lines.iter().map(|line| line.get(least..).unwrap_or("")).collect();
    let text = lines.join("\n").replace("\\\\", "\\");
    text.trim_start().to_owned() + "\n"
}
