// Writes docs/reference from the sources. With --check, it only reports outdated pages.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { listEntryPoints } from "./pages/entry-points.js";
import { readDeclarations } from "./pages/read-declarations.js";
import { pageName, renderIndex, renderPage } from "./pages/render-page.js";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const folder = path.join(root, "docs", "reference");
const { values } = parseArgs({ options: { check: { type: "boolean", default: false } } });

const modules = readDeclarations(root, listEntryPoints(root));
const pages = new Map([
  ["README.md", renderIndex(modules)],
  ...modules.map((module) => [pageName(module), renderPage(module)] as const),
]);
const present = existsSync(folder) ? readdirSync(folder) : [];
const surplus = present.filter((name) => !pages.has(name));
const outdated = [...pages].filter(([name, text]) => text !== read(name));

if (values.check) {
  const wrong = [...surplus, ...outdated.map(([name]) => name)];
  for (const name of wrong)
    console.log(`docs/reference/${name} is outdated; run \`npx -y pnpm@12.4.2 reference\`.`);
  process.exitCode = wrong.length === 0 ? 0 : 1;
} else {
  mkdirSync(folder, { recursive: true });
  for (const name of surplus) rmSync(path.join(folder, name));
  for (const [name, text] of outdated) writeFileSync(path.join(folder, name), text);
  console.log(`${pages.size} pages in docs/reference, ${outdated.length} of them new.`);
}

function read(name: string): string | undefined {
  const file = path.join(folder, name);
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
}
