import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  renameSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import {
  furnishDoomed,
  furnishVictim,
  startDirectorySwapper,
} from "../driver/directory-swapper.test.support.js";
import {
  at,
  hostFixture,
  makePlaces,
  openDescriptors,
  QUICK_PLACE,
} from "../driver/host-fixture.test.setup.js";
import { interceptFs, systemError } from "../driver/intercepted-fs.test.support.js";
import { removeHostTree, removeHostTreeNow } from "./remove-tree.js";

/** Ends a removal that would otherwise run forever. The limit is far above what any removal below needs. */
function endlessAfter(calls: number): () => void {
  let left = calls;
  return () => {
    if (--left < 0) throw systemError("EIO", "this removal does not end");
  };
}

it("a delete enters a name that was listed as a file and became a directory with content (FS-84, FS-33, TM-12)", async () => {
  const { driver, root } = await hostFixture();
  mkdirSync(join(root, "tree"));
  mkdirSync(join(root, "other"));
  writeFileSync(join(root, "tree/leaf"), "");
  writeFileSync(join(root, "other/inner"), "");
  const count = endlessAfter(200);
  interceptFs(["unlinkSync"], (_, [path]) => {
    count();
    if (!String(path).endsWith("/leaf") || !existsSync(join(root, "other"))) return;
    renameSync(join(root, "tree/leaf"), join(root, "aside"));
    renameSync(join(root, "other"), join(root, "tree/leaf"));
  });

  await driver.accelerate.removeTree(at("tree"));

  expect(readdirSync(root)).toEqual(["aside"]);
});

it("a delete of a directory that another process keeps filling ends with ESTALE (FS-84, TM-6)", async () => {
  const { driver, root } = await hostFixture();
  mkdirSync(join(root, "tree"));
  const count = endlessAfter(50_000);
  let number = 0;
  interceptFs(["rmdirSync"], () => {
    count();
    writeFileSync(join(root, "tree", String(number++)), "");
  });

  await expect(driver.accelerate.removeTree(at("tree"))).rejects.toMatchObject({ code: "ESTALE" });
});

it("a delete of a directory that another process keeps making deeper ends (FS-84, TM-6)", async () => {
  const { driver, root } = await hostFixture();
  mkdirSync(join(root, "tree"));
  const count = endlessAfter(50_000);
  let isEndless = true;
  interceptFs(["readdirSync"], (_, [path]) => {
    // Adds a subdirectory to each directory before it is listed.
    if (isEndless && String(path).startsWith("/proc/")) mkdirSync(join(String(path), "deeper"));
    count();
  });
  const controller = new AbortController();
  const reason = new Error("enough");
  setTimeout(() => controller.abort(reason), 1);

  await expect(
    driver.accelerate.removeTree(at("tree"), { signal: controller.signal }),
  ).rejects.toBe(reason);

  isEndless = false;
  await driver.accelerate.removeTree(at("tree"));
  expect(readdirSync(root)).toEqual([]);
});

it("a signal ends a recursive delete with its own reason (FS-70, FS-84)", async () => {
  const { driver, root } = await hostFixture();
  mkdirSync(join(root, "tree"));
  for (let number = 0; number < 200; number++) writeFileSync(join(root, "tree", `${number}`), "");
  const controller = new AbortController();
  const reason = new Error("enough");
  interceptFs(["unlinkSync"], () => {
    controller.abort(reason);
    // Longer than a time slice of the removal.
    const until = performance.now() + 10;
    while (performance.now() < until);
  });

  await expect(
    driver.accelerate.removeTree(at("tree"), { signal: controller.signal }),
  ).rejects.toBe(reason);

  expect(readdirSync(join(root, "tree")).length).toBeGreaterThan(100);
});

it("a delete leaves the mode of the directory around it as it is (FS-83, FS-85)", async () => {
  const { driver, root } = await hostFixture();
  mkdirSync(join(root, "around/tree"), { recursive: true });
  chmodSync(join(root, "around"), 0o555);
  interceptFs(["rmdirSync"], (_, [path]) => {
    if (String(path).endsWith("/tree")) throw systemError("EACCES", String(path));
  });

  await expect(driver.accelerate.removeTree(at("around/tree"))).rejects.toMatchObject({
    code: "EACCES",
  });

  expect(statSync(join(root, "around")).mode & 0o777).toBe(0o555);
});

it("a tree of 1,000 levels is removed with few descriptors, synchronously and asynchronously (FS-83, K255)", async () => {
  const { root } = makePlaces(QUICK_PLACE);
  const deepest = 1_000;
  let most = 0;
  let calls = 0;
  for (const remove of [removeHostTree, removeHostTreeNow]) {
    const tree = join(root, "tree");
    // Built from the inside out, because a path cannot be that long.
    mkdirSync(tree);
    for (let level = 0; level < deepest; level++) {
      mkdirSync(join(root, "next"));
      renameSync(tree, join(root, "next/d"));
      renameSync(join(root, "next"), tree);
    }
    const before = openDescriptors();
    const end = interceptFs(["rmdirSync"], () => {
      if (calls++ % 20 === 0) most = Math.max(most, openDescriptors() - before);
    });
    await remove(tree);
    end();
    expect(readdirSync(root)).toEqual([]);
  }
  expect(most).toBeLessThan(100);
});

it("removing a path removes links and files themselves, and a missing path is not an error (FS-83)", async () => {
  const { root, outside } = makePlaces();
  mkdirSync(join(root, "tree"));
  linkSync(join(outside, "secret.txt"), join(root, "tree/linked"));
  writeFileSync(join(root, "file"), "");

  await removeHostTree(join(root, "tree"));
  await removeHostTree(join(root, "file"));
  await removeHostTree(join(root, "missing"));
  removeHostTreeNow(join(root, "missing/too"));

  expect(readdirSync(root)).toEqual([]);
  expect(readdirSync(outside)).toEqual(["folder", "secret.txt"]);
});

it("a synchronous or asynchronous removal deletes no file outside, while a process in the directory swaps its entries for links (FS-83, TM-2, TM-3)", async () => {
  const { root } = makePlaces(QUICK_PLACE);
  const victim = join(root, "victim");
  furnishVictim(victim);
  const before = readdirSync(victim);
  const swapper = startDirectorySwapper();
  for (let round = 0; round < 10; round++) {
    const doomed = join(root, `doomed-${round}`);
    furnishDoomed(doomed);
    await swapper.attack(doomed, victim);
    renameSync(doomed, `${doomed}-moved`);
    const remove =
      round % 2 === 0 ? removeHostTree : async (path: string) => removeHostTreeNow(path);
    // The swapper may make a removal fail with ESTALE. No other error is allowed.
    await remove(`${doomed}-moved`).catch((error: unknown) => {
      expect(error).toMatchObject({ code: "ESTALE" });
    });
  }
  await swapper.stop();
  expect(readdirSync(victim)).toEqual(before);
}, 120_000);
