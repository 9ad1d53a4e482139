import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { replayLog } from "@wink/session/jsonl";
import { expect, it } from "vitest";
import { parseCassette } from "../replay/cassette.js";

const FIXTURES = fileURLToPath(new URL("../../../../specs/fixtures/44ebf7e/", import.meta.url));

it("a session log of commit 44ebf7e is readable (RUN-1)", async () => {
  for (const file of ["session.jsonl", "disk-run/session.jsonl"]) {
    const { events } = await replayLog(`${FIXTURES}${file}`);
    expect(events.filter(({ type }) => type === "files.edit")).toHaveLength(1);
  }
});

it("a cassette of commit 44ebf7e is readable (RUN-1)", async () => {
  const { entries } = parseCassette(await readFile(`${FIXTURES}cassette.json`, "utf8"));
  expect(entries).toHaveLength(4);
  expect(entries.at(-1)?.turn?.text).toBe("Done.");
});
