// The table of instructions, with the load of each port as a heat map and the source lines above the code that was made of them.
import {el, num, plural, cyclesOf} from "./dom.js";

const flags = {unknown: "cost not known", "zero-idiom": "zero idiom", "dep-breaking": "breaks the dependence", "move-eliminated": "eliminated move", "fused-first": "fused with the next", "fused-second": "fused with the one before",
  borrowed: "figures of another core", "side-effect": "side effect", "reads-result": "waits for the old value of its result", "stand-in": "no exact figure", "no-ports": "at least this", variant: "by its operands"};
const silent = new Set(["variant", "side-effect"]);

export function instructions(k, t, bus) {
  const used = new Set(t.instructions.flatMap(i => Object.keys(i.ports || {})));
  const ports = Object.keys(t.throughput.ports || {}).filter(p => used.has(p) && t.throughput.ports[p] > 0);
  const busiest = new Set(t.throughput.bottleneck || []);
  ports.sort((a, b) => t.throughput.ports[b] - t.throughput.ports[a]); // what is busy must not need scrolling
  const heat = t.instructions.reduce((m, i) => Math.max(m, ...Object.values(i.ports || {})), 1e-9);
  const addressed = t.instructions.some(i => i.address);
  const column = (text, tip, kind = "n") => el("th", {scope: "col", class: kind, tip}, text);
  const header = el("tr", {}, column(addressed ? "address" : "line", "line of the source text, or address of the instruction"), column("assembly", null, ""),
    column("µops", "slots of dispatch that it takes (fused-domain µops)"), column("latency", "cycles from its last operand to its slowest result, the load included"),
    column("LCD", "cycles that it adds to the slowest loop-carried dependence chain"), column("CP", "cycles that it adds to the critical path of one iteration"),
    ...ports.map(p => column(p, `${p}: busy ${cyclesOf(t.throughput.ports[p])} of an iteration${busiest.has(p) ? ", the busiest" : ""}`, busiest.has(p) ? "n p busy" : "n p")));
  const body = el("tbody");
  const texts = new Map((k.source_lines || []).map(s => [s.where, s.text]));
  let where = "";
  const rows = t.instructions.map((x, i) => {
    if (x.where && x.where !== where) { where = x.where; body.append(sourceRow(where, texts.get(where), 6 + ports.length, on => mark(x.where, on))); }
    for (const l of (k.labels || []).filter(l => l.before === i && !l.source)) body.append(el("tr", {class: "label"}, el("td", {class: "n"}, l.line || ""), el("td", {class: "code", colspan: 5 + ports.length}, l.name + ":")));
    const r = row(x, i, ports, heat, bus);
    body.append(r);
    return r;
  });
  // mark lights up all instructions of a line of the source, which compilers scatter.
  const mark = (of, on) => t.instructions.forEach((x, i) => { if (x.where === of) rows[i].classList.toggle("near", on); });
  bus.on((now, before) => {
    rows[before]?.classList.remove("hot");
    rows[now]?.classList.add("hot");
    body.dispatchEvent(new CustomEvent("instruction", {bubbles: true, detail: {line: t.instructions[now]?.line || 0}})); // for an editor beside
  });
  const foot = el("tr", {}, el("td", {colspan: 2}, "sum"), el("td", {class: "n"}, num(t.throughput.slots)), el("td"), el("td", {class: "n"}, num((t.loop_carried || [])[0]?.cycles)), el("td", {class: "n"}, num(t.critical_path?.cycles)),
    ...ports.map(p => el("td", {class: busiest.has(p) ? "n p busy" : "n p"}, num(t.throughput.ports[p]))));
  const unused = t.instructions.length ? plural(t.instructions.length, "instruction") : "no instructions";
  return el("div", {class: "scroll", tabindex: 0, role: "group", "aria-label": "table of instructions"}, el("table", {class: "insts"}, el("caption", {class: "unseen"}, `${unused} and the cycles for which each keeps a port busy`), el("thead", {}, header), body, el("tfoot", {}, foot)));
}

function sourceRow(where, text, span, mark) {
  const r = el("tr", {class: "source"}, el("td", {colspan: span, tip: text && text.length > 80 ? text : null}, el("span", {class: "where"}, where), text ? el("code", {}, " " + text) : null));
  r.addEventListener("pointerenter", () => mark(true));
  r.addEventListener("pointerleave", () => mark(false));
  return r;
}

function row(x, i, ports, heat, bus) {
  const on = v => v !== null && v !== undefined;
  const notes = (x.flags || []).filter(f => flags[f]);
  const costs = `${x.form}\n${x.source}${notes.length ? "\n" + notes.map(f => flags[f]).join(", ") : ""}`;
  const r = el("tr", {tabindex: 0, class: on(x.lcd) ? "lcd" : on(x.cp) ? "cp" : "", "data-i": i},
    el("td", {class: "n at"}, x.address || x.line || i),
    el("td", {class: "code", tip: costs}, x.text, ...notes.filter(f => !silent.has(f)).map(f => el("span", {class: "flag " + f}, flags[f]))),
    el("td", {class: "n", tip: `${plural(x.uops, "slot")} of dispatch\n${x.source}`}, num(x.uops)),
    el("td", {class: "n", tip: `latency ${cyclesOf(x.latency)}${x.latency_high > x.latency_low ? `, between ${num(x.latency_low)} and ${num(x.latency_high)}` : ""}\n${x.source}`}, num(x.latency)),
    el("td", {class: "n lcdcell"}, num(x.lcd)), el("td", {class: "n"}, num(x.cp)),
    ...ports.map(p => {
      const v = (x.ports || {})[p] || 0;
      const d = el("td", {class: "n p", tip: v ? `${p}: busy ${cyclesOf(v)} by ${x.text}\n${x.source}` : null}, v ? num(v) : "");
      if (v) d.style.setProperty("--heat", (v / heat).toFixed(3));
      return d;
    }));
  r.addEventListener("pointerenter", () => bus.set(i));
  r.addEventListener("pointerleave", () => bus.set(-1));
  r.addEventListener("focus", () => bus.set(i));
  r.addEventListener("blur", () => bus.set(-1));
  r.addEventListener("keydown", e => {
    const step = {ArrowDown: 1, ArrowUp: -1}[e.key];
    if (!step) return;
    e.preventDefault();
    r.parentNode.querySelector(`tr[data-i="${i + step}"]`)?.focus();
  });
  return r;
}
