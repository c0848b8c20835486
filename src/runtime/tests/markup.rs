//! Markup from nodes, and ranges of them. Expected is what Chromium 150 gives for the same expressions.

use super::*;

const SETUP: &str = "const X = (n) => new XMLSerializer().serializeToString(n);
const SVG = 'http://www.w3.org/2000/svg', XLINK = 'http://www.w3.org/1999/xlink', XMLNS = 'http://www.w3.org/2000/xmlns/';
const mk = (n, ns = SVG) => document.createElementNS(ns, n);
const html = (text) => { const e = document.createElement('div'); e.innerHTML = text; return e; };
const P = (text, type = 'text/xml') => new DOMParser().parseFromString(text, type);
const set = (e, ns, name, value) => (ns === '' ? e.setAttribute(name, value) : e.setAttributeNS(ns, name, value), e);
const within = (e, ...inner) => (e.append(...inner), e);";

#[test]
fn nodes_are_written_as_xml() {
    let table = [
        (
            r#"X(html('<p class="a&quot;b" title="x<y>&amp;z">one &amp; two &lt;b&gt;<br><img src=a.png alt></p><i></i><template><b>t</b></template><!-- c --><script>1 < 2 && 3</script>'))"#,
            r#"<div xmlns="http://www.w3.org/1999/xhtml"><p class="a&quot;b" title="x&lt;y&gt;&amp;z">one &amp; two &lt;b&gt;<br /><img src="a.png" alt="" /></p><i></i><template><b>t</b></template><!-- c --><script>1 &lt; 2 &amp;&amp; 3</script></div>"#,
        ),
        (
            r##"X(html('<svg id=s width="4" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 1 1"><defs/><g><circle r="1"></circle><use xlink:href="#a"></use><foreignObject><b>x</b></foreignObject></g><text xml:space="preserve">a</text></svg>').firstChild)"##,
            r##"<svg xmlns="http://www.w3.org/2000/svg" id="s" width="4" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 1 1"><defs/><g><circle r="1"/><use xlink:href="#a"/><foreignObject><b xmlns="http://www.w3.org/1999/xhtml">x</b></foreignObject></g><text xml:space="preserve">a</text></svg>"##,
        ),
        ("X(mk('svg'))", r#"<svg xmlns="http://www.w3.org/2000/svg"/>"#),
        (
            "X(set(mk('use'), XLINK, 'xlink:href', '#a'))",
            r##"<use xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" xlink:href="#a"/>"##,
        ),
        (
            "X(set(mk('use'), XLINK, 'href', '#a'))",
            r##"<use xmlns="http://www.w3.org/2000/svg" xmlns:ns1="http://www.w3.org/1999/xlink" ns1:href="#a"/>"##,
        ),
        ("X(set(mk('use'), '', 'xlink:href', '#a'))", r##"<use xmlns="http://www.w3.org/2000/svg" xlink:href="#a"/>"##),
        ("X(set(mk('svg'), '', 'xmlns', SVG))", r#"<svg xmlns="http://www.w3.org/2000/svg"/>"#),
        (
            "X(within(set(mk('svg'), XMLNS, 'xmlns', SVG), mk('g'), document.createElement('p'), mk('g', '')))",
            r#"<svg xmlns="http://www.w3.org/2000/svg"><g/><p xmlns="http://www.w3.org/1999/xhtml"></p><g xmlns=""/></svg>"#,
        ),
        (
            "X(within(set(mk('svg'), XMLNS, 'xmlns:xlink', XLINK), set(mk('use'), XLINK, 'xlink:href', '#b')))",
            r##"<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"><use xlink:href="#b"/></svg>"##,
        ),
        (
            "X(within(mk('svg:g'), mk('svg:path'), mk('path')))",
            r#"<svg:g xmlns:svg="http://www.w3.org/2000/svg"><svg:path/><svg:path/></svg:g>"#,
        ),
        (
            r#"X(within(set(mk('g'), '', 'd', 'a\tb\nc\rd"e<f>g&h'), 'a\tb">'))"#,
            "<g xmlns=\"http://www.w3.org/2000/svg\" d=\"a&#9;b&#10;c&#13;d&quot;e&lt;f&gt;g&amp;h\">a\tb\"&gt;</g>",
        ),
        (
            r#"X(P('<a><b x="1"/><c xmlns="urn:c"><d/></c><e:f xmlns:e="urn:e" e:g="1"><e:h/></e:f></a>'))"#,
            r#"<a><b x="1"/><c xmlns="urn:c"><d/></c><e:f xmlns:e="urn:e" e:g="1"><e:h/></e:f></a>"#,
        ),
        (
            "X(within(document.createDocumentFragment(), document.createElement('p'), 't'))",
            r#"<p xmlns="http://www.w3.org/1999/xhtml"></p>t"#,
        ),
        ("X(document.createTextNode('a<b'))", "a&lt;b"),
        (
            "X(document.implementation.createHTMLDocument('T'))",
            r#"<!DOCTYPE html><html xmlns="http://www.w3.org/1999/xhtml"><head><title>T</title></head><body></body></html>"#,
        ),
        (
            r##"X(html('<svg xmlns="http://www.w3.org/2000/svg"><a xlink:href="#"></a></svg>').firstChild)"##,
            r##"<svg xmlns="http://www.w3.org/2000/svg"><a xmlns:xlink="http://www.w3.org/1999/xlink" xlink:href="#"/></svg>"##,
        ),
        (
            "X(set(mk('svg'), 'http://www.w3.org/XML/1998/namespace', 'xml:lang', 'en'))",
            r#"<svg xmlns="http://www.w3.org/2000/svg" xml:lang="en"/>"#,
        ),
        (
            "X(within(mk('root', null), mk('g'), mk('b', null)))",
            r#"<root><g xmlns="http://www.w3.org/2000/svg"/><b/></root>"#,
        ),
        (
            r#"X(P('<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"><image xlink:href="a.png"/></svg>', 'image/svg+xml'))"#,
            r#"<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"><image xlink:href="a.png"/></svg>"#,
        ),
        (
            "(() => { const e = mk('svg'); e.innerHTML = '<g><rect width=\"1\"/></g>'; return X(e); })()",
            r#"<svg xmlns="http://www.w3.org/2000/svg"><g><rect width="1"/></g></svg>"#,
        ),
        (r#"X(P('<p:a xmlns:p="urn:p"><p:b/></p:a>').documentElement.firstChild)"#, r#"<p:b xmlns:p="urn:p"/>"#),
        ("X({})", "!TypeError"),
        // And back again: what was written is read as the same.
        (
            "X(P(X(html('<svg viewBox=\"0 0 2 1\"><path d=\"M0 0\"/></svg>').firstChild), 'image/svg+xml'))",
            r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 2 1"><path d="M0 0"/></svg>"#,
        ),
    ];
    expect(SETUP, &table);
}

#[test]
fn ranges_hold_what_is_between_two_places() {
    let setup = "document.body.innerHTML = '<div id=d><p>one</p><b>two</b></div>'; const d = document.getElementById('d');
const of = (...ends) => { const r = document.createRange(); r.setStart(ends[0], ends[1]); r.setEnd(ends[2], ends[3]); return r; };
const all = (n) => { const r = document.createRange(); r.selectNodeContents(n); return r; };
const copy = () => d.cloneNode(true); const some = (e) => of(e.firstChild.firstChild, 1, e.lastChild.firstChild, 2);
const inner = (f) => { const e = document.createElement('i'); e.append(f); return e.innerHTML; };";
    expect(
        setup,
        &[
            ("document.createRange().createContextualFragment('<i>a</i>b').childNodes.length", "2"),
            (
                "(() => { const r = document.createRange(); r.selectNode(d); const f = r.createContextualFragment('<td>x</td><script>1<\\/script>'); return f.childNodes.length + f.firstChild.nodeName; })()",
                "2#text",
            ),
            (
                "(() => { document.body.append(document.createRange().createContextualFragment('<script>window.ran = 7<\\/script>')); return window.ran; })()",
                "7",
            ),
            (
                "[all(d).startContainer === d, all(d).startOffset, all(d).endOffset, all(d).collapsed, all(d)]",
                "true,0,2,false,onetwo",
            ),
            (
                "(() => { const r = document.createRange(); return [r.startContainer === document, r.endOffset, r.collapsed, r]; })()",
                "true,0,true,",
            ),
            ("[some(d), some(d).commonAncestorContainer.id, some(d).collapsed]", "netw,d,false"),
            (
                "(() => { const r = of(d, 1, d, 2); r.collapse(true); return [r.startOffset, r.endOffset, r.collapsed]; })()",
                "1,1,true",
            ),
            ("[inner(all(d).cloneContents()), d.childNodes.length]", "<p>one</p><b>two</b>,2"),
            ("inner(some(d).cloneContents())", "<p>ne</p><b>tw</b>"),
            ("(() => { const e = copy(); all(e).deleteContents(); return e.childNodes.length; })()", "0"),
            (
                "(() => { const e = copy(); return inner(some(e).extractContents()) + ' ' + e.innerHTML; })()",
                "<p>ne</p><b>tw</b> <p>o</p><b>o</b>",
            ),
            (
                "(() => { const e = copy(); of(e, 1, e, 1).insertNode(document.createElement('u')); return e.innerHTML; })()",
                "<p>one</p><u></u><b>two</b>",
            ),
            (
                "(() => { const e = copy(), t = e.firstChild.firstChild; of(t, 1, t, 2).surroundContents(document.createElement('u')); return e.innerHTML; })()",
                "<p>o<u>n</u>e</p><b>two</b>",
            ),
            ("document.createRange().setStart(d, 9)", "!IndexSizeError"),
            ("document.createRange().setStart(null, 0)", "!TypeError"),
            ("document.createRange().selectNode(document)", "!InvalidNodeTypeError"),
            ("document.createRange().createContextualFragment()", "!TypeError"),
            ("of(d, 0, d, 1).compareBoundaryPoints(Range.START_TO_END, of(d, 1, d, 2))", "0"),
            (
                "[new Range() instanceof AbstractRange, Object.prototype.toString.call(new Range())]",
                "true,[object Range]",
            ),
            (
                "[getSelection() === document.getSelection(), getSelection().rangeCount, getSelection().type, getSelection().anchorNode]",
                "true,0,None,",
            ),
            (
                "(() => { const s = getSelection(), r = all(d); s.addRange(r); return [s.rangeCount, s.type, s.isCollapsed, s.getRangeAt(0) === r, s.anchorNode === d, s.focusOffset]; })()",
                "1,Range,false,true,true,2",
            ),
            ("(() => { const s = getSelection(); s.removeAllRanges(); s.getRangeAt(0); })()", "!IndexSizeError"),
            (
                "(() => { const s = getSelection(); s.selectAllChildren(d); s.collapseToEnd(); return [s.type, s.anchorOffset]; })()",
                "Caret,2",
            ),
            (
                "(() => { const s = getSelection(); s.setBaseAndExtent(d, 1, d, 0); return [s.anchorOffset, s.focusOffset, s]; })()",
                "1,0,one",
            ),
            ("document.evaluate('//p', document, null, 9, null)", "!NotSupportedError"),
        ],
    );
}

/// What nobody catches of a call that is not there ends nothing, and is in the report.
#[test]
fn xpath_is_told_as_not_supported() {
    let mut rt = page(&[("main.js", "document.evaluate('//p', document); ")], RuntimeOptions::default());
    rt.load().unwrap_or_else(|e| panic!("{e:?}"));
    let told = rt.report().unsupported;
    assert!(told.iter().any(|u| u.interface == "Document" && u.member == "evaluate" && u.detail == "//p"), "{told:?}");
}

#[test]
fn lists_have_what_browsers_give_them() {
    let setup = "document.body.innerHTML = '<p id=a></p><p id=b></p>'; document.head.innerHTML = '<style>p { top: 0 } b { top: 1px }</style>';
const lists = [document.body.children, document.body.childNodes, document.styleSheets[0].cssRules];
const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg'); svg.innerHTML = '<g id=\"x\"/><g id=\"\"/>';";
    expect(
        setup,
        &[
            (
                "lists.map((l) => [l.length, l.item(1) === l[1], l.item(9), [...l].length])",
                "2,true,,2,2,true,,2,2,true,,2",
            ),
            (
                "lists.map((l) => typeof l.forEach + typeof l.values)",
                "undefinedundefined,functionfunction,undefinedundefined",
            ),
            (
                "lists.map((l) => Object.prototype.toString.call(l))",
                "[object HTMLCollection],[object NodeList],[object CSSRuleList]",
            ),
            ("document.body.children.namedItem('b') === document.body.children[1]", "true"),
            ("[new NodeList()]", "!TypeError"),
            // SVG 2: no element has an empty name.
            ("[svg.getElementById(''), svg.getElementById('x').localName, svg.getElementById('y')]", ",g,"),
        ],
    );
}

#[test]
fn generated_boxes_have_computed_styles() {
    let setup = "document.body.innerHTML = '<div id=d></div>'; document.head.innerHTML = '<style>#d::before { content: \"a\"; position: absolute; color: #010203 } #d::after { color: red; font-size: 2em }</style>';
const of = (part) => getComputedStyle(document.getElementById('d'), part);";
    expect(
        setup,
        &[
            (
                "[of('::before').content, of(':before').position, of('::before').color, of('::before').display]",
                "\"a\",absolute,rgb(1, 2, 3),block",
            ),
            ("[of('::after').content, of('::after').fontSize, of('::after').display]", "none,32px,inline"),
            ("[of().content, of().color, of(null).position]", "normal,rgb(0, 0, 0),static"),
        ],
    );
}
