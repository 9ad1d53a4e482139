import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { InMemoryFilesystem } from "@wink/filesystem";
import { expect, it } from "vitest";
import { mountHost } from "../workspace/mount-host.js";
import { scratchDirectory } from "./tree-fixture.test.support.js";

const FILES = [
  ...[".gitignore", "a.log", "out/kept.js", "out/new.js", "out/deep/x/kept.js", "out/deep/new.js"],
  ...["src/f\u00fc.log", "plain.txt", "z.log"],
];

it.each([
  ["2", "sha1"],
  ["4", "sha1"],
  ["2", "sha256"],
])(
  "tracked files that .gitignore matches are mounted, with an index of version %s and %s (WS-16)",
  async (version, format) => {
    const root = scratchDirectory();
    const git = (...args: string[]) => execFileSync("git", args, { cwd: root });
    git("init", "-q", `--object-format=${format}`);
    git("config", "index.version", version);
    for (const path of FILES) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), path === ".gitignore" ? "*.log\nout/\n" : "x\n");
    }
    git(
      "add",
      "-f",
      ".gitignore",
      "a.log",
      "out/kept.js",
      "out/deep/x/kept.js",
      "src",
      "plain.txt",
    );
    const filesystem = new InMemoryFilesystem();
    const mounts = [{ hostPath: ".", gitignore: true }];
    const { report } = await mountHost(filesystem, mounts, { allowedHostRoots: [root] });
    expect((await filesystem.glob("**")).map(({ path }) => path).sort()).toEqual(
      [
        ".gitignore",
        "a.log",
        "out/kept.js",
        "out/deep/x/kept.js",
        "src/f\u00fc.log",
        "plain.txt",
      ].sort(),
    );
    const ignored = report.leftOut.filter(({ reason }) => reason === "ignored");
    expect(ignored.map(({ path }) => path)).toEqual(["out/deep/new.js", "out/new.js", "z.log"]);
  },
);
