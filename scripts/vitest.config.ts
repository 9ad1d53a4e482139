import { defineConfig } from "vitest/config";
import { listProjects, root } from "./repository.js";

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
      ...listProjects().map(({ folder, manifest }) => project(manifest.name, folder)),
      project("scripts", "scripts"),
    ],
  },
});

function project(name: string, folder: string) {
  return { extends: true as const, test: { name, include: [`${folder}/**/*.test.ts`] } };
}
