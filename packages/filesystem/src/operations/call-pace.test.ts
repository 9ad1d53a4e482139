import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { HostFilesystem } from "../host.js";
import { type Filesystem, InMemoryFilesystem } from "../index.js";

/** More calls than any pause needs. */
const MAX_CALLS = 200_000;

async function openHost(): Promise<Filesystem> {
  const folder = await mkdtemp(path.join(tmpdir(), "wink-call-pace-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  return HostFilesystem.open(folder);
}

describe.each([
  ["in memory", async () => new InMemoryFilesystem()],
  ["on the host", openHost],
])("a loop of awaited calls %s", (_, open) => {
  it.each([
    ["writes", (files: Filesystem) => files.write("a.txt", "text", { mode: "overwrite" })],
    ["reads", (files: Filesystem) => files.read("a.txt")],
    ["lists", (files: Filesystem) => files.list(".")],
  ])("of %s lets other events run (FS-115)", async (_, call) => {
    const files = await open();
    await files.write("a.txt", "text", { mode: "overwrite" });
    let hasOtherEventRun = false;
    setImmediate(() => {
      hasOtherEventRun = true;
    });
    for (let calls = 0; calls < MAX_CALLS && !hasOtherEventRun; calls++) await call(files);
    expect(hasOtherEventRun).toBe(true);
  });
});
