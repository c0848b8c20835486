"use strict";
(() => {
  const $ = (selector, from = document) => from.querySelector(selector);
  const $$ = (selector, from = document) => [...from.querySelectorAll(selector)];
  const data = JSON.parse($("#data").textContent);
  const [num, den] = data.rate;
  const frames = data.frames, last = Math.max(frames - 1, 0), duration = (frames * den) / num;
  const timeOf = (frame) => (frame * den) / num;
  const video = $("#video"), strip = $("#strip"), readout = $("#readout");
  const names = { c: "clear", n: "near", g: "glued", i: "inside", p: "passed through", u: "" };
  const clamp = (v, low, high) => Math.min(Math.max(v, low), high);
  const clock = (seconds) => {
    const ms = Math.max(Math.round(seconds * 1000), 0), m = Math.floor(ms / 60000);
    const s = Math.floor((ms % 60000) / 1000), t = String(ms % 1000).padStart(3, "0");
    return m ? `${m}:${String(s).padStart(2, "0")}.${t}` : `${s}.${t} s`;
  };
  const number = (v) => {
    if (v == null) return "–";
    const a = Math.abs(v);
    if (a > 0 && a < 5e-4) return v.toExponential(1);
    return v.toFixed(a >= 1000 ? 0 : a >= 100 ? 1 : a >= 0.1 || a === 0 ? 2 : 4);
  };
  const svg = (tag, attributes, parent, text) => {
    const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
    if (text !== undefined) node.textContent = text;
    if (parent) parent.append(node);
    return node;
  };

  // The frame under the cursor: everything that shows it hangs on this.
  let current = 0;
  const watchers = [];
  const show = (frame) => {
    current = clamp(frame, 0, last);
    for (const watch of watchers) watch(current);
  };
  // In the middle of a frame, so that rounding can't show the one before.
  const seek = (frame) => {
    frame = clamp(Math.round(frame), 0, last);
    if (video && video.readyState > 0) video.currentTime = (frame + 0.5) * den / num;
    show(frame);
  };
  if (video) {
    const follow = (seconds) => show(Math.floor(seconds * num / den + 1e-6));
    if (video.requestVideoFrameCallback) {
      const next = (_, shown) => { if (!video.seeking) follow(shown.mediaTime + den / num / 2); video.requestVideoFrameCallback(next); };
      video.requestVideoFrameCallback(next);
    }
    video.addEventListener("timeupdate", () => { if (!video.requestVideoFrameCallback || video.paused) follow(video.currentTime); });
    video.addEventListener("seeked", () => follow(video.currentTime));
    video.addEventListener("error", () => { video.hidden = true; $("#no-video").hidden = false; });
    if (video.error) { video.hidden = true; $("#no-video").hidden = false; }
  }

  // Pointers: press or drag anywhere along a time axis.
  const drag = (node, frameAt) => {
    const go = (event) => seek(frameAt(event));
    node.addEventListener("pointerdown", (event) => {
      if (event.button) return;
      if (video) video.pause();
      node.setPointerCapture(event.pointerId);
      go(event);
    });
    node.addEventListener("pointermove", (event) => { if (node.hasPointerCapture(event.pointerId)) go(event); });
  };

  // The strip: a slider coloured by contact.
  const canvas = $("canvas", strip), stripCursor = $(".cursor", strip);
  const color = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
  const rank = "ucngip";
  const paintStrip = () => {
    const width = Math.max(Math.round(strip.clientWidth * devicePixelRatio), 1);
    canvas.width = width;
    canvas.height = 1;
    const pen = canvas.getContext("2d");
    for (let x = 0; x < width; x++) {
      // The gravest of the frames that share a pixel shows.
      let worst = "u";
      const from = Math.floor(x * frames / width), to = Math.max(Math.ceil((x + 1) * frames / width), from + 1);
      for (let frame = from; frame < to && frame < frames; frame++) {
        const code = data.contacts ? data.contacts[frame] || "u" : "u";
        if (rank.indexOf(code) > rank.indexOf(worst)) worst = code;
      }
      pen.fillStyle = color(worst);
      pen.fillRect(x, 0, 1, 1);
    }
  };
  drag(strip, (event) => {
    const box = strip.getBoundingClientRect();
    return Math.floor((event.clientX - box.left) / box.width * frames);
  });
  const move = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const second = Math.max(Math.round(num / den), 1), step = event.shiftKey ? second : 1;
    const to = { ArrowLeft: current - step, ArrowRight: current + step, PageUp: current + 5 * second,
      PageDown: current - 5 * second, Home: 0, End: last }[event.key];
    if (to !== undefined) {
      event.preventDefault();
      if (video) video.pause();
      seek(to);
    } else if (event.key === " " && video) {
      event.preventDefault();
      if (video.paused) video.play().catch(() => {}); else video.pause();
    }
  };
  // Anywhere on the page; what has a use of its own for a key (fields, the film's controls, buttons) keeps it, and so do the
  // keys that turn pages.
  const fields = "input, textarea, select, video, audio, [contenteditable], [role=slider]";
  document.addEventListener("keydown", (event) => {
    const { key, target } = event;
    const own = key === " " ? `${fields}, button, summary, a[href]` : fields;
    const taken = target !== strip && target instanceof Element && target.closest(own) !== null;
    if (event.defaultPrevented || taken || (target !== strip && /^(Page|Home|End)/.test(key))) return;
    move(event);
  });
  const speed = data.series.find((s) => s.id === "speed");
  watchers.push((frame) => {
    stripCursor.style.left = `${(frame + 0.5) / Math.max(frames, 1) * 100}%`;
    const contact = data.contacts ? names[data.contacts[frame]] || "" : "";
    const words = [`frame ${frame}`, contact].filter(Boolean);
    $("b", readout).textContent = clock(timeOf(frame));
    $("span", readout).textContent = words.join(", ");
    const spoken = speed && speed.values[frame] != null ? [`${number(speed.values[frame])} ${speed.unit}`] : [];
    strip.setAttribute("aria-valuenow", frame);
    strip.setAttribute("aria-valuetext", [clock(timeOf(frame)), ...words, ...spoken].join(", "));
  });

  // Plots.
  const step = (span, count) => {
    const raw = span / count, power = 10 ** Math.floor(Math.log10(raw));
    return [1, 2, 2.5, 5, 10].map((f) => f * power).find((s) => s >= raw) || raw;
  };
  const plots = $$(".plot").map((figure) => {
    const chart = $(".chart", figure), series = data.series.find((s) => s.id === figure.dataset.series);
    if (!chart || !series) return null;
    const output = $("output", figure);
    let place = null;
    const draw = () => {
      if (!chart.clientWidth) return;
      const width = chart.clientWidth, height = chart.clientHeight;
      const left = 44, right = 6, top = 10, bottom = 20, w = Math.max(width - left - right, 1), h = height - top - bottom;
      const known = series.values.filter((v) => v != null);
      let low = Math.min(0, min(known)), high = Math.max(max(known), ...series.marks.map((m) => m[1]).filter((v) => v <= 4 * Math.max(max(known), 1e-9)));
      // Rounding is no motion: the axis does not zoom into it.
      if (series.noise) high = Math.max(high, 8 * series.noise);
      if (!(high > low)) high = low + 1;
      const tick = step(high - low, 3);
      high = Math.ceil(high / tick - 1e-9) * tick;
      low = Math.floor(low / tick + 1e-9) * tick;
      const X = (frame) => left + (frame + 0.5) / Math.max(frames, 1) * w;
      const Y = (v) => top + (high - v) / (high - low) * h;
      const root = svg("svg", { viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" });
      for (let v = low; v <= high + tick / 2; v += tick) {
        svg("line", { class: "g", x1: left, x2: width - right, y1: Y(v), y2: Y(v) }, root);
        svg("text", { x: left - 8, y: Y(v) + 4, "text-anchor": "end" }, root, axis(v, tick));
      }
      const seconds = step(duration, width < 420 ? 4 : 8);
      for (let t = 0; t <= duration + 1e-9; t += seconds) {
        const x = left + t / duration * w;
        if (x > width - 16 && t > 0 && t < duration - 1e-9) continue;
        svg("text", { x, y: height - 5, "text-anchor": t === 0 ? "start" : x > width - 24 ? "end" : "middle" }, root, `${+t.toFixed(3)} s`);
      }
      runs((code, from, to) => {
        if ("gip".includes(code)) svg("rect", { class: `b ${code}`, x: X(from - 0.5), width: Math.max(X(to + 0.5) - X(from - 0.5), 1.5), y: top, height: h }, root);
      });
      for (const cut of data.cuts) svg("line", { class: "k", x1: X(cut - 0.5), x2: X(cut - 0.5), y1: top, y2: top + h }, root);
      const { line, area } = trace(series.values, X, Y, Y(clamp(0, low, high)), w);
      svg("path", { class: "a", d: area }, root);
      svg("path", { class: "l", d: line }, root);
      // Lines too close for a label each share one, above the uppermost.
      let label = null;
      for (const [name, v] of [...series.marks].sort((a, b) => a[1] - b[1])) {
        if (v < low || v > high) continue;
        svg("line", { class: "m", x1: left, x2: width - right, y1: Y(v), y2: Y(v) }, root);
        const y = Y(v) - 4;
        if (label && label.y - y < 16) {
          label.node.textContent += `, ${name}`;
          label.node.setAttribute("y", label.y = y);
        } else {
          label = { y, node: svg("text", { class: "mt", x: width - right - 2, y, "text-anchor": "end" }, null, name) };
        }
        root.append(label.node);
      }
      if (series.noise && max(known) < 4 * series.noise) {
        svg("text", { class: "mt", x: left + w / 2, y: top + h / 2, "text-anchor": "middle" }, root, "nothing above rounding");
      }
      const cursor = svg("line", { class: "x", y1: top, y2: top + h }, root), dot = svg("circle", { class: "d", r: 4 }, root);
      chart.replaceChildren(root);
      place = (frame) => {
        const x = X(frame), v = series.values[frame];
        cursor.setAttribute("x1", x);
        cursor.setAttribute("x2", x);
        dot.setAttribute("cx", x);
        dot.setAttribute("cy", v == null ? 0 : Y(v));
        dot.setAttribute("visibility", v == null ? "hidden" : "visible");
      };
      place(current);
      chart.frameAt = (event) => Math.floor((event.clientX - chart.getBoundingClientRect().left - left) / w * frames);
    };
    drag(chart, (event) => chart.frameAt(event));
    watchers.push((frame) => {
      output.textContent = `${number(series.values[frame])} ${series.values[frame] == null ? "" : series.unit}`;
      if (place) place(frame);
    });
    return { chart, draw };
  }).filter(Boolean);
  // Math.min with a spread would run out of stack on long films.
  function min(values) { return values.reduce((a, b) => (b < a ? b : a), Infinity); }
  function max(values) { return values.reduce((a, b) => (b > a ? b : a), -Infinity); }
  function axis(v, tick) {
    const digits = clamp(-Math.floor(Math.log10(tick) + 1e-9) + (String(tick / 10 ** Math.floor(Math.log10(tick))).startsWith("2.5") ? 1 : 0), 0, 6);
    const a = Math.abs(v);
    if (tick < 1e-4) return v === 0 || a < tick / 2 ? "0" : v.toExponential(tick < a / 9 ? 1 : 0);
    return a >= 1e6 ? `${+(v / 1e6).toFixed(2)}M` : a >= 1e4 ? `${+(v / 1e3).toFixed(1)}k` : v.toFixed(digits);
  }
  function runs(each) {
    const codes = data.contacts || "";
    for (let from = 0; from < codes.length;) {
      let to = from;
      while (to + 1 < codes.length && codes[to + 1] === codes[from]) to++;
      each(codes[from], from, to);
      from = to + 1;
    }
  }
  // A line per unbroken stretch; where several frames share a pixel, its lowest and highest values.
  function trace(values, X, Y, base, width) {
    let line = "", area = "", stretch = [];
    const flush = () => {
      if (stretch.length) {
        const points = stretch.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`);
        line += `M${points.join("L")}${stretch.length === 1 ? "h.1" : ""}`;
        area += `M${stretch[0][0].toFixed(1)} ${base.toFixed(1)}L${points.join("L")}L${stretch[stretch.length - 1][0].toFixed(1)} ${base.toFixed(1)}Z`;
      }
      stretch = [];
    };
    const cuts = new Set(data.cuts), group = Math.max(Math.ceil(values.length / (2 * width)), 1);
    for (let at = 0; at < values.length; at += group) {
      const part = [];
      for (let i = at; i < Math.min(at + group, values.length); i++) {
        if (cuts.has(i)) part.push(null);
        part.push(values[i] == null ? null : [i, values[i]]);
      }
      if (part.includes(null)) {
        for (const p of part) if (p) stretch.push([X(p[0]), Y(p[1])]); else flush();
      } else {
        const low = part.reduce((a, b) => (b[1] < a[1] ? b : a)), high = part.reduce((a, b) => (b[1] > a[1] ? b : a));
        for (const p of low === high ? [low] : low[0] < high[0] ? [low, high] : [high, low]) stretch.push([X(p[0]), Y(p[1])]);
      }
    }
    flush();
    return { line, area };
  }

  // Map: the camera's place, and a press goes to the nearest one.
  const map = $("#map-view svg"), here = $("#map-here");
  if (map && here && data.places) {
    watchers.push((frame) => {
      const at = data.places[frame];
      here.setAttribute("visibility", at ? "visible" : "hidden");
      if (at) here.setAttribute("transform", `translate(${at[0]} ${at[1]})`);
    });
    drag(map, (event) => {
      const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(map.getScreenCTM().inverse());
      let best = current, least = Infinity;
      data.places.forEach((at, frame) => {
        const away = at ? (at[0] - point.x) ** 2 + (at[1] - point.y) ** 2 : Infinity;
        if (away < least) { least = away; best = frame; }
      });
      return best;
    });
  }

  // A map that is wider than the window fits it, and can be had in full size to scroll in.
  const view = $("#map-view"), sizer = $("#map-size");
  if (map && sizer) {
    const offer = () => { sizer.hidden = !view.classList.contains("full") && map.width.baseVal.value <= view.clientWidth + 1; };
    sizer.addEventListener("click", () => {
      sizer.textContent = view.classList.toggle("full") ? "Fit it to the window" : "Show it in full size (scrolls sideways)";
      offer();
    });
    addEventListener("resize", offer);
    offer();
  }

  // Buttons that lead to a frame; the cell of the sheet that is being played is marked.
  const cells = $$(".sheet button");
  for (const button of $$("button[data-frame]")) {
    button.addEventListener("click", () => {
      if (video) video.pause();
      seek(Number(button.dataset.frame));
      // Where the film is out of sight, it comes into sight.
      const box = (video || strip).getBoundingClientRect();
      if (box.bottom < 80 || box.top > innerHeight - 80) $("#flight").scrollIntoView();
    });
  }
  watchers.push((frame) => {
    const before = cells.filter((cell) => Number(cell.dataset.frame) <= frame);
    for (const cell of cells) cell.classList.toggle("here", cell === before[before.length - 1]);
  });

  const redraw = () => { paintStrip(); for (const plot of plots) plot.draw(); };
  let asked = 0;
  const later = () => { cancelAnimationFrame(asked); asked = requestAnimationFrame(redraw); };
  new ResizeObserver(later).observe($("#flight"));
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", later);
  redraw();
  show(0);
})();
