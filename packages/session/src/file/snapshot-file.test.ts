import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { loadSnapshot, saveSnapshot } from "../file.js";
import { defineSlice, Session } from "../index.js";

const Rows = defineSlice({
  name: "rows",
  schema: z.object({ round: z.number(), text: z.string() }),
});

async function temporary(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "wink-session-file-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return join(folder, "state.json");
}

it("a snapshot survives a round trip through a file (SE-29)", async () => {
  const path = await temporary();
  const session = new Session({ slices: [Rows] });
  session.slice(Rows).append({ round: 1, text: "\ud800 é" });
  await saveSnapshot(path, session);
  await saveSnapshot(path, session.snapshot());
  const copy = Session.fromSnapshot(await loadSnapshot(path), { slices: [Rows] });
  expect(copy.toJSON()).toEqual(session.toJSON());
  expect(readdirSync(join(path, ".."))).toEqual(["state.json"]);
});

it.each([
  ["is empty", ""],
  ["is not JSON", "{"],
  ["is not UTF-8", Buffer.from([0x7b, 0xff])],
])("a file that %s is a typed error (E145, SE-29)", async (_, content) => {
  const path = await temporary();
  writeFileSync(path, content);
  await expect(loadSnapshot(path)).rejects.toMatchObject({ code: "SNAPSHOT_INVALID" });
});

it("concurrent saves leave one complete file (SE-29)", async () => {
  const path = await temporary();
  const sessions = [1, 2, 3, 4].map((round) => {
    const session = new Session({ slices: [Rows] });
    session.slice(Rows).append({ round, text: "x".repeat(10_000 * round) });
    return session;
  });
  await Promise.all(sessions.map((session) => saveSnapshot(path, session)));
  const [row] = Session.fromSnapshot(await loadSnapshot(path), { slices: [Rows] }).slice(Rows);
  expect(row?.text.length).toBe(10_000 * (row?.round ?? 0));
  expect(readdirSync(join(path, ".."))).toEqual(["state.json"]);
});

it("a process that is killed during a save leaves the old file or the new one (E151, SE-29)", async () => {
  const path = await temporary();
  const program = fileURLToPath(
    new URL("../../dist/file/save-process.test-program.js", import.meta.url),
  );
  const root = fileURLToPath(new URL("../../../..", import.meta.url));
  for (let round = 0; round < 3; round++) {
    const child = spawn(process.execPath, [program, path], {
      stdio: ["ignore", "pipe", "inherit"],
      cwd: root,
    });
    await Promise.race([once(child.stdout, "data"), once(child, "exit")]);
    await new Promise((resolve) => setTimeout(resolve, 20 + 37 * round));
    const ended = once(child, "exit");
    expect(child.exitCode).toBe(null);
    child.kill("SIGKILL");
    await ended;
    const rows = Session.fromSnapshot(await loadSnapshot(path), { slices: [Rows] })
      .slice(Rows)
      .all();
    expect(rows.length).toBe(2000);
    expect(new Set(rows.map((row) => row.round)).size).toBe(1);
  }
  await saveSnapshot(path, new Session());
  expect(readdirSync(join(path, ".."))).toEqual(["state.json"]);
});
