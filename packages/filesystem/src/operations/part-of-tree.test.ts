import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { InMemoryFilesystem } from "../backend/in-memory-filesystem.js";
import { HostFilesystem } from "../host/open/host-filesystem.js";
import type { VirtualPath } from "../path/virtual-path.js";
import type { SnapshotableFilesystem } from "../snapshots/filesystem-snapshot.js";
import type { TreeEntry } from "../snapshots/tree-view.js";

const BACKENDS = ["memory", "host"] as const;

for (const backend of BACKENDS) {
  it(`a diff of some paths has the same changes as the whole diff, on ${backend} (SN-38)`, async () => {
    const filesystem = await open(backend);
    const before = await filesystem.snapshot();
    await filesystem.write("src/a.ts", "a\nA\n", { mode: "overwrite" });
    await filesystem.write("new/deep/file.txt", "new", { createParents: true });
    await filesystem.delete("lib", { recursive: true });
    await filesystem.move("docs", "manual");
    const whole = await filesystem.diff(before);
    const touched = ["src/a.ts", "new", "new/deep", "lib", "docs", "manual", "missing"];
    const part = await filesystem.diff(before, undefined, { paths: touched });
    expect(part.files).toEqual(whole.files);
    expect(await part.toPatch()).toBe(await whole.toPatch());
    const some = await filesystem.diff(before, undefined, { paths: ["src"] });
    expect(some.files.map(({ path }) => path)).toEqual(["src/a.ts"]);
    const after = await filesystem.snapshot();
    expect((await filesystem.diff(before, after, { paths: ["lib"] })).files).toEqual(
      whole.files.filter(({ path }) => path.startsWith("lib")),
    );
  });

  it(`an edited snapshot has the edits and everything else, on ${backend} (SN-39)`, async () => {
    const filesystem = await open(backend);
    const onto = await filesystem.snapshot();
    const edited = await filesystem.importSnapshot({
      onto,
      removed: ["lib/x/y.txt", "docs/a.md"],
      entries: () => [file("src/a.ts", "changed"), file("b/c/d.txt", "added")],
    });
    expect((await filesystem.diff(onto)).isEmpty).toBe(true);
    await filesystem.restore(edited);
    expect(await filesystem.glob("**/*", { directories: true })).toSatisfy(
      (found: readonly { readonly path: string }[]) =>
        found.map(({ path }) => path).join() ===
        "b,b/c,b/c/d.txt,docs,docs/b.md,src,src/a.ts,src/b.ts",
    );
    expect((await filesystem.read("src/a.ts")).content).toBe("changed");
  });
}

async function open(backend: (typeof BACKENDS)[number]): Promise<SnapshotableFilesystem> {
  const files = {
    "src/a.ts": "a\n",
    "src/b.ts": "b\n",
    "lib/x/y.txt": "y\n",
    "docs/a.md": "# a\n",
    "docs/b.md": "# b\n",
  };
  if (backend === "memory") return new InMemoryFilesystem({ files });
  const root = await mkdtemp(join(tmpdir(), "wink-part-"));
  const filesystem = await HostFilesystem.open(root);
  onTestFinished(async () => {
    await filesystem.close();
    await rm(root, { recursive: true });
  });
  for (const [path, content] of Object.entries(files))
    await filesystem.write(path, content, { createParents: true });
  return filesystem;
}

function file(path: string, content: string): TreeEntry {
  const bytes = Buffer.from(content);
  return {
    path: path as VirtualPath,
    kind: "file",
    executable: false,
    sizeBytes: bytes.length,
    contentId: "",
    read: () => bytes,
  };
}
