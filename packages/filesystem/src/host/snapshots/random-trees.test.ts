import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { expect, it } from "vitest";
import { bench, manifest, runGit, scratch } from "./store-fixture.test.support.js";

// The promise is 10,000 trees: WINK_TREES=10000. The defaults keep the suite short.
const TREES = Number(process.env["WINK_TREES"] ?? (process.env["WINK_MORE_ROUNDS"] ? 500 : 60));
const STORES = 5;
/** In memory, because a disk is slow. */
const PLACE = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();

it(`${TREES} random hostile trees are restored byte for byte (D93, D96, D97, D104, D111, D113, D114, D116, D117)`, {
  timeout: 120_000 + TREES * 300,
}, async () => {
  for (let run = 0; run < STORES; run++) {
    const { workspace, store, storeDirectory } = bench({}, scratch(PLACE));
    const random = generator(run + 1);
    for (let tree = 0; tree < TREES / STORES; tree++) {
      // Start with an empty tree regularly, so that trees stay small and the kinds of nodes change.
      if (tree % 4 === 0) clear(workspace);
      change(workspace, random, 8);
      const first = withoutSpecials(workspace);
      const one = await store.create({});
      change(workspace, random, 8);
      const second = withoutSpecials(workspace);
      const two = await store.create({});
      await store.restore(one);
      expect(manifest(workspace)).toEqual(first);
      await store.restore(two);
      expect(manifest(workspace)).toEqual(second);
      if (random(2) === 0) await store.restore(one);
    }
    expect(store.verify().damaged).toEqual([]);
    expect(runGit(storeDirectory, "fsck", "--strict", "--no-dangling")).toBe("");
  }
});

function clear(workspace: string): void {
  for (const name of readdirSync(workspace, { encoding: "buffer" }))
    rmSync(Buffer.concat([Buffer.from(`${workspace}/`), name]), { recursive: true });
}

type Random = (below: number) => number;

/** Returns the same sequence for the same seed, so that a failure can be reproduced. */
function generator(seed: number): Random {
  let state = seed * 2_654_435_761;
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 0x9e3779b9) >>> 0;
    return (state >>> 8) % below;
  };
}

const NAMES: readonly (string | Buffer)[] = [
  ...[
    "a",
    "b",
    "A",
    "c.txt",
    ".git",
    ".GIT",
    "git~1",
    ".gitmodules",
    ".gitattributes",
    ".gitignore",
    ".mailmap",
  ],
  ...[
    "-x",
    "*",
    "new\nline",
    "back\\slash",
    "%25",
    "_wink_",
    "_wink_.git",
    "é",
    "e\u0301",
    ".git\u200c",
    "CON",
    "x.lock",
  ],
  ...["a.b", "a-b", "a0", "HEAD", "config", "objects", " ", "~", "\u{1f600}", "\u{10ff41}"],
  ...[
    Buffer.from([0xff]),
    Buffer.from([0xc3, 0x28]),
    Buffer.from([0xed, 0xa0, 0x80]),
    Buffer.from([0x80, 0x2e, 0x67]),
  ],
];

const CONTENTS: readonly (string | Buffer)[] = [
  ...[
    "",
    "x",
    "one\r\ntwo\n",
    "[core]\n\tfsmonitor = touch x\n",
    "* text eol=crlf filter=x\n",
    "gitdir: /x\n",
  ],
  ...["y".repeat(5_000), Buffer.alloc(70_000, 0xab), Buffer.from([0, 255, 254])],
];

function change(workspace: string, random: Random, steps: number): void {
  for (let step = 0; step < steps; step++) {
    const path = randomPath(workspace, random);
    const kind = random(10);
    if (kind === 9) chmodIfFile(path, random);
    else if (kind === 8) swap(path, randomPath(workspace, random));
    else {
      rmSync(path, { recursive: true, force: true });
      if (kind === 7) continue;
      if (kind === 6) mkdirSync(path);
      else if (kind === 5)
        symlinkSync(pick(["..", "/etc/passwd", "a", "nowhere", "."], random), path);
      else if (kind === 4 && random(8) === 0 && isPlain(path)) execFileSync("mkfifo", [`${path}`]);
      else
        writeFileSync(path, `${pick(CONTENTS, random)}${random(50)}`, {
          mode: random(3) === 0 ? 0o755 : 0o644,
        });
    }
  }
}

function isPlain(path: Buffer): boolean {
  return /^[ -~]+$/.test(path.toString("latin1"));
}

function randomPath(workspace: string, random: Random): Buffer {
  let path = Buffer.from(workspace);
  for (let depth = random(4); depth >= 0; depth--) {
    path = Buffer.concat([path, Buffer.from("/"), Buffer.from(pick(NAMES, random))]);
    if (depth === 0) break;
    const stat = lstatSync(path, { throwIfNoEntry: false });
    if (stat?.isDirectory()) continue;
    rmSync(path, { recursive: true, force: true });
    mkdirSync(path);
  }
  return path;
}

function chmodIfFile(path: Buffer, random: Random): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.isFile())
    chmodSync(path, random(2) ? 0o755 : 0o640);
}

function swap(path: Buffer, other: Buffer): void {
  try {
    renameSync(path, other);
  } catch {
    // The rename is into itself, onto a directory that is not empty, or from a missing path.
  }
}

function pick<T>(values: readonly T[], random: Random): T {
  // Within bounds by construction.
  return values[random(values.length)] as T;
}

function withoutSpecials(workspace: string): readonly string[] {
  return manifest(workspace).filter((line) => !line.startsWith("s "));
}
