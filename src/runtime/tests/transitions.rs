//! Events of transitions and animations, and `document.write`: what Chromium 156 says of the same pages.

use super::*;

const STYLE: &str = r#"
#l{opacity:1;transition:opacity .3s ease .1s, transform 200ms;width:10px;height:10px} #l.out{opacity:0;transform:scale(2)}
#n{transition:all .2s} #k{animation:pop .2s linear 2} @keyframes pop{from{opacity:0}to{opacity:1}}
#r{transition:opacity 1s linear;opacity:1} #h{transition:height .2s;height:auto} #d{transition:opacity .2s}
"#;

const CHANGES: &str = r#"
const log = [];
for (const t of ['transitionrun', 'transitionstart', 'transitionend', 'transitioncancel', 'animationstart', 'animationiteration', 'animationend', 'animationcancel'])
  document.addEventListener(t, e => log.push(`${e.target.id} ${e.type} ${e.propertyName ?? e.animationName} ${+e.elapsedTime.toFixed(3)}`));
addEventListener('load', () => requestAnimationFrame(() => requestAnimationFrame(() => {
  l.className = 'out'; n.style.color = 'rgb(1, 2, 3)'; n.style.display = 'block'; h.style.height = '30px'; d.style.opacity = '0'; d.style.display = 'none'; r.style.opacity = '0';
  setTimeout(() => { r.style.opacity = '1'; }, 500);
  const x = document.createElement('div'); x.id = 'x'; x.style.cssText = 'opacity:0;transition:opacity .1s'; document.body.append(x); getComputedStyle(x).opacity; x.style.opacity = '1';
  const y = document.createElement('div'); y.id = 'y'; y.style.cssText = 'opacity:0;transition:opacity .1s'; document.body.append(y); y.style.opacity = '1';
  const a = l.animate([{ opacity: 0 }, { opacity: 1 }], { duration: 250 });
  a.onfinish = () => log.push('animate finish ' + a.playState); a.finished.then(() => log.push('finished')); log.push(a.playState);
  setTimeout(() => console.log(log.sort().join('\n')), 2500);
})));
"#;

#[test]
fn transitions_and_animations_tell_of_themselves() {
    let html = format!(
        "<!doctype html><html><head><style>{STYLE}</style></head><body><div id=l></div><div id=n></div><div id=k></div>\
         <div id=r></div><div id=h>x</div><div id=d></div><script>{CHANGES}</script></body></html>"
    );
    let said = said(&[("index.html", &html)], 30);
    let got: Vec<&str> = said.iter().flat_map(|text| text.lines()).collect();
    assert_eq!(
        got,
        [
            "animate finish finished",
            "finished",
            "k animationend pop 0.4",
            "k animationiteration pop 0.2",
            "k animationstart pop 0",
            "l transitionend opacity 0.3",
            "l transitionend transform 0.2",
            "l transitionrun opacity 0",
            "l transitionrun transform 0",
            "l transitionstart opacity 0",
            "l transitionstart transform 0",
            "n transitionend color 0.2",
            "n transitionrun color 0",
            "n transitionstart color 0",
            "r transitioncancel opacity 0.5",
            "r transitionend opacity 0.5",
            "r transitionrun opacity 0",
            "r transitionrun opacity 0",
            "r transitionstart opacity 0",
            "r transitionstart opacity 0",
            "running",
            "x transitionend opacity 0.1",
            "x transitionrun opacity 0",
            "x transitionstart opacity 0",
        ]
    );
}

/// The usual loader: it fades out, and what it hid begins when it has.
#[test]
fn a_loader_that_fades_out_is_heard_of_at_its_time() {
    let html = r#"<!doctype html><style>#loader{opacity:1;transition:opacity .5s}#loader.done{opacity:0}</style><div id=loader></div>
<script type=module>loader.addEventListener('transitionend', () => { loader.remove(); console.log('begun', performance.now()); }, { once: true });
loader.classList.add('done');</script>"#;
    // Changed as the page loads, at 0; the frames are 100 ms apart.
    assert_eq!(said(&[("index.html", html)], 5), Vec::<String>::new());
    assert_eq!(said(&[("index.html", html)], 7), ["begun 500"]);
}

#[test]
fn what_is_written_while_the_page_is_parsed_stands_where_it_was_written() {
    let html = r#"<!doctype html><html><head><base href="sub/"><script>
window.order=[];
document.write('<script>order.push("inline " + typeof A)<\/script><script src="a.js"><\/script><script>order.push("after " + typeof A)<\/script>');
order.push('end ' + typeof A);
</script><script>order.push('next ' + A)</script></head><body><p id=p1>one</p><script>
document.write('<div id=w>'); document.write('<b>bold</b></div>'); order.push(document.querySelector('#w > b').textContent, document.querySelector('#w').previousElementSibling.localName, String(document.querySelector('#p2')));
document.write('<scr'+'ipt>order.push("split")</scr'+'ipt>');
</script><p id=p2>two</p>
<script>window.A2||document.write('<script src="b.js"><\/script>')</script><script>order.push('A2 ' + window.A2)</script>
<script type=module>import {m} from './m.js'; order.push(m); document.write('<i id=no></i>'); order.push(String(document.querySelector('#no')));
order.push(await (await fetch('f.txt')).text()); const im=new Image(); im.src='x.png'; order.push(new URL(im.src).pathname.slice(-9)); order.push(document.baseURI.slice(-5)); 
console.log(order.join('\n'));</script></body></html>
"#;
    let files = [
        ("index.html", html),
        ("sub/a.js", "window.A=1;order.push('a');"),
        ("sub/b.js", "window.A2=2;document.write('<u id=u></u>');order.push('b');"),
        ("sub/m.js", "export const m='m';"),
        ("sub/f.txt", "ft"),
        ("sub/x.png", ""),
    ];
    let said = said(&files, 0);
    let got: Vec<&str> = said
        .iter()
        .flat_map(|text| text.lines())
        .filter(|line| !line.starts_with("Failed to execute 'write'"))
        .collect();
    assert_eq!(
        got,
        [
            "inline undefined",
            "end undefined",
            "a",
            "after number",
            "next 1",
            "bold",
            "script",
            "null",
            "split",
            "b",
            "A2 2",
            "m",
            "null",
            "ft",
            "sub/x.png",
            "/sub/",
        ]
    );
}
