import { availableParallelism } from "node:os";
import path from "node:path";
import { defineConfig } from "vitest/config";
import { cacheFolder, listProjects, root } from "./repository.js";
import { TEST_STATE } from "./vitest-setup.js";

// Sources before builds: a test never runs against a stale `dist`. Not `module`, which vitest would hand on to
// Node for packages that it leaves alone, and Node cannot read what bundlers are given under that name.
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
    // No test leaves anything in the home of the person who runs it.
    env: { XDG_STATE_HOME: TEST_STATE },
    // Many files wait for processes and disks rather than compute.
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
