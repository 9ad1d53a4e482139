import { chmodSync, mkdirSync, renameSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { paths, type VirtualPath } from "@wink/filesystem";
import { openHostRoot } from "@wink/filesystem/host";
import { expect, it } from "vitest";
import { scratchDirectory } from "../mount/tree-fixture.test.support.js";
import { type Step, takeStep } from "./apply-step.js";
import { interceptCalls } from "./failing-fs.test.support.js";

/** A root directory and a directory next to it. */
function makePlaces(): { readonly root: string; readonly outside: string } {
  const place = scratchDirectory();
  const [root, outside] = [join(place, "root"), join(place, "outside")];
  for (const directory of [root, outside]) mkdirSync(directory);
  return { root, outside };
}

function at(path: string): VirtualPath {
  return paths.normalizePath(path, { operation: "test" }).path;
}

/**
 * Makes the directory `made` again and replaces it by a link before the call with this number. Returns whether that
 * call was reached.
 */
function makeWithSwapAt(number: number): {
  readonly swapped: boolean;
  readonly modeOutside: number;
} {
  const { root: path, outside } = makePlaces();
  chmodSync(outside, 0o700);
  const root = openHostRoot(path);
  const step: Step = {
    root,
    path: at("made"),
    workspacePath: "made",
    temporary: ".temporary",
    before: { kind: "absent" },
    after: { kind: "directory", mode: 0o777 },
  };
  let swapped = false;
  const { end } = interceptCalls(({ count }) => {
    if (count !== number) return;
    swapped = true;
    try {
      renameSync(join(path, "made"), join(path, "aside"));
    } catch {
      // The directory does not exist yet.
    }
    symlinkSync(outside, join(path, "made"));
  });
  try {
    takeStep(step, "after");
  } catch {
    // A step that finds a link must throw.
  } finally {
    end();
    root.close();
  }
  return { swapped, modeOutside: statSync(outside).mode & 0o777 };
}

it("making a directory with a mode changes no directory outside the root, at whichever call a link replaces it (FS-85, TM-2, SN-22, TM-11)", () => {
  const changed: number[] = [];
  let moments = 0;
  for (let number = 1; number < 200; number++) {
    const { swapped, modeOutside } = makeWithSwapAt(number);
    if (!swapped) break;
    moments++;
    if (modeOutside !== 0o700) changed.push(number);
  }
  expect(moments).toBeGreaterThan(5);
  expect(changed).toEqual([]);
});

it("a restored directory has exactly its old mode (FS-85, SN-22)", () => {
  const { root: path } = makePlaces();
  const root = openHostRoot(path);
  for (const mode of [0o700, 0o1777, 0o2750, 0o000]) {
    const name = `d${mode}`;
    const before = { kind: "directory", mode } as const;
    const place = { root, path: at(name), workspacePath: name, temporary: ".temporary" };
    mkdirSync(join(path, "other"), { recursive: true });
    takeStep({ ...place, before, after: { kind: "absent" } }, "before");
    expect(statSync(join(path, name)).mode & 0o7777).toBe(mode);
  }
  root.close();
});
