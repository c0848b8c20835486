//! Scopes, containers, shadow trees and what sheets say beside style rules; the values are Chromium's, at 780x493.

use super::styles::holds;

const SCOPED: &str = r##"<!doctype html><html><head><style>
.s{outline-style:solid;border-style:solid}
@scope (.s) { .s{color:rgb(1, 1, 1)} p{color:rgb(2, 2, 2)} > p{margin-top:3px} & p{margin-left:4px} :scope > .o{padding-left:5px} .out .in{letter-spacing:6px} }
p{color:rgb(3, 3, 3)}
@scope (#a) { .in{word-spacing:1px} :scope .in{text-indent:1px} & .in{padding-top:1px} .in{} }
.in.in{text-indent:2px; padding-top:2px} .in{word-spacing:2px;}
@scope (.s) to (.end) { p{font-weight:700} .end{top:7px} .late{top:8px} i{margin-right:9px} }
@scope (.s) to (:scope > .end) { i{margin-bottom:10px} }
@scope (.l) { i{color:rgb(10, 0, 0)} } @scope (.d) { i{color:rgb(20, 0, 0)} }
@scope (.d) { b{color:rgb(10, 0, 0)} } @scope (.l) { b{color:rgb(20, 0, 0)} }
.u{width:11px;@scope (& .v) { b{width:12px;display:block} } }
@scope (.u) { color:rgb(5, 5, 5); @scope (.v) { b{height:13px} :scope{height:14px} } }
.u{color:rgb(6, 6, 6)}
@scope (.u) { .v{ & b{margin-left:15px} b &{margin-left:16px} } @media (min-width:1px){ b{margin-right:17px} } }
@scope (.s, .u) to (.none, .end) { q{top:18px} }
</style></head><body class=out>
<div id=a class=s><p id=p class=in>x<i id=i1>i</i></p><div id=o class=o><p id=p2 class=in>y</p></div><div id=e class="end late"><p id=p3>z<i id=i3>i</i><q id=q3></q></p></div><div><div class=end><i id=i4></i></div></div><q id=q1></q></div>
<div class=l><div class=d><i id=j>1</i><b id=k>1</b><div class=l><i id=j2>2</i><b id=k2>2</b></div></div></div>
<div id=u class=u><div id=v class=v><b id=b>b</b></div><b id=b2>b</b></div>
<script src=main.js></script></body></html>"##;

const SCOPED_COMPUTED: [(&str, &str, &str); 33] = [
    ("a", "color", "rgb(0, 0, 0)"),
    ("p", "color", "rgb(2, 2, 2)"),
    ("p", "marginTop", "3px"),
    ("p", "marginLeft", "4px"),
    ("p2", "marginLeft", "4px"),
    ("o", "paddingLeft", "5px"),
    ("p", "letterSpacing", "normal"),
    ("p", "wordSpacing", "1px"),
    ("p", "textIndent", "1px"),
    ("p", "paddingTop", "2px"),
    ("p", "fontWeight", "700"),
    ("p2", "fontWeight", "700"),
    ("p3", "fontWeight", "400"),
    ("e", "top", "auto"),
    ("i1", "marginRight", "9px"),
    ("i3", "marginRight", "0px"),
    ("i4", "marginRight", "0px"),
    ("i3", "marginBottom", "0px"),
    ("i4", "marginBottom", "10px"),
    ("j", "color", "rgb(20, 0, 0)"),
    ("k", "color", "rgb(10, 0, 0)"),
    ("j2", "color", "rgb(10, 0, 0)"),
    ("k2", "color", "rgb(20, 0, 0)"),
    ("u", "width", "11px"),
    ("b", "width", "12px"),
    ("b", "height", "13px"),
    ("v", "height", "14px"),
    ("u", "color", "rgb(6, 6, 6)"),
    ("b", "marginLeft", "15px"),
    ("b", "marginRight", "17px"),
    ("b2", "marginRight", "17px"),
    ("q3", "top", "auto"),
    ("q1", "top", "18px"),
];

#[test]
fn scopes_have_ends_and_nearness() {
    holds(SCOPED, &SCOPED_COMPUTED);
}

const IMPLIED: &str = r##"<!doctype html><html><body><div id=a><style>@scope { p{color:rgb(1, 1, 1)} :scope{top:2px} } @scope to (.end) { i{color:rgb(2, 2, 2)} }</style><p id=p></p><i id=i></i><div class=end><i id=j></i></div></div><p id=q></p><i id=k></i><script src=main.js></script></body></html>"##;

const IMPLIED_COMPUTED: [(&str, &str, &str); 6] = [
    ("p", "color", "rgb(1, 1, 1)"),
    ("a", "top", "2px"),
    ("i", "color", "rgb(2, 2, 2)"),
    ("j", "color", "rgb(0, 0, 0)"),
    ("q", "color", "rgb(0, 0, 0)"),
    ("k", "color", "rgb(0, 0, 0)"),
];

#[test]
fn scopes_without_a_root_are_of_their_sheets_parent() {
    holds(IMPLIED, &IMPLIED_COMPUTED);
}

const CONTAINED: &str = r##"<!doctype html><html><head><style>
html,body{height:100%}
.c{container-type:inline-size} .n{container:card / inline-size;width:300px} .z{container-type:size;width:200px;height:100px}
@container (min-width: 400px){ i{color:rgb(1, 1, 1)} }
@container (width < 400px){ i{color:rgb(2, 2, 2)} }
@container card (250px < width <= 300px) and (not (min-width: 301px)){ b{color:rgb(3, 3, 3)} }
@container other (width > 1px){ b{color:rgb(4, 4, 4)} }
@container (height: 100px){ u{color:rgb(5, 5, 5)} }
@container (orientation: landscape) and (aspect-ratio > 1/1){ u{top:6px} }
@container (height > 0px){ s{color:rgb(6, 6, 6)} }
@container style(--m: on){ em{color:rgb(7, 7, 7)} }
@container (min-width: 10em) or (width: 3px){ em{top:8px} }
@container (min-width: 100px){ .deep{ & q{color:rgb(9, 9, 9)} } @container card (width > 1px){ q{top:10px} } }
.w{ @scope (.x) { i{left:11px} } } .w{ @scope (& .x) { i{right:12px} } }
.pad{padding:0 20px;border:5px solid;box-sizing:border-box;width:410px}
.pct{width:50%} .max{max-width:120px}
</style></head><body>
<div class=c><i id=a></i></div><div class=n><i id=b></i><b id=bb></b><u id=ub></u><div class=deep><q id=q></q></div></div>
<div class=z style="--m:on"><u id=u></u><em id=e></em><i id=iz></i></div><i id=none></i><div class=c><s id=s></s></div>
<div class="c pad"><i id=p></i></div><div class="c pct"><i id=pc></i></div><div class="c max"><i id=mx></i></div>
<div class=c style="position:absolute;left:10px;right:30px"><i id=ab></i></div>
<div class=c style="float:left"><i id=flo></i></div>
<div style="position:relative;width:500px;padding:3px"><div class=c style="position:absolute;width:80%"><i id=rel></i></div></div>
<div class=x><i id=x1></i><p class=w><i id=x2></i></p></div><div class=w><div class=x><i id=x3></i></div></div>
<script src=main.js></script></body></html>"##;

const CONTAINED_COMPUTED: [(&str, &str, &str); 24] = [
    ("a", "color", "rgb(1, 1, 1)"),
    ("b", "color", "rgb(2, 2, 2)"),
    ("bb", "color", "rgb(3, 3, 3)"),
    ("ub", "color", "rgb(0, 0, 0)"),
    ("u", "color", "rgb(5, 5, 5)"),
    ("u", "top", "6px"),
    ("iz", "color", "rgb(2, 2, 2)"),
    ("none", "color", "rgb(0, 0, 0)"),
    ("s", "color", "rgb(0, 0, 0)"),
    ("e", "color", "rgb(7, 7, 7)"),
    ("e", "top", "8px"),
    ("q", "color", "rgb(9, 9, 9)"),
    ("q", "top", "10px"),
    ("p", "color", "rgb(2, 2, 2)"),
    ("pc", "color", "rgb(2, 2, 2)"),
    ("mx", "color", "rgb(2, 2, 2)"),
    ("ab", "color", "rgb(1, 1, 1)"),
    ("flo", "color", "rgb(2, 2, 2)"),
    ("rel", "color", "rgb(1, 1, 1)"),
    ("x1", "left", "auto"),
    ("x2", "left", "auto"),
    ("x3", "left", "11px"),
    ("x1", "right", "auto"),
    ("x3", "right", "12px"),
];

#[test]
fn containers_of_known_size_are_asked() {
    holds(CONTAINED, &CONTAINED_COMPUTED);
}

const GATHERED: &str = r##"<!doctype html><html><head><style>
@scope (.s) { @property --a{syntax:"<length>";inherits:false;initial-value:7px} @font-face{font-family:fa;src:local(x)} @layer inner; p{color:rgb(1, 1, 1)} }
.s { @property --b{syntax:"<length>";inherits:false;initial-value:8px} @font-face{font-family:fb;src:local(x)} p{top:1px} }
@container (min-width:99999px) { @property --c{syntax:"<length>";inherits:false;initial-value:9px} @font-face{font-family:fc;src:local(x)} p{top:2px} }
@layer later { p{left:1px} } @layer inner { p{left:2px;right:2px} }
</style><style id=own></style></head><body><div class=s><p id=p>x</p></div><script>
const { sheet } = document.getElementById('own');
const add = (text) => sheet.insertRule(text, sheet.cssRules.length);
add('@property --d{syntax:"<length>";inherits:false;initial-value:10px}');
add('@scope (.s) { @property --e{syntax:"<length>";inherits:false;initial-value:11px} @font-face{font-family:fe;src:local(x)} }');
add('@font-face{font-family:ff;src:local(x)}');
add('@layer third { p{right:3px} }');
document.body.style.setProperty('--faces', [...document.fonts].map((f) => f.family).join(' '));
</script><script src=main.js></script></body></html>"##;

const GATHERED_COMPUTED: [(&str, &str, &str); 10] = [
    ("p", "--a", "7px"),
    ("p", "--b", ""),
    ("p", "--c", "9px"),
    ("p", "--d", "10px"),
    ("p", "--e", "11px"),
    ("p", "--faces", "fa fc fe ff"),
    ("p", "color", "rgb(1, 1, 1)"),
    ("p", "top", "1px"),
    ("p", "left", "1px"),
    ("p", "right", "3px"),
];

#[test]
fn rules_within_rules_are_gathered() {
    holds(GATHERED, &GATHERED_COMPUTED);
}

const SHADOWED: &str = r##"<!doctype html><html><head><style>
body{margin:0;color:rgb(1, 1, 1);--v:4px} #h{letter-spacing:1px} canvas{width:99px} p{top:1px} .big{font-size:30px} :host{text-indent:9px}
</style></head><body><div id=box style="width:300px;height:200px"><div id=h class="big on"></div></div><div id=k></div><script>
const root = document.getElementById('h').attachShadow({ mode: 'open' });
root.innerHTML = `<style>
:host{display:block;position:relative;width:50%;height:100%;letter-spacing:2px;word-spacing:2px}
:host(.on){right:3px} :host(.off){left:4px} :host-context(body){bottom:5px} .big{margin-top:6px} div{margin-left:7px}
:host > canvas{width:100%;height:50%} :host(.on) p{color:rgb(2, 2, 2)} p{padding-top:var(--v)} #box p{left:8px} :host{& p{right:9px}}
</style><canvas id=c></canvas><p id=p></p><div id=d><i id=i></i></div>`;
const sheet = new CSSStyleSheet();
sheet.replaceSync('i{color:rgb(3, 3, 3)} :host{padding-left:2px}');
root.adoptedStyleSheets.push(sheet);
document.getElementById('k').attachShadow({ mode: 'closed' });
const find = document.getElementById;
document.getElementById = (id) => root.getElementById(id) ?? find.call(document, id);
document.body.style.setProperty('--is', [root.getElementById('c').isConnected, root.isConnected, root.getElementById('i').getRootNode() === root, root.getElementById('c').clientWidth, root.adoptedStyleSheets.length]);
</script><script src=main.js></script></body></html>"##;

const SHADOWED_COMPUTED: [(&str, &str, &str); 24] = [
    ("h", "width", "150px"),
    ("h", "height", "200px"),
    ("h", "letterSpacing", "1px"),
    ("h", "wordSpacing", "2px"),
    ("h", "right", "3px"),
    ("h", "bottom", "5px"),
    ("h", "marginTop", "0px"),
    ("h", "marginLeft", "0px"),
    ("h", "paddingLeft", "2px"),
    ("h", "textIndent", "0px"),
    ("h", "display", "block"),
    ("c", "width", "150px"),
    ("c", "height", "100px"),
    ("p", "color", "rgb(2, 2, 2)"),
    ("p", "paddingTop", "4px"),
    ("p", "left", "auto"),
    ("p", "right", "9px"),
    ("p", "top", "auto"),
    ("p", "fontSize", "30px"),
    ("d", "marginLeft", "7px"),
    ("i", "color", "rgb(3, 3, 3)"),
    ("i", "letterSpacing", "1px"),
    ("k", "wordSpacing", "0px"),
    ("h", "--is", "true,true,true,150,1"),
];

#[test]
fn shadow_trees_have_their_own_sheets() {
    holds(SHADOWED, &SHADOWED_COMPUTED);
}
