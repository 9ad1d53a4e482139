import { join } from "node:path";
import { createMcpServer, serveStdio } from "@wink/adapters/mcp";
import { readOnlyView } from "@wink/filesystem";
import { SessionLog } from "@wink/session/jsonl";
import type { Io } from "../terminal/io.js";
import { MANIFEST } from "../terminal/manifest.js";
import { remark } from "../terminal/print.js";
import { count } from "../view/amounts.js";
import { openWorkspace } from "../workspace/open-workspace.js";
import { type McpAddress, serveOverHttp } from "./serve-over-http.js";
import { type WorkspacePromptOptions, workspacePrompt } from "./workspace-prompt.js";

export interface ServeWorkspaceOptions {
  readonly directory: string;
  readonly mode: WorkspacePromptOptions["mode"];
  /** Whether every change needs the approval of the client's user. */
  readonly asks: boolean;
  /** Where to listen. Without it, one client is served over stdin and stdout. */
  readonly address: McpAddress | undefined;
  /** Shuts the server down gracefully. */
  readonly signal: AbortSignal;
  /** Print internal errors of the server. */
  readonly debug: boolean;
  /** Print the address as JSON on stdout. Over stdio, stdout belongs to the client. */
  readonly json: boolean;
}

/**
 * Serves the workspace of a directory to MCP clients until the client disconnects or `signal`
 * aborts. Every call is a transaction; a call that is reported as done is on disk.
 */
export async function serveWorkspace(io: Io, options: ServeWorkspaceOptions): Promise<void> {
  const { directory, mode, asks, address, signal, debug, json } = options;
  const onError = (error: unknown, where = "mcp") => {
    if (debug) remark(io, `wink mcp: ${where}: ${error instanceof Error ? error.stack : error}`);
  };
  const { env, status } = io;
  await using workspace = await openWorkspace(directory, {
    ...{ env, status, signal, onError },
    create: true,
    follow: true,
    inPlace: mode === "in-place",
  }).finally(() => status.clear());
  // One session per start, because a new client has not read what an earlier one had read.
  await using log = await SessionLog.open(join(workspace.runs.create(), "session.jsonl"));
  const { session } = log;
  const filesystem =
    mode === "read-only" ? readOnlyView(workspace.filesystem) : workspace.filesystem;
  const prompt = await workspacePrompt({ session, filesystem, mode, asks });
  const connect = () =>
    createMcpServer(prompt, session, {
      ...{ name: "wink", version: MANIFEST.version, onError },
      ...(mode === "workspace" && { changes: () => workspace.toPatch() }),
    });
  const what = `${count(workspace.copied.fileCount, "file")} of ${workspace.directory}`;
  const whereabouts = WHEREABOUTS[mode];
  if (address === undefined) {
    remark(io, `wink mcp: serving ${what} over stdio. ${whereabouts}`);
    await serveStdio(connect, { signal, input: io.stdin, output: io.stdout, onError });
    return;
  }
  const about = { what, whereabouts, directory: workspace.directory, mode };
  await serveOverHttp(io, { connect, address, onError, signal, json, about });
}

const WHEREABOUTS: Readonly<Record<WorkspacePromptOptions["mode"], string>> = {
  workspace: "Changes stay in the workspace until wink apply.",
  "in-place": "Changes are written to the directory; wink undo undoes them.",
  "read-only": "Nothing can be changed.",
};
