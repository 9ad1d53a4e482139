import { availableParallelism } from "node:os";
import path from "node:path";
import { configDefaults, defineConfig } from "vitest/config";
import { cacheFolder, listProjects, root } from "./repository.js";
import { TEST_STATE } from "./vitest-setup.js";

// Sources before builds, so that a test never runs against a stale `dist`. Without `module`: vitest would pass it to
// Node for external packages, and Node cannot load the builds for bundlers under that name.
const conditions = ["@wink/source", "node", "development|production"];

/** The projects whose tests start compiled programs. */
const BUILT = new Set([
  "@wink/adapters",
  "@wink/cli",
  "@wink/filesystem",
  "@wink/session",
  "@wink/store",
  "@wink/workspace",
]);

/**
 * The projects whose files share processes and what they loaded, which takes a quarter less CPU. Their tests leave no
 * global state behind.
 */
const SHARING = new Set([
  "@wink/adapters",
  "@wink/cli",
  "@wink/filesystem",
  "@wink/prompt",
  "@wink/session",
  "@wink/store",
  "@wink/tools",
  "@wink/workspace",
]);

/**
 * Of those, the files that replace modules, change the user or the environment of their process, or count what it left
 * behind. Each has its own process.
 */
const ISOLATED = [
  "packages/adapters/src/interop/ai-sdk-7-tools.test.ts",
  "packages/adapters/src/providers/newest-sdks.test.ts",
  "packages/filesystem/src/host/containment/temporary-files.test.ts",
  "packages/filesystem/src/host/driver/clone-tree.test.ts",
  "packages/filesystem/src/host/driver/host-walk.test.ts",
  "packages/filesystem/src/host/open/fork-workspace.test.ts",
  "packages/filesystem/src/host/open/host-store.test.ts",
  "packages/filesystem/src/host/snapshots/fidelity.test.ts",
  "packages/filesystem/src/host/snapshots/no-processes.test.ts",
  "packages/filesystem/src/host/snapshots/store-faults.test.ts",
  "packages/tools/src/podman/*.test.ts",
];

/** The test command leaves some files to CI. */
const LEFT_OUT = (process.env["WINK_TESTS_LEFT_OUT"] ?? "").split(",").filter(Boolean);

export default defineConfig({
  root,
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    // A limit for a test that hangs. On a busy machine a test takes twenty times as long as on a quiet one.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    globalSetup: "scripts/vitest-setup.ts",
    // Each project compiles a source again that another one has compiled, unless they share their results on the disk.
    experimental: {
      fsModuleCache: true,
      fsModuleCachePath: path.join(cacheFolder, "vitest"),
    },
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
      {
        extends: true,
        test: { name: "isolated", isolate: true, include: ISOLATED, exclude: LEFT_OUT },
      },
    ],
  },
});

function project(name: string, folder: string) {
  return {
    extends: true as const,
    test: {
      name,
      isolate: !SHARING.has(name),
      globalSetup: BUILT.has(name) ? ["scripts/vitest-build.ts"] : [],
      include: [`${folder}/**/*.test.ts`],
      exclude: [...configDefaults.exclude, ...ISOLATED, ...LEFT_OUT],
    },
  };
}
