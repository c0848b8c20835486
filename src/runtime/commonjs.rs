//! CommonJS and UMD files of packages as modules, as package CDNs and bundlers serve them: `module.exports` is the
//! default export, what is assigned to `exports.name` is there by name too, `require('x')` is an import.

use std::collections::BTreeSet;
use std::fmt::Write as _;

/// Is the package file `name` written in CommonJS or UMD?
pub fn is(name: &str, text: &str) -> bool {
    let package = name.starts_with("node_modules/") || name.contains("/node_modules/");
    let exports = || ["module.exports", "exports.", "typeof exports"].iter().any(|mark| text.contains(mark));
    name.ends_with(".cjs") || (package && exports() && !is_module(text))
}

/// Does `text` hold an `import` or `export` statement, as far as its lines and semicolons tell?
fn is_module(text: &str) -> bool {
    let starts = |line: &str| {
        let rest = line.strip_prefix("export").or_else(|| line.strip_prefix("import"));
        rest.is_some_and(|rest| rest.starts_with([' ', '{', '*', '"', '\'']))
    };
    text.lines().any(|line| starts(line.trim_start()))
        || [";export", "}export", ";import", "*/import"]
            .iter()
            .any(|joint| text.match_indices(joint).any(|(at, _)| text.get(at + joint.len() - 6..).is_some_and(starts)))
}

/// The same file as a module; its lines keep their numbers.
pub fn as_module(text: &str) -> String {
    let required = required(text);
    let mut out = String::new();
    let mut table = String::new();
    for (index, name) in required.iter().enumerate() {
        let name = serde_json::to_string(name).unwrap_or_default();
        let _ = write!(out, "import * as __r{index} from {name};");
        let _ = write!(table, "{name}:'default' in __r{index}?__r{index}.default:__r{index},");
    }
    out += "const __m={exports:{}};(function(module,exports,require,process,define){";
    out += text.strip_prefix("#!").map_or(text, |_| text.split_once('\n').map_or("", |(_, rest)| rest));
    let _ = write!(
        out,
        "\n}}).call(__m.exports,__m,__m.exports,(n)=>{{const t={{__proto__:null,{table}}};if(!(n in t))throw new Error(`Cannot find module '${{n}}'`);return t[n];}},{{env:{{NODE_ENV:'production'}}}});\nexport default __m.exports?.__esModule&&'default' in __m.exports?__m.exports.default:__m.exports;"
    );
    for (index, name) in named(text).iter().enumerate() {
        let _ = write!(out, "const __e{index}=__m.exports?.{name};export{{__e{index} as {name}}};");
    }
    out
}

/// Names that `require` is called with as literals, in order.
fn required(text: &str) -> BTreeSet<String> {
    text.match_indices("require(")
        .filter_map(|(at, word)| {
            let rest = text.get(at + word.len()..)?.trim_start();
            let quote = rest.chars().next().filter(|c| matches!(c, '\'' | '"'))?;
            let (name, _) = rest.get(1..)?.split_once(quote)?;
            (!name.is_empty() && name.len() < 200 && !name.contains(['\n', '\\'])).then(|| name.to_owned())
        })
        .collect()
}

/// Names assigned to `exports`.
fn named(text: &str) -> BTreeSet<&str> {
    text.match_indices("exports.")
        .filter_map(|(at, word)| {
            let rest = text.get(at + word.len()..)?;
            let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '$'))).unwrap_or(rest.len());
            let (name, after) = rest.split_at_checked(end)?;
            let assigned = after.trim_start().strip_prefix('=').is_some_and(|more| !more.starts_with('='));
            let first = name.chars().next()?;
            (assigned && !first.is_ascii_digit() && !matches!(name, "default" | "__esModule")).then_some(name)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tells_commonjs_from_modules() {
        let umd = "(function(f,e){'object'===typeof exports&&'undefined'!==typeof module?module.exports=e():f.Stats=e()})(this,function(){});";
        assert!(is("node_modules/stats.js/build/stats.min.js", umd));
        assert!(!is("src/old.js", umd), "the page's own files are as they are");
        assert!(!is("node_modules/a/a.js", "const exports = {}; exports.a = 1;export{exports as default};"));
        assert!(!is("node_modules/a/a.js", "// module.exports = 1\n  export default 2;"));
        assert!(is("node_modules/a/a.js", "/* we export things */ module.exports = 1;"));
    }

    #[test]
    fn finds_what_is_required_and_exported() {
        let text =
            "const T = require('three'), p = require( \"./p\" ); exports.a = 1; if (exports.b == 2) exports.c=3;";
        assert_eq!(required(text).into_iter().collect::<Vec<_>>(), ["./p", "three"]);
        assert_eq!(named(text).into_iter().collect::<Vec<_>>(), ["a", "c"]);
    }
}
