import { execFileSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { callWink, runWink } from "../workspace/wink-process.test.support.js";
import { makeProject } from "../workspace/workspace.test.support.js";

// Starting a process can take many seconds on a busy machine.
vi.setConfig({ testTimeout: 600_000 });

it("wink completions completes commands, options and their values in bash (CL-40)", async () => {
  const { directory: cwd, env } = await makeProject({});
  const { stdout, exitCode } = await runWink(["completions", "bash"], { cwd, env });
  expect(exitCode).toBe(0);
  const script = join(cwd, "wink.bash");
  await writeFile(script, stdout);
  const complete = (line: string) => {
    const ask = `source ${script}; COMP_WORDS=(${line}); COMP_CWORD=$((\${#COMP_WORDS[@]}-1)); _wink; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return execFileSync("bash", ["--norc", "-uc", ask]).toString().trim().split("\n");
  };
  expect(complete("wink sn")).toEqual(["snapshots"]);
  expect(complete("wink ''")).toEqual(expect.arrayContaining(["apply", "mcp", "run", "--json"]));
  expect(complete("wink snapshots re")).toEqual(["restore"]);
  expect(complete("wink apply --on-conflict ''")).toEqual(["refuse", "merge"]);
  expect(complete("wink apply --on")).toEqual(["--on-conflict"]);
  expect(complete("wink completions z")).toEqual(["zsh"]);
  expect(complete("wink --json snapshots prune --ol")).toEqual(["--older-than"]);
  // A free-form value: the shell completes files, which is its default.
  expect(complete("wink mcp --root ''")).toEqual([""]);
});

it("wink completions prints scripts with descriptions for zsh and fish (CL-40)", async () => {
  const { directory: cwd, env } = await makeProject({});
  const zsh = (await callWink(["completions", "zsh"], { cwd, env })).stdout;
  expect(zsh).toContain("'undo:undo the last wink apply'");
  expect(zsh).toContain(`'apply --on-conflict') compadd -- 'refuse' 'merge'; return ;;`);
  expect(zsh).toContain("'mcp --root') _files; return ;;");
  const fish = (await callWink(["completions", "fish"], { cwd, env })).stdout;
  expect(fish).toContain("-a undo -d 'undo the last wink apply'\n");
  expect(fish).toContain(
    "complete -c wink -n '__fish_seen_subcommand_from apply' -l on-conflict -r -f -a 'refuse merge' -d ",
  );
});

it("wink completions names the supported shells for an unknown one (CL-40)", async () => {
  const { directory: cwd, env } = await makeProject({});
  const { exitCode, stderr } = await callWink(["completions", "tcsh"], { cwd, env });
  expect(exitCode).toBe(2);
  expect(stderr).toContain("Allowed choices are bash, zsh, fish.");
});
