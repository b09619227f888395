// The analyser as WebAssembly, in a worker: messages {id, path, query, body} come in, {id, status, text} go out.
"use strict";
importScripts("wasm_exec.js");
let ready;
const started = new Promise(r => { ready = r; });
self.incoreReady = ready;
const go = new Go();
const load = async () => {
  const answer = fetch("incore.wasm");
  let made;
  try { made = await WebAssembly.instantiateStreaming(answer, go.importObject); } // needs the type application/wasm
  catch { made = await WebAssembly.instantiate(await (await fetch("incore.wasm")).arrayBuffer(), go.importObject); }
  go.run(made.instance).then(() => postMessage({broken: "the analyser has ended"}));
  await started;
};
const loaded = load().then(() => postMessage({ready: true}), e => postMessage({broken: String(e)}));
onmessage = async ({data: {id, path, query, body}}) => {
  await loaded;
  incoreAnswer(path, query, body || new Uint8Array(), (status, text) => postMessage({id, status, text}));
};
