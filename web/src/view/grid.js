// A table of any number of rows that can be sorted by a column and filtered by a text. Only the rows in view are in the page.
import {el, plural} from "./dom.js";

const rowHeight = 26, fewRows = 60;

// grid shows rows; a column is {name, value: row → number or string, show: row → text or node, number: bool, tip}. onFilter is told of the rows that are left.
export function grid(rows, columns, {onFilter, label = "table", sort} = {}) {
  const by = {column: sort === undefined ? -1 : Math.abs(sort) - 1, down: sort < 0};
  let left = rows;
  const texts = new Map();
  const textOf = r => { let s = texts.get(r); if (s === undefined) texts.set(r, s = columns.map(c => String(c.value(r) ?? "")).join("\u0001").toLowerCase()); return s; };
  const filter = el("input", {type: "search", placeholder: "filter", "aria-label": "filter of the " + label, spellcheck: "false"});
  const count = el("span", {class: "soft", role: "status"});
  const body = el("tbody"), above = el("tr", {"aria-hidden": "true"}, el("td")), below = el("tr", {"aria-hidden": "true"}, el("td"));
  const heads = columns.map((c, i) => {
    const b = el("button", {type: "button", class: "sort", onclick: () => { by.down = by.column === i ? !by.down : !!c.number; by.column = i; order(); }}, c.name);
    return el("th", {scope: "col", class: c.number ? "n" : "", tip: c.tip}, b);
  });
  const box = el("div", {class: "scroll grid", tabindex: 0, role: "group", "aria-label": label}, el("table", {"aria-rowcount": rows.length}, el("thead", {}, el("tr", {}, ...heads)), body));
  const show = (c, r) => { const v = c.show ? c.show(r) : c.value(r); return v ?? ""; };
  const make = r => el("tr", {}, ...columns.map(c => el("td", {class: [c.number ? "n" : "", c.code ? "code" : ""].join(" ").trim(), tip: c.hint ? c.hint(r) : null}, show(c, r))));

  function draw() {
    const all = left.length <= fewRows, from = all ? 0 : Math.max(0, Math.floor(box.scrollTop / rowHeight) - 10), to = all ? left.length : Math.min(left.length, from + Math.ceil((box.clientHeight || 500) / rowHeight) + 20);
    above.firstChild.style.height = from * rowHeight + "px";
    below.firstChild.style.height = (left.length - to) * rowHeight + "px";
    body.replaceChildren(...(from ? [above] : []), ...left.slice(from, to).map(make), ...(to < left.length ? [below] : []));
  }
  function order() {
    heads.forEach((h, i) => i === by.column ? h.setAttribute("aria-sort", by.down ? "descending" : "ascending") : h.removeAttribute("aria-sort"));
    if (by.column >= 0) {
      const c = columns[by.column], sign = by.down ? -1 : 1;
      const none = v => v === null || v === undefined || v === "" || Number.isNaN(v);
      left = [...left].sort((a, b) => {
        const x = c.value(a), y = c.value(b);
        if (none(x) || none(y)) return none(x) - none(y); // what has no value is last, whichever way
        return sign * (c.number ? x - y : String(x) < String(y) ? -1 : String(x) > String(y) ? 1 : 0);
      });
    }
    box.scrollTop = 0;
    draw();
  }
  function search() {
    const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    left = words.length ? rows.filter(r => words.every(w => textOf(r).includes(w))) : rows;
    count.textContent = left.length === rows.length ? plural(rows.length, "row") : `${left.length} of ${plural(rows.length, "row")}`;
    order();
    if (onFilter) onFilter(left);
  }
  let timer = 0;
  filter.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(search, 80); });
  let waiting = false;
  box.addEventListener("scroll", () => { if (!waiting && left.length > fewRows) { waiting = true; requestAnimationFrame(() => { waiting = false; draw(); }); } }, {passive: true});
  search();
  return el("div", {}, el("div", {class: "controls"}, filter, count), box);
}
