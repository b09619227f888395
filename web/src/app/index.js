// The page of `incore serve`: what is typed is analysed as one types.
import {editor} from "./editor.js";
import {analyser} from "./analyser.js";
import * as link from "./link.js";

const $ = id => document.getElementById(id), el = incore.el, report = $("report");
const delay = 40; // ms without a key until an analysis begins

const state = {machines: [], info: null, two: false, object: null, compiled: "", words: {}};
const say = (s, bad) => { $("status").textContent = s; $("status").classList.toggle("warn", !!bad); };
const ask = analyser(say);

const a = editor($("a"), {label: "assembly of a loop", change: soon, hint: "Type or paste the assembly of a loop, or drop an object file."});
let b = null, source = null, timer = 0, shown = "", number = 0, kept = 0;

function soon() {
  clearTimeout(timer);
  timer = setTimeout(run, delay);
}

// settings of an analysis; the source is sent along where the assembly was made of it, for the lines of the report.
const settings = () => ({arch: state.machines, timeline: $("timeline").checked ? 3 : 0, ...(state.compiled && !state.two && a.text.includes(".loc") ? {sources: {"<stdin>": state.compiled}} : {})});

// run analyses what the page holds; an answer that a newer one has overtaken is left out.
async function run() {
  if (state.object) return openObject();
  const empty = !a.text.trim();
  if (empty) { report.replaceChildren(); $("error").textContent = ""; a.diagnose([]); say("Type or paste the assembly of a loop."); shown = ""; return; }
  const compared = state.two && b && b.text.trim();
  const body = JSON.stringify(compared ? {texts: [a.text, b.text], ...settings()} : {text: a.text, ...settings()});
  if (state.info && new Blob([body]).size > state.info.max_text) { fail({error: `the text has more than ${state.info.max_text} bytes`, hint: "paste the loop alone, or use incore analyze"}, 413); return; }
  if (body === shown) return;
  const mine = ++number, begin = performance.now();
  try {
    const {status, answer} = await ask(compared ? "compare" : "analyze", "", body);
    if (mine !== number) return;
    if (status !== 200) { fail(answer, status); return; }
    shown = body;
    show(answer, compared);
    say(`${Math.round(performance.now() - begin)} ms`);
    keep();
  } catch (e) {
    if (e.name !== "AbortError" && mine === number) say(`no answer: ${e.message}`, true);
  }
}

// fail keeps the last report, dimmed, and shows what is wrong.
function fail(answer, status) {
  shown = "";
  report.classList.add("stale");
  const lines = answer.diagnostics || [];
  (b && lines.some(d => d.file === "B") ? b : a).diagnose(lines);
  $("error").textContent = [answer.error, answer.hint].filter(Boolean).join("\n").slice(0, 4000);
  say(status === 503 ? "busy" : "", false);
  if (status === 503) timer = setTimeout(run, 1000);
}

function show(doc, compared) {
  report.classList.remove("stale");
  $("error").textContent = "";
  incore.draw(report, doc);
  const of = compared ? doc.documents[0] : doc;
  a.diagnose([...(of.diagnostics || []), ...(of.kernels || []).flatMap(k => k.targets.flatMap(t => t.diagnostics || []))].filter(d => d.severity !== "note"));
  const isa = of.input?.isa;
  if (state.words[isa]) { a.words = state.words[isa]; if (b) b.words = state.words[isa]; }
}

// keep puts what is shown into the address, unless something newer is on its way there.
async function keep() {
  const mine = ++kept, s = await link.write({arch: state.machines.join(","), a: a.text, b: state.two && b ? b.text : "", c: source ? source.text : "", compiler: source ? $("compiler").value : "", options: source ? $("options").value : ""});
  if (mine !== kept) return;
  history.replaceState(null, "", s ? "#" + s : location.pathname + location.search);
  $("share").disabled = !s;
}

function chips() {
  $("chosen").replaceChildren(...state.machines.map(m => el("span", {class: "chip", role: "listitem", tip: state.info?.machines.find(x => x.name === m)?.title}, m,
    el("button", {type: "button", "aria-label": `remove ${m}`, onclick: () => { state.machines = state.machines.filter(x => x !== m); chips(); shown = ""; run(); }}, "×"))));
}

// named returns the machine that a name or an alias means; near lists names that contain a word or begin like it.
const all = m => [m.name, ...(m.aliases || [])].map(s => s.toLowerCase());
const named = name => state.info.machines.find(m => all(m).includes(name.toLowerCase()));
const near = name => state.info.machines.filter(m => all(m).some(s => s.includes(name.toLowerCase()) || s.slice(0, 3) === name.toLowerCase().slice(0, 3))).slice(0, 4).map(m => m.name);

// known keeps the names that mean a machine and says which do not, so that a slip leaves the report as it is.
function known(names) {
  const wrong = names.filter(m => !named(m) && !["native", "host"].includes(m.toLowerCase()));
  if (wrong.length) say(wrong.map(m => `unknown machine "${m.slice(0, 40)}"` + (near(m).length ? `; near: ${near(m).join(", ")}` : "")).join("; "), true);
  return names.filter(m => !wrong.includes(m));
}

function addMachine() {
  const names = $("machine").value.split(/[\s,]+/).filter(Boolean), more = known(names).filter(m => !state.machines.includes(m));
  if (more.length === names.length) $("machine").value = "";
  if (!more.length) return;
  state.machines.push(...more);
  chips();
  run();
}

function second(on) {
  state.two = on;
  $("second").hidden = !on;
  $("compare").setAttribute("aria-pressed", on);
  document.body.classList.toggle("two", on);
  if (on && !b) {
    b = editor($("b"), {label: "assembly to compare with", change: soon, hint: "The other version of the loop."});
    b.text = a.text;
  }
  shown = "";
}

// Files: text goes into the editor, machine code to the analyser.
async function take(file) {
  if (!file) return;
  const limit = state.info?.max_object || 8 << 20;
  if (file.size > limit) { fail({error: `${file.name} has ${file.size} bytes; at most ${limit} are taken here`, hint: "incore analyze and incore loops have no such limit"}, 413); return; }
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (bytes.subarray(0, 4096).includes(0)) {
    state.object = {name: file.name, bytes};
    return openObject();
  }
  state.object = null;
  a.text = new TextDecoder().decode(bytes);
}

async function openObject(loop) {
  const o = state.object, begin = performance.now();
  const q = new URLSearchParams({name: o.name, arch: state.machines.join(",")});
  if (loop) { q.set("function", loop.function); q.set("loop", loop.loop); q.set("timeline", settings().timeline); }
  say("…");
  try {
    const {status, answer} = await ask("object", q.toString(), o.bytes);
    if (status !== 200) { state.object = null; fail(answer, status); return; }
    report.classList.remove("stale");
    $("error").textContent = "";
    const close = el("button", {type: "button", onclick: () => { state.object = null; shown = ""; run(); }}, "back to the text");
    const back = loop ? el("button", {type: "button", onclick: () => openObject()}, `all loops of ${o.name}`) : null;
    const into = el("div");
    report.replaceChildren(el("p", {class: "controls"}, close, back), into);
    incore.draw(into, answer, {open: l => openObject(l)});
    say(`${Math.round(performance.now() - begin)} ms`);
  } catch (e) {
    if (e.name !== "AbortError") say(`no answer: ${e.message}`, true);
  }
}

// Compiling, where the server allows it: the assembly of what the source is goes into the editor.
let compileTimer = 0;
const compileSoon = () => { clearTimeout(compileTimer); compileTimer = setTimeout(compile, 250); };

async function compile() {
  const asked = source.text;
  if (!asked.trim()) return;
  say("compiling…");
  try {
    const {status, answer} = await ask("compile", "", JSON.stringify({source: asked, compiler: $("compiler").value, options: $("options").value}));
    if (status !== 200) { fail(answer, status); source.diagnose(messages(answer.error)); return; }
    source.diagnose(messages(answer.messages));
    state.compiled = asked;
    a.text = answer.text;
    shown = "";
    run();
  } catch (e) {
    if (e.name !== "AbortError") say(`no answer: ${e.message}`, true);
  }
}

const messages = s => [...(s || "").matchAll(/<stdin>:(\d+):(\d+): (?:fatal )?(error|warning): (.*)/g)].map(m => ({line: Number(m[1]), col: Number(m[2]), severity: m[3], message: m[4]}));

function compilers(names) {
  if (!names.length) return;
  $("source").hidden = false;
  document.body.classList.add("with");
  $("compiler").replaceChildren(...names.map(n => el("option", {value: n}, n)));
  source = editor($("csource"), {language: "c", label: "source in C", change: compileSoon, hint: "void triad(double *a, const double *b, const double *c, double s, long n) { … }"});
  for (const id of ["compiler", "options"]) $(id).addEventListener("input", compileSoon);
}

async function load() {
  const s = await link.read(location.hash.slice(1));
  if (s.error) say(s.error, true);
  if (s.arch) state.machines = known(s.arch.split(/[\s,]+/).filter(Boolean));
  if (s.b) { second(true); b.text = s.b; }
  if (s.c && source) { source.text = s.c; if (s.options) $("options").value = s.options; if (s.compiler) $("compiler").value = s.compiler; clearTimeout(compileTimer); }
  state.compiled = s.c || "";
  if (s.a) a.text = s.a;
}

function listen() {
  $("machine").addEventListener("change", addMachine);
  $("machine").addEventListener("keydown", e => { if (e.key === "Enter") addMachine(); });
  $("timeline").addEventListener("change", () => { shown = ""; run(); });
  $("compare").addEventListener("click", () => { second(!state.two); run(); });
  $("open").addEventListener("click", () => $("file").click());
  $("file").addEventListener("change", e => { take(e.target.files[0]); e.target.value = ""; });
  $("share").addEventListener("click", async () => {
    await keep();
    try { await navigator.clipboard.writeText(location.href); say("the link is copied"); } catch { say("the address of the page is the link"); }
  });
  $("example").addEventListener("change", e => {
    const x = state.info.examples.find(x => x.name === e.target.value);
    e.target.value = "";
    if (!x) return;
    state.object = null;
    if (x.arch) { state.machines = [x.arch]; chips(); }
    else if (state.machines.some(m => state.info.machines.find(i => i.name === m)?.isa !== "x86-64")) { state.machines = state.info.machine.split(","); chips(); }
    a.text = x.text;
    run();
  });
  document.addEventListener("dragover", e => { e.preventDefault(); document.body.classList.add("drop"); });
  document.addEventListener("dragleave", e => { if (!e.relatedTarget) document.body.classList.remove("drop"); });
  document.addEventListener("drop", e => { e.preventDefault(); document.body.classList.remove("drop"); take(e.dataTransfer.files[0]); });
  report.addEventListener("instruction", e => { if (!state.object && !state.two) a.point(e.detail.line); });
  addEventListener("hashchange", async () => { await load(); if (!state.machines.length) state.machines = state.info.machine.split(","); chips(); run(); });
}

async function begin() {
  listen();
  try {
    const {answer} = await ask("info");
    state.info = answer;
    $("machines").replaceChildren(...answer.machines.map(m => el("option", {value: m.name}, m.title)));
    $("example").append(...answer.examples.map(x => el("option", {value: x.name}, x.name)));
    compilers(answer.compilers || []);
    await load();
    if (!state.machines.length) state.machines = answer.machine.split(",");
    if (!a.text) a.text = answer.examples[0].text;
    chips();
    await run();
    const words = (await ask("words")).answer;
    for (const [isa, list] of Object.entries(words)) state.words[isa] = list.map(m => ({label: m}));
    const first = answer.machines.find(m => m.name === state.machines[0]);
    a.words = state.words[first ? first.isa : "x86-64"] || [];
  } catch (e) {
    say(`no answer: ${e.message}`, true);
  }
}

begin();
