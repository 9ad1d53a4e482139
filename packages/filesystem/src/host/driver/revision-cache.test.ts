import type { BigIntStats } from "node:fs";
import { utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { at, hostFixture } from "./host-fixture.test.setup.js";
import { RevisionCache, revisionOfBytes } from "./revision-cache.js";

const NOW_MS = 1_700_000_000_000;
const NOW_NS = BigInt(NOW_MS) * 1_000_000n;

/** The fields that the cache compares. */
function stat(changes: Partial<BigIntStats> = {}): BigIntStats {
  const base = {
    dev: 1n,
    ino: 7n,
    size: 10n,
    mtimeNs: NOW_NS - 10n ** 9n,
    ctimeNs: NOW_NS - 10n ** 9n,
  };
  return { ...base, ...changes } as BigIntStats;
}

it("a hash is cached as long as the file does not change (D119)", () => {
  const cache = new RevisionCache();
  cache.set(stat(), "hash", NOW_MS);
  expect(cache.get(stat())).toBe("hash");
  expect(cache.get(stat({ ino: 8n }))).toBeUndefined();
});

it.each([
  { what: "size", change: { size: 11n } },
  { what: "mtime", change: { mtimeNs: 1n } },
  { what: "ctime", change: { ctimeNs: NOW_NS } },
  { what: "device", change: { dev: 2n } },
])("a cached hash is dropped when the $what changes (D119)", ({ change }) => {
  const cache = new RevisionCache();
  cache.set(stat(), "hash", NOW_MS);
  expect(cache.get(stat(change))).toBeUndefined();
});

it.each([
  { what: "just before it was hashed", ctimeNs: NOW_NS - 10_000_000n },
  { what: "in the same tick", ctimeNs: NOW_NS },
  { what: "in what looks like the future", ctimeNs: NOW_NS + 10n ** 12n },
])("the hash of a file that was changed $what is not cached (D119)", ({ ctimeNs }) => {
  const cache = new RevisionCache();
  cache.set(stat({ ctimeNs }), "hash", NOW_MS);
  expect(cache.get(stat({ ctimeNs }))).toBeUndefined();
});

it("recently used entries stay in the cache and others are dropped", () => {
  const cache = new RevisionCache();
  const known = (ino: bigint) => cache.get(stat({ ino })) !== undefined;
  for (let ino = 0n; ino < 60_000n; ino++) {
    cache.set(stat({ ino }), `${ino}`, NOW_MS);
    if (ino % 10_000n === 0n) expect(known(7n)).toBe(ino >= 7n);
  }
  expect([7n, 8n, 20_000n, 40_000n, 59_999n].map(known)).toEqual([true, false, false, true, true]);
});

it("an edit of the same size with a reset mtime is detected (D119)", async () => {
  const { driver, root } = await hostFixture();
  const path = join(root, "f");
  for (let round = 0; round < 50; round++) {
    const content = `content ${round % 10}`;
    writeFileSync(path, content);
    utimesSync(path, 1_000, 1_000);
    expect(driver.accelerate.revision(at("f"))).toBe(revisionOfBytes(Buffer.from(content)));
  }
});

it("an old file is hashed once, and a later change is detected (D119)", async () => {
  const { driver, root } = await hostFixture();
  writeFileSync(join(root, "f"), "before");
  await sleep(120);
  const before = driver.accelerate.revision(at("f"));
  expect(driver.accelerate.revision(at("f"))).toBe(before);
  writeFileSync(join(root, "f"), "behind");
  expect(driver.accelerate.revision(at("f"))).toBe(revisionOfBytes(Buffer.from("behind")));
});
