//! Fills a case's template in as dEQP does: declarations for its values, comparison of its outputs.

use super::parse::{Case, Value};

/// The type with the same shape and float components.
fn float_type(ty: &str) -> String {
    match ty {
        "bool" | "int" | "uint" => "float".into(),
        _ => ty.strip_prefix(['b', 'i', 'u']).filter(|rest| rest.starts_with("vec")).unwrap_or(ty).to_owned(),
    }
}

fn is_float(ty: &str) -> bool {
    float_type(ty) == ty
}

fn of<'a>(case: &'a Case, storage: &'a str) -> impl Iterator<Item = &'a Value> {
    case.values.iter().filter(move |value| value.storage == storage)
}

fn fill(source: &str, parts: &[(&str, &str)]) -> String {
    let mut text = source.to_owned();
    for (name, part) in parts {
        text = text.replace(&format!("${{{name}:single-line}}"), &part.replace('\n', " "));
        text = text.replace(&format!("${{{name}}}"), part);
    }
    text
}

/// The vertex shader of a case.
pub fn vertex(source: &str, case: &Case) -> String {
    let (input, output) = if case.essl300 { ("in", "out") } else { ("attribute", "varying") };
    let mut declarations = format!("{input} highp vec4 dEQP_Position;\n");
    let mut plain = declarations.clone();
    let mut setup = String::new();
    let mut end = String::from("gl_Position = dEQP_Position;\n");
    for value in of(case, "input") {
        let Value { ty, name, .. } = value;
        let attribute = if is_float(ty) { name.clone() } else { format!("a_{name}") };
        let line = format!("{input} {} {attribute};\n", float_type(ty));
        declarations += &line;
        plain += &line;
        if !is_float(ty) {
            setup += &format!("{ty} {name} = {ty}({attribute});\n");
        }
    }
    for value in of(case, "uniform").filter(|value| !value.name.contains('.')) {
        plain += &format!("uniform {} {};\n", value.ty, value.name);
    }
    for value in of(case, "output") {
        let Value { ty, name, .. } = value;
        if is_float(ty) {
            declarations += &format!("{output} {ty} {name};\n");
        } else {
            let float = float_type(ty);
            declarations += &format!("{output} {float} v_{name};\n{ty} {name};\n");
            end += &format!("v_{name} = {float}({name});\n");
        }
    }
    fill(
        source,
        &[
            ("DECLARATIONS", &declarations),
            ("SETUP", &setup),
            ("OUTPUT", &end),
            ("POSITION_FRAG_COLOR", "gl_Position"),
            ("VERTEX_DECLARATIONS", &plain),
            ("VERTEX_SETUP", &setup),
            ("VERTEX_OUTPUT", "gl_Position = dEQP_Position;\n"),
        ],
    )
}

/// The fragment shader of a case.
pub fn fragment(source: &str, case: &Case) -> String {
    let input = if case.essl300 { "in" } else { "varying" };
    let color = if case.essl300 { "dEQP_FragColor" } else { "gl_FragColor" };
    let mut plain = compare_functions(case);
    let mut setup = String::new();
    if case.essl300 {
        plain += "layout(location = 0) out mediump vec4 dEQP_FragColor;\n";
    }
    let mut declarations = plain.clone();
    for value in of(case, "input") {
        let Value { ty, name, .. } = value;
        if is_float(ty) {
            declarations += &format!("{input} {ty} {name};\n");
        } else {
            let nudge = if ty.contains("int") || ty.starts_with("ivec") { " * 1.0025" } else { "" };
            declarations += &format!("{input} {} v_{name};\n", float_type(ty));
            setup += &format!("{ty} {name} = {ty}(v_{name}{nudge});\n");
        }
    }
    for value in of(case, "output") {
        let line = format!("uniform {ty} ref_{name};\n{ty} {name};\n", ty = value.ty, name = value.name);
        declarations += &line;
        plain += &line;
    }
    for value in of(case, "uniform").filter(|value| !value.name.contains('.')) {
        plain += &format!("uniform {} {};\n", value.ty, value.name);
    }
    let end = compare(case, color);
    fill(
        source,
        &[
            ("DECLARATIONS", &declarations),
            ("SETUP", &setup),
            ("OUTPUT", &end),
            ("POSITION_FRAG_COLOR", color),
            ("FRAGMENT_DECLARATIONS", &plain),
            ("FRAGMENT_OUTPUT", &end),
            ("FRAG_COLOR", color),
        ],
    )
}

fn compare_functions(case: &Case) -> String {
    let mut seen: Vec<&str> = Vec::new();
    let mut text = String::new();
    for Value { ty, .. } in of(case, "output") {
        if seen.contains(&ty.as_str()) {
            continue;
        }
        seen.push(ty);
        text += &if !is_float(ty) {
            format!("bool isOk({ty} a, {ty} b) {{ return a == b; }}\n")
        } else if ty == "float" {
            "bool isOk(float a, float b, float eps) { return abs(a - b) <= eps * abs(b) + eps; }\n".to_owned()
        } else if ty.starts_with("vec") {
            format!(
                "bool isOk({ty} a, {ty} b, float eps) {{ return all(lessThanEqual(abs(a - b), eps * abs(b) + eps)); }}\n"
            )
        } else {
            let columns = ty.as_bytes()[3] - b'0';
            let columns: Vec<String> = (0..columns).map(|c| format!("length(a[{c}] - b[{c}]) <= eps")).collect();
            format!("bool isOk({ty} a, {ty} b, float eps) {{ return {}; }}\n", columns.join(" && "))
        };
    }
    text
}

fn compare(case: &Case, color: &str) -> String {
    let tests: Vec<String> = of(case, "output")
        .map(|Value { ty, name, .. }| {
            let tolerance = if is_float(ty) { ", 0.05" } else { "" };
            format!("isOk({name}, ref_{name}{tolerance})")
        })
        .collect();
    if tests.is_empty() {
        return format!("{color} = vec4(1.0);\n");
    }
    format!("bool RES = {};\n{color} = vec4(RES, RES, RES, 1.0);\n", tests.join(" && "))
}
