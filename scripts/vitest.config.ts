import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const root = fileURLToPath(new URL("..", import.meta.url));
// Sources before builds: a test never runs against a stale `dist`.
const conditions = ["@wink/source", "module", "node", "development|production"];

export default defineConfig({
  root,
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    testTimeout: 120_000,
    hookTimeout: 120_000,
    projects: [
      ...readdirSync(`${root}/packages`).map((name) => project(`@wink/${name}`, `packages/${name}/src`)),
      project("scripts", "scripts"),
    ],
  },
});

function project(name: string, folder: string) {
  return { extends: true as const, test: { name, include: [`${folder}/**/*.test.ts`] } };
}
