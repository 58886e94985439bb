// Ritual Agent with Node: an `accessToken` function for supabase-js, over the agent's socket. No dependency.
//
//   import { createClient } from "@supabase/supabase-js";
//   import { accessToken } from "./access-token.mjs";
//   const supabase = createClient("https://PROJECT.supabase.co", KEY, { accessToken });
//
// Or run: node access-token.mjs [ACCOUNT]     prints the state of the account, not the token
//
// supabase-js calls the function for every request, so a refreshed token is used at once. The token
// reaches this program. Where it need not, use a grant: `ritualctl exec --egress -- node program.mjs`
// sets SUPABASE_URL and SUPABASE_KEY, which createClient takes as they are.
import { createHash } from "node:crypto";
import { accessSync, constants, existsSync } from "node:fs";
import { connect } from "node:net";
import { homedir } from "node:os";
import { createInterface } from "node:readline";

/** The socket of the current user's agent. */
export function socketPath(environment = process.env) {
  if (environment.RITUAL_AGENT_SOCKET) return environment.RITUAL_AGENT_SOCKET;
  const runtime = environment.XDG_RUNTIME_DIR?.startsWith("/")
    ? environment.XDG_RUNTIME_DIR
    : `/run/user/${process.getuid()}`;
  const usual = `${runtime}/ritual-agent/agent.sock`;
  const state = environment.XDG_STATE_HOME?.startsWith("/") ? environment.XDG_STATE_HOME : `${homedir()}/.local/state`;
  return existsSync(usual) ? usual : `${state}/ritual-agent/run/agent.sock`;
}

/** The error of a connection: a sandbox that forbids the socket is not an agent that does not run. */
function explained(error, path) {
  const isForbidden = () => {
    if (error.code !== "EACCES") return error.code === "EPERM" || error.code === "EAFNOSUPPORT";
    // Or this user has no permission for the socket.
    try {
      accessSync(path, constants.W_OK);
      return true;
    } catch {
      return false;
    }
  };
  const words =
    "this sandbox forbids the agent's socket; outside the sandbox: ritualctl exec --egress --egress-host NAME -- COMMAND";
  return isForbidden() ? new Error(words, { cause: error }) : error;
}

/** Calls a method of the agent, and returns its result. */
export async function call(method, params = {}) {
  const path = socketPath();
  const socket = connect(path);
  try {
    const answer = new Promise((resolve, reject) => {
      socket.once("error", (error) => reject(explained(error, path)));
      socket.once("close", () => reject(new Error("the agent closed the connection")));
      const lines = createInterface({ input: socket });
      // It repeats the errors of its input.
      lines.on("error", () => {});
      lines.once("line", (line) => resolve(JSON.parse(line)));
    });
    socket.write(JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }) + "\n");
    const { result, error } = await answer;
    if (!error) return result;
    throw Object.assign(new Error([error.message, error.data?.hint].filter(Boolean).join(" ")), error.data);
  } finally {
    socket.destroy();
  }
}

/** A valid access token of the default account, or of RITUAL_ACCOUNT. */
export async function accessToken() {
  const account = process.env.RITUAL_ACCOUNT;
  return (await call("session.token", account ? { account } : {})).accessToken;
}

/** `fetch` with a token, repeated once with a newer one if the server rejects the first. */
export async function fetchWithToken(url, options = {}, token = undefined) {
  token ??= await accessToken();
  const send = (token) => fetch(url, { ...options, headers: { ...options.headers, authorization: `Bearer ${token}` } });
  const response = await send(token);
  if (response.status !== 401) return response;
  // Names the token by its hash: if the agent has a newer one already, it answers that.
  const rejected = createHash("sha256").update(token).digest("hex");
  const newer = await call("session.token", { rejected });
  if (newer.accessToken === token) return response;
  await response.body?.cancel();
  return send(newer.accessToken);
}

if (import.meta.filename === process.argv[1] || import.meta.url === `file://${process.argv[1]}`) {
  const account = process.argv[2];
  const status = await call("session.status", account ? { account } : {});
  console.log(`${status.name}: ${status.state}`);
}
