// Predicted against measured cycles as points, and the distribution of the errors, on canvases: any number of points.
import {el, css, num, percent} from "./dom.js";

function canvasOf(label, paint) {
  const canvas = el("canvas", {class: "plot", role: "img", "aria-label": label}), box = el("div", {class: "plotbox"}, canvas);
  let waiting = false;
  const soon = () => { if (!waiting) { waiting = true; requestAnimationFrame(() => { waiting = false; draw(); }); } };
  function draw() {
    const w = box.clientWidth || 420, h = Math.min(w, 380), dpr = devicePixelRatio || 1;
    canvas.width = Math.round(w * dpr); canvas.height = Math.round(h * dpr); canvas.style.height = h + "px";
    const c = canvas.getContext("2d");
    c.setTransform(dpr, 0, 0, dpr, 0, 0);
    c.clearRect(0, 0, w, h);
    c.font = "11px system-ui, sans-serif";
    paint(c, w, h);
  }
  new ResizeObserver(soon).observe(box);
  for (const q of ["(prefers-color-scheme: dark)", "print"]) matchMedia(q).addEventListener("change", draw);
  return {box, canvas, soon};
}

// scatter plots y against x on logarithmic axes; pick(i) is told of the point that is pointed at, describe(i) says what it is.
export function scatter(points, {x: xName, y: yName, describe}) {
  let shown = points, at = -1, place = null;
  const info = el("p", {class: "info", "aria-live": "polite"}, "Point at a block to see it.");
  const {box, canvas, soon} = canvasOf(`${yName} against ${xName}`, (c, w, h) => {
    const values = shown.flatMap(p => [p.x, p.y]).filter(v => v > 0);
    if (!values.length) return;
    let lo = Infinity, hi = 0;
    for (const v of values) { if (v < lo) lo = v; if (v > hi) hi = v; }
    lo = Math.log10(lo / 1.15); hi = Math.log10(hi * 1.15);
    const l = 44, b = 34, r = 8, t = 8, k = v => (Math.log10(v) - lo) / (hi - lo || 1);
    const px = v => l + k(v) * (w - l - r), py = v => h - b - k(v) * (h - b - t);
    place = {px, py};
    c.strokeStyle = css("--line"); c.fillStyle = css("--soft");
    for (let e = Math.floor(lo); e <= hi; e++) for (const m of [1, 2, 5]) {
      const v = m * 10 ** e;
      if (k(v) < 0 || k(v) > 1) continue;
      c.beginPath(); c.moveTo(px(v), t); c.lineTo(px(v), h - b); c.moveTo(l, py(v)); c.lineTo(w - r, py(v)); c.stroke();
      c.textAlign = "center"; c.fillText(num(v), px(v), h - b + 13); c.textAlign = "right"; c.fillText(num(v), l - 4, py(v) + 3);
    }
    c.textAlign = "center"; c.fillText(xName, (l + w) / 2, h - 6);
    c.save(); c.translate(11, (h - b) / 2); c.rotate(-Math.PI / 2); c.fillText(yName, 0, 0); c.restore();
    c.strokeStyle = css("--fg"); c.beginPath(); c.moveTo(px(10 ** lo), py(10 ** lo)); c.lineTo(px(10 ** hi), py(10 ** hi)); c.stroke();
    c.fillStyle = css("--accent"); c.globalAlpha = shown.length > 3000 ? 0.25 : 0.6;
    for (const p of shown) if (p.x > 0 && p.y > 0) c.fillRect(px(p.x) - 1.5, py(p.y) - 1.5, 3, 3);
    c.globalAlpha = 1;
    if (at >= 0) { c.fillStyle = css("--warn"); c.beginPath(); c.arc(px(shown[at].x), py(shown[at].y), 5, 0, 7); c.fill(); }
  });
  canvas.addEventListener("pointermove", e => {
    if (!place) return;
    let best = -1, least = 144;
    for (let i = 0; i < shown.length; i++) {
      const d = (place.px(shown[i].x) - e.offsetX) ** 2 + (place.py(shown[i].y) - e.offsetY) ** 2;
      if (d < least) { least = d; best = i; }
    }
    if (best === at) return;
    at = best;
    if (best >= 0) info.textContent = describe(shown[best]);
    soon();
  });
  return {node: el("div", {}, box, info), set(list) { shown = list; at = -1; soon(); }};
}

// histogram plots how many values lie in each of some ranges; the outermost hold what lies beyond.
export function histogram(values, {lo, hi, bins, name}) {
  let shown = values;
  const {box, soon} = canvasOf(name, (c, w, h) => {
    const counts = new Array(bins).fill(0);
    for (const v of shown) counts[Math.max(0, Math.min(bins - 1, Math.floor((v - lo) / (hi - lo) * bins)))]++;
    const most = Math.max(1, ...counts), l = 8, b = 34, t = 18, bw = (w - 2 * l) / bins, py = n => h - b - n / most * (h - b - t);
    counts.forEach((n, i) => {
      const mid = lo + (i + 0.5) / bins * (hi - lo);
      c.fillStyle = css(Math.abs(mid) <= 0.1 ? "--good" : "--accent");
      c.fillRect(l + i * bw + 1, py(n), bw - 2, h - b - py(n));
    });
    c.fillStyle = css("--soft"); c.textAlign = "center";
    for (let i = 0; i <= 4; i++) { const v = lo + i / 4 * (hi - lo); c.fillText(`${i === 0 ? "≤ " : i === 4 ? "≥ " : ""}${percent(v, 0)}`, Math.max(22, Math.min(w - 22, l + i / 4 * (w - 2 * l))), h - b + 13); }
    c.fillText(name, w / 2, h - 6);
    c.textAlign = "left"; c.fillText(String(most), l, 12);
  });
  return {node: box, set(list) { shown = list; soon(); }};
}
