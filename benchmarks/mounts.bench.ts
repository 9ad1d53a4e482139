import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { InMemoryFilesystem } from "@wink/filesystem";
import { HostFilesystem } from "@wink/filesystem/host";
import { mountHost } from "@wink/workspace";
import type { Run } from "./harness.js";
import { sourceTree } from "./tree.js";

/** Host mounts against reading every file once, `git archive` and `cp -a`. */
export async function run(run: Run): Promise<void> {
  const place = mkdtempSync(join(tmpdir(), "wink-mounts-"));
  const count = 10_000;
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
    const opened: HostFilesystem[] = [];
    const mount = async () => {
      const target = next();
      mkdirSync(target);
      const filesystem = await HostFilesystem.open(target);
      opened.push(filesystem);
      const mounted = await mountHost(filesystem, [{ hostPath: "." }], options);
      if (mounted.report.fileCount !== count)
        throw new Error(`mounted ${mounted.report.fileCount} files`);
      return mounted;
    };
    await run.compare({
      name: `mount ${count} files into a directory`,
      // The files can be read and searched from here on; the first change waits until the base state is saved.
      ours: async () => void (await mount()),
      peers: {
        "cp -a": copy,
        "until changes can be made": async () => (await mount()).ready(),
      },
      targets: [{ peer: "cp -a", atMost: 1.5 }],
      before: async () => {
        for (const filesystem of opened.splice(0)) await filesystem.close();
      },
    });
    for (const filesystem of opened) await filesystem.close();

    commitAll(source);
    await run.compare({
      name: `mount a revision with ${count} files into memory`,
      ours: async () => {
        const filesystem = new InMemoryFilesystem();
        const mounts = [{ hostPath: ".", git: { rev: "HEAD" } }];
        const { report } = await mountHost(filesystem, mounts, options);
        if (report.fileCount !== count) throw new Error(`mounted ${report.fileCount} files`);
      },
      peers: {
        "git archive, read into memory": () => {
          execFileSync("git", ["-C", source, "archive", "HEAD"], { maxBuffer: 1 << 30 });
        },
      },
      targets: [{ peer: "git archive, read into memory", atMost: 2 }],
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

function commitAll(root: string): void {
  // Otherwise the commit starts a gc in the background, which refuses ours.
  const settings = ["-c", "gc.auto=0", "-c", "maintenance.auto=false"];
  const git = (...args: readonly string[]) =>
    execFileSync("git", ["-C", root, ...settings, ...args]);
  git("init", "--quiet");
  git("add", ".");
  git("-c", "user.name=b", "-c", "user.email=b@localhost", "commit", "--quiet", "-m", "All");
  git("gc", "--quiet");
}

function readAll(directory: string): number {
  let bytes = 0;
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    bytes += entry.isDirectory() ? readAll(path) : readFileSync(path).length;
  }
  return bytes;
}
