//! CSV with a header: `lat`, `lon`, `ele`, or `x`, `y`, `z` of the scene; comma, semicolon or tab.
//!
//! Written here: the `csv` crate would switch features of crates on that the whole engine builds on.

use super::parse::{Gathered, Raw};

/// A table's points, and whether they are scene coordinates. Numbers after a semicolon may have a decimal comma.
pub fn table(text: &str) -> Result<(Gathered, bool), String> {
    let first = text.lines().find(|line| !skipped(line)).ok_or("it is empty")?;
    let most = |c: char| first.matches(c).count();
    let delimiter = [';', '\t', ','].into_iter().max_by_key(|c| most(*c)).unwrap_or(',');
    let mut rows = records(text, delimiter).into_iter().filter(|(_, row)| !row.iter().all(|f| f.trim().is_empty()));
    let (_, header) = rows.next().ok_or("it is empty")?;
    let names: Vec<String> = header.iter().map(|n| n.trim().trim_start_matches('\u{feff}').to_lowercase()).collect();
    let column = |of: &[&str]| names.iter().position(|name| of.contains(&name.as_str()));
    let lat = column(&["lat", "latitude", "lat_deg", "gps_lat", "sirka", "šířka"]);
    let lon = column(&["lon", "lng", "long", "longitude", "lon_deg", "gps_lon", "delka", "délka"]);
    let scene = lat.zip(lon).is_none();
    let (x, y, height) = if scene {
        (column(&["x"]), column(&["z"]), column(&["y"]))
    } else {
        (lon, lat, column(&["ele", "elevation", "alt", "altitude", "height", "h", "elev", "vyska", "výška"]))
    };
    let (Some(x), Some(y)) = (x, y) else {
        let shown: String = first.chars().take(80).collect();
        return Err(format!("its first line names neither lat and lon nor x and z: `{shown}`"));
    };
    let title = column(&["name", "title", "label"]);
    let mut out = Gathered::default();
    for (line, row) in rows {
        let number = |at: usize| -> Result<Option<f64>, String> {
            let field = row.get(at).map_or("", |f| f.trim());
            let text = if delimiter == ',' { field.to_owned() } else { field.replace(',', ".") };
            match text.as_str() {
                "" => Ok(None),
                text => text.parse().map(Some).map_err(|_| format!("line {line}: `{field}` is no number")),
            }
        };
        let must =
            |at: usize| number(at)?.ok_or_else(|| format!("line {line}: no {}", names.get(at).map_or("", |n| n)));
        let name = title.and_then(|at| row.get(at)).map(|n| n.trim().to_owned()).filter(|n| !n.is_empty());
        let height = height.map(number).transpose()?.flatten();
        out.line.push(Raw { x: must(x)?, y: must(y)?, height, name });
    }
    Ok((out, scene))
}

fn skipped(line: &str) -> bool {
    line.trim().is_empty() || line.starts_with('#')
}

/// RFC 4180: records with the line they begin at; quoted fields may hold anything, a quote is doubled in them.
fn records(text: &str, delimiter: char) -> Vec<(usize, Vec<String>)> {
    let mut out = Vec::new();
    let (mut row, mut field) = (Vec::new(), String::new());
    let (mut line, mut begin) = (1, 1);
    let mut quoted = false;
    let mut chars = text.chars().peekable();
    let mut fresh = true;
    while let Some(c) = chars.next() {
        if fresh && c == '#' {
            while chars.next_if(|c| *c != '\n').is_some() {}
            continue;
        }
        fresh = false;
        match c {
            '"' if quoted && chars.next_if_eq(&'"').is_some() => field.push('"'),
            '"' if quoted => quoted = false,
            '"' if field.is_empty() => quoted = true,
            '\n' if !quoted => {
                row.push(std::mem::take(&mut field));
                out.push((begin, std::mem::take(&mut row)));
                line += 1;
                begin = line;
                fresh = true;
            }
            '\r' if !quoted => {}
            c if c == delimiter && !quoted => row.push(std::mem::take(&mut field)),
            c => {
                line += usize::from(c == '\n');
                field.push(c);
            }
        }
    }
    if !field.is_empty() || !row.is_empty() {
        row.push(field);
        out.push((begin, row));
    }
    out
}
