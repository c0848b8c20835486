//! What is read of a JSON schema: whether it knows a value, and whether a document keeps it (our tests ask).

use serde_json::Value;

/// What a value may be, `null` aside.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Leaf<'a> {
    pub number: bool,
    /// Whole numbers only.
    pub whole: bool,
    pub text: bool,
    pub truth: bool,
    /// The only texts there are.
    pub texts: Option<&'a [Value]>,
}

/// The single value that the schema knows at this path, if it knows one. An exact quotient (`exact`, `value`) is one.
pub fn leaf<'a>(schema: &'a Value, path: &str) -> Option<Leaf<'a>> {
    let mut node = schema;
    for name in path.split('.') {
        node = resolve(schema, node).get("properties").and_then(|p| p.get(name))?;
    }
    let node = resolve(schema, node);
    if let Some(inner) = node.get("properties") {
        let exact = inner.get("exact").is_some() && inner.get("value").is_some();
        return exact.then_some(Leaf { number: true, ..Leaf::default() });
    }
    if node.get("items").is_some() {
        return None;
    }
    let texts = node.get("enum").and_then(Value::as_array).map(Vec::as_slice);
    let types: Vec<&str> = match node.get("type") {
        Some(Value::String(one)) => vec![one.as_str()],
        Some(Value::Array(many)) => many.iter().filter_map(Value::as_str).collect(),
        // Of whatever is not said, anything may be asked.
        _ if texts.is_some() => vec!["string"],
        _ => vec!["number", "string", "boolean"],
    };
    let may = |kind: &str| types.contains(&kind);
    let number = may("number") || may("integer");
    Some(Leaf { number, whole: number && !may("number"), text: may("string"), truth: may("boolean"), texts })
}

/// Follows references, and through `anyOf` to the first form: the value itself, where others say that it is missing.
fn resolve<'a>(schema: &'a Value, node: &'a Value) -> &'a Value {
    if let Some(name) = node.get("$ref").and_then(Value::as_str).and_then(|r| r.strip_prefix("#/$defs/")) {
        return schema.get("$defs").and_then(|d| d.get(name)).map_or(node, |found| resolve(schema, found));
    }
    match node.get("anyOf").and_then(Value::as_array).and_then(|all| all.first()) {
        Some(first) => resolve(schema, first),
        None => node,
    }
}

/// Checks what our schemas use of JSON Schema: `$ref`, `anyOf`, `type`, `const`, `enum`, `items`, `minItems`, `maxItems`,
/// `required`, `properties`, `additionalProperties`. Stricter than the standard: every property that is listed must be
/// required and be there, and a value's type must be given.
///
/// # Errors
/// Where `value` does not keep it, and why.
pub fn conforms(value: &Value, schema: &Value) -> Result<(), String> {
    keeps(value, schema, schema, "$")
}

/// Does a value keep its schema, as text, and come back from it the same?
#[cfg(test)]
pub fn holds<T>(value: &T, schema: &str)
where
    T: serde::Serialize + serde::de::DeserializeOwned + PartialEq + std::fmt::Debug,
{
    let text = serde_json::to_string(value).unwrap();
    let schema: Value = serde_json::from_str(schema).unwrap();
    conforms(&serde_json::from_str(&text).unwrap(), &schema).unwrap();
    assert_eq!(&serde_json::from_str::<T>(&text).unwrap(), value);
}

fn keeps(value: &Value, node: &Value, schema: &Value, at: &str) -> Result<(), String> {
    if let Some(name) = node["$ref"].as_str() {
        let path = name.strip_prefix('#').ok_or_else(|| format!("{at}: a reference out of the schema"))?;
        let target = schema.pointer(path).ok_or_else(|| format!("{at}: {name} is not there"))?;
        return keeps(value, target, schema, at);
    }
    if let Some(forms) = node["anyOf"].as_array() {
        let failures: Vec<_> = forms.iter().filter_map(|form| keeps(value, form, schema, at).err()).collect();
        return if failures.len() < forms.len() { Ok(()) } else { Err(failures.join(" / ")) };
    }
    let kind = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(n) if n.is_u64() || n.is_i64() => "integer",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    let types: Vec<&str> = match &node["type"] {
        Value::String(one) => vec![one.as_str()],
        Value::Array(many) => many.iter().filter_map(Value::as_str).collect(),
        // `{}`: anything.
        _ if node.as_object().is_some_and(serde_json::Map::is_empty) || *node == Value::Bool(true) => return Ok(()),
        _ => return Err(format!("{at}: the schema gives no type")),
    };
    if !(types.contains(&kind) || kind == "integer" && types.contains(&"number")) {
        return Err(format!("{at}: {value} is not {types:?}"));
    }
    if node.get("const").is_some_and(|only| only != value) {
        return Err(format!("{at}: {value} is not {}", node["const"]));
    }
    if node["enum"].as_array().is_some_and(|allowed| !allowed.contains(value)) {
        return Err(format!("{at}: {value} is not one of {}", node["enum"]));
    }
    if let Value::Array(found) = value {
        let (length, bound) = (found.len() as u64, |name: &str| node[name].as_u64());
        if bound("minItems").is_some_and(|n| length < n) || bound("maxItems").is_some_and(|n| length > n) {
            return Err(format!("{at}: {length} items"));
        }
        let fixed = node["prefixItems"].as_array().map_or(&[][..], Vec::as_slice);
        for (i, item) in found.iter().enumerate() {
            if let Some(form) = fixed.get(i).or_else(|| node.get("items")) {
                keeps(item, form, schema, &format!("{at}[{i}]"))?;
            }
        }
    }
    let Value::Object(found) = value else { return Ok(()) };
    let Some(properties) = node["properties"].as_object() else {
        // A map: its values are of one kind.
        return match node.get("additionalProperties") {
            Some(form) => found.iter().try_for_each(|(key, v)| keeps(v, form, schema, &format!("{at}.{key}"))),
            None => Ok(()),
        };
    };
    let required = node["required"].as_array().map_or(0, Vec::len);
    if required != properties.len() {
        return Err(format!("{at}: {required} of {} properties are required", properties.len()));
    }
    if let Some(name) = properties.keys().find(|name| !found.contains_key(*name)) {
        return Err(format!("{at}: no {name}"));
    }
    for (key, v) in found {
        let form = properties.get(key).ok_or_else(|| format!("{at}.{key} is not in the schema"))?;
        keeps(v, form, schema, &format!("{at}.{key}"))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_does_not_keep_a_schema_is_found() {
        let schema = json!({
            "type": "object",
            "properties": {
                "a": { "$ref": "#/$defs/A" },
                "b": { "anyOf": [{ "type": "number" }, { "type": "null" }] },
                "c": { "type": "array", "items": { "enum": ["x", "y"], "type": "string" }, "maxItems": 2 },
            },
            "required": ["a", "b", "c"],
            "$defs": { "A": { "type": "integer" } },
        });
        assert_eq!(conforms(&json!({ "a": 1, "b": 1.5, "c": ["x", "y"] }), &schema), Ok(()));
        for (value, told) in [
            (json!({ "a": 1, "b": null }), "$: no c"),
            (json!({ "a": 1.5, "b": null, "c": [] }), "$.a: 1.5"),
            (json!({ "a": 1, "b": "1", "c": [] }), "$.b: \"1\""),
            (json!({ "a": 1, "b": null, "c": ["z"] }), "$.c[0]: \"z\""),
            (json!({ "a": 1, "b": null, "c": ["x", "x", "x"] }), "$.c: 3 items"),
            (json!({ "a": 1, "b": null, "c": [], "d": 1 }), "$.d is not in"),
        ] {
            let why = conforms(&value, &schema).unwrap_err();
            assert!(why.starts_with(told), "{why}");
        }
    }
}
