import { resolve } from "node:path";
import type { Command } from "commander";
import { openPage, RunFiles, SourceError } from "#inspector/node";
import { CliError } from "../terminal/cli-error.js";
import { EXIT_CODES } from "../terminal/exit-codes.js";
import type { Io } from "../terminal/io.js";
import { sayJson } from "../terminal/print.js";
import { answerQuestion, isQuestionWord } from "./answer-question.js";
import { checkReplay } from "./check-replay.js";
import { exportRun } from "./export-run.js";
import { findRuns } from "./find-runs.js";
import { serveRuns } from "./serve-runs.js";

export interface InspectRequest {
  /** A run, a question, or a run and a question. */
  readonly words: readonly string[];
  /** The directory of the workspace whose runs are listed. */
  readonly directory: string;
  readonly port?: number | undefined;
  readonly open: boolean;
  readonly export?: string | undefined;
  readonly without?: readonly ("prompts" | "files")[] | undefined;
  readonly compare?: string | undefined;
  readonly check?: string | undefined;
  readonly signal: AbortSignal;
}

/** Answers a question, writes a file, or serves the page until `signal` aborts. */
export async function inspect(io: Io, command: Command, request: InspectRequest): Promise<void> {
  const { directory, compare } = request;
  // The last run is meant if there is only a question.
  const isQuestion = isQuestionWord(request.words[0]);
  const name = isQuestion ? undefined : request.words[0];
  const question = isQuestion ? request.words : request.words.slice(1);
  if (request.without !== undefined && request.export === undefined)
    throw new CliError("--without: only an export can leave something out.", {
      exitCode: EXIT_CODES.usage,
      hint: "Add --export <file>.",
    });
  try {
    if (name?.endsWith(".html")) {
      await inspectPage(io, command, { ...request, page: name, question });
      return;
    }
    const runs = findRuns(io, name, directory);
    if (question.length > 0) {
      using files = new RunFiles({ runs: runs.slice(0, 1) });
      sayJson(io, await answerQuestion(files.source, question));
      return;
    }
    if (request.check !== undefined) {
      const { check: agent, port, open, signal } = request;
      await checkReplay(io, command, { recorded: runs[0] ?? "", agent, port, open, signal });
      return;
    }
    const other = compare === undefined ? [] : findRuns(io, compare, directory).slice(0, 1);
    using files = new RunFiles(
      compare === undefined
        ? { runs }
        : { runs: [...runs.slice(0, 1), ...other], open: 0, compare: 1 },
    );
    if (request.export !== undefined) await exportRun(io, command, files, request);
    else await serveRuns(io, command, files.source, request);
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    throw new CliError(error.message, { exitCode: EXIT_CODES.usage, cause: error });
  }
}

/** Serves a page that was exported, also by an earlier version, or answers a question about its first run. */
async function inspectPage(
  io: Io,
  command: Command,
  { page, question, ...request }: InspectRequest & { page: string; question: readonly string[] },
): Promise<void> {
  const { compare, check, export: file } = request;
  if (compare !== undefined || check !== undefined || file !== undefined)
    throw new CliError("A page can only be shown or asked.", {
      exitCode: EXIT_CODES.usage,
      hint: "Name the directory of the run instead.",
    });
  const path = resolve(io.cwd, page);
  const source = await openPage(path).catch((error: unknown) => {
    if (error instanceof SourceError) throw error;
    throw new CliError(`${page} cannot be read.`, { exitCode: EXIT_CODES.usage, cause: error });
  });
  if (question.length > 0) sayJson(io, await answerQuestion(source, question));
  else await serveRuns(io, command, source, request);
}
