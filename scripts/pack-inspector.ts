// Copies the compiled inspector and its page into the command line's build: the command is published, the inspector is
// not. It replaces only files that differ, because tests start the command in the meantime.
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { findPage } from "../apps/inspector/src/node/page-file.js";
import { root } from "./repository.js";

const from = path.join(root, "apps/inspector/dist");
const to = path.join(root, "apps/cli/dist/inspector");
/** What the command line imports, with what that imports. The rest is the page. */
const PARTS = ["node.js", "text.js", "model", "source", "node"];

const wanted = new Map<string, string>([["index.html", await findPage()]]);
for (const file of await readdir(from, { recursive: true })) {
  const isPart = PARTS.some((part) => file === part || file.startsWith(`${part}${path.sep}`));
  if (!isPart || !file.endsWith(".js") || file.includes(".test.")) continue;
  wanted.set(file, await readFile(path.join(from, file), "utf8"));
}
for (const [file, content] of wanted) await replace(path.join(to, file), content);
for (const file of await readdir(to, { recursive: true }))
  if (path.extname(file) !== "" && !wanted.has(file)) await rm(path.join(to, file));

async function replace(file: string, content: string): Promise<void> {
  if ((await readFile(file, "utf8").catch(() => undefined)) === content) return;
  await mkdir(path.dirname(file), { recursive: true });
  const temporary = `${file}.${process.pid}.tmp`;
  await writeFile(temporary, content);
  await rename(temporary, file);
}
