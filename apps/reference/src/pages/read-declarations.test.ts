import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it } from "vitest";
import { listEntryPoints } from "./entry-points.js";
import { readDeclarations } from "./read-declarations.js";
import { renderIndex, renderPage } from "./render-page.js";

const SOURCES = {
  "index.ts": 'export { Door } from "./door.js";\nexport type { Key } from "./door.js";\n',
  "door.ts": `
/** What opens a {@link Door}. */
export interface Key {
  /** Its teeth. @default 4 */
  readonly teeth?: number | undefined;
}

/** Lets people in. */
export class Door {
  readonly #key: Key;
  constructor(key: Key) {
    this.#key = key;
  }
  /** Whether it is open now. */
  open(): boolean {
    return this.#key.teeth === 4;
  }
}
export const forgotten = 1;
`,
};

it("readDeclarations shows the exports of an entry point with their JSDoc and without private members", async () => {
  const root = await mkdtemp(path.join(tmpdir(), "wink-reference-"));
  try {
    await writePackage(root);
    const [module] = readDeclarations(root, listEntryPoints(root));
    expect(module && renderPage(module).split("\n").slice(2).join("\n")).toBe(PAGE);
    expect(module && renderIndex([module])).toContain("| [`@wink/house`](house.md) | `Door` |");
  } finally {
    await rm(root, { recursive: true });
  }
});

async function writePackage(root: string): Promise<void> {
  const folder = path.join(root, "packages", "house");
  await mkdir(path.join(folder, "src"), { recursive: true });
  const compilerOptions = { target: "es2023", module: "nodenext", strict: true, types: [] };
  await writeFile(path.join(root, "tsconfig.base.json"), JSON.stringify({ compilerOptions }));
  const exports = {
    ".": { "@wink/source": "./src/index.ts" },
    "./attic": { "@wink/source": "./src/not-built-yet.ts" },
  };
  const manifest = { name: "@wink/house", type: "module", exports };
  await writeFile(path.join(folder, "package.json"), JSON.stringify(manifest));
  for (const [name, text] of Object.entries(SOURCES))
    await writeFile(path.join(folder, "src", name), text);
}

const PAGE = `# @wink/house

## Classes

### Door

Lets people in.

\`\`\`ts
class Door {
  constructor(key: Key);
  /** Whether it is open now. */
  open(): boolean;
}
\`\`\`

## Types

### Key

What opens a \`Door\`.

\`\`\`ts
interface Key {
  /** Its teeth. @default 4 */
  readonly teeth?: number | undefined;
}
\`\`\`
`;
