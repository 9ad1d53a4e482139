import { execFile } from "node:child_process";
import { promisify } from "node:util";

const UNPRIVILEGED = 65_534;
const PROGRAM = `
const [, target, headers] = process.argv;
const { socketPath, url } = JSON.parse(target);
const options = { method: "POST", headers: JSON.parse(headers), ...(socketPath ? { socketPath } : {}) };
const sent = require("node:http").request(url, options, (response) => {
  response.resume();
  response.on("end", () => console.log(response.statusCode));
});
sent.on("error", (error) => console.log(error.code));
sent.end("{}");
`;

/** Whether a test can act as another user. If not, prints why. */
export function canBeAnotherUser(): boolean {
  if (process.getuid?.() === 0) return true;
  const reason = "requests of another user need root; run the tests as root";
  if (process.env["WINK_REQUIRE_ALL"]) throw new Error(reason);
  console.log(`skipped: ${reason}`);
  return false;
}

/** Sends a request as another user of this machine. Returns the status, or the code of an error. */
export async function askAsAnotherUser(
  target: { readonly url: URL; readonly socketPath?: string },
  headers: Readonly<Record<string, string>> = {},
): Promise<string> {
  const args = ["-e", PROGRAM, JSON.stringify(target), JSON.stringify(headers)];
  const options = { uid: UNPRIVILEGED, gid: UNPRIVILEGED, cwd: "/", env: {} };
  const { stdout } = await promisify(execFile)(process.execPath, args, options);
  return stdout.trim();
}
