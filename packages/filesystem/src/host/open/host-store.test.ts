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

it("a store inside its workspace, and a workspace inside its store, are refused (K252)", async () => {
  const { folder, root } = place();
  for (const storeDirectory of [join(root, "store"), root, folder])
    await expect(HostFilesystem.open(root, { storeDirectory })).rejects.toMatchObject({
      code: "INVALID_STORE",
    });
});

it("a fork's root is its own directory, where programs change only the fork's files (SN-11)", async () => {
  const { root } = place();
  writeFileSync(join(root, "a.txt"), "parent");
  await using fs = await HostFilesystem.open(root);
  await using fork = await fs.fork();
  expect(fork.root).not.toBe(fs.root);
  writeFileSync(join(fork.root, "a.txt"), "fork");
  expect((await fork.read("a.txt")).content).toBe("fork");
  expect((await fs.read("a.txt")).content).toBe("parent");
});

it("the store is private, whatever the umask (K253)", async () => {
  const { folder, root } = place();
  const storeDirectory = join(folder, "store");
  const before = process.umask(0);
  onTestFinished(() => void process.umask(before));
  await using fs = await HostFilesystem.open(root, { storeDirectory });
  await fs.snapshot();
  expect(statSync(storeDirectory).mode & 0o777).toBe(0o700);
});

it("an empty directory of this user becomes private, and one of another user is refused (K253)", async () => {
  const { folder, root } = place();
  const open = join(folder, "open");
  mkdirSync(open);
  chmodSync(open, 0o777);
  await (await HostFilesystem.open(root, { storeDirectory: open })).close();
  expect(statSync(open).mode & 0o777).toBe(0o700);
  if (process.getuid?.() !== 0) {
    console.log("skipped: a store of another user: only root can change the owner of a directory");
    return;
  }
  const foreign = join(folder, "foreign");
  mkdirSync(foreign, { mode: 0o700 });
  chownSync(foreign, 65_534, 65_534);
  await expect(HostFilesystem.open(root, { storeDirectory: foreign })).rejects.toMatchObject({
    code: "INVALID_STORE",
  });
});

it("a directory with other content is refused as a store (K253)", async () => {
  const { folder, root } = place();
  const taken = join(folder, "taken");
  mkdirSync(taken, { mode: 0o700 });
  writeFileSync(join(taken, "letter.txt"), "private");
  await expect(HostFilesystem.open(root, { storeDirectory: taken })).rejects.toMatchObject({
    code: "INVALID_STORE",
  });
});

it("a sparse file of a terabyte is left out of a snapshot quickly, and is reported by name (B62)", async () => {
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
