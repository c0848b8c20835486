//! What the camera touched, frame by frame and stretch by stretch.

use serde_json::Value;

use super::Sources;
use crate::report::page::model::{Contact, Event, Measured};

impl Sources {
    pub(super) fn contacts(&self) -> Measured<Vec<Contact>> {
        let list = self.series.as_ref().map_err(Clone::clone)?.get("contact").and_then(Value::as_array);
        let list = list.filter(|list| !list.is_empty()).ok_or_else(|| self.why("clearance"))?;
        let all: Vec<Contact> = list.iter().map(|c| c.as_str().map_or(Contact::Unknown, contact)).collect();
        match all.iter().all(|c| *c == Contact::Unknown) {
            true => Err("in no frame is it known where the camera was and what was drawn".to_owned()),
            false => Ok(all),
        }
    }

    /// Slight contacts stand after all grave ones, as the metrics sort them.
    pub(super) fn events(&self) -> Vec<Event> {
        let ranges = self.metric("/collision/ranges").and_then(Value::as_array);
        let event = |range: &Value| {
            let objects = range.get("objects").and_then(Value::as_array);
            let names: Vec<&str> = objects.into_iter().flatten().filter_map(Value::as_str).collect();
            Some(Event {
                first: range.get("first")?.as_u64()?,
                last: range.get("last")?.as_u64()?,
                contact: range.get("verdict").and_then(Value::as_str).map_or(Contact::Unknown, contact),
                object: (!names.is_empty()).then(|| names.join(", ")),
                distance: range.get("distance").and_then(Value::as_f64),
                note: match range.get("inside_by").and_then(Value::as_str) {
                    Some("near-plane") => "the near plane cuts it open, so that the picture looks behind it",
                    Some("enclosed") => "its surfaces are seen from behind all around",
                    _ => "",
                }
                .to_owned(),
            })
        };
        ranges.into_iter().flatten().filter_map(event).collect()
    }

    /// What was touched, but is no collision.
    pub(super) fn asides(&self) -> Vec<Event> {
        let list = |pointer: &str| self.metric(pointer).and_then(Value::as_array).into_iter().flatten();
        let text = |value: &Value, key: &str| value.get(key).and_then(Value::as_str).map(str::to_owned);
        let waived = list("/collision/waived").filter_map(|w| {
            Some(Event {
                first: w.get("first")?.as_u64()?,
                last: w.get("last")?.as_u64()?,
                contact: w.get("verdict").and_then(Value::as_str).map_or(Contact::Unknown, contact),
                object: text(w, "object"),
                distance: w.get("distance").and_then(Value::as_f64),
                note: text(w, "why").unwrap_or_default(),
            })
        });
        let cuts = list("/collision/cuts_through").filter_map(|cut| {
            let frame = cut.get("frame")?.as_u64()?;
            Some(Event {
                first: frame,
                last: frame,
                contact: Contact::PassedThrough,
                object: text(cut, "object"),
                distance: None,
                note: "by a cut, straight on in the direction of flight".to_owned(),
            })
        });
        cuts.chain(waived).collect()
    }
}

fn contact(name: &str) -> Contact {
    match name {
        "passed-through" => Contact::PassedThrough,
        "inside" => Contact::Inside,
        "glued" => Contact::Glued,
        "near" => Contact::Near,
        "clear" => Contact::Clear,
        _ => Contact::Unknown,
    }
}
