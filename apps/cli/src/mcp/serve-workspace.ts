import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { createMcpServer, serveStdio } from "@wink/adapters/mcp";
import { HostFilesystem } from "@wink/filesystem/host";
import { SessionLog } from "@wink/session/jsonl";
import type { Io } from "../terminal/io.js";
import { MANIFEST } from "../terminal/manifest.js";
import { remark } from "../terminal/print.js";
import { count } from "../view/amounts.js";
import { MOUNT_POINT, openWorkspace } from "../workspace/open-workspace.js";
import type { Workspace } from "../workspace/workspace.js";
import { freshFiles } from "./fresh-files.js";
import { type McpAddress, serveOverHttp } from "./serve-over-http.js";
import { type WorkspacePromptOptions, workspacePrompt } from "./workspace-prompt.js";

export interface ServeWorkspaceOptions {
  readonly directory: string;
  readonly mode: WorkspacePromptOptions["mode"];
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
  const { directory, mode, address, signal, debug, json } = options;
  const onError = (error: unknown, where = "mcp") => {
    if (debug) remark(io, `wink mcp: ${where}: ${error instanceof Error ? error.stack : error}`);
  };
  await using workspace = await open(io, directory, mode === "in-place", signal);
  await using log = await SessionLog.open(sessionFile(workspace));
  const { session } = log;
  await using readOnly = mode === "read-only" ? await openReadOnly(workspace) : undefined;
  const filesystem = readOnly ?? workspace.filesystem;
  const policies = [freshFiles(workspace, onError)];
  const prompt = await workspacePrompt({ session, filesystem, mode, policies });
  const connect = () =>
    createMcpServer(prompt, session, { name: "wink", version: MANIFEST.version, onError });
  const { mounted } = await workspace.record();
  const what = `${count(mounted?.fileCount ?? 0, "file")} of ${workspace.directory}`;
  const whereabouts = WHEREABOUTS[mode];
  if (address === undefined) {
    remark(io, `wink mcp: serving ${what} over stdio. ${whereabouts}`);
    await serveStdio(await connect(), { signal, input: io.stdin, output: io.stdout });
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

async function open(
  io: Io,
  directory: string,
  inPlace: boolean,
  signal: AbortSignal,
): Promise<Workspace> {
  const { env, status } = io;
  const options = { env, create: true, refresh: true, inPlace, status, signal };
  return await openWorkspace(directory, options).finally(() => status.clear());
}

/**
 * Opens the same files read-only, so that no tool can change them, even if it is declared wrongly.
 */
function openReadOnly({ place }: Workspace): Promise<HostFilesystem> {
  return HostFilesystem.open(place.files, {
    readOnly: true,
    storeDirectory: place.store,
    mountPoint: MOUNT_POINT,
  });
}

/** One session per start, because a new client has not read what an earlier one had read. */
function sessionFile({ place }: Workspace): string {
  const time = new Date().toISOString().replace(/[:.]/g, "-");
  return join(place.sessions, `${time}-mcp-${randomUUID().slice(0, 8)}.jsonl`);
}
