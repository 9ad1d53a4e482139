import { isWorkspaceError, Workspace, type WorkspaceFilter } from "@wink/workspace";
import { CliError } from "../terminal/cli-error.js";
import { EXIT_CODES } from "../terminal/exit-codes.js";
import type { Io } from "../terminal/io.js";
import type { StatusLine } from "../terminal/status-line.js";
import { count } from "../view/amounts.js";
import { showCopying } from "../view/show-copying.js";
import { stateDirectory } from "./state-directory.js";

export interface OpenWorkspaceOptions extends WorkspaceFilter {
  /** Used to find the state directory. */
  readonly env: Io["env"];
  /** Whether to create a missing workspace. Otherwise that is an error. @default false */
  readonly create?: boolean | undefined;
  /** Whether each call first takes over a person's changes of the directory. @default false */
  readonly follow?: boolean | undefined;
  /**
   * Whether to apply every transaction to the directory when it commits. Refused while the
   * workspace has unapplied changes.
   *
   * @default false
   */
  readonly inPlace?: boolean | undefined;
  /** The line to open instead. @default the workspace itself */
  readonly line?: string | undefined;
  /** Shows the progress. @default nothing is shown */
  readonly status?: StatusLine | undefined;
  readonly onError?: ((error: unknown) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Opens the workspace of a directory, with errors for people. Close the result. */
export async function openWorkspace(
  directory: string,
  options: OpenWorkspaceOptions,
): Promise<Workspace> {
  const { env, create = false, line, status, follow, inPlace, onError, signal } = options;
  const { include, exclude, includeSecrets, includeIgnored } = options;
  return await withErrors(directory, env, async () => {
    status?.show("opening the workspace");
    const workspace = await Workspace.open(directory, {
      ...{ create, follow, inPlace, onError, signal },
      ...{ include, exclude, includeSecrets, includeIgnored },
      stateDirectory: stateDirectory(env),
      onProgress: status && showCopying(status),
    });
    try {
      if (inPlace) await requireNoChanges(workspace);
      if (line === undefined) return workspace;
      const opened = await workspace.lines.open(line);
      await workspace.close();
      return opened;
    } catch (error) {
      await workspace.close();
      throw error;
    }
  });
}

/** Turns errors of a workspace into sentences with paths and commands. */
export async function withErrors<T>(
  directory: string,
  env: Io["env"],
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw isWorkspaceError(error) ? forPeople(error, directory, env) : error;
  }
}

function forPeople(
  error: Error & { readonly code: string; readonly subject: string; readonly reason: string },
  directory: string,
  env: Io["env"],
): Error {
  const home = () => Workspace.find(directory, { stateDirectory: stateDirectory(env) });
  switch (error.code) {
    case "NO_WORKSPACE":
      return new CliError(`${home().directory} has no workspace yet.`, {
        hint: "`wink run` and `wink mcp` create one.",
      });
    case "BUSY":
      return new CliError("Another wink process is using this workspace.", {
        exitCode: EXIT_CODES.refused,
        hint: "Wait until its call has ended, or stop that process, and try again.",
        cause: error,
      });
    case "STATE_UNREADABLE":
      return new CliError(
        `The workspace of ${home().directory} is damaged, or of another version.`,
        {
          hint: `The directory itself is unchanged. To start again without the unapplied changes, delete ${home().stateDirectory}.`,
          cause: error,
        },
      );
    case "STATE_UNUSABLE":
      return new CliError(`${home().stateDirectory} cannot be created for the workspace.`, {
        exitCode: EXIT_CODES.unavailable,
        hint: "Set WINK_STATE_DIR to a directory of your own; `wink doctor` shows the problem.",
        cause: error,
      });
    case "UNKNOWN_PATH":
    case "UNKNOWN_LINE":
    case "UNKNOWN_HUNK":
      return new CliError(error.message, {
        exitCode: EXIT_CODES.usage,
        hint: "`wink changes` lists the changes.",
        directory,
        cause: error,
      });
    case "NOTHING_TO_UNDO":
      return new CliError(`Nothing to undo in ${directory}.`, {
        hint: "Only `wink apply`, `wink run --apply` and `wink mcp --in-place` can be undone.",
        cause: error,
      });
    case "INVALID_OPTION":
      return invalidOption(error, directory, env);
    default:
      return error;
  }
}

function invalidOption(
  error: Error & { readonly subject: string; readonly reason: string },
  directory: string,
  env: Io["env"],
): CliError {
  const exitCode = EXIT_CODES.usage;
  if (error.subject === "stateDirectory")
    return new CliError(`The state directory ${stateDirectory(env)} is inside of ${directory}.`, {
      exitCode,
      hint: "Set WINK_STATE_DIR to a directory outside of the one to work on.",
      cause: error,
    });
  if (error.subject !== directory) return new CliError(error.message, { exitCode, cause: error });
  const isMissing = error.reason.startsWith("the directory does not exist");
  const message = isMissing
    ? `Directory ${directory} does not exist.`
    : `${directory} is not a directory.`;
  return new CliError(message, { exitCode, cause: error });
}

async function requireNoChanges(workspace: Workspace): Promise<void> {
  const { files } = await workspace.changes();
  if (files.length === 0) return;
  const what = count(files.length, "change");
  throw new CliError(`The workspace of ${workspace.directory} has ${what} that are not applied.`, {
    exitCode: EXIT_CODES.refused,
    hint: "Write them to the directory with `wink apply`, or discard them with `wink changes --discard`.",
    directory: workspace.directory,
  });
}
