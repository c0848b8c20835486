//! HTML text to a flat list of nodes; the tree itself lives in `05_dom_*.js`. A document engine would take this place.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};

use deno_core::op2;
use deno_error::JsErrorBox;
use html5ever::interface::{ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::tendril::{StrTendril, TendrilSink};
use html5ever::{
    Attribute, ExpandedName, LocalName, ParseOpts, QualName, local_name, ns, parse_document, parse_fragment,
};
use serde::Serialize;

/// One node, in tree order. `parent` is an index into the list; -1 is the document (or the fragment).
#[derive(Serialize)]
pub struct FlatNode {
    /// 1 element, 3 text, 8 comment, 10 doctype: DOM's node types.
    kind: u8,
    /// Local name, or the data.
    name: String,
    /// `""` for HTML, else the namespace's address.
    ns: String,
    attrs: Vec<(String, String)>,
    parent: i32,
    /// Line of the source on which the tag ends, from 1.
    line: u32,
}

#[derive(Clone)]
enum Data {
    Document,
    Doctype(String),
    Element { name: QualName, attrs: Vec<(String, String)> },
    Text(String),
    Comment(String),
}

struct Node {
    data: Data,
    children: Vec<usize>,
    parent: Option<usize>,
    line: u32,
    depth: u32,
}

/// Deepest nesting of elements. A parser's time grows with its square; browsers stop nesting at 512.
const MAX_DEPTH: u32 = 5000;
/// Bytes between looks at the depth.
const PIECE: usize = 16 << 10;

/// An arena of nodes; handles are indices. Templates' contents are their children.
struct Sink {
    nodes: RefCell<Vec<Node>>,
    line: Cell<u32>,
    too_deep: Cell<bool>,
}

/// An element's name, owned so that no borrow of the arena is held.
#[derive(Debug)]
struct Name(QualName);

impl html5ever::interface::ElemName for Name {
    fn ns(&self) -> &html5ever::Namespace {
        &self.0.ns
    }
    fn local_name(&self) -> &LocalName {
        &self.0.local
    }
    fn expanded(&self) -> ExpandedName<'_> {
        self.0.expanded()
    }
}

impl Sink {
    fn new() -> Self {
        let sink = Self { nodes: RefCell::default(), line: Cell::new(1), too_deep: Cell::new(false) };
        sink.add(Data::Document);
        sink
    }

    fn add(&self, data: Data) -> usize {
        let mut nodes = self.nodes.borrow_mut();
        nodes.push(Node { data, children: Vec::new(), parent: None, line: self.line.get(), depth: 0 });
        nodes.len() - 1
    }

    fn insert(&self, parent: usize, at: usize, child: NodeOrText<usize>) {
        let child = match child {
            NodeOrText::AppendNode(node) => node,
            NodeOrText::AppendText(text) => {
                // Adjacent text is one node (HTML, "insert a character").
                let before = at.checked_sub(1).and_then(|i| self.nodes.borrow()[parent].children.get(i).copied());
                if let Some(before) = before
                    && let Data::Text(existing) = &mut self.nodes.borrow_mut()[before].data
                {
                    existing.push_str(&text);
                    return;
                }
                self.add(Data::Text(text.to_string()))
            }
        };
        self.detach(child);
        let mut nodes = self.nodes.borrow_mut();
        let at = at.min(nodes[parent].children.len());
        nodes[parent].children.insert(at, child);
        nodes[child].parent = Some(parent);
        nodes[child].depth = nodes[parent].depth.saturating_add(1);
        if nodes[child].depth > MAX_DEPTH {
            self.too_deep.set(true);
        }
    }

    fn detach(&self, node: usize) {
        let mut nodes = self.nodes.borrow_mut();
        if let Some(parent) = nodes[node].parent.take() {
            nodes[parent].children.retain(|&c| c != node);
        }
    }

    fn end_of(&self, parent: usize) -> usize {
        self.nodes.borrow()[parent].children.len()
    }

    /// The subtree below `top` in tree order, without recursion: documents can be deep.
    fn flatten(&self, top: usize) -> Vec<FlatNode> {
        let nodes = self.nodes.borrow();
        let mut out = Vec::new();
        let mut stack: Vec<(usize, i32)> = nodes[top].children.iter().rev().map(|&c| (c, -1)).collect();
        while let Some((at, parent)) = stack.pop() {
            let node = &nodes[at];
            let (kind, name, ns, attrs) = match &node.data {
                Data::Document => continue,
                Data::Doctype(name) => (10, name.clone(), String::new(), Vec::new()),
                Data::Text(text) => (3, text.clone(), String::new(), Vec::new()),
                Data::Comment(text) => (8, text.clone(), String::new(), Vec::new()),
                Data::Element { name, attrs } => {
                    let ns = if name.ns == ns!(html) { String::new() } else { name.ns.to_string() };
                    (1, name.local.to_string(), ns, attrs.clone())
                }
            };
            let index = i32::try_from(out.len()).unwrap_or(i32::MAX);
            out.push(FlatNode { kind, name, ns, attrs, parent, line: node.line });
            stack.extend(node.children.iter().rev().map(|&c| (c, index)));
        }
        out
    }
}

impl TreeSink for Sink {
    type Handle = usize;
    type Output = Self;
    type ElemName<'a> = Name;

    fn finish(self) -> Self {
        self
    }
    fn parse_error(&self, _msg: Cow<'static, str>) {}
    fn get_document(&self) -> usize {
        0
    }
    fn elem_name<'a>(&'a self, target: &'a usize) -> Name {
        match &self.nodes.borrow()[*target].data {
            Data::Element { name, .. } => Name(name.clone()),
            _ => Name(QualName::new(None, ns!(), local_name!(""))),
        }
    }
    fn create_element(&self, name: QualName, attrs: Vec<Attribute>, _flags: ElementFlags) -> usize {
        let attrs = attrs.into_iter().map(attribute).collect();
        self.add(Data::Element { name, attrs })
    }
    fn create_comment(&self, text: StrTendril) -> usize {
        self.add(Data::Comment(text.to_string()))
    }
    fn create_pi(&self, _target: StrTendril, data: StrTendril) -> usize {
        self.add(Data::Comment(data.to_string()))
    }
    fn append(&self, parent: &usize, child: NodeOrText<usize>) {
        self.insert(*parent, self.end_of(*parent), child);
    }
    fn append_based_on_parent_node(&self, element: &usize, prev_element: &usize, child: NodeOrText<usize>) {
        let has_parent = self.nodes.borrow()[*element].parent.is_some();
        if has_parent {
            self.append_before_sibling(element, child);
        } else {
            self.append(prev_element, child);
        }
    }
    fn append_doctype_to_document(&self, name: StrTendril, _public: StrTendril, _system: StrTendril) {
        let node = self.add(Data::Doctype(name.to_string()));
        self.append(&0, NodeOrText::AppendNode(node));
    }
    fn get_template_contents(&self, target: &usize) -> usize {
        *target
    }
    fn same_node(&self, x: &usize, y: &usize) -> bool {
        x == y
    }
    fn set_quirks_mode(&self, _mode: QuirksMode) {}
    fn append_before_sibling(&self, sibling: &usize, new_node: NodeOrText<usize>) {
        let place = {
            let nodes = self.nodes.borrow();
            nodes[*sibling].parent.and_then(|p| nodes[p].children.iter().position(|c| c == sibling).map(|at| (p, at)))
        };
        if let Some((parent, at)) = place {
            self.insert(parent, at, new_node);
        }
    }
    fn add_attrs_if_missing(&self, target: &usize, new: Vec<Attribute>) {
        if let Data::Element { attrs, .. } = &mut self.nodes.borrow_mut()[*target].data {
            for (name, value) in new.into_iter().map(attribute) {
                if attrs.iter().all(|(known, _)| *known != name) {
                    attrs.push((name, value));
                }
            }
        }
    }
    fn remove_from_parent(&self, target: &usize) {
        self.detach(*target);
    }
    fn reparent_children(&self, node: &usize, new_parent: &usize) {
        let children = self.nodes.borrow()[*node].children.clone();
        for child in children {
            self.append(new_parent, NodeOrText::AppendNode(child));
        }
    }
    fn set_current_line(&self, line_number: u64) {
        self.line.set(u32::try_from(line_number).unwrap_or(u32::MAX));
    }
}

fn attribute(attr: Attribute) -> (String, String) {
    let name = match &attr.name.prefix {
        Some(prefix) if !prefix.is_empty() => format!("{prefix}:{}", attr.name.local),
        _ => attr.name.local.to_string(),
    };
    (name, attr.value.to_string())
}

fn scripting() -> ParseOpts {
    let mut opts = ParseOpts::default();
    opts.tree_builder.scripting_enabled = true;
    opts
}

/// A whole document; `None` if it is nested too deeply.
pub fn parse_html(text: &str) -> Option<Vec<FlatNode>> {
    let sink = feed(parse_document(Sink::new(), scripting()), text)?;
    Some(sink.flatten(0))
}

fn feed(mut parser: html5ever::Parser<Sink>, mut text: &str) -> Option<Sink> {
    while !text.is_empty() {
        let (piece, rest) = text.split_at(text.floor_char_boundary(PIECE));
        parser.process(piece.into());
        if parser.tokenizer.sink.sink.too_deep.get() {
            return None;
        }
        text = rest;
    }
    Some(parser.finish())
}

fn too_deep() -> JsErrorBox {
    JsErrorBox::range_error(format!("HTML is nested more than {MAX_DEPTH} deep"))
}

/// What `context.innerHTML = text` makes of an element `context` in `namespace`, of which SVG and MathML have their own rules.
pub fn parse_html_fragment(text: &str, context: &str, namespace: &str) -> Option<Vec<FlatNode>> {
    let foreign = [ns!(svg), ns!(mathml)].into_iter().find(|ns| **ns == *namespace);
    let name = QualName::new(None, foreign.unwrap_or(ns!(html)), LocalName::from(context));
    let sink = feed(parse_fragment(Sink::new(), scripting(), name, Vec::new(), true), text)?;
    // The nodes are children of the root element made for the fragment.
    let root = sink.nodes.borrow()[0].children.first().copied().unwrap_or(0);
    Some(sink.flatten(root))
}

#[op2]
#[serde]
pub fn op_parse_html(#[string] text: &str) -> Result<Vec<FlatNode>, JsErrorBox> {
    parse_html(text).ok_or_else(too_deep)
}

#[op2]
#[serde]
pub fn op_parse_html_fragment(
    #[string] text: &str,
    #[string] context: &str,
    #[string] namespace: &str,
) -> Result<Vec<FlatNode>, JsErrorBox> {
    parse_html_fragment(text, context, namespace).ok_or_else(too_deep)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outline(nodes: &[FlatNode]) -> String {
        nodes.iter().map(|n| format!("{}{}:{};", n.parent, if n.kind == 1 { "" } else { "#" }, n.name.trim())).collect()
    }

    #[test]
    fn builds_what_the_standard_says() {
        // HTML: html, head and body are implied; the script's text is its child; `<p>` closes `<p>`.
        let nodes = parse_html("<!doctype html>\n<title>T</title>\n<p>a<p>b\n<script type=module>\nx<1\n</script>");
        let nodes = nodes.expect("not deep");
        let text: String = outline(&nodes);
        assert!(text.starts_with("-1#:html;-1:html;1:head;2:title;3#:T;"), "{text}");
        let script = nodes.iter().find(|n| n.name == "script").expect("script");
        assert_eq!(script.line, 4);
        assert_eq!(script.attrs, [("type".to_owned(), "module".to_owned())]);
        assert_eq!(nodes.iter().filter(|n| n.name == "p").count(), 2);
    }

    #[test]
    fn a_fragment_has_its_context() {
        let outline = |text, context| parse_html_fragment(text, context, "").map(|nodes| outline(&nodes));
        assert_eq!(outline("<b>x</b>y", "div").as_deref(), Some("-1:b;0#:x;-1#:y;"));
        assert_eq!(outline("<tr><td>1</table>", "tbody").as_deref(), Some("-1:tr;0:td;1#:1;"));
        assert_eq!(outline(&"<div>".repeat(300_000), "div"), None);
        let svg = "http://www.w3.org/2000/svg";
        let spaces = |text, context| {
            let nodes = parse_html_fragment(text, context, svg).expect("not deep");
            nodes.iter().map(|n| if n.ns == svg { "svg" } else { "html" }).collect::<Vec<_>>()
        };
        assert_eq!(spaces("<g><rect/></g>", "svg"), ["svg"; 2]);
        assert_eq!(spaces("<p></p>", "foreignObject"), ["html"]);
    }
}
