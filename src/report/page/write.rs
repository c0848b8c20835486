//! The page's text.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use super::model::{Cell, Contact, Event, Film, Group, MapPart, Measured, Page, Row, Series, Table, Verdict};
use crate::report::markup::Markup;

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");
/// A map up to this width, in pixels, has room for the contacts beside it.
const NARROW: u32 = 780;
/// Most events listed; the strip shows all.
const MOST_EVENTS: usize = 200;

/// A data URL.
pub fn data_url(kind: &str, bytes: &[u8]) -> String {
    format!("data:{kind};base64,{}", BASE64.encode(bytes))
}

/// `1:02.067` or `3.600 s`.
pub(super) fn clock(seconds: f64) -> String {
    let milliseconds = (seconds * 1000.0).round().max(0.0) as u64;
    let (minutes, rest) = (milliseconds / 60_000, milliseconds % 60_000);
    let (whole, thousandths) = (rest / 1000, rest % 1000);
    if minutes == 0 { format!("{whole}.{thousandths:03} s") } else { format!("{minutes}:{whole:02}.{thousandths:03}") }
}

impl Film {
    fn seconds(&self, frame: u64) -> f64 {
        frame as f64 * f64::from(self.rate.1) / f64::from(self.rate.0.max(1))
    }
}

impl Page {
    /// The whole file. The same page gives the same bytes.
    pub fn html(&self) -> String {
        let hash = |text: &str| format!("'sha256-{}'", BASE64.encode(Sha256::digest(text)));
        let policy = format!(
            "default-src 'none'; script-src {}; style-src {}; img-src data:; media-src 'self' data: file:; base-uri 'none'; form-action 'none'",
            hash(SCRIPT),
            hash(STYLE)
        );
        let mut m = Markup::new();
        m.own("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
        m.open("meta", &[("http-equiv", "Content-Security-Policy"), ("content", &policy)]);
        m.own("\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
        m.own(
            "<meta name=\"color-scheme\" content=\"light dark\">\n<meta name=\"referrer\" content=\"no-referrer\">\n",
        );
        m.own("<link rel=\"icon\" href=\"data:,\">\n");
        m.element("title", &[], &format!("{} · replay report", self.title));
        m.own("\n<style>").own(STYLE).own("</style>\n</head>\n<body>\n");
        self.header(&mut m);
        m.own("<main>\n");
        self.flight(&mut m);
        self.verdicts(&mut m);
        let narrow = self.map.as_ref().is_ok_and(|map| map.width <= NARROW);
        m.own(if narrow { "<div class=\"pair\">" } else { "<div>" });
        self.map(&mut m);
        self.contacts(&mut m);
        m.own("</div>\n");
        self.sheet(&mut m);
        self.provenance(&mut m);
        m.own("</main>\n<footer><p>Made by replay. This page loads nothing from any network.</p></footer>\n");
        m.data("data", &self.data());
        m.own("\n<script>").own(SCRIPT).own("</script>\n</body>\n</html>\n");
        m.finish()
    }

    fn data(&self) -> Value {
        let series: Vec<Value> = self
            .series
            .iter()
            .chain(&self.more)
            .filter_map(|s| {
                let values = s.values.as_ref().ok()?;
                let short: Vec<Value> = values.iter().map(|v| v.map_or(Value::Null, short)).collect();
                let marks: Vec<Value> = s.marks.iter().map(|(name, at)| json!([name, at])).collect();
                Some(json!({ "id": s.id, "unit": s.unit, "values": short, "marks": marks, "noise": s.noise }))
            })
            .collect();
        let contacts: Option<String> =
            self.contacts.as_ref().ok().map(|contacts| contacts.iter().map(|c| c.code()).collect());
        let places: Option<Vec<Value>> = self.map.as_ref().ok().map(|map| {
            map.places.iter().map(|at| at.map_or(Value::Null, |[x, y]| json!([short(x), short(y)]))).collect()
        });
        json!({
            "frames": self.film.frames, "rate": [self.film.rate.0, self.film.rate.1], "cuts": self.cuts,
            "contacts": contacts, "series": series, "places": places,
        })
    }

    fn header(&self, m: &mut Markup) {
        m.own("<header>\n<p class=\"eyebrow\">replay report</p>\n").element("h1", &[], &self.title);
        if !self.alarms.is_empty() {
            m.own("\n<ul class=\"alarms\" role=\"alert\">");
            for alarm in &self.alarms {
                m.element("li", &[], alarm);
            }
            m.own("</ul>");
        }
        m.own("\n<ul class=\"facts\">");
        for fact in &self.facts {
            m.element("li", &[], fact);
        }
        m.own("</ul>\n<ul class=\"tally\">");
        let rows = || self.groups.iter().flat_map(|g| &g.rows);
        for verdict in [Verdict::Fail, Verdict::Pass, Verdict::Note, Verdict::NotMeasured] {
            let count = rows().filter(|row| row.verdict == verdict).count();
            if count > 0 {
                m.open("li", &[("class", verdict.class())]).element("b", &[], &count.to_string()).text(" ");
                m.text(if verdict == Verdict::Note && count > 1 { "notes" } else { verdict.word() }).close("li");
            }
        }
        m.own("</ul>\n<nav aria-label=\"On this page\"><a href=\"#flight\">Flight</a><a href=\"#verdicts\">Verdicts</a><a href=\"#map\">Map</a><a href=\"#contacts\">Contacts</a><a href=\"#sheet\">Sheet</a><a href=\"#provenance\">Provenance</a></nav>\n</header>\n");
    }

    fn flight(&self, m: &mut Markup) {
        m.own("<section id=\"flight\" aria-labelledby=\"flight-title\">\n<h2 id=\"flight-title\">Flight</h2>\n");
        let landscape = self.film.video.as_ref().is_ok_and(|v| v.size.is_some_and(|(width, height)| width > height));
        let class = if landscape { "stage wide" } else { "stage" };
        m.open("div", &[("class", class)]).own("<div class=\"screen\">");
        match &self.film.video {
            Ok(video) => {
                let size = video.size.map(|(width, height)| [width.to_string(), height.to_string()]);
                let mut attributes = vec![
                    ("id", "video"),
                    ("src", video.source.as_str()),
                    ("controls", ""),
                    ("playsinline", ""),
                    ("preload", "auto"),
                    ("aria-label", "The film"),
                ];
                if let Some([width, height]) = &size {
                    attributes.extend([("width", width.as_str()), ("height", height.as_str())]);
                }
                m.open("video", &attributes).close("video");
                m.own("<p class=\"missing\" id=\"no-video\" hidden>The video could not be loaded. It is expected beside this page.</p>");
            }
            Err(why) => missing(m, why),
        }
        let last = self.film.frames.saturating_sub(1).to_string();
        m.open(
            "div",
            &[
                ("id", "strip"),
                ("class", "strip"),
                ("role", "slider"),
                ("tabindex", "0"),
                ("aria-label", "Frame"),
                ("aria-valuemin", "0"),
                ("aria-valuemax", &last),
                ("aria-valuenow", "0"),
            ],
        );
        m.own("<canvas></canvas><i class=\"cursor\"></i></div>\n");
        m.own("<p class=\"readout\" id=\"readout\"><b>0.000 s</b> <span>frame 0</span></p>");
        m.own("<p class=\"keys\"><kbd>←</kbd> <kbd>→</kbd> a frame, with <kbd>Shift</kbd> a second, <kbd>Space</kbd> plays</p></div>\n<div class=\"plots\">");
        for series in &self.series {
            self.plot(m, series);
        }
        if !self.more.is_empty() {
            m.own("<details class=\"more\"><summary>More: ");
            let titles: Vec<&str> = self.more.iter().map(|series| series.title.as_str()).collect();
            m.text(&titles.join(", ").to_lowercase()).own("</summary><div class=\"plots\">");
            for series in &self.more {
                self.plot(m, series);
            }
            m.own("</div></details>");
        }
        m.own("</div></div>\n</section>\n");
    }

    fn plot(&self, m: &mut Markup, series: &Series) {
        m.open("figure", &[("class", "plot"), ("data-series", &series.id)]).own("<figcaption><span class=\"name\">");
        m.text(&series.title);
        if !series.unit.is_empty() {
            m.text(" ").element("small", &[], &series.unit);
        }
        m.own("</span><output></output>");
        if !series.summary.is_empty() {
            m.own("<span class=\"summary\">");
            for (name, value) in &series.summary {
                m.own("<span>").text(name).text(" ").element("b", &[], value).own("</span>");
            }
            m.own("</span>");
        }
        m.own("</figcaption>");
        match &series.values {
            Ok(_) => {
                m.own("<div class=\"chart\"></div>");
            }
            Err(why) => missing(m, why),
        }
        m.own("</figure>\n");
    }

    fn verdicts(&self, m: &mut Markup) {
        m.own(
            "<section id=\"verdicts\" aria-labelledby=\"verdicts-title\">\n<h2 id=\"verdicts-title\">Verdicts</h2>\n",
        );
        if self.groups.iter().all(|group| group.rows.is_empty()) {
            missing(m, "nothing was judged");
        }
        m.own("<div class=\"groups\">");
        for Group { title, rows } in &self.groups {
            m.own("<div class=\"group\">").element("h3", &[], title).own("<ul class=\"verdicts\">");
            for row in rows {
                verdict(m, row);
            }
            m.own("</ul></div>\n");
        }
        m.own("</div></section>\n");
    }

    fn contacts(&self, m: &mut Markup) {
        m.own(
            "<section id=\"contacts\" aria-labelledby=\"contacts-title\">\n<h2 id=\"contacts-title\">Contacts</h2>\n",
        );
        match &self.contacts {
            Err(why) => missing(m, why),
            Ok(contacts) => self.contact_list(m, contacts),
        }
        m.own("</section>\n");
    }

    fn contact_list(&self, m: &mut Markup, contacts: &[Contact]) {
        m.own("<ul class=\"legend\">");
        for contact in
            [Contact::PassedThrough, Contact::Inside, Contact::Glued, Contact::Near, Contact::Clear, Contact::Unknown]
        {
            let count = contacts.iter().filter(|c| **c == contact).count();
            if count == 0 && contact == Contact::Unknown {
                continue;
            }
            let class = contact.code().to_string();
            m.own("<li>").element("i", &[("class", &format!("swatch {class}"))], "").text(contact.name()).text(" ");
            m.element("b", &[], &count.to_string()).text(if count == 1 { " frame" } else { " frames" }).own("</li>");
        }
        m.own("</ul>\n");
        let unknown = contacts.iter().filter(|c| **c == Contact::Unknown).count();
        if self.events.iter().any(|event| event.contact != Contact::Unknown) {
            self.event_list(m, &self.events);
        } else if unknown == 0 {
            m.own("<p>The camera touched nothing.</p>\n");
        } else {
            let known = contacts.len() - unknown;
            m.element("p", &[], &format!("The camera touched nothing in the {known} frames of which it is known."));
        }
        if !self.asides.is_empty() {
            m.own("<h3>Counts for nothing</h3>\n<p class=\"missing\">Touched or gone through, but no collision: because of its name, or because the film was cut there.</p>\n");
            self.event_list(m, &self.asides);
        }
    }

    fn event_list(&self, m: &mut Markup, events: &[Event]) {
        m.own("<ol class=\"events\">");
        for event in events.iter().take(MOST_EVENTS) {
            self.event(m, event);
        }
        m.own("</ol>\n");
        if let Some(more @ 1..) = events.len().checked_sub(MOST_EVENTS) {
            m.element("p", &[("class", "missing")], &format!("{more} more stand in clearance.jsonl."));
        }
    }

    fn event(&self, m: &mut Markup, event: &Event) {
        let frames = if event.first == event.last {
            format!("frame {}", event.first)
        } else {
            format!("frames {}–{}", event.first, event.last)
        };
        m.own("<li>").open("button", &[("type", "button"), ("data-frame", &event.first.to_string())]);
        m.element("i", &[("class", &format!("swatch {}", event.contact.code()))], "");
        m.element("b", &[], &clock(self.film.seconds(event.first))).text(" ").element("span", &[], &frames);
        m.close("button").own("<span class=\"what\">").text(event.contact.name());
        if let Some(object) = &event.object {
            m.text(": ").element("q", &[], object);
        }
        if let Some(distance) = event.distance {
            m.text(&format!(", {distance:.2} m at the nearest"));
        }
        if !event.note.is_empty() {
            m.text(" (").text(&event.note).text(")");
        }
        m.own("</span></li>\n");
    }

    fn map(&self, m: &mut Markup) {
        m.own("<section id=\"map\" aria-labelledby=\"map-title\">\n<h2 id=\"map-title\">Map</h2>\n");
        part(m, &self.map, |m, MapPart { svg, .. }| {
            m.own("<div class=\"map\" id=\"map-view\">").append(svg).own("</div>");
            // Where the map is wider than the window it is made to fit; the script shows this then.
            m.own("<button type=\"button\" id=\"map-size\" aria-controls=\"map-view\" hidden>Show it in full size (scrolls sideways)</button>");
        });
        m.own("</section>\n");
    }

    fn sheet(&self, m: &mut Markup) {
        m.own("<section id=\"sheet\" aria-labelledby=\"sheet-title\">\n<h2 id=\"sheet-title\">Contact sheet</h2>\n");
        part(m, &self.cells, |m, cells| {
            m.own("<ol class=\"sheet\">");
            for Cell { frame, time, picture, width, height } in cells {
                let (number, time) = (frame.to_string(), time.map_or_else(String::new, clock));
                let name = format!("frame {number}");
                m.own("<li>").open("button", &[("type", "button"), ("data-frame", &number)]);
                let (width, height) = (width.to_string(), height.to_string());
                m.open("img", &[("src", picture), ("width", &width), ("height", &height), ("alt", &name)]);
                m.element("b", &[], &time).text(" ").element("span", &[], &name).close("button").own("</li>");
            }
            m.own("</ol>");
        });
        m.own("</section>\n");
    }

    fn provenance(&self, m: &mut Markup) {
        m.own("<section id=\"provenance\" aria-labelledby=\"provenance-title\">\n<h2 id=\"provenance-title\">Provenance</h2>\n");
        if !self.warnings.is_empty() {
            m.own("<details open><summary>Warnings <small>").text(&self.warnings.len().to_string());
            m.own("</small></summary><ul class=\"log\">");
            for warning in &self.warnings {
                m.element("li", &[], warning);
            }
            m.own("</ul></details>\n");
        }
        for Table { title, rows, folded } in &self.provenance {
            m.own(if *folded { "<details><summary>" } else { "<details open><summary>" }).text(title);
            m.own(" <small>").text(&rows.len().to_string()).own("</small></summary><dl>");
            for (name, value) in rows {
                m.own("<div>").element("dt", &[], name).element("dd", &[], value).own("</div>");
            }
            m.own("</dl></details>\n");
        }
        m.own("</section>\n");
    }
}

fn verdict(m: &mut Markup, row: &Row) {
    m.open("li", &[("class", row.verdict.class())]);
    let foldable = !row.details.is_empty();
    m.own(if foldable { "<details><summary>" } else { "<div class=\"plain\">" });
    m.own("<i class=\"mark\" aria-hidden=\"true\"></i><span class=\"rule\">");
    if !row.id.is_empty() {
        m.element("b", &[], &row.id).text(" ");
    }
    m.text(&row.title).own("</span>").element("span", &[("class", "word")], row.verdict.word());
    m.element("span", &[("class", "said")], &row.said);
    if foldable {
        m.own("</summary><dl>");
        for (name, value) in &row.details {
            m.own("<div>").element("dt", &[], name).element("dd", &[], value).own("</div>");
        }
        m.own("</dl></details>");
    } else {
        m.own("</div>");
    }
    m.own("</li>\n");
}

fn missing(m: &mut Markup, why: &str) {
    m.element("p", &[("class", "missing")], &format!("not measured: {why}"));
}

fn part<T>(m: &mut Markup, part: &Measured<T>, write: impl FnOnce(&mut Markup, &T)) {
    match part {
        Ok(part) => write(m, part),
        Err(why) => missing(m, why),
    }
}

/// A number with five significant digits: enough for a plot, and a third of the bytes.
fn short(value: f64) -> Value {
    if !value.is_finite() {
        return Value::Null;
    }
    let rounded: f64 = format!("{value:.4e}").parse().unwrap_or(value);
    if rounded == 0.0 { json!(0) } else { json!(rounded) }
}
