import { defineTool, fail, ok, type ToolFailure } from "@wink/prompt";
import { z } from "zod";
import { workspaceOf } from "../files/file-tool-settings.js";
import { type DirectChanges, recordCommand, withoutGit } from "../files/record-command.js";
import { tooLong } from "../files/write-file.js";
import type { NameTool } from "../reply/answer-error.js";
import { answering } from "../reply/answering.js";
import { clipText } from "../reply/clip-text.js";
import { count } from "../reply/count.js";
import { chooseFence, fenced } from "../reply/fence.js";
import { oneLine, quote } from "../reply/quote.js";
import type { PlainValue, PythonEngine, PythonLimits, PythonOutcome } from "./python-engine.js";
import { PythonFiles } from "./python-files.js";

const variable = z.string().describe("The name of a variable.");

const EvaluatePythonInput = z.object({
  code: z
    .string()
    .describe(
      "The program. The result is the value of the last line, or of a variable named result.",
    ),
  globals: z.record(z.string(), z.json()).default({}).describe("Initial variables, by name."),
  reads: z
    .array(z.object({ file_path: z.string(), variable }))
    .default([])
    .describe("Files to read into variables before the program runs."),
  writes: z
    .array(
      z.object({
        file_path: z.string(),
        variable,
        mode: z.enum(["create", "overwrite", "append"]).default("create"),
      }),
    )
    .default([])
    .describe("Variables whose text is written to files if the program succeeds."),
});

export interface PythonToolSettings {
  readonly engine: PythonEngine;
  readonly limits: PythonLimits;
  readonly nameTool: NameTool;
  /** `opaque` if a program can also change files without `read_text` and `write_text`. @default "write" */
  readonly access?: "write" | "opaque" | undefined;
}

const MAX_FILES = 50;
const NAME = /^[A-Za-z_][A-Za-z0-9_]{0,99}$/;

export function evaluatePythonTool(settings: PythonToolSettings) {
  const { engine, limits, nameTool } = settings;
  return defineTool({
    name: "evaluate_python",
    description: `Run a Python program on values and on text files of the workspace. read_text(path) returns the text of a file, write_text(path, content) writes a file. ${engine.description}`,
    input: EvaluatePythonInput,
    access: settings.access ?? "write",
    effects: "workspace",
    handler: answering(nameTool, async (input, context) => {
      const problem = checkInput(input, limits);
      if (problem) return problem;
      const files = new PythonFiles(context, limits.maxFileBytes);
      const globals: Record<string, PlainValue> = { ...input.globals };
      for (const { file_path, variable: name } of input.reads)
        globals[name] = await files.read(file_path);
      try {
        const outcome = await engine.run({
          code: input.code,
          globals,
          exports: input.writes.map(({ variable: name }) => name),
          limits,
          functions: files.functions,
          signal: context.signal,
        });
        if (outcome.kind !== "completed") return await undo(files, describeEnd(outcome, limits));
        const refusal = await writeOut(outcome, input.writes, files);
        if (refusal !== undefined) return await undo(files, refusal);
        const workspace = workspaceOf(nameTool("evaluate_python"), context);
        await files.commit(workspace);
        const direct = directChanges(outcome, files);
        if (direct.changed.length + direct.removed.length > 0)
          recordCommand(
            { workspace, tool: "evaluate_python", command: input.code, exitCode: 0, ...direct },
            context,
          );
        return succeed(outcome, files, direct);
      } catch (error) {
        await files.rollback();
        throw error;
      }
    }),
    files: {
      changes: ({ writes }) =>
        writes
          .filter(({ mode }) => mode !== "create")
          .map(({ file_path, mode }) => ({
            path: file_path,
            extent: mode === "append" ? "part" : "whole",
          })),
    },
    render: (value: Shown) => renderValue(value, limits),
  });
}

function checkInput(
  input: z.output<typeof EvaluatePythonInput>,
  limits: PythonLimits,
): ToolFailure | undefined {
  const { code, globals, reads, writes } = input;
  if (code.length > limits.maxCodeCharacters)
    return fail(tooLong(code.length, limits.maxCodeCharacters));
  if (!code.isWellFormed())
    return fail("The code contains half of a surrogate pair, which is not a character.");
  const names = [...Object.keys(globals), ...[...reads, ...writes].map((each) => each.variable)];
  const wrong = names.find((name) => !NAME.test(name) || name.startsWith("__"));
  if (wrong !== undefined) return fail(`${quote(wrong)} cannot be the name of a variable.`);
  if (reads.length + writes.length > MAX_FILES)
    return fail(`One call reads and writes at most ${MAX_FILES} files.`);
  if (JSON.stringify(globals).length > limits.maxFileBytes)
    return fail("globals is too large. Put large data into a file and use reads.");
  return undefined;
}

type Completed = Extract<PythonOutcome, { kind: "completed" }>;

async function writeOut(
  { exported }: Completed,
  writes: z.output<typeof EvaluatePythonInput>["writes"],
  files: PythonFiles,
): Promise<ToolFailure | undefined> {
  for (const { file_path, variable: name, mode } of writes) {
    const value = Object.hasOwn(exported, name) ? exported[name] : undefined;
    if (value === undefined)
      return fail(
        `${quote(name)} is not a string at the end of the program, so it cannot be written.`,
      );
    await files.write(file_path, value, mode);
  }
  return undefined;
}

const ENDS = {
  time: (limits: PythonLimits) =>
    `The program ran longer than ${count(limits.timeoutMs / 1_000, "second")} and was ended.`,
  memory: (limits: PythonLimits) =>
    `The program needed more than ${Math.floor(limits.maxMemoryBytes / 1024 / 1024)} MiB of memory and was ended.`,
  recursion: (limits: PythonLimits) =>
    `The program called itself more than ${limits.maxRecursionDepth} levels deep and was ended.`,
  output: (limits: PythonLimits) =>
    `The program printed more than ${limits.maxOutputCharacters.toLocaleString("en")} characters and was ended.`,
  crash: () => "The program crashed the interpreter, which was restarted.",
} as const;

const MAX_OUTPUT_SHOWN = 4_000;
const MAX_ERROR_SHOWN = 2_000;

interface LabelledText {
  readonly label: string;
  readonly text: string;
}

/** The program's output, each part between fences. Empty parts are omitted. */
function showOutputs(
  outputs: readonly LabelledText[],
  maxCharacters: number = MAX_OUTPUT_SHOWN,
): string {
  const fence = chooseFence(...outputs.map(({ text }) => text));
  return outputs
    .filter(({ text }) => text !== "")
    .map(({ label, text }) => fenced(label, text, fence, { maxCharacters }))
    .join("\n");
}

function describeEnd(
  outcome: Exclude<PythonOutcome, Completed>,
  limits: PythonLimits,
): ToolFailure {
  const isRaised = outcome.kind === "raised";
  const message = isRaised ? oneLine(outcome.error, MAX_ERROR_SHOWN) : ENDS[outcome.limit](limits);
  const hint = showOutputs([
    { label: "", text: isRaised ? outcome.stderr.trim() : "" },
    { label: "It had printed:", text: outcome.stdout.trimEnd() },
  ]);
  return fail(message, hint === "" ? {} : { hint });
}

async function undo(files: PythonFiles, { message, hint }: ToolFailure): Promise<ToolFailure> {
  const isUndone = await files.rollback();
  if (files.written.length === 0)
    return hint === undefined ? fail(message) : fail(message, { hint });
  const paths = files.written
    .slice(0, 10)
    .map(({ path }) => quote(path))
    .join(", ");
  const what = isUndone
    ? `Its changes were rolled back: ${paths}.`
    : `It had already written these files: ${paths}.`;
  return fail(message, { hint: hint === undefined ? what : `${what}\n${hint}` });
}

/** The files that the program changed without `write_text`. */
function directChanges({ direct }: Completed, { written }: PythonFiles): DirectChanges {
  const { changed, removed } = withoutGit(direct ?? { changed: [], removed: [] });
  const known = new Set(written.map(({ path }) => path));
  return { changed: changed.filter(({ path }) => !known.has(path)), removed };
}

function succeed(
  { result, stdout, stderr, globals }: Completed,
  { written }: PythonFiles,
  { changed }: DirectChanges,
) {
  const paths = [...new Set([...written, ...changed].map(({ path }) => path))];
  const value = { result, stdout, stderr, globals, written: paths };
  const files =
    paths.length === 0
      ? ""
      : ` Wrote ${count(paths.length, "file")}: ${paths.slice(0, 10).map(quote).join(", ")}.`;
  return ok(value, `The program has run.${files}`);
}

type Shown = Pick<Completed, "result" | "stdout" | "stderr" | "globals">;

function renderValue({ result, stdout, stderr, globals }: Shown, limits: PythonLimits): string {
  const show = (value: PlainValue) =>
    clipText(JSON.stringify(value), { maxCharacters: limits.maxOutputCharacters });
  const outputs = [
    { label: "stdout:", text: stdout.replace(/\n$/, "") },
    { label: "stderr:", text: stderr.replace(/\n$/, "") },
  ];
  return [
    `result: ${show(result)}`,
    showOutputs(outputs, Infinity),
    Object.keys(globals).length === 0 ? "" : `globals: ${show(globals)}`,
  ]
    .filter((part) => part !== "")
    .join("\n");
}
