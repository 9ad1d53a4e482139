// Copies the compiled inspector into the command line's build: the command is published, the inspector is not. With
// `--page` it also builds the page, which is needed only in the published package.
import { cp, mkdir, readdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { root } from "./repository.js";

const from = path.join(root, "apps/inspector/dist");
const to = path.join(root, "apps/cli/dist/inspector");
/** What the command line imports, with what that imports. The rest is the page. */
const PARTS = ["node.js", "text.js", "model", "source", "node"];

await rm(to, { recursive: true, force: true });
for (const file of await readdir(from, { recursive: true })) {
  const isPart = PARTS.some((part) => file === part || file.startsWith(`${part}${path.sep}`));
  if (!isPart || !file.endsWith(".js") || file.includes(".test.")) continue;
  await mkdir(path.dirname(path.join(to, file)), { recursive: true });
  await cp(path.join(from, file), path.join(to, file));
}
if (process.argv.includes("--page")) {
  const { buildPage } = await import("../apps/inspector/src/build/build-page.js");
  await writeFile(path.join(to, "index.html"), await buildPage());
}
