// Copies a package's pages into its `docs/` before it is packed. Runs in the package's folder.
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { listFiles, readManifest, root } from "../repository.js";
import { renderContents, shippedPages, withoutLostLinks } from "./package-docs.js";

const folder = path.relative(root, process.cwd()).split(path.sep).join("/");
const short = path.posix.basename(folder);
// A page for each import: `tools.md`, `tools-python.md`.
const reference = (await listFiles())
  .map((file) => file.replace(/^docs\//, ""))
  .filter((file) => new RegExp(`^reference/${short}(-[a-z-]+)?\\.md$`).test(file));
const names = [...(shippedPages[folder] ?? []), ...reference];

const shipped = new Set(names);
const pages = new Map<string, string>();
for (const name of names) {
  const markdown = await readFile(path.join(root, "docs", name), "utf8");
  pages.set(name, withoutLostLinks(name, markdown, shipped));
}
await rm("docs", { recursive: true, force: true });
const contents = renderContents(readManifest(folder).name, pages);
for (const [name, text] of [["README.md", contents] as const, ...pages]) {
  const file = path.join("docs", name);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, text);
}
