// Elements and figures. Everything that comes from a document goes into text nodes and attributes by the DOM, never into markup, so that no input can be more than text.

const svgNS = "http://www.w3.org/2000/svg";

// el makes an element: el("td", {class: "n", tip: "…"}, "text", child…). tip is shown where one points at it or moves the focus to it.
export function el(name, attrs, ...children) {
  return fill(document.createElement(name), attrs, children);
}

export function svg(name, attrs, ...children) {
  return fill(document.createElementNS(svgNS, name), attrs, children);
}

function fill(e, attrs, children) {
  for (const [k, v] of Object.entries(attrs || {})) {
    if (v === undefined || v === null || v === false) continue;
    if (k === "tip") { if (v) e.dataset.tip = v; }
    else if (k.startsWith("on")) e.addEventListener(k.slice(2), v);
    else e.setAttribute(k, v === true ? "" : v);
  }
  for (const c of children.flat()) if (c !== null && c !== undefined && c !== false) e.append(c);
  return e;
}

// num writes a figure with at most two digits behind the point.
export const num = v => v === null || v === undefined || !isFinite(v) ? "" : (Math.round(v * 100) / 100).toString();

export const percent = (v, digits = 1) => `${(100 * v).toFixed(digits).replace(/\.0+$/, "")} %`;

export const plural = (n, what) => `${n} ${what}${n === 1 ? "" : "s"}`;

// cyclesOf is a figure with its unit: "1 cycle", "1.04 cycles".
export const cyclesOf = v => { const n = num(v); return `${n} cycle${n === "1" ? "" : "s"}`; };

// brief shortens the name of a loop or function to about so many characters, as the text reports do: without result and parameters, else without its middle. Its
// place in the function stays.
export function brief(name, room) {
  if (name.length <= room) return name;
  const place = (name.match(/(\+0x[0-9a-f]+|:[^:()<>{}]+)$/) || [""])[0];
  let f = name.slice(0, name.length - place.length), depth = 0, start = 0, end = f.length;
  for (let i = 0; i < end && !f.includes("operator"); i++) {
    if (f[i] === "<") depth++;
    else if (f[i] === ">" && depth) depth--;
    else if (!depth && f[i] === " ") start = i + 1;
    else if (!depth && f[i] === "(" && i > start) end = i;
  }
  f = f.slice(start, end);
  const most = Math.max(room - place.length, 8), tail = Math.floor(most / 3);
  return (f.length <= most ? f : f.slice(0, most - tail - 1) + "…" + f.slice(f.length - tail)) + place;
}

// bar is a horizontal bar of a share from 0 to 1.
export function bar(share, kind = "") {
  return svg("svg", {class: "bar", viewBox: "0 0 100 8", preserveAspectRatio: "none", "aria-hidden": "true"},
    svg("rect", {x: 0, y: 0, width: 100, height: 8, class: "track"}), svg("rect", {x: 0, y: 0, width: Math.max(0.6, 100 * Math.min(1, share || 0)), height: 8, class: "fill " + kind}));
}

// section is a part of a report under a heading.
export function section(title, attrs, ...children) {
  return el("section", {class: "card", "aria-label": title, ...attrs}, el("h3", {}, title), ...children);
}

// css reads a colour or length of the style sheet.
export const css = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

// hover tells the parts of a report which instruction is pointed at: each shows it in its own way.
export function hover() {
  const listeners = [];
  let now = -1;
  return {
    on(f) { listeners.push(f); },
    set(i) {
      if (i === now) return;
      const before = now;
      now = i;
      for (const f of listeners) f(now, before);
    },
    get now() { return now; },
  };
}

// tips shows the text of data-tip beside what is pointed at or focused, in one element for the whole page.
export function tips() {
  if (document.getElementById("tip")) return;
  const box = el("div", {id: "tip", role: "tooltip", hidden: true});
  document.body.append(box);
  let of = null;
  const hide = () => { box.hidden = true; if (of) of.removeAttribute("aria-describedby"); of = null; };
  const show = e => {
    if (e === of) return;
    hide();
    if (!e) return;
    of = e;
    box.textContent = e.dataset.tip;
    e.setAttribute("aria-describedby", "tip");
    box.hidden = false;
    const r = e.getBoundingClientRect(), b = box.getBoundingClientRect();
    const below = r.bottom + 6 + b.height < innerHeight;
    box.style.left = Math.max(4, Math.min(innerWidth - b.width - 8, r.left)) + "px";
    box.style.top = Math.max(4, below ? r.bottom + 6 : r.top - b.height - 6) + "px";
  };
  const at = e => e.target instanceof Element ? e.target.closest("[data-tip]") : null;
  document.addEventListener("pointerover", e => show(at(e)));
  document.addEventListener("focusin", e => show(at(e)));
  document.addEventListener("focusout", hide);
  document.addEventListener("scroll", hide, {capture: true, passive: true});
  document.addEventListener("keydown", e => { if (e.key === "Escape") hide(); });
}
