//! The URL Standard, by the `url` crate, for the page's `URL` class.

use deno_core::op2;
use url::{Position, Url};

/// `href`, `protocol`, `username`, `password`, `host`, `hostname`, `port`, `pathname`, `search`, `hash`, `origin`; empty if invalid.
#[op2]
#[serde]
pub fn op_url_parse(#[string] text: &str, #[string] base: &str) -> Vec<String> {
    let parsed = if base.is_empty() { Url::parse(text) } else { Url::parse(base).and_then(|base| base.join(text)) };
    parsed.map(|url| parts(&url)).unwrap_or_default()
}

/// The parts after a setter of `URL`; `part` as in [`op_url_parse`]'s list. A refused value changes nothing.
#[op2]
#[serde]
pub fn op_url_set(#[string] href: &str, #[string] part: &str, #[string] value: &str) -> Vec<String> {
    let Ok(mut url) = Url::parse(href) else { return Vec::new() };
    use url::quirks;
    match part {
        "protocol" => drop(quirks::set_protocol(&mut url, value)),
        "username" => drop(quirks::set_username(&mut url, value)),
        "password" => drop(quirks::set_password(&mut url, value)),
        "host" => drop(quirks::set_host(&mut url, value)),
        "hostname" => drop(quirks::set_hostname(&mut url, value)),
        "port" => drop(quirks::set_port(&mut url, value)),
        "pathname" => quirks::set_pathname(&mut url, value),
        "search" => quirks::set_search(&mut url, value),
        "hash" => quirks::set_hash(&mut url, value),
        _ => {}
    }
    parts(&url)
}

fn parts(url: &Url) -> Vec<String> {
    use url::quirks;
    vec![
        url.to_string(),
        quirks::protocol(url).to_owned(),
        url.username().to_owned(),
        url.password().unwrap_or("").to_owned(),
        quirks::host(url).to_owned(),
        quirks::hostname(url).to_owned(),
        quirks::port(url).to_owned(),
        url[Position::BeforePath..Position::AfterPath].to_owned(),
        quirks::search(url).to_owned(),
        quirks::hash(url).to_owned(),
        quirks::origin(url),
    ]
}

/// `application/x-www-form-urlencoded` to pairs, flattened.
#[op2]
#[serde]
pub fn op_form_parse(#[string] text: &str) -> Vec<String> {
    url::form_urlencoded::parse(text.as_bytes()).flat_map(|(k, v)| [k.into_owned(), v.into_owned()]).collect()
}

/// Pairs, flattened, to `application/x-www-form-urlencoded`.
#[op2]
#[string]
pub fn op_form_serialize(#[serde] pairs: Vec<String>) -> String {
    let mut out = url::form_urlencoded::Serializer::new(String::new());
    for pair in pairs.chunks_exact(2) {
        out.append_pair(&pair[0], &pair[1]);
    }
    out.finish()
}
