// The dependence graph: instructions as boxes, dependences as arrows, those into a later iteration dashed. It zooms and pans by wheel, pointer and keys.
import * as dagre from "@dagrejs/dagre";
import {el, svg, plural, cyclesOf} from "./dom.js";

// Graphs of more instructions than these are drawn without the least crossings, or not at all.
const careful = 250, most = 1200;

const boxHeight = 24, charWidth = 7.2, longest = 44;

const cut = s => s.length > longest ? s.slice(0, longest - 1) + "…" : s;

export function graph(t, bus) {
  const n = t.instructions.length;
  const deps = (t.dependencies || []).filter(d => t.instructions[d.from] && t.instructions[d.to]);
  if (!deps.length) return el("p", {class: "soft"}, "No instruction depends on another.");
  if (n > most) return el("p", {class: "soft"}, `${n} instructions are too many to draw; the table names the chains, and --graph FILE.svg draws any number.`);
  const layout = place(t, deps, n);
  const root = svg("g", {});
  const box = layout.graph();
  const view = svg("svg", {class: "depgraph", tabindex: 0, role: "img",
    "aria-label": `Dependence graph: ${plural(n, "instruction")}, ${plural(deps.length, "dependence")}. ${chainText(t)} Plus and minus zoom, arrow keys move, 0 shows all.`}, markers(), root);
  const nodes = new Map(), edges = new Map();
  for (const d of merged(deps)) {
    const e = edge(d, layout);
    root.append(e);
    for (const i of [d.from, d.to]) edges.set(i, [...(edges.get(i) || []), e]);
    e.addEventListener("pointerenter", () => { e.classList.add("hot"); light(d.from, true); light(d.to, true); });
    e.addEventListener("pointerleave", () => { e.classList.remove("hot"); light(d.from, false); light(d.to, false); });
  }
  const light = (i, v) => nodes.get(i)?.classList.toggle("near", v);
  for (const i of layout.nodes().map(Number)) {
    const g = node(t, i, layout.node(String(i)));
    g.addEventListener("pointerenter", () => bus.set(i));
    g.addEventListener("pointerleave", () => bus.set(-1));
    nodes.set(i, g);
    root.append(g);
  }
  bus.on((now, before) => {
    for (const [i, v] of [[before, false], [now, true]]) {
      nodes.get(i)?.classList.toggle("hot", v);
      for (const e of edges.get(i) || []) e.classList.toggle("hot", v);
    }
  });
  return el("div", {class: "graphbox"}, buttons(view, root, box), view, el("p", {class: "legend"}, ...legend(deps)));
}

// place lays the graph out: dependences within an iteration go down; those into the next do not move what they join.
function place(t, deps, n) {
  const g = new dagre.Graph({multigraph: true});
  g.setGraph({rankdir: "TB", nodesep: 14, ranksep: 26, edgesep: 8, marginx: 12, marginy: 12, ranker: n > careful ? "longest-path" : "network-simplex"});
  g.setDefaultEdgeLabel(() => ({}));
  t.instructions.forEach((x, i) => {
    g.setNode(String(i), {width: Math.max(60, (cut(x.text).length + at(x, i).length + 2) * charWidth + 12), height: boxHeight});
  });
  for (const d of merged(deps)) {
    if (d.from === d.to) continue;
    const back = d.distance > 0;
    if (back && d.from > d.to) g.setEdge(String(d.to), String(d.from), {weight: 0, minlen: 1}, name(d)); // drawn against its direction
    else g.setEdge(String(d.from), String(d.to), {weight: d.lcd || d.cp ? 6 : 1, minlen: 1}, name(d));
  }
  dagre.layout(g);
  return g;
}

// at is the place of an instruction: its address, or its line in assembly text.
const at = (x, i) => String(x.address || x.line || i);

const name = d => `${d.from}-${d.to}-${d.distance}`;

// merged joins the dependences between two instructions that differ in registers only.
function merged(deps) {
  const by = new Map();
  for (const d of deps) {
    const m = by.get(name(d));
    if (!m) by.set(name(d), {...d, vias: [d.via]});
    else {
      m.vias.push(d.via);
      m.latency = Math.max(m.latency, d.latency);
      m.lcd ||= d.lcd; m.cp ||= d.cp;
      if (d.kind === "memory") m.kind = "memory";
    }
  }
  return [...by.values()];
}

function node(t, i, box) {
  const x = t.instructions[i], w = box.width;
  const lcd = x.lcd !== null && x.lcd !== undefined, cp = x.cp !== null && x.cp !== undefined;
  return svg("g", {class: ["node", lcd ? "lcd" : cp ? "cp" : ""].join(" "), transform: `translate(${box.x - w / 2},${box.y - box.height / 2})`,
    tip: `${x.text}\nlatency ${cyclesOf(x.latency)}, ${plural(x.uops, "µop")}\n${x.source}${lcd ? `\non the slowest loop-carried chain: ${cyclesOf(x.lcd)}` : ""}${cp ? `\non the critical path: ${cyclesOf(x.cp)}` : ""}`},
    svg("rect", {width: w, height: box.height, rx: 4}),
    svg("text", {x: 6, y: 16, class: "at"}, at(x, i)),
    svg("text", {x: 6 + (at(x, i).length + 1) * charWidth, y: 16}, cut(x.text)));
}

function edge(d, g) {
  let path;
  const a = g.node(String(d.from)), b = g.node(String(d.to));
  if (d.from === d.to) {
    const x = a.x + a.width / 2;
    path = `M${x} ${a.y - 6}c22 -8 22 20 1 12`;
  } else {
    let e = g.edge({v: String(d.from), w: String(d.to), name: name(d)}), points;
    if (e) points = e.points;
    else points = [...g.edge({v: String(d.to), w: String(d.from), name: name(d)}).points].reverse();
    path = curve(points);
  }
  const kind = d.lcd ? "lcd" : d.cp ? "cp" : "";
  return svg("path", {class: ["edge", kind, d.distance ? "next" : "", d.kind].join(" "), d: path, "marker-end": `url(#arrow${kind})`,
    tip: `through ${d.vias.join(", ")} (${d.kind}): ${cyclesOf(d.latency)}${d.distance ? `, ${plural(d.distance, "iteration")} later` : ""}`});
}

// curve goes through the midpoints of a polyline, smoothly.
function curve(p) {
  let s = `M${p[0].x} ${p[0].y}`;
  for (let i = 1; i < p.length - 1; i++) {
    const end = i === p.length - 2 ? p[i + 1] : {x: (p[i].x + p[i + 1].x) / 2, y: (p[i].y + p[i + 1].y) / 2};
    s += `Q${p[i].x} ${p[i].y} ${end.x} ${end.y}`;
  }
  return p.length === 2 ? `${s}L${p[1].x} ${p[1].y}` : s;
}

function markers() {
  return svg("defs", {}, ...["", "lcd", "cp"].map(k => svg("marker", {id: "arrow" + k, viewBox: "0 0 8 8", refX: 7, refY: 4, markerUnits: "userSpaceOnUse", markerWidth: 9, markerHeight: 9, orient: "auto-start-reverse", class: "head " + k},
    svg("path", {d: "M0 0L8 4L0 8z"}))));
}

function chainText(t) {
  const c = (t.loop_carried || [])[0];
  return c && c.cycles > 0 ? `The slowest loop-carried chain takes ${cyclesOf(c.cycles)} through ${c.via}.` : "No chain is carried from iteration to iteration.";
}

function legend(deps) {
  const item = (kind, text) => el("span", {}, svg("svg", {width: 28, height: 8, "aria-hidden": "true"}, svg("path", {class: "edge " + kind, d: "M0 4H28"})), " " + text);
  return [item("lcd", "slowest loop-carried chain"), item("cp", "critical path"), deps.some(d => d.distance) ? item("next", "into a later iteration") : null, deps.some(d => d.kind === "memory") ? item("memory", "through memory") : null].filter(Boolean);
}

// buttons are the means to zoom and pan; they make the view box what is seen.
function buttons(view, root, box) {
  const width = Math.max(1, box.width), height = Math.max(1, box.height);
  let v;
  const set = () => view.setAttribute("viewBox", `${v.x} ${v.y} ${v.w} ${v.h}`);
  const scaleOf = () => (view.clientWidth || 900) / v.w;
  const all = () => { v = {x: 0, y: 0, w: width, h: height}; fit(); };
  // fit keeps small graphs from being blown up.
  const fit = () => {
    const cw = view.clientWidth || 900, ch = view.clientHeight || 420;
    const k = Math.min(1, cw / width, ch / height);
    v = {w: cw / k, h: ch / k, x: (width - cw / k) / 2, y: Math.min(0, (height - ch / k) / 2)};
    set();
  };
  const zoom = (f, cx = v.x + v.w / 2, cy = v.y + v.h / 2) => {
    if (scaleOf() * f > 6 || scaleOf() * f < 0.02) return;
    v = {x: cx - (cx - v.x) / f, y: cy - (cy - v.y) / f, w: v.w / f, h: v.h / f};
    set();
  };
  const pan = (dx, dy) => { v.x += dx / scaleOf(); v.y += dy / scaleOf(); set(); };
  const place = e => { const r = view.getBoundingClientRect(); return [v.x + (e.clientX - r.left) / r.width * v.w, v.y + (e.clientY - r.top) / r.height * v.h]; };
  view.addEventListener("wheel", e => { if (!e.ctrlKey && !e.shiftKey && document.activeElement !== view) return; e.preventDefault(); zoom(e.deltaY < 0 ? 1.15 : 1 / 1.15, ...place(e)); }, {passive: false});
  const held = new Map();
  view.addEventListener("pointerdown", e => { held.set(e.pointerId, e); view.setPointerCapture(e.pointerId); view.focus({preventScroll: true}); });
  view.addEventListener("pointermove", e => {
    const before = held.get(e.pointerId);
    if (!before) return;
    if (held.size === 1) pan(before.clientX - e.clientX, before.clientY - e.clientY);
    else {
      const other = [...held.values()].find(o => o.pointerId !== e.pointerId);
      const d = p => Math.hypot(p.clientX - other.clientX, p.clientY - other.clientY);
      if (d(before) > 0) zoom(d(e) / d(before), ...place(e));
    }
    held.set(e.pointerId, e);
  });
  for (const end of ["pointerup", "pointercancel"]) view.addEventListener(end, e => held.delete(e.pointerId));
  view.addEventListener("keydown", e => {
    const act = {"+": () => zoom(1.3), "=": () => zoom(1.3), "-": () => zoom(1 / 1.3), "0": all, ArrowLeft: () => pan(-40, 0), ArrowRight: () => pan(40, 0), ArrowUp: () => pan(0, -40), ArrowDown: () => pan(0, 40)}[e.key];
    if (act) { e.preventDefault(); act(); }
  });
  all();
  view.style.height = Math.max(160, Math.min(460, height * Math.min(1, 900 / width) + 20)) + "px";
  let last = 0;
  new ResizeObserver(() => { if (view.clientWidth !== last) { last = view.clientWidth; fit(); } }).observe(view);
  const b = (text, label, f) => el("button", {type: "button", "aria-label": label, title: label, onclick: f}, text);
  return el("div", {class: "zoom", role: "group", "aria-label": "zoom of the graph"}, b("+", "zoom in", () => zoom(1.3)), b("−", "zoom out", () => zoom(1 / 1.3)), b("all", "show all", all));
}
