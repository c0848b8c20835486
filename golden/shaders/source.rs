//! Makes complete shaders from the sources of a case: declarations, set-up and comparison, as dEQP generates them.

use super::case::{Case, Storage, Value, kind, scalars, shape};

/// One program to be tested: both sources, and how its inputs are named.
pub struct Program {
    pub name: String,
    pub vertex: String,
    pub fragment: String,
    /// The case's source is in the fragment shader: float attributes are called `a_…`.
    pub fragment_only: bool,
}

struct Dialect {
    vertex_in: &'static str,
    vertex_out: &'static str,
    fragment_in: &'static str,
    colour: &'static str,
    custom_colour: bool,
    precision: &'static str,
}

fn dialect(version: &str) -> Dialect {
    if version == "100" {
        Dialect {
            vertex_in: "attribute",
            vertex_out: "varying",
            fragment_in: "varying",
            colour: "gl_FragColor",
            custom_colour: false,
            precision: "mediump",
        }
    } else {
        Dialect {
            vertex_in: "in",
            vertex_out: "out",
            fragment_in: "in",
            colour: "dEQP_FragColor",
            custom_colour: true,
            precision: "highp",
        }
    }
}

/// The float type of the same shape.
fn float_type(ty: &str) -> String {
    match (kind(ty), scalars(ty)) {
        ('f', _) => ty.to_owned(),
        (_, 1) => "float".to_owned(),
        (_, n) => format!("vec{n}"),
    }
}

const OUTPUT_COLOUR: &str = "layout(location = 0) out mediump vec4 dEQP_FragColor;\n";

/// All programs of a case.
pub fn programs(case: &Case) -> Vec<Program> {
    let empty = Vec::new();
    let block = case.values.first().unwrap_or(&empty);
    match &case.both {
        Some(both) => vec![
            Program {
                name: format!("{}_vertex", case.name),
                vertex: specialise_vertex(case, both, block),
                fragment: generic_fragment(case, block),
                fragment_only: false,
            },
            Program {
                name: format!("{}_fragment", case.name),
                vertex: generic_vertex(case, block),
                fragment: specialise_fragment(case, both, block),
                fragment_only: true,
            },
        ],
        None => vec![Program {
            name: case.name.clone(),
            vertex: complete_vertex(case, case.vertex.as_deref().unwrap_or(""), block),
            fragment: complete_fragment(case, case.fragment.as_deref().unwrap_or(""), block),
            fragment_only: false,
        }],
    }
}

fn replace(source: &str, pairs: &[(&str, &str)]) -> String {
    let mut out = source.to_owned();
    for (name, text) in pairs {
        out = out.replace(&format!("${{{name}:single-line}}"), &text.replace('\n', " "));
        out = out.replace(&format!("${{{name}}}"), text);
    }
    out
}

fn generic_vertex(case: &Case, block: &[Value]) -> String {
    let d = dialect(&case.version);
    let mut declarations = format!(
        "#version {}\nprecision highp float;\nprecision highp int;\n{} highp vec4 dEQP_Position;\n",
        case.version, d.vertex_in
    );
    let mut body = String::new();
    for value in block.iter().filter(|v| v.storage == Storage::Input) {
        let float = float_type(&value.ty);
        let prefix = if kind(&value.ty) == 'f' { "" } else { "v_" };
        declarations += &format!("{} {float} a_{};\n", d.vertex_in, value.name);
        declarations += &format!("{} {float} {prefix}{};\n", d.vertex_out, value.name);
        body += &format!("\t{prefix}{0} = a_{0};\n", value.name);
    }
    format!("{declarations}void main()\n{{\n\tgl_Position = dEQP_Position;\n{body}}}\n")
}

fn compare_functions(block: &[Value], floats: bool) -> String {
    let mut types: Vec<&str> = block.iter().filter(|v| v.storage == Storage::Output).map(|v| v.ty.as_str()).collect();
    types.sort_unstable();
    types.dedup();
    let mut out = String::new();
    for ty in types {
        let float = float_type(ty);
        let (columns, rows) = shape(ty);
        out += &match (kind(ty), columns, rows) {
            ('f', 1, 1) => {
                "bool isOk (float a, float b, float eps) { return (abs(a-b) <= (eps*abs(b) + eps)); }\n".to_owned()
            }
            ('f', 1, _) => format!(
                "bool isOk ({ty} a, {ty} b, float eps) {{ return all(lessThanEqual(abs(a-b), (eps*abs(b) + eps))); }}\n"
            ),
            ('f', columns, rows) => {
                let mut difference = "abs(a[0]-b[0])".to_owned();
                for column in 1..columns {
                    difference = format!("max({difference}, abs(a[{column}]-b[{column}]))");
                }
                format!(
                    "bool isOk ({ty} a, {ty} b, float eps) {{ vec{rows} diff = {difference}; \
                     return all(lessThanEqual(diff, vec{rows}(eps))); }}\n"
                )
            }
            (_, _, _) if !floats => format!("bool isOk ({ty} a, {ty} b) {{ return (a == b); }}\n"),
            ('b', _, 1) => "bool isOk (float a, bool b) { return ((a > 0.5) == b); }\n".to_owned(),
            ('b', _, _) => {
                format!("bool isOk ({float} a, {ty} b) {{ return (greaterThan(a, {float}(0.5)) == b); }}\n")
            }
            (k, _, 1) => {
                let one = if k == 'u' { "1u" } else { "1" };
                format!(
                    "bool isOk (float a, {ty} b) {{ float atemp = a+0.5; \
                     return (float(b) <= atemp && atemp <= float(b+{one})); }}\n"
                )
            }
            _ => format!("bool isOk ({float} a, {ty} b) {{ return ({ty}(floor(a + 0.5)) == b); }}\n"),
        };
    }
    out
}

fn compare(target: &str, block: &[Value], prefix: &str) -> String {
    let mut out = String::new();
    for value in block.iter().filter(|v| v.storage == Storage::Output) {
        out += if out.is_empty() { "bool RES = " } else { "RES = RES && " };
        out += &if kind(&value.ty) == 'f' {
            format!("isOk({0}, ref_{0}, 0.05);\n", value.name)
        } else {
            format!("isOk({prefix}{0}, ref_{0});\n", value.name)
        };
    }
    if out.is_empty() {
        format!("{target} = vec4(1.0);\n")
    } else {
        format!("{out}{target} = vec4(RES, RES, RES, 1.0);\n")
    }
}

fn generic_fragment(case: &Case, block: &[Value]) -> String {
    let d = dialect(&case.version);
    let mut out = format!("#version {}\nprecision {1} float;\nprecision {1} int;\n", case.version, d.precision);
    if d.custom_colour {
        out += OUTPUT_COLOUR;
    }
    out += &compare_functions(block, true);
    for value in block.iter().filter(|v| v.storage == Storage::Output) {
        let prefix = if kind(&value.ty) == 'f' { "" } else { "v_" };
        out += &format!("{} {} {prefix}{};\n", d.fragment_in, float_type(&value.ty), value.name);
        out += &format!("uniform {} ref_{};\n", value.ty, value.name);
    }
    out + &format!("void main()\n{{\n{}}}\n", compare(d.colour, block, "v_"))
}

fn specialise_vertex(case: &Case, source: &str, block: &[Value]) -> String {
    let d = dialect(&case.version);
    let mut declarations = format!("{} highp vec4 dEQP_Position;\n", d.vertex_in);
    let mut setup = String::new();
    let mut output = "gl_Position = dEQP_Position;\n".to_owned();
    for value in block {
        let (ty, name, float) = (&value.ty, &value.name, float_type(&value.ty));
        match (value.storage, kind(ty)) {
            (Storage::Input, 'f') => declarations += &format!("{} {float} {name};\n", d.vertex_in),
            (Storage::Input, _) => {
                declarations += &format!("{} {float} a_{name};\n", d.vertex_in);
                setup += &format!("{ty} {name} = {ty}(a_{name});\n");
            }
            (Storage::Output, 'f') => declarations += &format!("{} {float} {name};\n", d.vertex_out),
            (Storage::Output, _) => {
                declarations += &format!("{} {float} v_{name};\n{ty} {name};\n", d.vertex_out);
                output += &format!("v_{name} = {float}({name});\n");
            }
            (Storage::Uniform, _) => {}
        }
    }
    replace(
        source,
        &[
            ("DECLARATIONS", &declarations),
            ("SETUP", &setup),
            ("OUTPUT", &output),
            ("POSITION_FRAG_COLOR", "gl_Position"),
        ],
    )
}

fn specialise_fragment(case: &Case, source: &str, block: &[Value]) -> String {
    let d = dialect(&case.version);
    let mut declarations = compare_functions(block, false);
    let mut setup = String::new();
    if d.custom_colour {
        declarations += OUTPUT_COLOUR;
    }
    for value in block {
        let (ty, name, float) = (&value.ty, &value.name, float_type(&value.ty));
        match (value.storage, kind(ty)) {
            (Storage::Input, 'f') => declarations += &format!("{} {float} {name};\n", d.fragment_in),
            (Storage::Input, k) => {
                declarations += &format!("{} {float} v_{name};\n", d.fragment_in);
                let nudge = if k == 'i' { " * 1.0025" } else { "" };
                setup += &format!("{ty} {name} = {ty}(v_{name}{nudge});\n");
            }
            (Storage::Output, _) => declarations += &format!("uniform {ty} ref_{name};\n{ty} {name};\n"),
            (Storage::Uniform, _) => {}
        }
    }
    replace(
        source,
        &[
            ("DECLARATIONS", &declarations),
            ("SETUP", &setup),
            ("OUTPUT", &compare(d.colour, block, "")),
            ("POSITION_FRAG_COLOR", d.colour),
        ],
    )
}

fn complete_vertex(case: &Case, source: &str, block: &[Value]) -> String {
    let d = dialect(&case.version);
    let mut declarations = format!("{} highp vec4 dEQP_Position;\n", d.vertex_in);
    let mut setup = String::new();
    for value in block {
        let (ty, name) = (&value.ty, &value.name);
        match (value.storage, kind(ty)) {
            (Storage::Input, 'f') => declarations += &format!("{} {ty} {name};\n", d.vertex_in),
            (Storage::Input, _) => {
                declarations += &format!("{} {} a_{name};\n", d.vertex_in, float_type(ty));
                setup += &format!("{ty} {name} = {ty}(a_{name});\n");
            }
            (Storage::Uniform, _) if !name.contains('.') => declarations += &format!("uniform {ty} {name};\n"),
            _ => {}
        }
    }
    let output = "gl_Position = dEQP_Position;\n";
    replace(source, &[("VERTEX_DECLARATIONS", &declarations), ("VERTEX_SETUP", &setup), ("VERTEX_OUTPUT", output)])
}

fn complete_fragment(case: &Case, source: &str, block: &[Value]) -> String {
    let d = dialect(&case.version);
    let mut declarations = compare_functions(block, false);
    if d.custom_colour {
        declarations += OUTPUT_COLOUR;
    }
    for value in block {
        let (ty, name) = (&value.ty, &value.name);
        match value.storage {
            Storage::Output => declarations += &format!("uniform {ty} ref_{name};\n{ty} {name};\n"),
            Storage::Uniform if !name.contains('.') => declarations += &format!("uniform {ty} {name};\n"),
            _ => {}
        }
    }
    replace(
        source,
        &[
            ("FRAGMENT_DECLARATIONS", &declarations),
            ("FRAGMENT_OUTPUT", &compare(d.colour, block, "")),
            ("FRAG_COLOR", d.colour),
        ],
    )
}
