import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { createMcpServer, serveHttp, serveStdio } from "@wink/adapters/mcp";
import { HostFilesystem } from "@wink/filesystem/host";
import { SessionLog } from "@wink/session/jsonl";
import type { Io } from "../io.js";
import { remark, sayJson } from "../print.js";
import { VERSION } from "../version.js";
import { count } from "../view/amounts.js";
import { MountProgressLine } from "../view/mount-progress.js";
import { MOUNT_POINT, openWorkspace } from "../workspace/open-workspace.js";
import type { Workspace } from "../workspace/workspace.js";
import { freshFiles } from "./fresh-files.js";
import { type WorkspacePromptOptions, workspacePrompt } from "./workspace-prompt.js";

export interface ServeWorkspaceOptions {
  readonly directory: string;
  readonly mode: WorkspacePromptOptions["mode"];
  /** Where to listen; without it one client is served over stdin and stdout. */
  readonly port: number | undefined;
  /** Ends the service in order. */
  readonly signal: AbortSignal;
  /** Show what failed inside. */
  readonly debug: boolean;
  /** Say where it listens as JSON on stdout; over stdio that belongs to the client. */
  readonly json: boolean;
}

/**
 * Serves the workspace of a directory to MCP clients until the client has gone or `signal` aborts. Every call is a transaction; what was
 * answered as done is on the disk.
 */
export async function serveWorkspace(io: Io, options: ServeWorkspaceOptions): Promise<void> {
  const { directory, mode, port, signal, debug, json } = options;
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
    createMcpServer(prompt, session, { name: "wink", version: VERSION, onError });
  const { mounted } = await workspace.record();
  const what = `${count(mounted?.fileCount ?? 0, "file")} of ${workspace.directory}`;
  if (port === undefined) {
    remark(io, `wink mcp: serving ${what} over stdio. ${WHEREABOUTS[mode]}`);
    await serveStdio(await connect(), { signal, input: io.stdin, output: io.stdout });
    return;
  }
  await using service = await serveHttp(connect, { port, onError });
  if (json) sayJson(io, { url: service.url.href, directory: workspace.directory, mode });
  remark(io, `wink mcp: serving ${what} at ${service.url}. ${WHEREABOUTS[mode]}`);
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

const WHEREABOUTS: Readonly<Record<WorkspacePromptOptions["mode"], string>> = {
  workspace: "Changes stay in the workspace until wink apply.",
  "in-place": "Changes go to the directory; wink undo takes them back.",
  "read-only": "Nothing can be changed.",
};

async function open(
  io: Io,
  directory: string,
  inPlace: boolean,
  signal: AbortSignal,
): Promise<Workspace> {
  const progress = new MountProgressLine(io);
  const { onProgress } = progress;
  const options = { env: io.env, create: true, refresh: true, inPlace, onProgress, signal };
  return await openWorkspace(directory, options).finally(() => progress.end());
}

/** The same files without a way to change them, whatever a tool says of itself. */
function openReadOnly({ place }: Workspace): Promise<HostFilesystem> {
  return HostFilesystem.open(place.files, {
    readOnly: true,
    storeDirectory: place.store,
    mountPoint: MOUNT_POINT,
  });
}

/** One for each start: a client that connects anew knows nothing of what another had read. */
function sessionFile({ place }: Workspace): string {
  const time = new Date().toISOString().replace(/[:.]/g, "-");
  return join(place.sessions, `${time}-mcp-${randomUUID().slice(0, 8)}.jsonl`);
}
