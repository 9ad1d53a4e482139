import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { AdapterError } from "@wink/adapters";
import { FilesystemError } from "@wink/filesystem";
import { expect, it } from "vitest";
import { renderDiagnosis } from "../doctor/render-diagnosis.js";
import type { RunReport } from "../run/run-report.js";
import { renderEnd } from "../run/show-report.js";
import { memoryIo } from "../terminal/memory-io.test.support.js";
import { countLeftOut } from "../view/left-out.js";
import { reportError } from "./report-error.js";

/** The start of `wink` on another version of Node. */
function startOnNode(version: string): string {
  const wink = fileURLToPath(new URL("../../bin/wink.js", import.meta.url));
  const program = `Object.defineProperty(process, "versions", { value: { node: "${version}" } }); import(${JSON.stringify(wink)});`;
  return spawnSync(process.execPath, ["-e", program], { encoding: "utf8" }).stderr;
}

function printed(error: unknown): string {
  const io = memoryIo({});
  reportError(io, error, { json: false, debug: false });
  return io.err();
}

/** The end of a run whose changes were kept nowhere. */
function endWithout(changes: number): string {
  const report = {
    ...{ agent: "agent.ts", model: "scripted", workspace: "/home/me/shop", backend: "memory" },
    ...{ finishReason: "completed", output: "", patchFile: null, log: null, kept: "nowhere" },
    ...{ line: null, conflicts: [] },
    changes: Array.from({ length: changes }, (_, index) => ({ type: "added", path: `${index}` })),
    usage: { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0, toolCalls: 1, turns: 2 },
  };
  return renderEnd(memoryIo({}), report as unknown as RunReport, undefined);
}

const DENIED = {
  reason: "the operating system denied access",
  advice: "Check the owner and the permissions of the file and of its directory.",
};

/** What readers once found unclear, and the text that they read now. */
const TEXTS: Readonly<Record<string, readonly [() => string, string]>> = {
  "Node that is too old": [
    () => startOnNode("18.20.8"),
    "wink: Node 18.20.8 is too old.\nInstall Node 20.19 or newer.\n",
  ],
  "a full disk": [
    () => printed(new FilesystemError("EDQUOT", { operation: "mount", path: "." })),
    "Free some space on its disk, or set WINK_STATE_DIR to a directory on another disk.",
  ],
  "a directory that the user may not write": [
    () => printed(new FilesystemError("EACCES", { operation: "apply", path: "a.txt", ...DENIED })),
    "wink: EACCES: apply 'a.txt': the operating system denied access. Check the owner and the permissions of the file and of its directory.\n",
  ],
  "a request that differs from the recorded one": [
    () =>
      printed(
        new AdapterError("REQUEST_CHANGED", {
          subject: "request 1",
          reason: "it differs from the recorded one:\n- Write it.\n+ Write it twice.",
        }),
      ),
    "wink: request 1: it differs from the recorded one:\n- Write it.\n+ Write it twice.\n",
  ],
  "paths that are not copied": [
    () =>
      countLeftOut([
        { path: "a", reason: "too-large", isDirectory: false },
        { path: "b", reason: "symlink", isDirectory: false },
        { path: "c", reason: "symlink", isDirectory: false },
      ]),
    "1 too large, 2 symbolic links",
  ],
  "a machine without some features": [
    () =>
      renderDiagnosis(memoryIo({}), {
        usable: true,
        checks: [{ name: "openai", status: "warning", message: "No key is set for openai." }],
      }),
    "wink works here, except for the features marked !.",
  ],
  "one discarded change": [
    () => endWithout(1),
    "1 change was discarded with the temporary copy; /home/me/shop is unchanged.",
  ],
  "several discarded changes": [
    () => endWithout(2),
    "2 changes were discarded with the temporary copy; /home/me/shop is unchanged.",
  ],
};

it.each(Object.entries(TEXTS))("%s is explained in plain words (CL-2)", (_, [text, expected]) => {
  expect(text()).toContain(expected);
});
