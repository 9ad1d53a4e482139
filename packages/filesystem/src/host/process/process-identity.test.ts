import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { Writable } from "node:stream";
import { expect, it, onTestFinished } from "vitest";
import { findProcess, processIdentity } from "./process-identity.js";

const POLL = { timeout: 30_000 };

it("findProcess distinguishes living, dead and unknown processes (SB-15, SE-28)", () => {
  const own = processIdentity();
  const [host, boot, namespace, pid, start] = own.split("-");
  const stateOf = (...parts: readonly unknown[]) => findProcess(parts.join("-"))?.state;
  expect(findProcess(own)).toEqual({ pid: process.pid, state: "alive" });
  expect(stateOf(host, boot, namespace, pid, `${start}1`)).toBe("dead");
  expect(stateOf(host, "00000000", namespace, pid, start)).toBe("dead");
  expect(stateOf(host, boot, namespace, "4194305", "1")).toBe("dead");
  expect(stateOf("00000000", boot, namespace, "4194305", "1")).toBe("unknown");
  expect(stateOf(host, boot, "1", "4194305", "1")).toBe("unknown");
});

it.each(["", "x", "1-2-3-4-5", "../../etc/passwd"])("%j is not an identity (SB-15)", (text) => {
  expect(findProcess(text)).toBeUndefined();
});

it("text after an identity is ignored (SE-28)", () => {
  expect(findProcess(`${processIdentity()}-0-0123456789abcdef`)?.state).toBe("alive");
});

it("a process that ended but was not waited for is dead (SE-28)", async () => {
  // The shell becomes `sleep`, which never waits for its child. The child ends when descriptor 3 is closed.
  const parent = spawn("sh", ["-c", "read line <&3 & echo $!; exec sleep 600"], {
    stdio: ["ignore", "pipe", "ignore", "pipe"],
  });
  onTestFinished(() => void parent.kill());
  const [stdout, input] = [parent.stdio[1], parent.stdio[3]];
  if (stdout === null || !(input instanceof Writable)) throw new Error("A pipe is missing.");
  const pid = Number((await once(stdout, "data"))[0]);
  const fieldsOf = (id: number) => readFileSync(`/proc/${id}/stat`, "latin1").split(" ");
  await expect.poll(() => fieldsOf(parent.pid ?? 0)[1], POLL).toBe("(sleep)");
  input.end();
  await expect.poll(() => fieldsOf(pid)[2], POLL).toBe("Z");
  const [host, boot, namespace] = processIdentity().split("-");
  const identity = [host, boot, namespace, pid, fieldsOf(pid)[21]].join("-");
  expect(findProcess(identity)).toEqual({ pid, state: "dead" });
}, 90_000);
