import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { paths } from "@wink/filesystem";
import { onTestFinished } from "vitest";

/** The node at a path: text, bytes, a program, a link, or an empty directory. */
type Node =
  | string
  | Uint8Array
  | { readonly program: string }
  | { readonly link: string }
  | { readonly directory: true };

export type Tree = Readonly<Record<string, Node>>;

/** A temporary directory that is deleted after the test. */
export function scratchDirectory(): string {
  // In memory if possible, because a thousand disk flushes would slow these tests down.
  const place = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();
  const directory = mkdtempSync(join(place, "wink-test-"));
  // `rm` can remove trees of any depth and with any names.
  onTestFinished(() => void execFileSync("rm", ["-rf", "--", directory]));
  return directory;
}

export function writeTree(directory: string, tree: Tree): void {
  for (const [path, node] of Object.entries(tree)) {
    const target = Buffer.concat([Buffer.from(`${directory}/`), paths.pathBytes(path)]);
    mkdirSync(target.subarray(0, target.lastIndexOf("/")), { recursive: true });
    if (typeof node === "string" || node instanceof Uint8Array) {
      writeFileSync(target, node);
      chmodSync(target, 0o644);
    } else if ("program" in node) {
      writeFileSync(target, node.program);
      chmodSync(target, 0o755);
    } else if ("link" in node) symlinkSync(node.link, target);
    else mkdirSync(target, { recursive: true });
  }
}

/** The tree on disk in a comparable form: kind, execute bit and content by path. */
export function readTree(
  directory: string,
  options: { readonly directories?: boolean } = {},
): Record<string, string> {
  const found: Record<string, string> = {};
  const visit = (place: Buffer, shown: string) => {
    for (const raw of readdirSync(place, { encoding: "buffer" })) {
      const path = Buffer.concat([place, Buffer.from("/"), raw]);
      const name = (shown === "" ? "" : `${shown}/`) + paths.shownName(raw);
      const stat = lstatSync(path);
      if (stat.isDirectory()) {
        if (options.directories) found[name] = "directory";
        visit(path, name);
      } else if (stat.isSymbolicLink()) found[name] = `link ${readlinkSync(path)}`;
      else {
        const kind = (stat.mode & 0o111) !== 0 ? "program" : "file";
        found[name] = `${kind} ${readFileSync(path).toString("base64")}`;
      }
    }
  };
  visit(Buffer.from(directory), "");
  return found;
}
