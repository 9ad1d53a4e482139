import { mkdirSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { scratch } from "../snapshots/store-fixture.test.support.js";
import { ProcessLock } from "./process-lock.js";
import { temporaryName } from "./temporary-name.js";

function makeLock() {
  const directory = join(scratch(), "lock");
  return { directory, lock: new ProcessLock(directory), other: new ProcessLock(directory) };
}

it("a lock has one holder at a time, and its directory is removed with it (SE-28)", async () => {
  const { directory, lock, other } = makeLock();
  expect(lock.tryAcquire()).toBe(true);
  expect(lock.tryAcquire()).toBe(false);
  expect(other.tryAcquire()).toBe(false);
  expect(other.holder).toEqual({ pid: process.pid, state: "alive" });
  expect(await other.whenFree(0)).toBe(false);
  expect(await lock.whenFree(0)).toBe(true);
  const waiting = other.acquire(60_000);
  lock.release();
  expect(await waiting).toBe(true);
  other.release();
  expect(readdirSync(join(directory, ".."))).toEqual([]);
});

it("the lock of a dead process is taken over, and its file is removed (SE-28)", () => {
  const { directory, lock } = makeLock();
  mkdirSync(directory);
  writeFileSync(join(directory, temporaryName().replace(`-${process.pid}-`, "-4194305-")), "");
  expect(lock.tryAcquire()).toBe(true);
  expect(readdirSync(directory)).toHaveLength(1);
});

it("the lock of a process on another machine expires (SN-16)", () => {
  const { directory, lock } = makeLock();
  mkdirSync(directory);
  const [prefix, , ...rest] = temporaryName().split(/-(?!tmp)/);
  const path = join(directory, [prefix, "00000000", ...rest].join("-"));
  writeFileSync(path, "");
  expect(lock.tryAcquire()).toBe(false);
  expect(lock.holder).toMatchObject({ state: "unknown" });
  utimesSync(path, 0, 0);
  const never = new ProcessLock(directory, { foreignLifetimeMs: Number.POSITIVE_INFINITY });
  expect(never.tryAcquire()).toBe(false);
  expect(lock.tryAcquire()).toBe(true);
});

it("threads of one process exclude each other (SE-28)", () => {
  const { directory, lock } = makeLock();
  mkdirSync(directory);
  const ownThread = temporaryName();
  const [prefix, host, boot, namespace, pid, start, , random] = ownThread.split(/-(?!tmp)/);
  const token = [prefix, host, boot, namespace, pid, start, 4_711, random].join("-");
  writeFileSync(join(directory, token), "");
  expect(lock.tryAcquire()).toBe(false);
});

it("copies of the package in one process respect each other's locks (SE-28)", async () => {
  const { directory, lock } = makeLock();
  expect(lock.tryAcquire()).toBe(true);
  vi.resetModules();
  const copy = await import("./process-lock.js");
  expect(copy.ProcessLock).not.toBe(ProcessLock);
  expect(new copy.ProcessLock(directory).tryAcquire()).toBe(false);
});
