// Draws a document of `incore analyze --format json`. Everything that comes from the document goes into text nodes and attributes by the DOM, never
// into markup, so that no input can be more than text.
"use strict";

const incore = (() => {
  const svgNS = "http://www.w3.org/2000/svg";

  // el makes an element: el("td", {class: "n", title: "…"}, "text", child…).
  function el(name, attrs, ...children) {
    const e = document.createElement(name);
    fill(e, attrs, children);
    return e;
  }
  function svg(name, attrs, ...children) {
    const e = document.createElementNS(svgNS, name);
    fill(e, attrs, children);
    return e;
  }
  function fill(e, attrs, children) {
    for (const [k, v] of Object.entries(attrs || {})) if (v !== undefined && v !== null) e.setAttribute(k, v);
    for (const c of children) if (c !== null && c !== undefined) e.append(c);
  }
  const num = v => v === null || v === undefined ? "" : (Math.round(v * 100) / 100).toString();

  // document draws a whole document into a node.
  function draw(into, doc) {
    into.replaceChildren();
    for (const d of doc.diagnostics || []) into.append(diagnostic(d));
    for (const k of doc.kernels || []) into.append(kernel(k));
    if ((doc.others || []).length) into.append(others(doc.others));
  }

  function diagnostic(d) {
    return el("p", {class: "diag " + d.severity}, `${d.severity}: ${d.message}`, d.hint ? el("span", {class: "hint"}, ` (${d.hint})`) : null);
  }

  function kernel(k) {
    const head = el("h2", {}, k.name || "kernel", el("small", {}, [k.loop ? "" : " (no loop: taken as one iteration)", k.lines ? " lines " + k.lines : "", k.address ? " " + k.address : ""].join("")));
    const section = el("section", {class: "kernel", "aria-label": "kernel " + k.name}, head);
    if (k.targets.length > 1) section.append(compare(k));
    const body = el("div");
    const tabs = el("div", {role: "tablist", class: "tabs"});
    const show = i => {
      [...tabs.children].forEach((b, j) => { b.setAttribute("aria-selected", j === i); b.tabIndex = j === i ? 0 : -1; });
      body.replaceChildren(target(k, k.targets[i]));
    };
    k.targets.forEach((t, i) => {
      const b = el("button", {role: "tab", type: "button", title: t.title}, t.arch);
      b.addEventListener("click", () => show(i));
      b.addEventListener("keydown", e => {
        const step = {ArrowRight: 1, ArrowLeft: -1}[e.key];
        if (step) { const n = (i + step + k.targets.length) % k.targets.length; show(n); tabs.children[n].focus(); }
      });
      tabs.append(b);
    });
    section.append(tabs, body);
    if (k.targets.length) show(0);
    return section;
  }

  // compare sets the machines side by side.
  function compare(k) {
    const least = Math.min(...k.targets.map(t => t.prediction.cycles));
    const most = Math.max(...k.targets.map(t => t.prediction.cycles), 1e-9);
    const rows = k.targets.map(t => el("tr", {}, el("td", {title: t.title}, t.arch), el("td", {class: "n"}, num(t.prediction.cycles)), el("td", {}, t.prediction.bound),
      el("td", {class: "bar"}, bar(t.prediction.cycles / most, t.prediction.cycles === least))));
    return el("table", {class: "machines"}, el("caption", {}, "Cycles per iteration on each machine"), el("thead", {}, el("tr", {}, ...["machine", "cycles", "bound by", ""].map(h => el("th", {scope: "col"}, h)))), el("tbody", {}, ...rows));
  }
  function bar(share, best) {
    return svg("svg", {viewBox: "0 0 100 8", preserveAspectRatio: "none", "aria-hidden": "true"}, svg("rect", {x: 0, y: 0, width: Math.max(1, 100 * share), height: 8, class: best ? "fill best" : "fill"}));
  }

  function target(k, t) {
    const p = t.prediction, div = el("div", {class: "target"});
    const least = (p.open || []).length || (k.work || {}).calls;
    div.append(el("p", {class: "verdict"}, el("strong", {}, `${least ? "at least " : ""}${num(p.cycles)} cycles per iteration`), ` on ${t.title}, bound by ${p.bound}`));
    div.append(el("p", {}, p.text));
    const facts = [["instructions", t.instructions.length], ["IPC", num(t.instructions.length / p.cycles)], ["µops", num(t.throughput.slots)], ["engine", p.engine]];
    for (const a of (t.accuracy || []).slice(0, 2)) facts.push(["error on " + a.corpus, `${num(100 * a.median)} % median, ${num(100 * a.within10)} % of ${a.blocks} within 10 %`]);
    div.append(el("dl", {class: "facts"}, ...facts.flatMap(([n, v]) => [el("dt", {}, n), el("dd", {}, String(v))])));
    for (const d of t.diagnostics || []) div.append(diagnostic(d));
    const link = links();
    div.append(el("h3", {}, "Limits"), limits(p));
    div.append(el("h3", {}, "Instructions"), instructions(k, t, link));
    if ((p.stalls || []).length) div.append(el("h3", {}, "Where dispatch ended"), stalls(p));
    if (t.timeline) div.append(el("h3", {}, "Pipeline"), timeline(t, link));
    if ((t.what_if || []).length) div.append(el("h3", {}, "What if"), el("ul", {}, ...t.what_if.map(w => el("li", {}, `${w.question}: ${w.note || num(w.cycles) + " cycles"}`))));
    div.append(el("details", {}, el("summary", {}, "Assumptions"), el("ul", {}, ...(t.assumptions || []).map(a => el("li", {}, a)))));
    return div;
  }

  // links makes what belongs to one instruction light up together in graph, table and timeline.
  function links() {
    const of = new Map();
    return {
      add(i, e) {
        if (!of.has(i)) of.set(i, []);
        of.get(i).push(e);
        const on = v => () => of.get(i).forEach(x => x.classList.toggle("hot", v));
        e.addEventListener("mouseenter", on(true)); e.addEventListener("mouseleave", on(false));
        e.addEventListener("focus", on(true)); e.addEventListener("blur", on(false));
      },
      light(i, v) { (of.get(i) || []).forEach(x => x.classList.toggle("hot", v)); },
    };
  }

  function limits(p) {
    const names = {ports: "execution ports", dispatch: "allocate/rename", front_end: "front end", latency: "loop-carried dependency", branch: "taken branch", cache: "L1 data cache"};
    const rows = Object.entries(names).filter(([k]) => p.bounds[k]).map(([k, name]) => ({name, cycles: p.bounds[k]})).sort((a, b) => b.cycles - a.cycles);
    const free = Object.fromEntries((p.if_free || []).map(r => [r.free, r]));
    const most = Math.max(p.cycles, ...rows.map(r => r.cycles));
    const body = rows.map(r => el("tr", {}, el("td", {}, r.name), el("td", {class: "n"}, num(r.cycles)), el("td", {class: "bar"}, bar(r.cycles / most, false))));
    const table = el("table", {class: "limits"}, el("caption", {}, "The least cycles that each limit allows alone"), el("tbody", {}, ...body));
    const gains = Object.values(free).filter(r => r.cycles < p.cycles * 0.995);
    return el("div", {}, table, gains.length ? el("p", {}, "If it were free: " + gains.map(r => `${r.free} ${num(r.cycles)}`).join(", ") + " cycles.") : null);
  }

  function stalls(p) {
    return el("table", {class: "limits"}, el("tbody", {}, ...p.stalls.map(s => el("tr", {}, el("td", {}, s.reason), el("td", {class: "n"}, num(s.cycles)), el("td", {class: "bar"}, bar(s.cycles / p.cycles, false))))));
  }

  const rowHeight = 22;

  // instructions is the table with the heat of the ports, and the dependence graph as arcs beside it.
  function instructions(k, t, link) {
    const ports = [...new Set(t.instructions.flatMap(i => Object.keys(i.ports)))].filter(p => (t.throughput.ports[p] || 0) > 0);
    ports.sort((a, b) => t.throughput.ports[b] - t.throughput.ports[a]); // what is busy must not need scrolling
    const heat = Math.max(1e-9, ...t.instructions.flatMap(i => Object.values(i.ports)));
    const head = el("tr", {}, ...["#", "instruction", "µops", "lat", "LCD", "CP"].map(h => el("th", {scope: "col"}, h)),
      ...ports.map(p => el("th", {scope: "col", class: (t.throughput.bottleneck || []).includes(p) ? "p busy" : "p"}, p)));
    const body = t.instructions.map((x, i) => {
      const r = el("tr", {tabindex: 0, class: x.lcd !== null && x.lcd !== undefined ? "lcd" : "", title: `${x.form}; costs: ${x.source}`},
        el("td", {class: "n"}, x.line || x.address || i), el("td", {class: "code"}, x.text), el("td", {class: "n"}, num(x.uops)), el("td", {class: "n"}, num(x.latency)), el("td", {class: "n"}, num(x.lcd)), el("td", {class: "n"}, num(x.cp)),
        ...ports.map(p => { const v = x.ports[p] || 0; const d = el("td", {class: "n p"}, v ? num(v) : ""); if (v) d.style.setProperty("--heat", (v / heat).toFixed(3)); return d; }));
      link.add(i, r);
      return r;
    });
    const foot = el("tr", {}, el("td", {colspan: 6}, "cycles a port is busy"), ...ports.map(p => el("td", {class: "n p"}, num(t.throughput.ports[p]))));
    return el("div", {class: "graph"}, arcs(t, link), el("div", {class: "scroll"}, el("table", {class: "insts"}, el("thead", {}, head), el("tbody", {}, ...body), el("tfoot", {}, foot))));
  }

  // arcs draws the dependences: from producer to consumer, dashed into the next iteration; those on the slowest loop-carried chain stand out.
  function arcs(t, link) {
    const n = t.instructions.length, deps = (t.dependencies || []).slice(0, 1500);
    const width = 90, y = i => rowHeight * (i + 1.5);
    const s = svg("svg", {class: "arcs", width, height: rowHeight * (n + 2), role: "img", "aria-label": `dependence graph: ${deps.length} edges`});
    for (const d of deps) {
      const span = Math.abs(d.to - d.from), x = width - 6 - Math.min(width - 14, 8 + 5 * Math.min(span, 14) + (d.distance ? 6 : 0));
      const loop = d.from === d.to ? `M${width - 4} ${y(d.from) - 4}C${x} ${y(d.from) - 11} ${x} ${y(d.from) + 11} ${width - 4} ${y(d.from) + 4}` : "";
      const path = svg("path", {d: loop || `M${width - 4} ${y(d.from)}C${x} ${y(d.from)} ${x} ${y(d.to)} ${width - 4} ${y(d.to)}`, class: ["arc", d.lcd ? "lcd" : "", d.distance ? "next" : "", d.kind].join(" ")},
        svg("title", {}, `${d.from} → ${d.to}${d.distance ? ` (${d.distance} iterations later)` : ""} through ${d.via}: ${num(d.latency)} cycles`));
      path.addEventListener("mouseenter", () => { link.light(d.from, true); link.light(d.to, true); });
      path.addEventListener("mouseleave", () => { link.light(d.from, false); link.light(d.to, false); });
      s.append(path);
    }
    return s;
  }

  // timeline draws the life of every µop on a canvas: only what is in view is drawn, so that any number of them scrolls smoothly.
  function timeline(t, link) {
    const uops = t.timeline.uops, h = 14, label = 210;
    const end = Math.max(1, ...uops.map(u => u.retired));
    const canvas = el("canvas", {class: "pipeline", tabindex: 0, role: "img", "aria-label": `timeline of ${uops.length} µops over ${end} cycles; arrow keys scroll, plus and minus zoom`});
    const info = el("p", {class: "info", "aria-live": "polite"}, "Grey: waits for operands; orange: for a port; blue: executes; green: waits to retire. Point at a µop to see why.");
    const box = el("div", {class: "pipebox"}, canvas);
    let zoom = Math.max(0.3, Math.min(14, 700 / end)), top = 0, left = 0, hot = -1;
    const css = n => getComputedStyle(document.documentElement).getPropertyValue(n).trim();
    const paint = () => {
      const w = box.clientWidth || 900, rows = Math.min(uops.length, 30), height = rows * h + 4, dpr = window.devicePixelRatio || 1;
      canvas.width = w * dpr; canvas.height = height * dpr; canvas.style.height = height + "px";
      const c = canvas.getContext("2d");
      c.scale(dpr, dpr); c.font = "11px monospace"; c.textBaseline = "middle";
      const at = v => label + (v - left) * zoom;
      for (let r = 0; r < rows && top + r < uops.length; r++) {
        const u = uops[top + r], y = r * h + h / 2 + 2;
        if (top + r === hot) { c.fillStyle = css("--hot"); c.fillRect(0, y - h / 2, w, h); }
        c.save(); c.beginPath(); c.rect(label, 0, w - label, height); c.clip();
        for (const [a, b, colour] of [[u.dispatched, u.ready, "--wait"], [u.ready, u.issued, "--portwait"], [u.issued, u.done, "--run"], [u.done, u.retired, "--done"]]) {
          c.fillStyle = css(colour); c.fillRect(at(a), y - 4, Math.max(b > a ? 1 : 0, (b - a) * zoom), 8);
        }
        c.restore();
        c.fillStyle = css("--fg");
        c.fillText(`${u.iteration - t.timeline.first}.${u.instruction} ${(t.instructions[u.instruction] || {}).text || ""}`.slice(0, 30), 2, y);
      }
    };
    canvas.addEventListener("mousemove", e => {
      const i = top + Math.floor((e.offsetY - 2) / h);
      if (i === hot || i < 0 || i >= uops.length) return;
      if (hot >= 0) link.light(uops[hot].instruction, false);
      hot = i;
      const u = uops[i];
      link.light(u.instruction, true);
      const waits = (u.waits || []).map(x => `${x.cycles} for ${x.for}: ${x.reason}${x.via ? " " + x.via : ""}${x.instruction >= 0 ? " (instruction " + x.instruction + ")" : ""}`);
      info.textContent = `${u.kind} of instruction ${u.instruction}${u.port ? " on " + u.port : ""}: dispatched ${u.dispatched}, issued ${u.issued}, done ${u.done}, retired ${u.retired}. Waited ${waits.join("; ") || "for nothing"}.`;
      paint();
    });
    canvas.addEventListener("mouseleave", () => { if (hot >= 0) link.light(uops[hot].instruction, false); hot = -1; paint(); });
    const scroll = (dy, dx) => { top = Math.max(0, Math.min(uops.length - 30, top + dy)); top = Math.max(0, top); left = Math.max(0, Math.min(end, left + dx)); paint(); };
    canvas.addEventListener("wheel", e => { e.preventDefault(); e.ctrlKey ? (zoom = Math.max(0.2, Math.min(40, zoom * (e.deltaY < 0 ? 1.2 : 0.83))), paint()) : scroll(Math.sign(e.deltaY) * 3, e.deltaX / zoom); }, {passive: false});
    canvas.addEventListener("keydown", e => {
      const move = {ArrowDown: [1, 0], ArrowUp: [-1, 0], PageDown: [25, 0], PageUp: [-25, 0], ArrowRight: [0, 10 / zoom], ArrowLeft: [0, -10 / zoom]}[e.key];
      if (move) { e.preventDefault(); scroll(...move); }
      if (e.key === "+" || e.key === "-") { zoom = Math.max(0.2, Math.min(40, zoom * (e.key === "+" ? 1.3 : 0.77))); paint(); }
    });
    new ResizeObserver(paint).observe(box);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", paint);
    return el("div", {}, box, info);
  }

  function others(list) {
    return el("details", {}, el("summary", {}, `${list.length} further loops`), el("table", {}, el("tbody", {}, ...list.map(o => el("tr", {}, el("td", {}, o.name), el("td", {class: "n"}, num(o.cycles)), el("td", {}, o.bound))))));
  }

  return {draw, el};
})();
