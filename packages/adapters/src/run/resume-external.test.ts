import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { bundleProgram } from "./bundle-program.test.support.js";
import { readRun } from "./read-run.js";

/** How many orders are killed. WINK_EXTERNAL_KILLS=100 is the long form. */
const KILLS = Number(process.env["WINK_EXTERNAL_KILLS"] ?? 4);

it("a service that honours the idempotency key acts once for each call, whenever the process is killed, and the model reads that the outcome is unknown (RUN-17)", {
  timeout: 60_000 + KILLS * 5_000,
}, async () => {
  const directory = mkdtempSync(join(tmpdir(), "wink-external-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const program = await bundleProgram(
    new URL("./resume-external.test.program.ts", import.meta.url),
    directory,
  );
  const effects: string[] = [];
  const answers = new Map<string, string>();
  let [requests, kills] = [0, 0];
  const server = createServer((request, response) => {
    let item = "";
    request.on("data", (data) => {
      item += data;
    });
    request.on("end", () => {
      const key = String(request.headers["idempotency-key"]);
      const kill = () => process.kill(Number(request.headers["x-pid"]), "SIGKILL");
      // Killed before the service acts, after it has acted, or not at all.
      const how = kills < KILLS ? requests++ % 3 : 2;
      if (how < 2) kills++;
      if (how === 0) return kill();
      if (!answers.has(key)) {
        effects.push(item);
        answers.set(key, `order ${effects.length}`);
      }
      return how === 1 ? kill() : response.end(answers.get(key));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const place = join(directory, "place");
  const count = Math.ceil(KILLS / 2) + 1;
  for (let output = ""; output === ""; ) {
    const args = [program, place, `http://127.0.0.1:${port}`, `${count}`];
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
    child.stdout.on("data", (data) => {
      output += data;
    });
    await once(child, "close");
  }
  expect(effects).toEqual(Array.from({ length: count }, (_, index) => `item ${index}`));
  using run = await readRun(join(place, "run"));
  const unknown = run.transcript.filter(
    (record) => record.kind === "outcome" && record.interrupted === "unknown",
  );
  expect(kills).toBe(KILLS);
  expect(unknown).toHaveLength(KILLS);
  const texts = unknown.map((record) => "message" in record && run.part(record.message));
  expect(JSON.stringify(texts[0])).toContain("It is not known whether it acted outside");
});
