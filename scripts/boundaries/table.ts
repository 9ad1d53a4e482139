/**
 * Which package may import which, and its allowed runtime dependencies.
 *
 * This is the architecture as data. An import between packages that is not listed fails the test command;
 * to add one, change this file in the same commit and give the reason in `specs/decisions/`.
 */

/** How a runtime dependency may be declared in `package.json`. */
export type DependencyKind = "dependency" | "optional dependency" | "peer" | "optional peer";

export interface AllowedDependency {
  /** An npm name; a trailing `*` matches any ending. */
  readonly name: string;
  readonly as: readonly DependencyKind[];
  /** The root entry must not load it: it belongs to its own subpath. @default false */
  readonly subpathOnly?: boolean;
}

export interface PackageBoundary {
  /** `@wink/*` packages it may import. */
  readonly imports: readonly string[];
  /** Those of `imports` that the root entry must not load. @default none */
  readonly importsAtSubpaths?: readonly string[];
  readonly dependencies: readonly AllowedDependency[];
  /** Node modules, and entry points that need Node, that the root entry may load, each with its reason. */
  readonly nodeModulesInRoot: Readonly<Record<string, string>>;
}

/** Entry points that need Node, so no root entry may load them. */
export const nodeEntryPoints: readonly string[] = [
  "@wink/filesystem/host",
  "@wink/filesystem/node-fs",
  "@wink/prompt/overrides",
  "@wink/session/file",
  "@wink/session/jsonl",

  "@wink/store/postgres",
  "@wink/store/redis",
  "@wink/store/s3",
  "@wink/store/sql/internal",
  "@wink/store/sqlite",
  "@wink/store/url",
  "@wink/workspace",
  "@wink/workspace/git",
];

/** Folders whose code also runs in a browser: it may load no Node module, and nothing of the packages but their pure parts. */
export const browserFolders: Readonly<Record<string, readonly string[]>> = {
  "apps/inspector/src/model": ["@wink/filesystem"],
  "apps/inspector/src/source": [],
};

/**
 * Folders that tests of all packages may import: the servers that tests of stores start, the proxy with faults, and the
 * measurement of hostile texts.
 */
export const sharedByTests: readonly string[] = [
  "packages/filesystem/src/attacks/",
  "packages/store/src/servers/",
  "packages/store/src/faults/",
];

/**
 * The files of the command line that may import `node:fs`, with the reason. Workspaces and runs belong to the libraries,
 * so a new file here is usually domain code in the wrong place.
 */
export const filesOfCli: Readonly<Record<string, string>> = {
  "apps/cli/src/agent/load-agent.ts": "Finds the agent's file that the user names.",
  "apps/cli/src/demo/apply-to-copy.ts":
    "The demo copies its own project and applies a patch to it.",
  "apps/cli/src/demo/run-demo.ts": "The demo writes its own project.",
  "apps/cli/src/demo/test-runner.ts": "The demo runs the tests of its own project.",
  "apps/cli/src/demo/tree-hash.ts": "The demo shows that its own project did not change.",
  "apps/cli/src/doctor/check-machine.ts": "Looks at the programs of the machine.",
  "apps/cli/src/doctor/check-state.ts": "Looks at the state directory of the user.",
  "apps/cli/src/init/init-agent.ts": "Writes the first files of an agent.",
  "apps/cli/src/inspect/check-replay.ts": "Makes a temporary directory for the replay.",
  "apps/cli/src/inspect/find-runs.ts": "Looks for the runs that the user names.",
  "apps/cli/src/workspace/recorded-runs.ts": "Looks for the run or log that the user names.",
  "apps/cli/src/mcp/token-file.ts": "Reads and writes the token that the user names.",
  "apps/cli/src/model/open-ai-sdk-model.ts": "Finds the package of the AI SDK that the user names.",
  "apps/cli/src/model/open-model.ts": "Reads the recording that the user names.",
  "apps/cli/src/run/run-files.ts": "Writes the recording that the user names.",
  "apps/cli/src/run/settle-changes.ts": "Writes the patch that the user names.",
  "apps/cli/src/terminal/manifest.ts": "Reads the version of the package.",
};

export const packageBoundaries: Readonly<Record<string, PackageBoundary>> = {
  "@wink/store": {
    // The lowest package: it does not depend on files and sessions.
    imports: [],
    dependencies: [
      // Each engine at its own subpath. SQLite needs a package only where Node has no `node:sqlite`.
      ...optionalPeers("pg", "redis", "libsql", "aws4fetch"),
    ],
    nodeModulesInRoot: {},
  },
  "@wink/filesystem": {
    // Stored filesystems, and the test runner that all contracts share.
    imports: ["@wink/store"],
    dependencies: [
      { name: "picomatch", as: ["dependency"] },
      { name: "diff", as: ["dependency"] },
      { name: "@vscode/ripgrep", as: ["optional dependency", "optional peer"], subpathOnly: true },
      // The contract suite for backends, at `./testing`.
      ...optionalPeers("vitest", "fast-check"),
    ],
    nodeModulesInRoot: {},
  },
  "@wink/session": {
    // The check of options, and at the entry points of logs and files also locks and durable files.
    imports: ["@wink/filesystem"],
    dependencies: schemas(),
    nodeModulesInRoot: {},
  },
  "@wink/workspace": {
    imports: ["@wink/filesystem", "@wink/session"],
    dependencies: [
      // Drives the user's own git, at ./git and for commits; 7 packages, 2.2 MB.
      { name: "simple-git", as: ["dependency"], subpathOnly: true },
    ],
    nodeModulesInRoot: {
      "@wink/filesystem/host": "Mounts are copies of files of this machine.",
      "node:crypto": "Hashes of the files that apply replaces, and undo tokens.",
      "node:fs": "Mounts are copies of files of this machine.",
      "node:os": "The user's state directory has the journals of apply.",
      "node:path": "Mounts are copies of files of this machine.",
    },
  },
  "@wink/prompt": {
    imports: ["@wink/filesystem", "@wink/session"],
    dependencies: [
      ...schemas(),
      // SHA-256 where node:crypto is missing; 0 dependencies, audited.
      { name: "@noble/hashes", as: ["dependency"] },
      // Checks foreign JSON Schemas as the official suite demands; 0 dependencies, 668 kB with source maps.
      { name: "@cfworker/json-schema", as: ["dependency"] },
    ],
    nodeModulesInRoot: {},
  },
  "@wink/tools": {
    // The store only in tests: the shell over stored files.
    imports: [
      ...["@wink/filesystem", "@wink/session", "@wink/prompt", "@wink/workspace", "@wink/store"],
    ],
    importsAtSubpaths: ["@wink/store"],
    dependencies: [
      ...schemas(),
      // Cargo.toml and pyproject.toml in the digest; 0 dependencies, 180 kB.
      { name: "smol-toml", as: ["dependency"] },
      // pubspec.yaml in the digest; 0 dependencies, 1.4 MB on disk.
      { name: "yaml", as: ["dependency"] },
      { name: "execa", as: ["dependency", "optional peer"], subpathOnly: true },
      { name: "@pydantic/monty", as: ["dependency", "optional peer"], subpathOnly: true },
      // The shell of `./bash`, written for agents; 22 MB.
      ...optionalPeers("just-bash"),
    ],
    nodeModulesInRoot: {},
  },
  "@wink/adapters": {
    // The store: queues and runs in databases, and the test runner of contracts.
    imports: [
      "@wink/filesystem",
      "@wink/session",
      "@wink/prompt",
      "@wink/workspace",
      "@wink/store",
    ],
    dependencies: [
      ...schemas(),
      ...optionalPeers("openai", "@anthropic-ai/sdk", "ai", "@ai-sdk/*"),
      ...optionalPeers("@openai/agents", "@anthropic-ai/claude-agent-sdk"),
      ...optionalPeers("@modelcontextprotocol/*", "@opentelemetry/api"),
      // Mastra's error classes, which its tools recognise. Loaded only if it is installed.
      ...optionalPeers("@mastra/core", "@langchain/core"),
      // A queue on BullMQ, which drives Redis through `redis`.
      ...optionalPeers("bullmq", "redis"),
    ],
    nodeModulesInRoot: {},
  },
  "@wink/cli": {
    imports: [
      ...["@wink/filesystem", "@wink/session", "@wink/prompt", "@wink/workspace"],
      ...["@wink/tools", "@wink/adapters", "@wink/store"],
    ],
    dependencies: [
      { name: "zod", as: ["dependency"] },
      // Commands, options and help; 0 dependencies, 210 kB.
      { name: "commander", as: ["dependency"] },
      // Colours; 0 dependencies, 7 kB.
      { name: "picocolors", as: ["dependency"] },
      // Questions; with the packages for widths 6 packages, 320 kB.
      { name: "@clack/*", as: ["dependency"] },
      // The width of a text on the screen; 2 packages, 40 kB.
      { name: "fast-string-width", as: ["dependency"] },
      { name: "fast-wrap-ansi", as: ["dependency"] },
      // TypeScript agents on a Node that cannot strip types; with esbuild 11 MB.
      { name: "tsx", as: ["dependency"] },
      // Models and MCP for `wink run` and `wink mcp`, loaded when they are used.
      { name: "openai", as: ["dependency"] },
      { name: "@anthropic-ai/sdk", as: ["dependency"] },
      { name: "@modelcontextprotocol/*", as: ["dependency"] },
    ],
    nodeModulesInRoot: {},
  },
};

function schemas(): readonly AllowedDependency[] {
  return [
    { name: "zod", as: ["peer", "optional peer"] },
    { name: "@standard-schema/spec", as: ["dependency"] },
  ];
}

function optionalPeers(...names: readonly string[]): readonly AllowedDependency[] {
  return names.map((name) => ({ name, as: ["optional peer"], subpathOnly: true }));
}
