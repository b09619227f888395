// The code and the machines are kept in the fragment of the address, which no browser sends to a server.

const longest = 60000; // characters of a link

const toText = bytes => { let s = ""; for (const b of bytes) s += String.fromCharCode(b); return btoa(s).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, ""); };
const toBytes = s => Uint8Array.from(atob(s.replace(/-/g, "+").replace(/_/g, "/")), c => c.charCodeAt(0));

const through = async (bytes, stream) => new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());

const mostText = 1 << 20;

// unpack reads what pack made; a small link may hold a large text, of which no more than a request may have is taken.
async function unpack(s) {
  const reader = new Blob([toBytes(s)]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader(), parts = [];
  for (let n = 0; ;) {
    const {done, value} = await reader.read();
    if (done) break;
    if ((n += value.length) > mostText) { reader.cancel(); throw new Error("the link's code is too long"); }
    parts.push(value);
  }
  return new TextDecoder().decode(await new Blob(parts).arrayBuffer());
}

const pack = async s => toText(await through(new TextEncoder().encode(s), new CompressionStream("deflate-raw")));

// write makes the fragment of a state {arch, a, b, c, options, compiler}; "" if it is too long.
export async function write(state) {
  const p = new URLSearchParams();
  for (const k of ["arch", "compiler", "options"]) if (state[k]) p.set(k, state[k]);
  for (const k of ["a", "b", "c"]) if (state[k]) p.set(k, await pack(state[k].slice(0, mostText)));
  const s = p.toString();
  return s.length > longest ? "" : s;
}

// read is the state that a fragment holds; of what cannot be read it says so.
export async function read(fragment) {
  const p = new URLSearchParams(fragment), out = {};
  for (const k of ["arch", "compiler", "options"]) if (p.has(k)) out[k] = p.get(k);
  try {
    for (const k of ["a", "b", "c"]) if (p.has(k)) out[k] = await unpack(p.get(k));
    if (p.has("code")) out.a = new TextDecoder().decode(toBytes(p.get("code")));
  } catch { out.error = "the link's code cannot be read"; }
  return out;
}
