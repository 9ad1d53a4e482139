import type { KnipConfig } from "knip";

/** `pnpm knip` finds files, dependencies and exports that no program uses. */
const config: KnipConfig = {
  workspaces: {
    ".": {
      // The settings and modules for other projects' tests are found by their names.
      entry: [
        ...["scripts/*.ts", "scripts/checks/*.ts", "scripts/documentation/pack-docs.ts"],
        "scripts/foreign-suites/*.ts",
      ],
      project: ["scripts/**/*.ts"],
      // Vitest finds it from the root of the repository.
      ignoreUnresolved: ["scripts/vitest-build.ts"],
      ignoreDependencies: [
        // `tarballs` runs these by name.
        "@arethetypeswrong/cli",
        "publint",
        // Blocks in README.md and docs/ import these from the root.
        "@wink/.*",
        "@modelcontextprotocol/sdk",
        "deepagents",
        "langchain",
        // The JSON schema that .changeset/config.json names comes with @changesets/cli.
        "@changesets/config",
      ],
    },
    "packages/*": {
      // Tests start these as separate processes.
      entry: ["src/**/*.test.program.ts", "src/**/*.test-program.ts"],
      // Some packages import the first only in the declarations that the compiler writes. The second is imported by a name
      // that the compiler does not resolve, because it is optional.
      // Tests start the reference servers of MCP from their packages.
      ignoreDependencies: [
        ...["@standard-schema/spec", "libsql"],
        "@modelcontextprotocol/server-(everything|filesystem|memory)",
      ],
    },
    benchmarks: {
      // Benchmarks start these as processes.
      entry: [
        "*.bench.ts",
        "main.ts",
        "memory-subject.ts",
        "memory-workloads.ts",
        "recorded-agent.mjs",
      ],
    },
    "examples/*": {
      entry: ["{server,agent,worker}.ts"],
      // The files that an example works on.
      ignore: ["sample/**"],
    },
  },
  // `wink` imports the inspector from its own build; see scripts/pack-inspector.ts.
  ignoreUnresolved: ["#inspector/.*"],
  rules: {
    // Tests call programs of the system, such as mkfifo, and skip when they are missing.
    binaries: "off",
    // An optional peer is imported at its own subpath.
    optionalPeerDependencies: "off",
  },
};

export default config;
