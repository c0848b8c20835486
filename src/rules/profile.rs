//! Profiles: rules under a name, as TOML, with the settings of whoever measures.

use serde::Deserialize;
use serde::de::DeserializeOwned;

use serde_json::Value;

use super::{Document, Rule, RuleResult, RulesError, judge, rule};

/// What a document is held against.
#[derive(Clone, Debug, PartialEq)]
pub struct Profile<S> {
    pub name: String,
    pub title: String,
    pub settings: S,
    pub rules: Vec<Rule>,
}

/// What the profiles of one document say beside their rules: the other keys of the TOML. Unknown ones are its to refuse.
pub trait Settings: DeserializeOwned {
    const DOCUMENT: Document;
    /// `(name, TOML)` of the profiles that are built in.
    const BUILT_IN: &'static [(&'static str, &'static str)];

    /// Those of the profile without rules.
    fn none() -> Self;

    /// What no type can tell: bounds.
    fn problem(&self) -> Option<String> {
        None
    }
}

#[derive(Deserialize)]
struct Text {
    name: String,
    #[serde(default)]
    title: String,
    #[serde(default, rename = "rule")]
    rules: Vec<Rule>,
    #[serde(flatten)]
    settings: toml::Table,
}

impl<S: Settings> Profile<S> {
    /// `name` names the text in messages.
    ///
    /// # Errors
    /// It is no TOML of this shape, or a rule of it says nothing or names no value of the document.
    pub fn parse(name: &str, text: &str) -> Result<Self, RulesError> {
        let remedy = S::DOCUMENT.remedy;
        let fail = |message: String| RulesError::Toml { name: name.to_owned(), message, remedy };
        let read: Text = toml::from_str(text).map_err(|e| fail(e.to_string()))?;
        let settings: S = read.settings.try_into().map_err(|e| fail(e.to_string()))?;
        if let Some(problem) = settings.problem() {
            return Err(fail(problem));
        }
        rule::validate(name, text, &read.rules, &S::DOCUMENT)?;
        Ok(Self { name: read.name, title: read.title, settings, rules: read.rules })
    }

    /// One of those that are built in.
    pub fn built_in(name: &str) -> Option<Self> {
        S::BUILT_IN.iter().find(|(n, _)| *n == name).and_then(|(name, text)| Self::parse(name, text).ok())
    }

    /// What the rules say of the document's values.
    pub fn judge(&self, values: &Value) -> Vec<RuleResult> {
        judge::judge(&self.rules, values, S::DOCUMENT.missing)
    }

    /// No rules.
    pub fn none() -> Self {
        Self { name: "none".to_owned(), title: "no rules".to_owned(), settings: S::none(), rules: Vec::new() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Missing;

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Colour {
        #[serde(default)]
        depth: u8,
    }

    impl Settings for Colour {
        const DOCUMENT: Document = Document {
            title: "the numbers",
            schema: r#"{ "type": "object", "properties": { "near": { "type": "integer" } } }"#,
            remedy: "look them up",
            missing: Missing::Fails,
        };
        const BUILT_IN: &'static [(&'static str, &'static str)] = &[("deep", "name = \"deep\"\ndepth = 12")];

        fn none() -> Self {
            Self { depth: 8 }
        }

        fn problem(&self) -> Option<String> {
            (self.depth > 16).then(|| "depth: 16 at most".to_owned())
        }
    }

    type Profile = super::Profile<Colour>;

    #[test]
    fn rules_and_settings_stand_side_by_side() {
        let text = "name = \"p\"\ntitle = \"P\"\ndepth = 10\n[[rule]]\nid = \"R\"\ntitle = \"r\"\nchecks = [{ value = \"near\", is = 1 }]";
        let profile = Profile::parse("p.toml", text).unwrap();
        assert_eq!((profile.title.as_str(), profile.settings.depth, profile.rules.len()), ("P", 10, 1));
        assert_eq!(Profile::built_in("deep").unwrap().settings, Colour { depth: 12 });
        assert_eq!(Profile::built_in("flat"), None);
        assert_eq!(Profile::none().settings, Colour { depth: 8 });
    }

    #[test]
    fn what_nobody_knows_is_refused_by_name() {
        let message = |rest: &str| Profile::parse("p.toml", &format!("name = \"p\"\n{rest}")).unwrap_err().to_string();
        assert!(message("dept = 10").contains("unknown field `dept`"));
        assert!(message("depth = \"ten\"").contains("invalid type"));
        assert!(message("depth = 17").contains("depth: 16 at most"));
        assert!(message("rule = 1").starts_with("p.toml can't be read"));
        let rule = "[[rule]]\nid = \"R\"\ntitle = \"r\"\nchecks = [{ value = \"near\", least = 3 }]";
        assert!(message(rule).contains("unknown field `least`"));
        assert!(message("[[rule]]\nid = \"R\"\ntitle = \"r\"\nchecks = []").contains("it has no checks"));
        assert!(Profile::parse("p.toml", "depth = 1").unwrap_err().to_string().contains("missing field `name`"));
    }
}
