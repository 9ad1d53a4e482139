/**
 * How many names each entry point may export. A public name is hard to remove, so raise a number in the commit that
 * exports more, and give the reason there. Lower it when names are removed.
 */
export const exportBudget: Readonly<Record<string, number>> = {
  // The options that several subpaths share, the error class of the package, the source that a model cites, and the
  // store of changed contents, defineAgent with its three types, and where a loop continues.
  // The published facts of models: table, search and type.
  // The options, the state and the event of the context window.
  "@wink/adapters": 85,
  "@wink/adapters/ai-sdk": 9,
  "@wink/adapters/anthropic": 4,
  // The queue, its options and its client, and the processor for workers of the user's.
  "@wink/adapters/bullmq": 5,
  // The server and its type; the adapter, its options, and the part of the SDK that it uses.
  "@wink/adapters/claude-agent-sdk": 6,
  // Filesystems for other projects: a function each, and the shape of the result.
  "@wink/adapters/deepagents": 2,
  "@wink/adapters/mastra": 3,
  "@wink/adapters/langchain": 1,
  // The options and errors of the token and of the socket.
  "@wink/adapters/mcp": 6,
  // The progress of a call.
  "@wink/adapters/mcp-section": 9,
  "@wink/adapters/openai": 4,
  "@wink/adapters/openai-agents": 2,
  // Each queue: a class and its options.
  "@wink/adapters/postgres": 2,
  "@wink/adapters/replay": 7,
  // `Run`, `readRun` and `openTranscript`; the rest are the types of a run's records, which are a file format.
  // Four records of the transcript: added messages, a park, its answer, and a process that continues.
  // A decision about the context.
  // What `continue`, `fork` and `answer` take, what a run waits for, its agent and its process.
  // A run in a store: its options and its name.
  // A conversation and its options.
  "@wink/adapters/run": 53,
  "@wink/adapters/scripted": 4,
  "@wink/adapters/sqlite": 2,
  "@wink/adapters/telemetry": 3,
  "@wink/adapters/testing": 4,
  // The group of loops for a worker process, its options and those of its watchdog, the handler of durable runs, a queue by URL,
  // and subagents as requests.
  "@wink/adapters/worker": 10,
  // Paths, globs, changes with contents and edits of snapshots for packages above it; the change of a path in a
  // transaction; the accelerators and the attributes of a driver; the options of stat, symlink and transact; overlays.
  "@wink/filesystem": 88,
  // The removal of trees, the process lock and the durable files, of which each package would need its own copy, and
  // the contained access to a host directory for mounts and apply.
  "@wink/filesystem/host": 28,
  // The check of options that every package uses, and the queue of transactions, which tool calls use too.
  // And the errors and links of `node:fs`, which the shell of `@wink/tools/bash` needs too.
  // And the commits and states of stored files, for runs. And what ends a call early.
  // The check of unknown options alone, for packages with their own check of values.
  "@wink/filesystem/internal": 16,
  // The function and its result.
  "@wink/filesystem/node-fs": 2,
  "@wink/filesystem/testing": 8,
  // The schema and the slice for snapshots of files, and the event of a retry.
  // The event of thoughts, the settings of a model, and the question and answer of an approval.
  // Where a tool acts, what a parked run waits for, and a run that is continued.
  // Messages of a conversation, and the completion check.
  "@wink/prompt": 106,
  // What a loop calls; these names were exported by the root. And the events about snapshots and
  // changed files, which a loop records.
  // What a person allowed for the rest of a session.
  "@wink/prompt/adapter": 26,
  "@wink/prompt/overrides": 3,
  "@wink/prompt/testing": 3,
  "@wink/session": 47,
  "@wink/session/jsonl": 10,
  "@wink/session/file": 2,
  // One store and its heads, the contents of a commit, and a key-value store of the user's.
  "@wink/store": 31,
  // Each engine: a function, its options, and the part of the client that it uses.
  // The check of options that every package uses.
  "@wink/store/internal": 4,
  // The connections to databases, which queues share.
  "@wink/store/sql/internal": 8,
  "@wink/store/sqlite": 4,
  "@wink/store/postgres": 5,
  "@wink/store/redis": 3,
  "@wink/store/s3": 3,
  // A store by its URL.
  "@wink/store/url": 3,
  // The contract, and the test runner and the areas of cases that all contracts share.
  "@wink/store/testing": 8,
  // Skills and AGENTS.md: two sections, their options, a skill and a refused one. The event of a
  // changed file, the contents for a replay, and three names to read VirtualFileSystem.
  // Two completion checks. How a section appears, which all sections take.
  "@wink/tools": 54,
  "@wink/tools/python": 8,
  // The section, its options and limits, and the two adapters of filesystems.
  "@wink/tools/bash": 5,
  // The handlers of the shell tools, like those of every other tool.
  // The files of a section before it exists, for a run that continues.
  "@wink/tools/podman": 9,
  // The persistent workspace of a directory, with its options and reports; it was private to the command line.
  // The overlay of a directory: the function, its mount, its options and its result.
  // The progress of an apply.
  "@wink/workspace": 45,
  "@wink/workspace/git": 5,
  "@wink/cli": 4,
};

/** Names that two entry points export for two different things. */
export const knownAmbiguousNames: Readonly<Record<string, string>> = {};

/** Types in public signatures that no entry point exports, by package. */
export const knownLeaks: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "@wink/adapters": {
    JsonObject: "the SDK's type of an input schema, which it does not export",
    SqlRequestQueue: "base class of the queues in databases",
  },
  "@wink/filesystem": {
    DriverStates: "base class of DriverFilesystem, which implements SnapshotableFilesystem",
  },
};

/**
 * Functions and classes that only our own packages call, with arguments of the right type. They are not probed with
 * wrong arguments.
 */
export const internalNames: readonly string[] = [
  ...["TimeSlices", "DirectoryStack", "AppendFile", "ProcessLock", "FileContent"],
  ...["errorCode", "fromNodeError", "tolerating", "findProcess", "processIdentity"],
  ...[
    "isAbandoned",
    "temporaryName",
    "saveFile",
    "openHostRoot",
    "makePrivateDirectory",
    "TreeStore",
    "LogIndex",
  ],
  ...["findRunner", "areaOf", "followLinks", "NodeError", "toNodeError"],
];
