/**
 * Which package may know which, and what it may depend on at run time.
 *
 * This is the table of the architecture as data. An arrow that is not here fails the test command;
 * to draw a new one, change this file in the same commit and say why in `specs/decisions/`.
 */

/** How a runtime dependency may be declared in `package.json`. */
export type DependencyKind = "dependency" | "optional dependency" | "peer" | "optional peer";

export interface AllowedDependency {
  /** An npm name; a trailing `*` stands for any ending. */
  readonly name: string;
  readonly as: readonly DependencyKind[];
  /** The root entry must not load it: it lives at a subpath of its own. @default false */
  readonly subpathOnly?: boolean;
}

export interface PackageBoundary {
  /** `@wink/*` packages it may import, values and types. */
  readonly imports: readonly string[];
  /** `@wink/*` packages of which it may import types only. */
  readonly importsTypes: readonly string[];
  /** Single files that may import values from a package of `importsTypes`, each with its reason. */
  readonly valueImportsGranted: readonly ValueImportGrant[];
  readonly dependencies: readonly AllowedDependency[];
  /** Node modules that the root entry may load, each with its reason. */
  readonly nodeModulesInRoot: Readonly<Record<string, string>>;
}

export interface ValueImportGrant {
  /** From the root of the clone. */
  readonly file: string;
  readonly imports: string;
  readonly reason: string;
}

export const packageBoundaries: Readonly<Record<string, PackageBoundary>> = {
  "@wink/filesystem": {
    imports: [],
    importsTypes: [],
    valueImportsGranted: [],
    dependencies: [
      { name: "picomatch", as: ["dependency"] },
      { name: "diff", as: ["dependency"] },
      { name: "simple-git", as: ["dependency", "optional peer"], subpathOnly: true },
      { name: "@vscode/ripgrep", as: ["optional dependency", "optional peer"], subpathOnly: true },
      ...optionalPeers("redis", "ioredis", "pg", "libsql", "node-sqlite3-wasm"),
      ...optionalPeers("@electric-sql/pglite", "@aws-sdk/*", "unstorage"),
      // The contract suite for backends, at `./testing`.
      ...optionalPeers("vitest", "fast-check"),
    ],
    nodeModulesInRoot: {},
  },
  "@wink/session": {
    imports: [],
    importsTypes: [],
    valueImportsGranted: [],
    dependencies: schemas(),
    nodeModulesInRoot: {},
  },
  "@wink/prompt": {
    imports: [],
    importsTypes: ["@wink/filesystem", "@wink/session"],
    valueImportsGranted: [
      {
        file: "packages/prompt/src/protocol/session-values.ts",
        imports: "@wink/session",
        reason: "Opened sections, what was read, approvals and feedback are events and slices.",
      },
      {
        file: "packages/prompt/src/protocol/filesystem-values.ts",
        imports: "@wink/filesystem",
        reason:
          "Policies tell a missing file from a refused path, and a prompt without files says so.",
      },
      {
        file: "packages/prompt/src/testing.ts",
        imports: "@wink/filesystem",
        reason: "The subpath for tests makes a filesystem in memory when none is given.",
      },
    ],
    dependencies: schemas(),
    nodeModulesInRoot: {},
  },
  "@wink/tools": {
    imports: ["@wink/filesystem", "@wink/session", "@wink/prompt"],
    importsTypes: [],
    valueImportsGranted: [],
    dependencies: [
      ...schemas(),
      { name: "diff", as: ["dependency"] },
      { name: "execa", as: ["dependency", "optional peer"], subpathOnly: true },
      { name: "@pydantic/monty", as: ["dependency", "optional peer"], subpathOnly: true },
    ],
    nodeModulesInRoot: {},
  },
  "@wink/adapters": {
    imports: ["@wink/filesystem", "@wink/session", "@wink/prompt"],
    importsTypes: [],
    valueImportsGranted: [],
    dependencies: [
      ...schemas(),
      ...optionalPeers("openai", "@anthropic-ai/sdk", "ai", "@ai-sdk/*"),
      ...optionalPeers("@openai/agents", "@anthropic-ai/claude-agent-sdk"),
      ...optionalPeers("@modelcontextprotocol/*", "@opentelemetry/api"),
      // The queue worker, at a subpath.
      ...optionalPeers("redis", "ioredis", "pg"),
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
