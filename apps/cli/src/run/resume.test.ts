import { basename, join } from "node:path";
import { readRun } from "@wink/adapters/run";
import { expect, it, vi } from "vitest";
import { callWink, runWink } from "../workspace/wink-process.test.support.js";
import { makeProject } from "../workspace/workspace.test.support.js";
import { RESUMED_AGENT } from "./resumed-agent.test.support.js";
import type { RunReport } from "./run-report.js";

// Starting a process can take many seconds on a busy machine.
vi.setConfig({ testTimeout: 300_000 });

/** The plain test command tries one of them, and CI tries all. */
const PLACES = ["store", "directory", "copy in memory"].slice(
  0,
  process.env["WINK_MORE_ROUNDS"] === undefined ? 1 : 3,
);

it.each(PLACES)(
  "wink run --resume continues a run in a %s after a kill and after an answer, and --from forks it (CL-48)",
  async (place) => {
    const { directory: cwd, env: given } = await makeProject({
      "agent.mjs": RESUMED_AGENT,
      "notes.txt": "start\n",
    });
    const env = { ...given, WINK_MARKER: join(cwd, "..", "marker") };
    const url = `sqlite:${join(cwd, "..", "runs.db")}`;
    const store = place === "store" ? ["--store", url] : [];
    const wink = (...args: readonly string[]) => callWink(args, { cwd, env });
    const answer = (...args: readonly string[]) => wink("runs", "answer", ...args, ...store);
    const run = (...args: readonly string[]) =>
      runWink(["run", "agent.mjs", "--json", ...args, ...store, ...backend], { cwd, env });
    const backend = place === "copy in memory" ? ["--backend", "memory"] : [];
    const logOf = ({ log }: RunReport) => (place === "store" ? `${url}#${log}` : log);
    const killed = await run("-p", "name=Ada");
    expect(killed.exitCode).not.toBe(0);
    // The lease of a killed process ends after a while.
    const parked = await vi.waitFor(
      async () => {
        const resumed = await run("--resume");
        expect(resumed.stderr + resumed.stdout).not.toContain("Another process works on the run.");
        return resumed;
      },
      { timeout: 120_000, interval: 3_000 },
    );
    expect(parked.stderr).toContain("with 2 answers of the model");
    expect(parked.stderr + parked.stdout).toContain("The run waits for an answer.");
    expect(parked.exitCode).toBe(3);
    const waits = JSON.parse((await answer("--json")).stdout);
    expect(waits).toMatchObject({ waits: [{ id: "1", text: "Go on?" }], answered: null });
    expect((await answer("yes")).stdout).toContain("Answered: Go on?");
    const { stdout, stderr, exitCode } = await run("--resume");
    expect(exitCode, stderr).toBe(0);
    const report = JSON.parse(stdout) as RunReport;
    expect(report).toMatchObject({ output: "Done.", finishReason: "completed", changes: [{}] });
    using reader = await readRun(logOf(report));
    const text = await reader.fileAt(reader.lastSequence, "notes.txt");
    expect(Buffer.from(text ?? []).toString()).toBe("start\none\ntwo\nthree\n");
    // The session already knows the files, so the model reads no new list of them.
    expect(reader.events.filter(({ type }) => type === "files.mount")).toHaveLength(1);
    const messages = JSON.stringify(reader.messagesAt(reader.lastSequence));
    expect(messages).not.toContain("These sections of your instructions have changed");
    if (place === "directory") {
      const id = basename(report.log);
      expect((await wink("log", id)).stdout).toBe((await wink("log")).stdout);
    }
    const prompt = reader.promptAt(reader.lastSequence);
    expect(prompt?.text).toContain("Work for Ada.");
    // Fork before the second call: the files have one line, and the rest is done again.
    const at = reader.calls[1]?.start ?? 0;
    const forked = await run("--from", `@${at}`);
    expect(forked.stderr + forked.stdout).toContain("The run waits for an answer.");
    await answer("no", "--reason", "late");
    const again = await run("--resume");
    expect(again.exitCode, again.stderr).toBe(0);
    const second = JSON.parse(again.stdout) as RunReport;
    using fork = await readRun(logOf(second));
    expect(fork.header?.forkedFrom).toEqual({ run: reader.header?.id, sequence: at });
    expect(JSON.stringify(fork.messagesAt(fork.lastSequence))).toContain("late");
    const last = await fork.fileAt(fork.lastSequence, "notes.txt");
    expect(Buffer.from(last ?? []).toString()).toBe("start\none\ntwo\nthree\n");
    expect(await run("--resume", "-p", "name=Bob")).toMatchObject({ exitCode: 2 });
    expect((await wink("apply")).stdout + (await wink("diff")).stdout).toContain("notes.txt");
  },
);
