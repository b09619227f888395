// A document of `incore analyze --format json`: for each kernel the machines side by side, and of one of them verdict, advice, where the cycles went, table, graph and pipeline.
import {el, num, cyclesOf, percent, plural, bar, brief, section, hover} from "./dom.js";
import {instructions} from "./instructions.js";
import {graph} from "./graph.js";
import {timeline} from "./timeline.js";

export function report(doc) {
  return [...(doc.diagnostics || []).map(diagnostic), ...(doc.kernels || []).map((k, i, all) => kernel(k, doc, i, all.length)), (doc.others || []).length ? others(doc.others) : null].filter(Boolean);
}

export function diagnostic(d) {
  return el("p", {class: "diag " + d.severity, role: d.severity === "note" ? null : "alert"}, el("b", {}, d.severity), ` ${d.line ? `line ${d.line}: ` : ""}${d.message}`, d.hint ? el("span", {class: "hint"}, ` (${d.hint})`) : null);
}

const shownInFull = 3; // kernels; the others unfold

function kernel(k, doc, number, count) {
  const title = k.name || "kernel";
  const sub = [k.loop ? "" : "not a loop: one pass, if the code runs again and again", k.lines ? "lines " + k.lines : "", k.address || ""].filter(Boolean).join(" · ");
  const body = el("div", {class: "targets"});
  const parts = [];
  let drawn = false;
  const draw = () => { if (!drawn) { drawn = true; body.append(...targets(k, doc)); } };
  if (k.targets.length > 1) parts.push(machines(k, i => body.querySelectorAll("[role=tab]")[i]?.click()));
  parts.push(body);
  const p = (k.targets[0] || {}).prediction;
  const heading = [el("span", {class: "name", tip: title.length > 90 ? title : null}, brief(title, 90)), el("small", {}, " " + sub)];
  if (count > shownInFull || number > 0) {
    const d = el("details", {class: "kernel", open: number === 0}, el("summary", {}, el("h2", {}, ...heading, p ? el("span", {class: "brief"}, ` ${cycles(p, k)}, ${limit(k.targets[0])}`) : null)), ...parts);
    d.addEventListener("toggle", () => { if (d.open) draw(); });
    if (number === 0) draw();
    addEventListener("beforeprint", () => { d.open = true; draw(); });
    return d;
  }
  draw();
  return el("section", {class: "kernel", "aria-label": "kernel " + title}, el("h2", {}, ...heading), ...parts);
}

let ids = 0;
let chosen = ""; // the machine chosen last: a report that is drawn again shows it again

// targets is a tab for each machine.
function targets(k, doc) {
  if (k.targets.length === 1) return [target(k, k.targets[0])];
  const id = "m" + ++ids, panel = el("div", {role: "tabpanel", id});
  const tabs = k.targets.map(t => el("button", {role: "tab", type: "button", "aria-controls": id, tip: t.title}, t.arch));
  const show = i => {
    chosen = k.targets[i].arch;
    tabs.forEach((b, j) => { b.setAttribute("aria-selected", j === i); b.tabIndex = j === i ? 0 : -1; });
    panel.replaceChildren(target(k, k.targets[i]));
    panel.setAttribute("aria-label", k.targets[i].title);
  };
  tabs.forEach((b, i) => {
    b.addEventListener("click", () => show(i));
    b.addEventListener("keydown", e => {
      const to = {ArrowRight: i + 1, ArrowLeft: i - 1, Home: 0, End: tabs.length - 1}[e.key];
      if (to === undefined) return;
      e.preventDefault();
      const n = (to + tabs.length) % tabs.length;
      show(n); tabs[n].focus();
    });
  });
  show(Math.max(0, k.targets.findIndex(t => t.arch === chosen)));
  return [el("div", {role: "tablist", class: "tabs", "aria-label": "machines"}, ...tabs), panel];
}

// machines sets the machines side by side.
function machines(k, choose) {
  const all = k.targets.map(t => t.prediction.cycles), least = Math.min(...all), most = Math.max(...all, 1e-9);
  return section("Machines side by side", {}, el("div", {class: "scroll"}, el("table", {class: "machines"}, el("thead", {}, el("tr", {}, ...["machine", "cycles", "", "bound by", "IPC", "µops", "busiest ports", "trust"].map(h => el("th", {scope: "col"}, h)))),
    el("tbody", {}, ...k.targets.map((t, i) => el("tr", {}, el("td", {}, el("button", {class: "link", type: "button", tip: t.title, onclick: () => choose(i)}, t.arch)), el("td", {class: "n", tip: sourceOf(t)}, (t.prediction.at_least ? "≥ " : "") + num(t.prediction.cycles)),
      el("td", {class: "barcell"}, bar(t.prediction.cycles / most, t.prediction.cycles === least ? "best" : "")), el("td", {}, limit(t)), el("td", {class: "n"}, num(t.prediction.ipc)), el("td", {class: "n"}, num(t.throughput.slots)), el("td", {}, (t.throughput.bottleneck || []).join(", ")), el("td", {class: "soft"}, (t.words || {}).trust || "")))))));
}

const bounds = {latency: "loop-carried dependency", ports: "execution ports", dispatch: "allocate/rename width", "front end": "front end", branch: "taken branches", cache: "L1 data cache", scheduling: "several limits", unknown: "nothing known"};
export const boundName = b => bounds[b] || b;

const limits = {"failed-forwarding": "store forwarding", "full-buffer": "full buffer", "register-reads": "register reads", "program-order": "in-order issue"};

// limit says in brief what limits a target, in the words of the text report.
const limit = t => (t.words || {}).bound || boundName(t.prediction.bound);

const cycles = (p, k) => `${p.at_least || (k.work || {}).calls ? "at least " : ""}${cyclesOf(p.cycles)}`;

// sourceOf says what a prediction rests on.
function sourceOf(t) {
  const p = t.prediction;
  const w = t.words || {};
  return [t.title, w.engine || p.engine, w.accuracy].filter(Boolean).join("\n");
}

function target(k, t) {
  const bus = hover(), p = t.prediction, div = el("div", {class: "target"});
  div.append(verdict(k, t));
  for (const d of t.diagnostics || []) if (d.severity !== "note") div.append(diagnostic(d));
  const advised = advice(t);
  if (advised) div.append(advised);
  div.append(went(p, t));
  div.append(section("Instructions", {}, instructions(k, t, bus), ...chains(t)));
  div.append(section("Dependence graph", {}, graph(t, bus)));
  if (t.timeline) div.append(section("Pipeline", {}, timeline(t, bus)));
  const more = [whatIf(t), sensitivity(t), memory(t)].filter(Boolean);
  div.append(...more);
  const notes = (t.diagnostics || []).filter(d => d.severity === "note");
  div.append(el("details", {class: "card"}, el("summary", {}, "What the figures rest on"), el("ul", {}, ...[...(t.assumptions || []), ...(k.notes || []), ...notes.map(d => d.message)].map(a => el("li", {}, a))), accuracy(t)));
  return div;
}

function verdict(k, t) {
  const p = t.prediction, unroll = k.unroll || 1;
  const fact = (name, value, tip) => value ? el("div", {class: "fact", tip, tabindex: tip ? 0 : null}, el("dt", {}, name), el("dd", {}, value)) : null;
  const w = t.words || {}, vectors = p.vector_bits ? `; full vectors of ${p.vector_bits} bits` : "";
  const range = p.unknown_costs ? `${num(p.unknown_costs.low)} to ${num(p.unknown_costs.high)}` : "";
  return el("div", {class: "card verdict"},
    el("p", {class: "headline"}, el("strong", {tabindex: 0, tip: sourceOf(t)}, cycles(p, k)), " per iteration", unroll !== 1 ? `, ${num(p.cycles / unroll)} per source iteration` : "", el("span", {class: "on"}, ` on ${t.title}`)),
    el("p", {class: "cause"}, el("span", {class: "pill " + String(p.bound).replace(/\W/g, "-")}, limits[(p.limit || {}).kind] || ((p.limit || {}).ties ? "several limits at once" : boundName(p.bound))), " ", p.cause || p.text || ""),
    w.headroom ? el("p", {}, el("b", {}, "headroom "), w.headroom) : null,
    t.entered ? el("p", {}, el("b", {}, "entered "), entered(t.entered)) : null,
    p.gap ? el("p", {class: "soft"}, p.gap) : null,
    ...(p.open || []).map(o => el("p", {class: "diag warning"}, o)),
    el("dl", {class: "facts"}, fact("instructions", String(t.instructions.length)), fact("IPC", num(p.ipc), "instructions per cycle"), fact("µops", num(t.throughput.slots), `fused-domain µops of an iteration; ${t.throughput.width || "?"} can be dispatched in a cycle`),
      fact("flop/cycle", p.flops_per_cycle > 0 ? num(p.flops_per_cycle) : "", "floating-point operations per cycle, a fused multiply-add two" + vectors), fact("bytes/cycle", p.bytes_per_cycle > 0 ? num(p.bytes_per_cycle) : "", "bytes loaded and stored per cycle" + vectors),
      fact("unknown costs", range, "with the unknown instructions at the ends of their intervals"),
      fact("trust", w.trust, w.accuracy),
      fact("engine", p.engine, w.engine)));
}

// entered says what the loop takes that is entered anew each time for a few iterations.
function entered(x) {
  const v = (y, by) => (x.at_least ? "≥ " : "") + num(y / by) + (x.unknown ? "?" : ""), both = y => `${v(y, 1)} cycles from entry to entry, ${v(y, x.iterations)} an iteration`;
  return `for ${plural(x.iterations, "iteration")} each time: ${both(x.cycles)}` + (x.missed == null ? "" : `, where the branch predictor knows the last one; ${both(x.missed)}, where it does not (a mispredicted branch costs ${x.mispredict_penalty} cycles and what was not fetched; ${x.mispredict_penalty_source})`);
}

// advice shows what would help, with its worth and the changed code, where the document has it.
function advice(t) {
  const list = t.advice || [];
  if (!list.length) return null;
  return section("What would help", {class: "card advice"}, el("ol", {}, ...list.map(a => el("li", {}, el("b", {}, a.text || a.kind), el("span", {class: "gain"}, ` ${num(a.before)} → ${num(a.after)} cycles/iteration`), el("span", {class: "pill good"}, `${percent(a.gain, 0)} fewer`),
    el("p", {class: "soft"}, [a.option ? `compiler: ${a.option}` : "", a.conditional ? "where the arrays lie badly" : "", `then bound by ${boundName(a.bound)}`, a.iterations > 1 ? `one iteration does the work of ${num(a.iterations)}` : "", a.conditions].filter(Boolean).join("; ")), changed(a)))));
}

function changed(a) {
  if (!(a.code || []).length) return null;
  const line = (l, front) => el("tr", {class: l.new || front ? "new" : ""}, el("td", {class: "soft"}, l.new || front ? "+" : ""), el("td", {class: "code"}, l.text), el("td", {class: "soft"}, front ? "in front of the loop" : ""));
  return el("details", {}, el("summary", {}, "changed assembly"), el("div", {class: "scroll"}, el("table", {class: "changed"}, el("tbody", {}, ...(a.front || []).map(l => line(l, true)), ...a.code.map(l => line(l, false))))));
}

const limitNames = {ports: ["execution ports", "µops of the busiest set of ports over the number of those ports"], dispatch: ["allocate/rename", "slots over the dispatch width"], front_end: ["front end", "fetch, decode and µop cache alone"],
  latency: ["loop-carried dependency", "the slowest cycle of the dependence graph: latency over iterations"], branch: ["taken branch", "one taken branch in so many cycles"], cache: ["L1 data cache", "banks, lines and ports of the first-level data cache"]};

// went says where the cycles went: what ended dispatch in each, what each limit allows alone, and what freeing it would gain.
function went(p, t) {
  const rows = Object.entries(limitNames).filter(([k]) => p.bounds && p.bounds[k]).map(([k, [name, tip]]) => ({name, tip, cycles: p.bounds[k]})).sort((a, b) => b.cycles - a.cycles);
  const most = Math.max(p.cycles, ...rows.map(r => r.cycles), 1e-9);
  const limits = el("table", {class: "limits"}, el("caption", {}, "Cycles that each limit alone would allow"), el("tbody", {}, ...rows.map(r => el("tr", {}, el("th", {scope: "row", tip: r.tip}, r.name), el("td", {class: "n"}, num(r.cycles)), el("td", {class: "barcell"}, bar(r.cycles / most, r.cycles >= 0.98 * p.cycles ? "hot" : ""))))));
  const stalls = (p.stalls || []).filter(s => s.cycles > 0.004);
  const parts = [limits];
  if (stalls.length) parts.unshift(el("table", {class: "limits"}, el("caption", {}, `Why dispatch stopped, in ${cyclesOf(p.cycles)}`), el("tbody", {}, ...stalls.sort((a, b) => b.cycles - a.cycles).map(s => el("tr", {}, el("th", {scope: "row"}, s.reason), el("td", {class: "n"}, num(s.cycles)), el("td", {class: "barcell"}, bar(s.cycles / p.cycles, s.reason === "dispatch width" ? "" : "wait")))))));
  const free = (p.if_free || []).filter(r => r.cycles < p.cycles * 0.995).sort((a, b) => a.cycles - b.cycles);
  parts.push(el("table", {class: "limits"}, el("caption", {}, "Cycles without one limit"), el("tbody", {}, ...(free.length ? free.map(r => el("tr", {}, el("th", {scope: "row"}, freeName(r.free)), el("td", {class: "n"}, num(r.cycles)), el("td", {class: "barcell"}, bar(r.cycles / p.cycles, "best")))) : [el("tr", {}, el("td", {}, "no change by lifting a single limit"))]))));
  return section("Where the cycles went", {}, el("div", {class: "columns"}, ...parts));
}

const freeNames = {frontend: "front end", dispatch: "allocate/rename width", ports: "execution ports", window: "reorder buffer and schedulers", dependences: "dependencies", memory: "memory dependencies"};
const freeName = s => s.split("+").map(x => freeNames[x] || x).join(" and ");

function chains(t) {
  const list = (t.loop_carried || []).filter(c => c.cycles > 0).slice(0, 4);
  if (!list.length) return [];
  const text = c => c.instructions.map((i, n) => `${(t.instructions[i] || {}).line || i} +${num(c.latencies[n])}`).join(" → ");
  return [el("details", {}, el("summary", {}, `Loop-carried chains: ${list.map(c => `${cyclesOf(c.cycles)} through ${c.via}`).join("; ")}`), el("ul", {}, ...list.map(c => el("li", {}, `${cyclesOf(c.cycles)} through ${c.via}: lines ${text(c)}${c.distance > 1 ? `, once around in ${c.distance} iterations` : ""}`))))];
}

function whatIf(t) {
  if (!(t.what_if || []).length) return null;
  return section("What if", {}, el("table", {class: "limits"}, el("tbody", {}, ...t.what_if.map(w => el("tr", {}, el("th", {scope: "row"}, w.question), el("td", {class: "n"}, w.note ? w.note : num(w.cycles)), el("td", {}, w.note ? "" : bar(w.cycles / t.prediction.cycles, w.gain > 0 ? "best" : "")))))));
}

function sensitivity(t) {
  if (!(t.sensitivity || []).length) return null;
  const v = w => w ? w.note || `${num(w.cycles)} (${w.gain > 0 ? "−" : "+"}${percent(Math.abs(w.gain), 0)})` : "–";
  return section("More of each resource", {}, el("table", {class: "limits"}, el("thead", {}, el("tr", {}, ...["resource", "doubled", "free"].map(h => el("th", {scope: "col"}, h)))), el("tbody", {}, ...t.sensitivity.map(s => el("tr", {}, el("th", {scope: "row"}, s.resource), el("td", {class: "n"}, v(s.double)), el("td", {class: "n"}, v(s.free)))))));
}

function memory(t) {
  const m = t.memory;
  if (!m || !(m.dependencies || []).length && !(m.possible || []).length) return null;
  const code = i => el("code", {}, (t.instructions[i] || {}).text || String(i));
  const later = d => d.distance ? `, ${plural(d.distance, "iteration")} later` : "";
  const known = (m.dependencies || []).map(d => el("li", {}, code(d.from), " stores what ", code(d.to), ` loads${later(d)}; forwarding takes ${cyclesOf(d.forwarding)}`,
    d.blocked ? el("b", {}, `; store forwarding fails: the load has its data ${cyclesOf(d.blocked)} after the store has retired`) : null, d.lcd ? "; on the slowest chain" : ""));
  const open = (m.possible || []).map(d => el("li", {}, d.if ? [el("code", {}, d.if), ": "] : null, code(d.from), " may store what ", code(d.to), ` loads${later(d)}: ${cyclesOf(d.cycles)} then (${d.why})`, d.renamed ? "; no loss if it happens in every iteration, where memory renaming hides it" : ""));
  return section("Memory dependencies", {}, known.length ? el("ul", {}, ...known) : null, m.without ? el("p", {}, `Without them: ${cyclesOf(m.without.cycles)}, ${boundName(m.without.bound)}.`) : null,
    open.length ? [el("p", {class: "soft"}, "Not certain:"), el("ul", {}, ...open)] : null);
}

function accuracy(t) {
  if (!(t.accuracy || []).length) return null;
  return el("table", {}, el("caption", {}, "Predictions of this core against measurements"), el("thead", {}, el("tr", {}, ...["corpus", "blocks", "mean error", "median", "within 10 %"].map(h => el("th", {scope: "col"}, h)))),
    el("tbody", {}, ...t.accuracy.map(a => el("tr", {}, el("td", {}, a.corpus), el("td", {class: "n"}, a.blocks), el("td", {class: "n"}, percent(a.mean)), el("td", {class: "n"}, percent(a.median)), el("td", {class: "n"}, percent(a.within10, 0))))));
}

function others(list) {
  return el("details", {class: "card"}, el("summary", {}, `${plural(list.length, "further loop")}, in guessed order`), el("div", {class: "scroll"}, el("table", {}, el("thead", {}, el("tr", {}, ...["loop", "lines", "instructions", "cycles", "bound by"].map(h => el("th", {scope: "col"}, h)))),
    el("tbody", {}, ...list.map(o => el("tr", {}, el("td", {tip: o.name.length > 60 ? o.name : null}, brief(o.name, 60)), el("td", {}, o.lines), el("td", {class: "n"}, o.instructions), el("td", {class: "n"}, (o.at_least ? "≥ " : "") + num(o.cycles)), el("td", {}, o.limit || boundName(o.bound))))))));
}
