import picomatch from "picomatch";
import type { Run } from "./harness.js";

/** The matcher is not public, so the built file is loaded by its place. */
interface GlobModule {
  compileGlob(
    pattern: string,
    options: { readonly operation: string; readonly maxPatternCharacters: number },
  ): { matches(path: string): boolean };
}

const PATTERNS = [
  "*.ts",
  "**/*.ts",
  "src/**",
  "src/**/*.test.ts",
  "**/*.{ts,tsx,js,jsx}",
  "**/node_modules/**",
  "packages/*/src/**/*.ts",
  "**/index.ts",
  "docs/**/*.md",
  "**/[a-m]*.ts",
  "**/file-?.ts",
  "!(dist)/**/*.ts",
  "**/*.@(json|yaml|yml)",
  "app/[id]/page.tsx",
];

/** Matching in picomatch's dialect, by the automaton and by picomatch's own regular expressions on V8. */
export async function run(run: Run): Promise<void> {
  const built = new URL(
    "../../packages/filesystem/dist/search/glob/glob-pattern.js",
    import.meta.url,
  );
  const { compileGlob }: GlobModule = await import(built.href);
  const paths = listPaths(run.quick ? 10_000 : 100_000);
  const count = paths.length * PATTERNS.length;
  await run.compare({
    name: `${PATTERNS.length} common patterns over ${paths.length.toLocaleString("en")} paths`,
    ours: () => {
      for (const pattern of PATTERNS) {
        const glob = compileGlob(pattern, { operation: "glob", maxPatternCharacters: 4096 });
        for (const path of paths) glob.matches(path);
      }
      return count;
    },
    peers: {
      picomatch: () => {
        for (const pattern of PATTERNS) {
          const matches = picomatch(pattern, { dot: true, basename: !pattern.includes("/") });
          for (const path of paths) matches(path);
        }
        return count;
      },
    },
    targets: [{ peer: "picomatch", atMost: 1 }],
  });
}

/** Paths as in a large repository: several roots, depths and endings. */
function listPaths(count: number): readonly string[] {
  const roots = ["src", "packages/core/src", "packages/web/src/app", "docs", "node_modules/lib"];
  const names = ["index.ts", "file-1.ts", "view.test.ts", "page.tsx", "data.json", "notes.md"];
  return Array.from({ length: count }, (_, index) => {
    const root = roots[index % roots.length];
    const name = names[index % names.length];
    return `${root}/area-${index % 97}/part-${index % 1009}/${index}-${name}`;
  });
}
