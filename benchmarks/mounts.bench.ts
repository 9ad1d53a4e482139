import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { InMemoryFilesystem } from "@wink/filesystem";
import { HostFilesystem, mountHost } from "@wink/filesystem/host";
import type { Run } from "./harness.js";
import { sourceTree } from "./tree.js";

/** Host mounts against reading every file once, and against `cp -a`. */
export async function run(run: Run): Promise<void> {
  const place = mkdtempSync(join(tmpdir(), "wink-mounts-"));
  const count = run.quick ? 2_000 : 10_000;
  try {
    const source = join(place, "source");
    writeAll(source, sourceTree(count));
    const options = { allowedHostRoots: [source], stateDirectory: join(place, "state") };

    await run.compare({
      name: `mount ${count} files into memory`,
      ours: async () => {
        const filesystem = new InMemoryFilesystem();
        const { report } = await mountHost(filesystem, [{ hostPath: "." }], options);
        if (report.fileCount !== count) throw new Error(`mounted ${report.fileCount} files`);
      },
      peers: {
        "readFileSync of each, once": () => {
          readAll(source);
        },
      },
      targets: [{ peer: "readFileSync of each, once", atMost: 3 }],
    });

    let copies = 0;
    const next = () => join(place, `copy-${copies++}`);
    const copy = () => {
      execFileSync("cp", ["-a", source, next()]);
    };
    const intoDirectory = async (trackChanges: boolean) => {
      const target = next();
      mkdirSync(target);
      await using filesystem = await HostFilesystem.open(target);
      const given = { ...options, trackChanges };
      const { report } = await mountHost(filesystem, [{ hostPath: "." }], given);
      if (report.fileCount !== count) throw new Error(`mounted ${report.fileCount} files`);
    };
    await run.compare({
      name: `mount ${count} files into a directory`,
      ours: () => intoDirectory(true),
      peers: {
        "cp -a": copy,
        // As cp does: no state to compare with and to return to.
        "the same, keeping no snapshot": () => intoDirectory(false),
      },
      targets: [{ peer: "cp -a", atMost: 1.5 }],
    });
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

function writeAll(root: string, files: ReadonlyMap<string, string>): void {
  for (const [path, text] of files) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

function readAll(directory: string): number {
  let bytes = 0;
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    bytes += entry.isDirectory() ? readAll(path) : readFileSync(path).length;
  }
  return bytes;
}
