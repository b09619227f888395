"use strict";
(() => {
  const $ = id => document.getElementById(id);
  const text = $("text"), archs = $("arch"), status = $("status"), report = $("report");
  let running = null, timer = 0, shown = "";

  // The code and the machines are kept in the fragment of the address, which no browser sends to a server.
  const encode = s => btoa(String.fromCharCode(...new TextEncoder().encode(s))).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
  const decode = s => new TextDecoder().decode(Uint8Array.from(atob(s.replace(/-/g, "+").replace(/_/g, "/")), c => c.charCodeAt(0)));
  const maxLink = 20000;

  function load() {
    const p = new URLSearchParams(location.hash.slice(1));
    try { if (p.has("code")) text.value = decode(p.get("code")); } catch { say("the link's code cannot be read", true); }
    if (p.has("arch")) archs.value = p.get("arch");
  }
  function keep() {
    const p = new URLSearchParams({arch: archs.value});
    if (text.value.length < maxLink) p.set("code", encode(text.value));
    history.replaceState(null, "", "#" + p);
  }
  function say(s, bad) { status.textContent = s; status.className = bad ? "error" : ""; }

  async function analyze() {
    const body = JSON.stringify({text: text.value, arch: archs.value.split(/[\s,]+/).filter(Boolean), timeline: $("timeline").checked ? 3 : 0});
    if (!text.value.trim()) { report.replaceChildren(); say("Type or paste the assembly of a loop."); return; }
    if (body === shown) return;
    if (running) running.abort();
    running = new AbortController();
    const begin = performance.now();
    try {
      const r = await fetch("api/analyze", {method: "POST", headers: {"Content-Type": "application/json"}, body, signal: running.signal});
      const d = await r.json();
      if (!r.ok) { say([d.error, d.hint].filter(Boolean).join("\n"), true); return; }
      shown = body;
      incore.draw(report, d);
      say(`${Math.round(performance.now() - begin)} ms`);
      keep();
    } catch (e) {
      if (e.name !== "AbortError") say("the server does not answer: " + e.message, true);
    }
  }
  const soon = () => { clearTimeout(timer); timer = setTimeout(analyze, 120); };

  text.addEventListener("input", soon);
  archs.addEventListener("input", soon);
  $("timeline").addEventListener("change", soon);
  $("pick").addEventListener("change", e => {
    const list = archs.value.split(/[\s,]+/).filter(Boolean), name = e.target.value;
    if (name && !list.includes(name)) archs.value = [...list, name].join(",");
    e.target.value = ""; analyze();
  });
  $("example").addEventListener("change", e => { const x = examples.find(x => x.name === e.target.value); if (x) { text.value = x.text; if (x.arch) archs.value = x.arch; analyze(); } });
  window.addEventListener("hashchange", () => { load(); analyze(); });
  let examples = [];
  fetch("api/info").then(r => r.json()).then(info => {
    for (const m of info.machines) $("pick").append(incore.el("option", {value: m.name, title: m.title}, m.name + " - " + m.title));
    examples = info.examples;
    for (const x of examples) $("example").append(incore.el("option", {value: x.name}, x.name));
    if (!archs.value) archs.value = info.machine;
    if (!text.value && examples.length) text.value = examples[0].text;
    analyze();
  }).catch(e => say("the server does not answer: " + e.message, true));
  load();
})();
