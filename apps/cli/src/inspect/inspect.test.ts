import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { agentSource, call, FILES } from "../run/agent-file.test.support.js";
import { callWink, collect, runWink, startWink } from "../workspace/wink-process.test.support.js";

// Starting a process can take many seconds on a busy machine.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const TURNS = [
  call("read_file", { file_path: "a.txt" }),
  call("edit_file", { file_path: "a.txt", old_string: "one", new_string: "ONE" }),
  call("blow"),
  { text: { summary: "Done." } },
];

let home: string;
let directory: string;
let env: Readonly<Record<string, string>>;

/** One run with a change and a rollback, which all tests only read. */
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "wink-inspect-test-"));
  directory = join(home, "shop");
  env = { WINK_STATE_DIR: join(home, "state"), HOME: home };
  await mkdir(directory);
  for (const [path, content] of Object.entries({ ...FILES, "agent.mjs": agentSource(TURNS) })) {
    await mkdir(dirname(join(directory, path)), { recursive: true });
    await writeFile(join(directory, path), content);
  }
  const { exitCode, stderr } = await runWink(["run", "agent.mjs", "--json"], {
    cwd: directory,
    env,
  });
  expect([exitCode, stderr]).toEqual([0, expect.anything()]);
});

afterAll(() => rm(home, { recursive: true, force: true }));

function wink(...args: readonly string[]) {
  return callWink(args, { cwd: directory, env });
}

it("at, diff and blame print one JSON document, for the last run and for a named one (IN-18, IN-19)", async () => {
  const ask = async (...words: readonly string[]) => {
    const { exitCode, stdout, stderr } = await wink("inspect", ...words);
    expect([exitCode, stderr]).toEqual([0, ""]);
    return JSON.parse(stdout);
  };
  const { log } = JSON.parse((await wink("log", "--json")).stdout);
  const { events } = JSON.parse((await wink("log", "--json", "--all")).stdout);
  const ended = (tool: string): number =>
    events.find(
      (event: { type: string; what: string }) =>
        event.type === "run.end-tool-call" && event.what === tool,
    ).sequence;
  const edit = ended("edit_file");

  const at = await ask("at", `${edit}`);
  expect(at).toMatchObject({
    sequence: edit,
    event: { type: "run.end-tool-call" },
    turn: { index: 1 },
    call: {
      tool: "edit_file",
      input: { file_path: "a.txt", old_string: "one", new_string: "ONE" },
    },
    changes: [{ type: "modified", path: "a.txt" }],
  });
  expect(Object.keys(at.state)).toContain("virtual-file-system");
  const diff = await ask(log, "diff", `0..${edit}`);
  expect(diff.files).toMatchObject([{ path: "a.txt", added: 1, removed: 1 }]);
  expect(diff.files[0].hunks[0].lines).toEqual(expect.arrayContaining(["-one", "+ONE"]));
  expect((await ask("blame", "a.txt")).ranges[0]).toMatchObject({
    ...{ from: 1, to: 1, sequence: edit, tool: "edit_file", turn: 1 },
  });
  const undone = await ask("at", `${ended("blow")}`);
  expect(undone.call).toMatchObject({
    status: "failed",
    undone: { paths: ["one.txt", "two.txt"] },
  });
});

it("a question that is not clear, an unknown event, path or run, and wrong options are refused in one sentence (IN-19)", async () => {
  const refused = async (...words: readonly string[]) => {
    const { exitCode, stderr } = await wink("inspect", ...words);
    expect(exitCode).toBe(2);
    return stderr;
  };
  expect(await refused("at")).toContain("The question is not clear.");
  expect(await refused("at", "x")).toContain("The question is not clear.");
  expect(await refused("diff", "1..2", "more")).toContain("The question is not clear.");
  expect(await refused("at", "9999")).toContain("The log has no event 9999.");
  expect(await refused("blame", "no.txt@3")).toContain("no.txt does not exist after event 3.");
  expect(await refused("missing", "at", "1")).toContain("Run missing does not exist.");
  expect(await refused("--without", "files")).toContain("Add --export <file>.");
  expect(await refused("--without", "all", "--export", "x.html")).toContain("prompts, files");
  expect(await refused("--port", "70000")).toContain("A port is a number");
  await mkdir(join(home, "empty"));
  expect(await refused("-w", join(home, "empty"))).toContain("No run yet on");
});

it("--export writes one file that only its owner can read, and lists its contents (IN-15)", async () => {
  const { stdout, exitCode } = await wink("inspect", "--export", "run.html");
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/^run\.html \([\d.]+ kB\) opens without a server/);
  expect(stdout).toContain("1 run with");
  expect(stdout).toContain("Anyone who has the file can read all of it.");
  const file = join(directory, "run.html");
  expect(((await stat(file)).mode & 0o777).toString(8)).toBe("600");
  const html = await readFile(file, "utf8");
  expect(html).toContain("default-src 'none'");
  expect(html).not.toContain(directory);
  const { ranges } = JSON.parse((await wink("inspect", "run.html", "blame", "a.txt")).stdout);
  expect(ranges[0]).toMatchObject({ from: 1, tool: "edit_file" });
  expect(await wink("inspect", "a.html")).toMatchObject({ exitCode: 2, stdout: "" });
  await writeFile(join(home, "empty.html"), "<p>Nothing.</p>");
  expect((await wink("inspect", "../empty.html")).stderr).toContain("This page has no runs.");
  const without = await wink("inspect", "--export", "run.html", "--without", "prompts,files");
  expect(without.stdout).toContain("no prompts and messages");
  expect(without.stdout).toContain("no contents of files");
});

it("the server answers with the token that it printed, and Ctrl-C ends it (IN-10, IN-18)", async () => {
  const child = startWink(["inspect", "--json"], { cwd: directory, env: env });
  const [stdout, stderr] = [collect(child.stdout), collect(child.stderr)];
  const ended = once(child, "close");
  await vi.waitFor(() => expect(stdout()).toContain("#token="), { timeout: 120_000 });
  const url = new URL(JSON.parse(stdout()).url);
  expect(url.hostname).toBe("127.0.0.1");
  const token = url.hash.slice("#token=".length);
  const headers = { authorization: `Bearer ${token}` };
  const answer = await fetch(`${url.origin}/api/info`, { headers });
  expect(await answer.json()).toMatchObject({ open: "0", runs: [{ calls: 3, undoneCalls: 1 }] });
  expect((await fetch(`${url.origin}/api/info`)).status).toBe(401);
  expect(await (await fetch(url.origin)).text()).toMatch(/^<!doctype html>/i);
  child.kill("SIGINT");
  expect([await ended, stderr()]).toEqual([[0, null], expect.stringContaining("Interrupted")]);
});

it("--check replays the recorded answers, and names what differs in the first other request (IN-20)", async () => {
  const check = async (agent: string) => {
    const args = ["inspect", "--check", agent, "--json"];
    const { exitCode, stdout } = await runWink(args, { cwd: directory, env });
    return { exitCode, ...JSON.parse(stdout) };
  };
  expect(await check("agent.mjs")).toEqual({ exitCode: 0, equal: 4, recorded: 4, first: null });
  const changed = agentSource(TURNS).replace("Write two files, then fail.", "Write some files.");
  await writeFile(join(home, "changed.ts"), changed);
  expect(await check("../changed.ts")).toMatchObject({
    ...{ exitCode: 1, equal: 0, recorded: 4 },
    first: {
      turn: 0,
      difference: {
        ...{ sections: [], message: null, outputSchema: false },
        tools: [{ name: "blow", type: "changed" }],
      },
    },
  });
  // The handler of an earlier call answers differently.
  const later = agentSource(TURNS).replace(
    `throw new Error("blown")`,
    `return ok(undefined, "Fine.")`,
  );
  await writeFile(join(home, "later.ts"), later);
  expect(await check("../later.ts")).toMatchObject({
    ...{ exitCode: 1, equal: 3, recorded: 4 },
    first: { turn: 3, difference: { sections: [], tools: [], message: 5 } },
  });
});
