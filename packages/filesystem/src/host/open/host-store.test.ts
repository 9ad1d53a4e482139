import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { HostFilesystem } from "./host-filesystem.js";

function place() {
  const folder = mkdtempSync(join(tmpdir(), "wink-host-store-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const root = join(folder, "workspace");
  mkdirSync(root);
  return { folder, root };
}

it("refuses a store inside its workspace, and a workspace inside its store (K252)", async () => {
  const { folder, root } = place();
  for (const storeDirectory of [join(root, "store"), root, folder])
    await expect(HostFilesystem.open(root, { storeDirectory })).rejects.toMatchObject({
      code: "INVALID_STORE",
    });
});

it("names a fork's own directory as its root, where programs may work on its files alone (SN-11)", async () => {
  const { root } = place();
  writeFileSync(join(root, "a.txt"), "parent");
  await using fs = await HostFilesystem.open(root);
  await using fork = await fs.fork();
  expect(fork.root).not.toBe(fs.root);
  writeFileSync(join(fork.root, "a.txt"), "fork");
  expect((await fork.read("a.txt")).content).toBe("fork");
  expect((await fs.read("a.txt")).content).toBe("parent");
});

it("keeps its store to itself, whatever the umask (K253)", async () => {
  const { folder, root } = place();
  const storeDirectory = join(folder, "store");
  const before = process.umask(0);
  onTestFinished(() => void process.umask(before));
  await using fs = await HostFilesystem.open(root, { storeDirectory });
  await fs.snapshot();
  expect(statSync(storeDirectory).mode & 0o777).toBe(0o700);
});

it("closes an empty directory of one's own to everybody else, and refuses another's (K253)", async () => {
  const { folder, root } = place();
  const open = join(folder, "open");
  mkdirSync(open);
  chmodSync(open, 0o777);
  await (await HostFilesystem.open(root, { storeDirectory: open })).close();
  expect(statSync(open).mode & 0o777).toBe(0o700);
  if (process.getuid?.() !== 0) {
    console.log("skipped: a store of another user's making: only root can give a directory away");
    return;
  }
  const foreign = join(folder, "foreign");
  mkdirSync(foreign, { mode: 0o700 });
  chownSync(foreign, 65_534, 65_534);
  await expect(HostFilesystem.open(root, { storeDirectory: foreign })).rejects.toMatchObject({
    code: "INVALID_STORE",
  });
});

it("refuses a directory that holds something else as a store (K253)", async () => {
  const { folder, root } = place();
  const taken = join(folder, "taken");
  mkdirSync(taken, { mode: 0o700 });
  writeFileSync(join(taken, "letter.txt"), "private");
  await expect(HostFilesystem.open(root, { storeDirectory: taken })).rejects.toMatchObject({
    code: "INVALID_STORE",
  });
});

it("leaves a sparse file of a terabyte out of a snapshot, at once and by name (B62)", async () => {
  const { root } = place();
  writeFileSync(join(root, "sparse"), "");
  truncateSync(join(root, "sparse"), 2 ** 40);
  await using fs = await HostFilesystem.open(root);
  await fs.write("small.txt", "1");
  const snapshot = await fs.snapshot();
  expect(snapshot.leftOut).toEqual([{ path: "sparse", reason: "too-large" }]);
  await fs.write("small.txt", "2");
  await fs.restore(snapshot);
  expect((await fs.read("small.txt")).content).toBe("1");
  expect((await fs.stat("sparse")).sizeBytes).toBe(2 ** 40);
});
