// What answers the page: the server, or the analyser as WebAssembly in a worker. ask(path, query, body) gives {status, answer}.

const encoder = new TextEncoder();

function server() {
  let running = null;
  return async (path, query, body) => {
    const get = body === undefined;
    if (!get) { running?.abort(); running = new AbortController(); }
    const r = await fetch(`api/${path}${query ? "?" + query : ""}`, get ? {} : {method: "POST", body, signal: running.signal, headers: {"Content-Type": body instanceof Uint8Array ? "application/octet-stream" : "application/json"}});
    let answer;
    try { answer = await r.json(); } catch (e) { if (e.name === "AbortError") throw e; answer = {error: `the server answers ${r.status}`}; }
    return {status: r.status, answer};
  };
}

function wasm(say) {
  const worker = new Worker("worker.js"), waiting = new Map();
  let last = 0;
  say("loading the analyser…");
  worker.onmessage = ({data}) => {
    if (data.ready) { say(""); return; }
    if (data.broken) { say(`the analyser does not run here: ${data.broken}`, true); for (const w of waiting.values()) w.reject(new Error(data.broken)); waiting.clear(); return; }
    waiting.get(data.id)?.resolve({status: data.status, answer: JSON.parse(data.text)});
    waiting.delete(data.id);
  };
  worker.onerror = e => say(`the analyser does not run here: ${e.message || "worker.js was not loaded (a page of its own needs a web server)"}`, true);
  // Of requests that wait while one runs, only the newest is worth an answer.
  let busy = Promise.resolve(), newest = 0;
  return (path, query, body) => {
    const id = ++last, supersedes = body !== undefined;
    if (supersedes) newest = id;
    const run = () => {
      if (supersedes && id !== newest) throw Object.assign(new Error("superseded"), {name: "AbortError"});
      return new Promise((resolve, reject) => {
        waiting.set(id, {resolve, reject});
        worker.postMessage({id, path, query: query || "", body: typeof body === "string" ? encoder.encode(body) : body || new Uint8Array()});
      });
    };
    const answer = busy.then(run);
    busy = answer.catch(() => {});
    return answer;
  };
}

export const analyser = say => document.querySelector("meta[name=analyser]").content === "wasm" ? wasm(say) : server();
