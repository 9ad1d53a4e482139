import { tmpdir } from "node:os";
import type { Command } from "commander";
import { describe, expect, it, vi } from "vitest";
import { memoryIo } from "../terminal/memory-io.test.support.js";
import { expectTranscript } from "../terminal/transcript.test.support.js";
import { runWink } from "../workspace/wink-process.test.support.js";
import { createProgram, runProgram } from "./program.js";

// Starting a process can take many seconds on a busy machine.
vi.setConfig({ testTimeout: 300_000 });

const here = { cwd: tmpdir(), env: {} };

describe("help", () => {
  it.each(pathsOf(createProgram(memoryIo())))(
    "of 'wink %s' matches its transcript in 80 columns (CL-1)",
    async (path) => {
      const io = memoryIo();
      expect(await runProgram(io, [...path.split(" ").filter(Boolean), "--help"])).toBe(0);
      expect(io.err()).toBe("");
      expect(
        io
          .out()
          .split("\n")
          .filter((line) => [...line].length > 80),
      ).toEqual([]);
      expectTranscript(`help/${path.replaceAll(" ", "-") || "wink"}`, io.out());
    },
  );

  it("is shown if no command is given, in a process and in the program (CL-1, CL-5)", async () => {
    const io = memoryIo();
    await runProgram(io, []);
    expect(await runWink([], here)).toEqual({ exitCode: 0, stdout: io.out(), stderr: "" });
  });
});

/** One row each: the arguments and the result. */
const MISTAKES = [
  { name: "unknown-command", argv: ["rnu"], exitCode: 2 },
  { name: "no-command", argv: ["--no-color"], exitCode: 2 },
  { name: "no-subcommand", argv: ["runs"], exitCode: 2 },
  { name: "unknown-option", argv: ["demo", "--quick"], exitCode: 2 },
  { name: "missing-argument", argv: ["run"], exitCode: 2 },
  { name: "unknown-backend", argv: ["run", "agent.ts", "--backend", "cloud"], exitCode: 2 },
  { name: "no-agent-file", argv: ["run", "agent.ts"], exitCode: 2 },
  { name: "turns-no-number", argv: ["run", "agent.ts", "--max-turns", "many"], exitCode: 2 },
  { name: "demo-unknown-model", argv: ["demo", "--model", "gpt"], exitCode: 2 },
  { name: "demo-no-key", argv: ["demo", "--model", "anthropic:some-model"], exitCode: 4 },
  { name: "log-no-file", argv: ["log", "run.jsonl"], exitCode: 2 },
  { name: "log-at-no-number", argv: ["log", "run.jsonl", "--at", "noon"], exitCode: 2 },
] as const;

describe("errors", () => {
  it.each(MISTAKES)("for $name are one sentence and a hint (CL-2, CL-3)", async (mistake) => {
    const io = memoryIo();
    expect(await runProgram(io, mistake.argv)).toBe(mistake.exitCode);
    expect(io.out()).toBe("");
    expect(io.err()).not.toMatch(/\n +at /);
    expectTranscript(`errors/${mistake.name}`, io.err());
  });

  it("print names and arguments without control characters (CL-7)", async () => {
    const io = memoryIo();
    await runProgram(io, ["log", "\u001b]0;taken over\u0007", "--json"]);
    expect(io.err() + io.out()).not.toMatch(/(?!\n)\p{Cc}/u);
    expect(io.err()).toContain("Log �]0;taken over� does not exist.");
  });

  it("include the stack with --debug (CL-2)", async () => {
    const io = memoryIo();
    await runProgram(io, ["log", "run.jsonl", "--debug"]);
    expect(io.err()).toMatch(/^wink: Log run\.jsonl does not exist\.\n.*\n\nCliError: .*\n +at /);
  });

  it("are one JSON document on stdout with --json, and the process exits with their code (CL-3, CL-4)", async () => {
    const { exitCode, stdout, stderr } = await runWink(["log", "run.jsonl", "--json"], here);
    expect(exitCode).toBe(2);
    expect(JSON.parse(stdout)).toEqual({
      error: {
        message: "Log run.jsonl does not exist.",
        hint: "wink run --log <directory> writes one.",
        exitCode: 2,
      },
    });
    expect(stderr).toMatch(/^wink: Log run\.jsonl does not exist\./);
  });
});

/** Every command by its words. The program itself is the empty string. */
function pathsOf(command: Command, before: readonly string[] = []): readonly string[] {
  const below = command.commands.flatMap((child) => pathsOf(child, [...before, child.name()]));
  return [before.join(" "), ...below];
}
