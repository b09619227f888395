// Lists: the loops of a program, the blocks of a corpus, and versions of code compared.
import {el, num, cyclesOf, percent, plural, bar, brief, section} from "./dom.js";
import {grid} from "./grid.js";
import {scatter, histogram} from "./plot.js";
import {boundName, diagnostic, report} from "./report.js";

// source is where a loop comes from, and the first line of it.
const source = l => { const first = (l.source_lines || [])[0]; return first ? [l.lines + "  ", el("code", {class: "soft"}, first.text.length > 50 ? first.text.slice(0, 49) + "…" : first.text)] : l.lines; };

// loops shows the document of `incore loops --format json`.
export function loops(doc, {open} = {}) {
  const list = doc.loops || [], shares = list.some(l => l.share), most = list.reduce((m, l) => Math.max(m, shares ? l.share || 0 : l.heat), 1e-9);
  const n = (name, f, tip, show) => ({name, value: f, number: true, tip, show});
  const vector = v => [[v["512"], "×512"], [v["256"], "×256"], [v["128"], "×128"], [v.scalable, "×vl"]].filter(x => x[0]).map(x => x[0] + x[1]).join(" ") || "–";
  const columns = [
    n(shares ? "share" : "heat", l => shares ? l.share || 0 : l.heat, shares ? "of the profile's samples" : "a guess from the code alone at how likely time is spent there", l => el("span", {class: "heat"}, bar((shares ? l.share || 0 : l.heat) / most, ""), shares ? " " + percent(l.share || 0) : "")),
    {name: "function", value: l => l.function, code: true, show: l => open ? el("button", {class: "link", type: "button", onclick: () => open(l)}, brief(l.function, 40)) : brief(l.function, 40), hint: l => l.function.length > 40 ? l.function : null}, n("loop", l => l.loop, "as analyze --loop takes it"), {name: "address", value: l => l.address, code: true},
    n("depth", l => l.depth, "1: outermost"), n("instructions", l => l.body, "on the way through the loop that is predicted"), {name: "vector", value: l => vector(l.vector), tip: "instructions by the width of their widest vector register"},
    n("cycles", l => l.cycles, "predicted for one pass", l => (l.at_least ? "≥ " : "") + num(l.cycles)), n("IPC", l => l.cycles > 0 ? l.body / l.cycles : NaN, "instructions per cycle", l => num(l.body / l.cycles)),
    {name: "bound by", value: l => boundName(l.bound), show: l => boundName(l.bound) + (l.unknown ? ` (${l.unknown} unknown)` : "")}, {name: "source", value: l => l.lines + " " + (l.source_lines || []).map(x => x.text).join(" "), show: source, hint: l => (l.source_lines || []).map(x => `${x.where}  ${x.text}`).join("\n")}, {name: "engine", value: l => l.engine}];
  const by = new Map();
  const tally = rows => { by.clear(); for (const l of rows) by.set(l.bound, (by.get(l.bound) || 0) + 1); return [...by].sort((a, b) => b[1] - a[1]).map(([b, c]) => el("tr", {}, el("th", {scope: "row"}, boundName(b)), el("td", {class: "n"}, c), el("td", {class: "barcell"}, bar(c / Math.max(1, rows.length))))); };
  const counts = el("tbody");
  return [...(doc.diagnostics || []).map(diagnostic),
    el("div", {class: "card verdict"}, el("p", {class: "headline"}, el("strong", {}, plural(list.length, "loop")), ` in ${plural(doc.functions, "function")}`, el("span", {class: "on"}, ` on ${doc.arch}`)), el("p", {class: "soft"}, `${doc.file}, ${doc.format}; ${doc.order === "profile" ? "sorted by the profile" : "the likely hottest first, guessed from the code alone"}`)),
    section("What bounds them", {}, el("table", {class: "limits"}, counts)), section("Loops", {}, grid(list, columns, {label: "loops", onFilter: rows => counts.replaceChildren(...tally(rows))}))];
}

// corpus shows blocks: of each what is predicted on each machine, and the measured cycles where they are known.
export function corpus(doc) {
  const archs = doc.machines || [], rows = doc.blocks || [], measured = !!doc.measured;
  const error = r => r.measured > 0 && r.cycles > 0 ? (r.cycles - r.measured) / r.measured : NaN;
  const columns = [{name: "#", value: r => r.number, number: true}, {name: "block", value: r => r.block, code: true, hint: r => r.block.length > 40 ? r.block.slice(0, 2000) : null, show: r => r.block.length > 60 ? r.block.slice(0, 59) + "…" : r.block}];
  if (archs.length > 1) columns.push({name: "machine", value: r => r.arch});
  const n = (name, f, tip, show) => ({name, value: f, number: true, tip, show});
  columns.push(n("cycles", r => r.cycles, "predicted", r => num(r.cycles)));
  if (measured) columns.push(n("measured", r => r.measured, "cycles that the corpus states", r => num(r.measured)), n("error", error, "(predicted − measured) / measured", r => Number.isFinite(error(r)) ? `${error(r) > 0 ? "+" : ""}${percent(error(r))}` : ""), n("|error|", r => Math.abs(error(r)), null, r => Number.isFinite(error(r)) ? percent(Math.abs(error(r))) : ""));
  columns.push(n("loop", r => r.tp_loop, "cycles as the body of a loop", r => num(r.tp_loop)), n("unrolled", r => r.tp_unrolled, "cycles laid out again and again", r => num(r.tp_unrolled)), {name: "bound by", value: r => r.error ? r.error : boundName(r.bound), show: r => r.error ? el("span", {class: "warn"}, r.error.slice(0, 90)) : boundName(r.bound)}, n("unknown", r => r.unknown, "instructions without cost data"));
  const out = [el("div", {class: "card verdict"}, el("p", {class: "headline"}, el("strong", {}, plural(doc.rows, "prediction")), ` of ${doc.file}`, el("span", {class: "on"}, ` on ${archs.join(", ")}`)), doc.rows > rows.length ? el("p", {class: "diag warning"}, `The first ${rows.length} are in this page; --format csv has all.`) : null, doc.failed ? el("p", {class: "diag warning"}, `${plural(doc.failed, "prediction")} failed; the column bound by says why.`) : null, summary(doc))];
  let plots = null;
  if (measured) {
    const points = list => list.filter(r => r.measured > 0 && r.cycles > 0).map(r => ({x: r.measured, y: r.cycles, r}));
    const s = scatter(points(rows), {x: "measured cycles", y: "predicted cycles", describe: p => `${archs.length > 1 ? p.r.arch + ": " : ""}measured ${num(p.x)}, predicted ${num(p.y)} (${percent(error(p.r))}), ${boundName(p.r.bound)}: ${p.r.block.slice(0, 160)}`});
    const h = histogram(rows.map(error).filter(Number.isFinite), {lo: -0.5, hi: 0.5, bins: 40, name: "error of the prediction"});
    plots = list => { s.set(points(list)); h.set(list.map(error).filter(Number.isFinite)); };
    out.push(section("Predicted against measured", {}, el("div", {class: "columns two"}, s.node, h.node)));
  }
  out.push(section("Blocks", {}, grid(rows, columns, {label: "blocks", onFilter: list => plots && plots(list), sort: measured ? -(columns.findIndex(c => c.name === "|error|") + 1) : undefined})));
  return out;
}

function summary(doc) {
  if (!(doc.summary || []).length) return null;
  return el("div", {class: "scroll"}, el("table", {}, el("thead", {}, el("tr", {}, ...["machine", "blocks", "mean error", "median", "within 10 %", "within 20 %", "tau"].map(h => el("th", {scope: "col", tip: h === "tau" ? "Kendall's rank correlation (tau-b)" : null}, h)))),
    el("tbody", {}, ...doc.summary.map(s => el("tr", {}, el("td", {}, s.arch), el("td", {class: "n"}, s.blocks), el("td", {class: "n"}, percent(s.mean)), el("td", {class: "n"}, percent(s.median)), el("td", {class: "n"}, percent(s.within10)), el("td", {class: "n"}, percent(s.within20)), el("td", {class: "n"}, s.tau == null ? "–" : num(s.tau)))))));
}

// compared shows the document of `incore compare --format json`.
export function compared(doc) {
  const [first, ...later] = doc.versions, rows = [];
  for (const l of doc.loops || []) for (const r of l.results) r.versions.forEach((f, v) => { if (v > 0) rows.push({l, arch: r.arch, a: r.versions[0], b: f, v}); });
  const unsure = r => r.a.at_least || r.b.at_least, sure = rows.filter(r => !r.b.missing && !r.b.incomparable && !unsure(r));
  const change = f => f.missing ? "missing" : f.incomparable ? "cannot compare" : f.change >= 1 ? `${num(1 + f.change)} times` : Math.abs(f.change) < 0.0005 ? "same" : `${f.change > 0 ? "+" : "−"}${percent(Math.abs(f.change))}`;
  const archs = new Set(rows.map(r => r.arch));
  const worst = Math.max(...sure.map(r => r.b.change)), best = Math.min(...sure.map(r => r.b.change));
  const head = doc.slower ? "slower than allowed" : worst > 0.001 ? "some loops are slower" : best < -0.001 ? "no loop is slower" : sure.length ? "nothing changed" : rows.some(r => !r.b.missing && unsure(r)) ? "only lower bounds were compared" : "no loop was compared";
  const out = [el("div", {class: "card verdict"}, el("p", {class: "headline"}, el("strong", {class: doc.slower ? "warn" : ""}, head), el("span", {class: "on"}, ` ${first} against ${later.join(", ")}`)),
    el("table", {}, el("thead", {}, el("tr", {}, ...["machine", "loops", "slower", "faster", "mean change"].map(h => el("th", {scope: "col"}, h)))), el("tbody", {}, ...(doc.summary || []).map(s => el("tr", {}, el("td", {}, s.arch), el("td", {class: "n"}, s.loops), el("td", {class: "n"}, s.slower), el("td", {class: "n"}, s.faster), el("td", {class: "n"}, change({change: s.change})))))))];
  const per = f => f.times && f.times !== 1 ? f.cycles / f.times : f.cycles;
  const columns = [{name: "loop", value: r => r.l.name, show: r => brief(r.l.name, 40), code: true, hint: r => `${r.l.names.filter(Boolean).join(" ↔ ")}\nmatched: ${r.l.matched}`}];
  if (archs.size > 1) columns.push({name: "machine", value: r => r.arch});
  if (later.length > 1) columns.push({name: "version", value: r => doc.versions[r.v]});
  const n = (name, f, show, tip) => ({name, value: f, number: true, show, tip});
  columns.push(n("before", r => r.a.cycles, r => atLeast(r.a) + num(r.a.cycles), "cycles of an iteration of the first version"), n("after", r => r.b.missing ? NaN : per(r.b), r => r.b.missing ? "–" : atLeast(r.b) + num(per(r.b)), "cycles of as much work as an iteration of the first version does"),
    n("change", r => r.b.missing ? NaN : r.b.change, r => el("span", {class: r.b.slower ? "warn" : r.b.missing || unsure(r) ? "soft" : r.b.change > 0.001 ? "warn" : r.b.change < -0.001 ? "good" : "soft"}, change(r.b), unsure(r) && !r.b.missing && !r.b.incomparable ? ", of lower bounds" : ""), "more cycles (+) or fewer (−)"),
    {name: "bound by", value: r => r.b.missing ? "" : limit(r.b), show: r => r.b.missing ? "" : limit(r.a) === limit(r.b) ? limit(r.b) : `${limit(r.a)} → ${limit(r.b)}`},
    n("instructions", r => r.b.instructions / (r.b.times || 1), r => r.b.missing ? "" : `${r.a.instructions} → ${num(r.b.instructions / (r.b.times || 1))}`, "for the work of an iteration of the first version"), n("µops", r => r.b.uops / (r.b.times || 1), r => r.b.missing ? "" : `${num(r.a.uops)} → ${num(r.b.uops / (r.b.times || 1))}`, "for the work of an iteration of the first version"), {name: "why", value: r => (r.b.why || []).filter(w => r.b.incomparable || !/ (does|do) the work of /.test(w)).join("; "), hint: r => (r.b.why || []).join("\n")});
  if (rows.length) out.push(section("Loops", {}, grid(rows, columns, {label: "compared loops"})), section("Side by side", {}, ...rows.slice(0, 40).map(sideBySide(doc))));
  out.push(...(doc.documents || []).map((d, i) => unfolding(`Report of ${doc.versions[i]}`, () => report(d))));
  if ((doc.only || []).length) out.push(section("In one version only", {}, el("ul", {}, ...doc.only.map(s => el("li", {}, el("code", {}, s.name), ` in ${s.version}: ${s.at_least ? "at least " : ""}${cyclesOf(s.cycles)} on ${s.arch}`)))));
  return out;
}

// atLeast marks the cycles of a version that are a lower bound.
const atLeast = f => f.at_least ? "≥ " : "";

// limit is what limits a version of a loop, in words.
const limit = f => f.limit || boundName(f.bound);

// unfolding draws what it holds when it is first opened.
function unfolding(title, draw) {
  const into = el("div"), fold = el("details", {class: "card"}, el("summary", {}, title), into);
  const open = () => { if (!into.firstChild) into.append(...draw()); };
  fold.addEventListener("toggle", () => { if (fold.open) open(); });
  return fold;
}

const sideBySide = doc => r => {
  if (r.b.missing) return null;
  const w = f => f.work || {}, pairs = [["cycles", r.a.cycles, r.b.cycles / (r.b.times || 1)], ["instructions", r.a.instructions, r.b.instructions / (r.b.times || 1)], ["µops", r.a.uops, r.b.uops / (r.b.times || 1)], ["loads", w(r.a).loads, w(r.b).loads / (r.b.times || 1)], ["stores", w(r.a).stores, w(r.b).stores / (r.b.times || 1)], ["bytes loaded", w(r.a).loaded_bytes, w(r.b).loaded_bytes / (r.b.times || 1)], ["flops", w(r.a).flops, w(r.b).flops / (r.b.times || 1)]];
  return el("details", {open: Math.abs(r.b.change) > 0.001}, el("summary", {}, el("code", {tip: r.l.name.length > 80 ? r.l.name : null}, brief(r.l.name, 80)), ` on ${r.arch}: ${doc.versions[0]} and ${doc.versions[r.v]}`),
    el("table", {class: "limits"}, el("tbody", {}, ...pairs.filter(p => p[1] || p[2]).map(([name, x, y]) => { const m = Math.max(x, y, 1e-9); return el("tr", {}, el("th", {scope: "row"}, name), el("td", {class: "n"}, name === "cycles" ? atLeast(r.a) : "", num(x)), el("td", {class: "barcell"}, bar(x / m)), el("td", {class: "n"}, name === "cycles" ? atLeast(r.b) : "", num(y)), el("td", {class: "barcell"}, bar(y / m, y > x * 1.001 ? "hot" : y < x * 0.999 ? "best" : ""))); }))),
    el("ul", {}, ...(r.b.why || []).map(s => el("li", {}, s))));
};
