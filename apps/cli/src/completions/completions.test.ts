import { spawnSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { createProgram } from "../commands/program.js";
import { memoryIo } from "../terminal/memory-io.test.support.js";
import { hasProgram } from "../workspace/has-component.test.support.js";
import { callWink, runWink, WINK, winkEnv } from "../workspace/wink-process.test.support.js";
import { makeProject } from "../workspace/workspace.test.support.js";
import { complete } from "./complete.js";

// Starting a process can take many seconds on a busy machine.
vi.setConfig({ testTimeout: 600_000 });

const words = (...line: readonly string[]) =>
  complete(createProgram(memoryIo()), line).map(({ word }) => word);

it("complete offers commands, options and their values (CL-40)", () => {
  expect(words("sn")).toEqual(["snapshots"]);
  expect(words("")).toEqual(expect.arrayContaining(["apply", "mcp", "run", "--json"]));
  expect(words("")).not.toContain("complete");
  expect(words("snapshots", "re")).toEqual(["restore"]);
  expect(words("apply", "--on-conflict", "")).toEqual(["refuse", "merge"]);
  expect(words("apply", "--on")).toEqual(["--on-conflict"]);
  expect(words("completions", "z")).toEqual(["zsh"]);
  expect(words("--json", "snapshots", "prune", "--ol")).toEqual(["--older-than"]);
  // A free-form value and an agent file: the shell completes files.
  expect(words("mcp", "--root", "")).toEqual([]);
  expect(words("run", "agent.")).toEqual([]);
});

/** A project with `wink` on its PATH, as after an installation. */
async function installed() {
  const { directory: cwd, env, write } = await makeProject({});
  await write("../bin/wink", `#!/bin/sh\nexec ${WINK.map((word) => `'${word}'`).join(" ")} "$@"\n`);
  spawnSync("chmod", ["+x", join(cwd, "../bin/wink")]);
  const PATH = `${join(cwd, "../bin")}:${process.env["PATH"]}`;
  return { cwd, env: winkEnv({ ...env, PATH }) };
}

it("the script for bash completes with the answers of wink (CL-40)", async () => {
  const { cwd, env } = await installed();
  const { stdout } = await runWink(["completions", "bash"], { cwd, env });
  await writeFile(join(cwd, "wink.bash"), stdout);
  const ask = (line: string) => {
    const script = `source wink.bash; COMP_WORDS=(${line}); COMP_CWORD=$((\${#COMP_WORDS[@]}-1)); _wink; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { stdout: words } = spawnSync("bash", ["--norc", "-uc", script], { cwd, env });
    return words.toString().trim().split("\n");
  };
  expect(ask("wink snapshots re")).toEqual(["restore"]);
  expect(ask("wink apply --on-conflict ''")).toEqual(["refuse", "merge"]);
  expect(ask("wink mcp --root ''")).toEqual([""]);
});

it.runIf(hasProgram("fish", ["--version"], "completions for fish need fish; install fish"))(
  "the script for fish completes with the answers of wink (CL-40)",
  async () => {
    const { cwd, env } = await installed();
    const { stdout } = await runWink(["completions", "fish"], { cwd, env });
    await writeFile(join(cwd, "wink.fish"), stdout);
    const script = "source wink.fish; complete -C 'wink snapshots re'";
    const given = spawnSync("fish", ["--no-config", "-c", script], { cwd, env });
    expect(given.stdout.toString()).toMatch(/^restore\trestore a snapshot/);
  },
);

it.runIf(hasProgram("zsh", ["--version"], "completions for zsh need zsh; install zsh"))(
  "the script for zsh offers the answers of wink (CL-40)",
  async () => {
    const { cwd, env } = await installed();
    const { stdout } = await runWink(["completions", "zsh"], { cwd, env });
    await writeFile(join(cwd, "wink.zsh"), stdout);
    const stub = `compdef() { :; }; _describe() { print -l -- "\${(@P)2}"; }; _files() { print files; }`;
    const ask = (line: string) =>
      spawnSync(
        "zsh",
        ["-fc", `${stub}; source ./wink.zsh; words=(${line}); CURRENT=$#words; _wink`],
        {
          ...{ cwd, env },
        },
      ).stdout.toString();
    expect(ask("wink snapshots re")).toMatch(/^restore:restore a snapshot/);
    expect(ask("wink mcp --root ''")).toBe("files\n");
  },
);

it("wink completions names the supported shells for an unknown one (CL-40)", async () => {
  const { directory: cwd, env } = await makeProject({});
  const { exitCode, stderr } = await callWink(["completions", "tcsh"], { cwd, env });
  expect(exitCode).toBe(2);
  expect(stderr).toContain("Allowed choices are bash, zsh, fish, powershell.");
});
