import { availableParallelism } from "node:os";
import path from "node:path";
import { defineConfig } from "vitest/config";
import { cacheFolder, listProjects, root } from "./repository.js";
import { TEST_STATE } from "./vitest-setup.js";

// Sources before builds, so that a test never runs against a stale `dist`. Without `module`: vitest would pass it to
// Node for external packages, and Node cannot load the builds for bundlers under that name.
const conditions = ["@wink/source", "node", "development|production"];

export default defineConfig({
  root,
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    // A limit for a test that hangs. On a busy machine a test takes twenty times as long as on a quiet one.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    globalSetup: "scripts/vitest-setup.ts",
    // Tests must not write to the user's home.
    env: { XDG_STATE_HOME: TEST_STATE },
    // Many test files wait for processes and disks and use little CPU.
    maxWorkers: availableParallelism() + 2,
    coverage: {
      provider: "v8",
      include: ["packages/*/src/**/*.ts", "apps/*/src/**/*.ts"],
      exclude: ["**/*.test.*", "**/*.test-d.ts", "**/*.test-program.ts"],
      reporter: ["text-summary", "html", "lcov"],
      reportsDirectory: path.join(cacheFolder, "coverage"),
    },
    projects: [
      ...listProjects().map(({ folder, manifest }) => project(manifest.name, folder)),
      project("scripts", "scripts"),
    ],
  },
});

function project(name: string, folder: string) {
  return { extends: true as const, test: { name, include: [`${folder}/**/*.test.ts`] } };
}
