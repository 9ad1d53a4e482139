import { existsSync } from "node:fs";
import { mkdir, symlink } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { expect, it, vi } from "vitest";
import { runWink } from "../workspace/wink-process.test.support.js";
import { makeProject } from "../workspace/workspace.test.support.js";
import type { Diagnosis } from "./check.js";
import { checkNode } from "./check-machine.js";

// Starting a process can take many seconds on a busy machine.
vi.setConfig({ testTimeout: 600_000 });

/** A directory for PATH that contains only these programs. */
async function onlyPrograms(home: string, names: readonly string[]): Promise<string> {
  const folder = join(home, "bin");
  await mkdir(folder);
  for (const directory of (process.env["PATH"] ?? "").split(delimiter))
    for (const name of names)
      if (existsSync(join(directory, name)) && !existsSync(join(folder, name)))
        await symlink(join(directory, name), join(folder, name));
  return folder;
}

it("wink doctor reports what works and what to do about the rest, without Podman and keys (CL-39)", async () => {
  const { directory: cwd, env, state } = await makeProject({ "a.txt": "a\n" });
  const PATH = await onlyPrograms(dirname(state), []);
  const { exitCode, stdout, stderr } = await runWink(["doctor"], { cwd, env: { ...env, PATH } });
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  expect(stdout).toContain(`Node ${process.versions.node}`);
  expect(stdout).toMatch(/^! git .*\n.*Install git/m);
  expect(stdout.replace(/\s+/g, " ")).toContain(`${state}, created when it is first needed.`);
  expect(stdout.split("\n").filter((line) => line.length > 80)).toEqual([]);
  expect(stdout).toMatch(/^✓ containment /m);
  expect(stdout).toMatch(/^! openai .*\n.*Set OPENAI_API_KEY/m);
  expect(stdout).toMatch(/^! podman engine /m);
  expect(stdout).toMatch(/\nwink works here, except for the features marked !\.\n$/);
  expect(stdout.split("\n").some((line) => line.includes("\u001b"))).toBe(false);
});

it("wink doctor never shows a key, and exits with 4 if something required is missing (CL-39)", async () => {
  const { directory: cwd, state } = await makeProject({ file: "in the way\n" });
  const PATH = await onlyPrograms(dirname(state), ["git"]);
  const env = {
    PATH,
    WINK_STATE_DIR: join(cwd, "file", "state"),
    OPENAI_API_KEY: "sk-secret-1",
    ANTHROPIC_API_KEY: "sk-secret-2",
  };
  const { exitCode, stdout, stderr } = await runWink(["doctor", "--json"], { cwd, env });
  expect(exitCode).toBe(4);
  expect(stdout + stderr).not.toContain("secret");
  const { usable, checks } = JSON.parse(stdout) as Diagnosis;
  expect(usable).toBe(false);
  const about = (wanted: string) => checks.find(({ name }) => name === wanted);
  expect(about("git")?.status).toBe("ok");
  expect(about("openai")?.message).toBe("openai has a key.");
  expect(about("anthropic")?.message).toBe("anthropic has a key.");
  expect(about("state directory")).toMatchObject({
    status: "failed",
    action: "Set WINK_STATE_DIR to a directory of your own.",
  });
});

it.each([
  ["18.20.0", "failed"],
  ["20.18.9", "failed"],
  ["20.19.0", "warning"],
  ["22.12.0", "ok"],
  ["26.0.0", "ok"],
])("wink doctor reports Node %s as %s (CL-39)", (version, status) => {
  expect(checkNode(version).status).toBe(status);
});
