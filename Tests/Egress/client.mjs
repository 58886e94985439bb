// Node's own clients: http.request over the egress socket, or fetch with a grant. Prints versions.
import assert from "node:assert/strict";
import http from "node:http";

const body = "x".repeat(3 << 20);

function request(options, upload) {
  return new Promise((resolve, reject) => {
    const call = http.request({ socketPath: process.env.EGRESS_SOCKET, host: "localhost", ...options }, (answer) => {
      const pieces = [];
      answer.on("data", (piece) => pieces.push(piece));
      answer.on("end", () => resolve({ status: answer.statusCode, text: Buffer.concat(pieces).toString() }));
    });
    call.on("error", reject);
    call.end(upload);
  });
}

async function overSocket() {
  const agent = new http.Agent({ keepAlive: true });
  assert.match((await request({ path: "/rest/v1/whoami", agent })).text, /anna@example.org/);
  const echo = await request({ path: "/functions/v1/echo", method: "POST", agent, headers: { "x-a": "b" } }, body);
  assert.equal(JSON.parse(echo.text).body_length, body.length);
  const chunked = { path: "/hostile/drain", method: "POST", headers: { "transfer-encoding": "chunked" } };
  assert.equal((await request(chunked, body)).text, String(body.length));
  agent.destroy();
}

async function withFetch() {
  const url = process.env.SUPABASE_URL;
  const headers = { apikey: process.env.SUPABASE_KEY, authorization: `Bearer ${process.env.SUPABASE_KEY}` };
  const who = await fetch(`${url}/rest/v1/whoami`, { headers });
  assert.equal((await who.json()).claims.email, "anna@example.org");
  const echo = await fetch(`${url}/functions/v1/echo`, { method: "POST", headers, body });
  assert.equal((await echo.json()).body_length, body.length);
  const stream = new Blob([body]).stream();
  const chunked = await fetch(`${url}/hostile/drain`, { method: "POST", headers, body: stream, duplex: "half" });
  assert.equal(await chunked.text(), String(body.length));

  const abort = new AbortController();
  const events = await fetch(`${url}/functions/v1/sse?interval=0.1`, { headers, signal: abort.signal });
  const reader = events.body.getReader();
  let text = "";
  while ((text.match(/event: tick/g) ?? []).length < 3) text += Buffer.from((await reader.read()).value).toString();
  abort.abort();

  const packed = await fetch(`${url}/hostile/packed`, { headers });
  assert.equal(await packed.text(), "packed".repeat(100));
  const wrong = await fetch(`${url}/rest/v1/todos`, { headers: { authorization: "Bearer x" } });
  assert.equal(wrong.status, 401);
  assert.equal(wrong.headers.get("content-type"), "application/problem+json");
}

await { socket: overSocket, fetch: withFetch }[process.argv[2]]();
console.log(`node ${process.versions.node}, undici ${process.versions.undici}`);
process.exit(0);
