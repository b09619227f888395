// The life of every µop, drawn on a canvas: only what is in view is drawn, so that any number of them scrolls smoothly.
import {el, css, num, plural} from "./dom.js";

const rowHeight = 16, head = 20, mostRows = 32;

// The phases of a µop's life: from, to, colour, height of the bar. The heights differ, so that colours are not needed to tell them apart.
const phases = [["dispatched", "ready", "--wait", 3], ["ready", "issued", "--portwait", 6], ["issued", "done", "--run", 12], ["done", "retired", "--done", 5], ["retired", "left", "--soft", 2]];

export function timeline(t, bus) {
  const uops = t.timeline.uops, first = t.timeline.first;
  if (!uops.length) return el("p", {class: "soft"}, "No µop was followed.");
  const end = uops.reduce((m, u) => Math.max(m, u.retired, u.left || 0), 1); // of any number: no call with a million arguments
  const rows = Math.min(uops.length, mostRows), height = head + rows * rowHeight + 4;
  const canvas = el("canvas", {class: "pipeline", tabindex: 0, role: "img",
    "aria-label": `Pipeline: ${plural(uops.length, "µop")} over ${end} cycles. Up and down move from µop to µop and read why each waits; left, right, plus and minus scroll and zoom.`});
  const info = el("div", {class: "info", "aria-live": "polite"}, "Point at a µop, or focus the picture and press the arrow keys, to see why it waits.");
  const box = el("div", {class: "pipebox"}, canvas);
  const rail = el("input", {type: "range", class: "rail", min: 0, max: Math.max(0, uops.length - rows), value: 0, "aria-label": "first µop shown", hidden: uops.length <= rows});
  let zoom = 0, top = 0, left = 0, at = -1, fontSize = 11, colours = null, waiting = false;
  const label = () => Math.max(90, Math.min(280, (canvas.clientWidth || 900) * 0.3));
  const refresh = () => { colours = Object.fromEntries(["--fg", "--soft", "--line", "--hot", "--bg", "--warn", ...phases.map(p => p[2])].map(n => [n, css(n)])); };
  const soon = () => { if (!waiting) { waiting = true; requestAnimationFrame(() => { waiting = false; paint(); }); } };

  const step = () => { const want = 60 / zoom; for (const s of [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000]) if (s >= want) return s; return 10000; };

  function paint() {
    const w = box.clientWidth || 900, dpr = devicePixelRatio || 1, from = label();
    if (!zoom) zoom = Math.max(0.3, Math.min(16, (w - from - 10) / Math.min(end, 90)));
    if (!colours) refresh();
    if (canvas.width !== Math.round(w * dpr) || canvas.height !== Math.round(height * dpr)) { canvas.width = Math.round(w * dpr); canvas.height = Math.round(height * dpr); canvas.style.height = height + "px"; }
    const c = canvas.getContext("2d"), x = v => from + (v - left) * zoom;
    c.setTransform(dpr, 0, 0, dpr, 0, 0);
    c.fillStyle = colours["--bg"]; c.fillRect(0, 0, w, height);
    c.font = `${fontSize}px ui-monospace, monospace`; c.textBaseline = "middle";
    c.save(); c.beginPath(); c.rect(from, 0, w - from, height); c.clip();
    for (let v = Math.floor(left / step()) * step(); x(v) < w; v += step()) {
      c.fillStyle = colours["--line"]; c.fillRect(Math.round(x(v)), head - 4, 1, height);
      c.fillStyle = colours["--soft"]; c.fillText(String(v), x(v) + 3, head / 2);
    }
    c.restore();
    for (let r = 0; r < rows && top + r < uops.length; r++) row(c, top + r, head + r * rowHeight, x, from, w);
    if (at >= 0) producers(c, x, from, w);
  }

  function row(c, i, y, x, from, w) {
    const u = uops[i], mid = y + rowHeight / 2;
    if (i === at || u.instruction === bus.now) { c.fillStyle = colours["--hot"]; c.fillRect(0, y, w, rowHeight); }
    if (i > 0 && uops[i - 1].iteration !== u.iteration) { c.fillStyle = colours["--line"]; c.fillRect(0, y, w, 1); }
    c.save(); c.beginPath(); c.rect(0, y, from - 6, rowHeight); c.clip();
    c.fillStyle = colours["--soft"]; c.fillText(String(u.iteration - first), 2, mid);
    c.fillStyle = colours["--fg"]; c.fillText((t.instructions[u.instruction] || {}).text || "", 26, mid);
    c.restore();
    c.save(); c.beginPath(); c.rect(from, y, w - from, rowHeight); c.clip();
    for (const [a, b, colour, h] of phases) {
      if (!(u[b] > u[a])) continue; // a store alone has left
      c.fillStyle = colours[colour]; c.fillRect(x(u[a]), mid - h / 2, Math.max(1, (u[b] - u[a]) * zoom), h);
    }
    if (u.done === u.issued) { c.fillStyle = colours["--run"]; c.fillRect(x(u.issued), mid - 6, 2, 12); }
    if (u.port && zoom >= 7 && (u.done - u.issued) * zoom > u.port.length * 7) { c.fillStyle = colours["--bg"]; c.fillText(u.port, x(u.issued) + 3, mid); }
    c.restore();
  }

  // producers draws lines from what the chosen µop waited for.
  function producers(c, x, from, w) {
    const u = uops[at], y = i => head + (i - top) * rowHeight + rowHeight / 2;
    c.save(); c.beginPath(); c.rect(from, head, w - from, height); c.clip();
    c.strokeStyle = colours["--warn"]; c.lineWidth = 1.5;
    for (const v of u.waits || []) {
      if (v.instruction < 0 || v.for !== "operand" && v.for !== "port") continue;
      const p = uops.findLastIndex((o, i) => i <= at && o.instruction === v.instruction && o.iteration === v.iteration);
      if (p < 0 || p === at) continue;
      c.beginPath(); c.moveTo(x(uops[p].done), y(p)); c.lineTo(x(u.ready), y(at)); c.stroke();
    }
    c.restore();
  }

  function choose(i, keep) {
    if (i === at || i < 0 || i >= uops.length) return;
    at = i;
    if (keep) { if (i < top) top = i; if (i >= top + rows) top = i - rows + 1; rail.value = top; }
    bus.set(uops[i].instruction);
    info.replaceChildren(...describe(t, uops[i], first));
    soon();
  }
  const move = (dy, dx) => {
    top = Math.max(0, Math.min(uops.length - rows, top + dy)); left = Math.max(0, Math.min(end, left + dx));
    rail.value = top; soon();
  };
  const scale = (f, cx = (canvas.clientWidth + label()) / 2) => {
    const v = left + (cx - label()) / zoom;
    zoom = Math.max(0.05, Math.min(60, zoom * f));
    left = Math.max(0, v - (cx - label()) / zoom); soon();
  };
  let held = null;
  canvas.addEventListener("pointerdown", e => { held = e; canvas.setPointerCapture(e.pointerId); });
  canvas.addEventListener("pointerup", () => { held = null; });
  canvas.addEventListener("pointercancel", () => { held = null; });
  let rest = 0;
  canvas.addEventListener("pointermove", e => {
    if (held) {
      rest += held.clientY - e.clientY;
      const dy = Math.trunc(rest / rowHeight);
      rest -= dy * rowHeight;
      move(dy, (held.clientX - e.clientX) / zoom);
      held = e;
    }
    choose(top + Math.floor((e.offsetY - head) / rowHeight), false);
  });
  canvas.addEventListener("pointerleave", () => { at = -1; bus.set(-1); soon(); });
  canvas.addEventListener("wheel", e => {
    if (e.ctrlKey) { e.preventDefault(); scale(e.deltaY < 0 ? 1.2 : 1 / 1.2, e.offsetX); return; }
    const more = e.deltaY > 0 ? top < uops.length - rows : top > 0;
    if (!more && !e.deltaX && !e.shiftKey) return; // the page scrolls on
    e.preventDefault();
    move(e.shiftKey ? 0 : Math.sign(e.deltaY) * 3, (e.deltaX || (e.shiftKey ? e.deltaY : 0)) / zoom);
  }, {passive: false});
  canvas.addEventListener("keydown", e => {
    const n = uops.length - 1;
    const act = {ArrowDown: () => choose(Math.min(n, at + 1), true), ArrowUp: () => choose(Math.max(0, at - 1), true), PageDown: () => choose(Math.min(n, at + rows), true), PageUp: () => choose(Math.max(0, at - rows), true),
      Home: () => choose(0, true), End: () => choose(n, true), ArrowRight: () => move(0, 60 / zoom), ArrowLeft: () => move(0, -60 / zoom), "+": () => scale(1.3), "=": () => scale(1.3), "-": () => scale(1 / 1.3)}[e.key];
    if (act) { e.preventDefault(); act(); }
  });
  rail.addEventListener("input", () => { top = Number(rail.value); soon(); });
  bus.on(() => soon());
  new ResizeObserver(soon).observe(box);
  for (const q of ["(prefers-color-scheme: dark)", "print"]) matchMedia(q).addEventListener("change", () => { colours = null; paint(); });
  const b = (text, name, f) => el("button", {type: "button", "aria-label": name, title: name, onclick: f}, text);
  return el("div", {}, el("div", {class: "zoom", role: "group", "aria-label": "zoom of the pipeline"}, b("+", "zoom in", () => scale(1.4)), b("−", "zoom out", () => scale(1 / 1.4)),
    b("all", "show all cycles", () => { left = 0; zoom = Math.max(0.05, (canvas.clientWidth - label() - 10) / end); soon(); })), box, rail, legend(), info);
}

function legend() {
  const item = (name, h, text) => { const s = el("i", {class: "swatch"}); s.style.background = `var(${name})`; s.style.height = h + "px"; return el("span", {}, s, " " + text); };
  return el("p", {class: "legend"}, item("--wait", 3, "waits for operands"), item("--portwait", 6, "waits for a port"), item("--run", 12, "executes"), item("--done", 5, "waits to retire"), item("--soft", 2, "a store waits to leave the store queue"));
}

// describe says what became of a µop, and why it waited.
function describe(t, u, first) {
  const text = i => (t.instructions[i] || {}).text || `instruction ${i}`;
  const out = [el("p", {}, el("code", {}, text(u.instruction)), ` iteration ${u.iteration - first}, ${u.kind}${u.port ? " on " + u.port : ""}: dispatched ${u.dispatched}, ready ${u.ready}, issued ${u.issued}, done ${u.done}, retired ${u.retired}${u.left ? ", left the store queue " + u.left : ""}.`)];
  const waits = (u.waits || []).filter(w => w.cycles > 0);
  if (!waits.length) out.push(el("p", {}, "It waited for nothing."));
  else out.push(el("ul", {}, ...waits.map(w => el("li", {}, `${plural(w.cycles, "cycle")} ${wait[w.for] || "for " + w.for}: ${w.reason}${w.via ? `, ${w.via}` : ""}`,
    w.instruction >= 0 ? [" – ", el("code", {}, text(w.instruction)), ` of iteration ${w.iteration - first}`] : null))));
  return out;
}

const wait = {dispatch: "before dispatch", operand: "for its last operand", port: "for a port", retirement: "to retire"};
