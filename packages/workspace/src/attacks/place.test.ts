import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { openWorkspace } from "./operations.test.support.js";
import { CANARY, fingerprint, layOut, layOutside, leaksIn, placeAt } from "./place.test.support.js";

it("the search for leaks finds content from outside in files and in a snapshot store (TM-13)", async () => {
  const place = placeAt(join(mkdtempSync(join(realpathSync(tmpdir()), "wink-place-")), "place"));
  onTestFinished(() => rmSync(join(place.top, ".."), { recursive: true }));
  layOutside(place);
  layOut(place);
  expect(leaksIn(place)).toEqual([]);
  const before = fingerprint(place.outside);
  const filesystem = await openWorkspace(place);
  await filesystem.write("leaf.txt", CANARY);
  await filesystem.snapshot();
  await filesystem.close();
  const leaks = leaksIn(place).map((path) => path.slice(place.top.length));
  expect(leaks).toContain("/files/workspace/leaf.txt");
  expect(leaks.some((path) => path.startsWith("/store/"))).toBe(true);
  expect(fingerprint(place.outside)).toBe(before);
});
