import type { SnapshotableFilesystem } from "@wink/filesystem";
import { describe, expect, it, onTestFinished } from "vitest";
import { hasPodman, openSandbox } from "./sandbox.test.support.js";

const PLANT = [
  "mkdir -p bin docs deep/a empty",
  "printf '#!/bin/sh\\n' >bin/run.sh; chmod 755 bin/run.sh",
  "printf 0600 >private.key; chmod 600 private.key",
  "printf 0444 >'docs/read only.md'; chmod 444 'docs/read only.md'",
  `printf odd >"docs/$(printf 'caf\\351')"; printf break >"docs/$(printf 'two\\nlines')"`,
  `mkdir "$(printf 'l\\344tin')"`,
  "ln -s ../bin/run.sh docs/up; ln -s loop deep/a/loop; ln -s /etc/passwd away; ln -s nowhere dangling",
  "chmod 700 empty",
  "touch -h -d '2003-04-05 06:07:08.009Z' docs/* bin/* private.key docs/up deep/a/loop away dangling",
  "touch -d '2004-05-06 07:08:09.010Z' l*tin empty deep/a deep docs bin",
].join("\n");

const DAMAGE = [
  "echo leaked >private.key; chmod 644 bin/run.sh; rm -rf docs deep empty l*tin",
  "echo a file now >deep; rm dangling; ln -s elsewhere dangling; mkdir -p new/dir; echo >bin/new",
].join("\n");

/** Every path with kind, mode, time and target, then the hashes of all files. Bytes that are not ASCII are escaped. */
const STATE = [
  "{ find . -mindepth 1 ! -path './copy' -exec stat -c '%n|%F|%a|%.3Y|%N' {} + | LC_ALL=C sort",
  "find . -type f -exec sha256sum {} + | LC_ALL=C sort; } | cat -v",
].join("; ");

async function closeFork(
  fork: SnapshotableFilesystem & { close?(): Promise<void> },
): Promise<void> {
  await fork.close?.();
}

describe.skipIf(!hasPodman)("a tree that programs in a container made", () => {
  it("survives restore, rollback, copy, fork and tar exactly, names of any bytes included (SB-12, SN-48)", async () => {
    const { filesystem, print } = await openSandbox();
    await print(PLANT);
    const before = await print(STATE);
    expect(before).toContain("./docs/cafM-i|regular file|644|1049522828.009");
    expect(before).toContain("./lM-dtin|directory|755|1083827289.010");

    const snapshot = await filesystem.snapshot();
    await print(DAMAGE);
    expect(await print(STATE)).not.toBe(before);
    await filesystem.restore(snapshot);
    expect(await print(STATE)).toBe(before);

    const transaction = await filesystem.begin({ full: true });
    await print(DAMAGE);
    await transaction.rollback();
    expect(await print(STATE)).toBe(before);

    const archive: Uint8Array[] = [];
    for await (const chunk of filesystem.exportSnapshot(snapshot)) archive.push(chunk);
    await print("rm -rf -- * ; mkdir copy");
    await filesystem.restore(await filesystem.importSnapshot(archive));
    expect(await print(STATE)).toBe(before);

    const names = (await filesystem.list()).map(({ name }) => name);
    await filesystem.mkdir("copy");
    for (const name of names) await filesystem.copy(name, `copy/${name}`);
    expect(await print(`cd copy && ${STATE}`)).toBe(before);
    await filesystem.delete("copy", { recursive: true });

    const fork = await filesystem.fork();
    onTestFinished(() => closeFork(fork));
    const listed = (fs: typeof filesystem) => fs.list("docs", { details: true });
    expect(await listed(fork)).toEqual(await listed(filesystem));
  });
});
