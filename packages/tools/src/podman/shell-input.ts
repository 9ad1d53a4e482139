import { isFilesystemError } from "@wink/filesystem";
import { fail, type ToolContext, type ToolFailure } from "@wink/prompt";
import { z } from "zod";
import { count } from "../reply/count.js";
import { quote } from "../reply/quote.js";
import { isVariable } from "./resolve-config.js";

export const ShellExecuteInput = z.object({
  command: z
    .union([z.string(), z.array(z.string()).min(1)])
    .describe(
      "A command line for sh, or a list with a program and its arguments, which runs without a shell.",
    ),
  cwd: z.string().default(".").describe("The directory to run it in."),
  env: z.record(z.string(), z.string()).default({}).describe("Additional environment variables."),
  stdin: z.string().optional().describe("The standard input of the command."),
  timeout_seconds: z
    .number()
    .positive()
    .optional()
    .describe("The timeout. Then the command and all its processes are killed."),
});

export type ShellExecuteInput = z.output<typeof ShellExecuteInput>;

/** The kernel's limits for one argument, and for all arguments and variables together, with a margin. */
const MAX_ARGUMENT_BYTES = 120_000;
const MAX_TOTAL_BYTES = 1_000_000;
const MAX_STDIN_BYTES = 16 * 1024 * 1024;

/** Returns a failure if the input cannot be run. */
export function checkShellInput(input: ShellExecuteInput): ToolFailure | undefined {
  const { command, env, stdin = "" } = input;
  const pieces = typeof command === "string" ? [command] : command;
  if (pieces[0]?.trim() === "") return fail("The command is empty.");
  const wrong = Object.keys(env).find((name) => !isVariable(name));
  if (wrong !== undefined) return fail(`${quote(wrong)} cannot be the name of a variable.`);
  const values = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  const texts = [...pieces, ...values];
  if (texts.some((text) => text.includes("\0")))
    return fail("A command and its variables cannot contain a NUL character.");
  if ([...texts, stdin].some((text) => !text.isWellFormed()))
    return fail("The input contains half of a surrogate pair, which is not a character.");
  const sizes = texts.map((text) => Buffer.byteLength(text));
  const total = sizes.reduce((sum, size) => sum + size, 0);
  if (Math.max(...sizes) > MAX_ARGUMENT_BYTES || total > MAX_TOTAL_BYTES)
    return fail(
      `The command is too long: one argument may have at most ${count(MAX_ARGUMENT_BYTES, "byte")}, and all together ${MAX_TOTAL_BYTES.toLocaleString("en")}.`,
      { hint: "Write it to a file and run the file, or pass data in stdin." },
    );
  if (Buffer.byteLength(stdin) > MAX_STDIN_BYTES)
    return fail("stdin is too long.", {
      hint: "Write it to a file and let the command read the file.",
    });
  return undefined;
}

/** Returns the directory as a path in the container, or a failure. */
export async function directoryOf(
  cwd: string,
  workspaceRoot: string,
  { filesystem, signal }: ToolContext,
): Promise<string | ToolFailure> {
  try {
    const { kind, path, identity } = await filesystem.stat(cwd, { signal });
    if (kind !== "directory") return fail(`${quote(cwd)} is not a directory of the workspace.`);
    // In the container the kernel would follow the link, and a process could change it after this check.
    if (identity !== path)
      return fail(`${quote(cwd)} is a symbolic link, or its path has one.`, {
        hint: `Use ${quote(identity)}.`,
      });
    return path === "" || path === "." || path === "/" ? workspaceRoot : `${workspaceRoot}/${path}`;
  } catch (error) {
    if (isFilesystemError(error, "ENOENT"))
      return fail(`${quote(cwd)} does not exist in the workspace.`);
    throw error;
  }
}
