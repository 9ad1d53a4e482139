import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { HostFilesystem } from "../open/host-filesystem.js";
import {
  at,
  bytes,
  hostFixture,
  makePlaces,
  skipWithReason,
  textOf,
} from "./host-fixture.test.setup.js";

/** Takes a lease and does not release it when the kernel asks. The kernel revokes it after about 45 seconds. */
const HOLDER = `
import fcntl, os, signal, sys
signal.signal(signal.SIGIO, signal.SIG_IGN)
fd = os.open(sys.argv[1], os.O_RDWR)
fcntl.fcntl(fd, fcntl.F_SETLEASE, fcntl.F_WRLCK)
print("held", flush=True)
sys.stdin.read()
`;

const REASON = "another program holds the file";

/** Starts another program that holds a lease on the file until the test ends. */
async function hold(path: string, skip: (note: string) => never): Promise<void> {
  const holder = spawn("python3", ["-c", HOLDER, path]);
  onTestFinished(() => void holder.kill("SIGKILL"));
  let trouble = "";
  holder.stderr.on("data", (text) => {
    trouble += text;
  });
  const isHeld = await new Promise<boolean>((resolve) => {
    holder.once("error", () => resolve(false));
    holder.once("close", () => resolve(false));
    holder.stdout.once("data", () => resolve(true));
  });
  if (isHeld) return;
  const why = trouble.trim().split("\n").at(-1) || "python3 is not installed";
  const reason = `a lease on a file could not be taken: ${why}`;
  if (process.env["WINK_REQUIRE_ALL"]) throw new Error(reason);
  skipWithReason(skip, reason);
}

it("a file that another program holds cannot be read, and can be replaced (FS-65, FS-82)", async ({
  skip,
}) => {
  const { driver, root } = await hostFixture();
  writeFileSync(join(root, "held"), "old");
  await hold(join(root, "held"), skip);
  expect(() => driver.accelerate.load(at("held"), 100)).toThrow(`EACCES: read 'held': ${REASON}.`);
  expect(() => driver.read(at("held"), 0, 10)).toThrow(`EACCES: read 'held': ${REASON}.`);
  expect(() => driver.accelerate.revision(at("held"))).toThrow(`EACCES: stat 'held': ${REASON}.`);
  expect(() => driver.accelerate.openRead(at("held"))).toThrow(REASON);
  expect(() => driver.write(at("held"), bytes("x"), "append")).toThrow(
    `EACCES: write 'held': ${REASON}.`,
  );
  await expect(driver.accelerate.clone(at("held"), at("copy"))).rejects.toThrow(REASON);
  expect(driver.stat(at("held"))).toMatchObject({ kind: "file", sizeBytes: 3 });
  driver.write(at("held"), bytes("new"), "overwrite");
  expect(readFileSync(join(root, "held"), "utf8")).toBe("new");
  expect(textOf(driver.accelerate.load(at("held"), 100))).toBe("new");
});

it("a file that another program holds is reported as unreadable by searches and snapshots, and searches continue (C90, FS-48)", async ({
  skip,
}) => {
  const { root } = makePlaces();
  await using fs = await HostFilesystem.open(root, { fsync: false });
  for (const name of ["after", "before", "held"]) writeFileSync(join(root, name), "the needle");
  await hold(join(root, "held"), skip);
  const found = await fs.grep("needle");
  expect(found.map(({ path }) => path)).toEqual(["after", "before"]);
  expect([found.skipped, found.skippedCount]).toEqual([
    [{ path: "held", reason: "unreadable" }],
    1,
  ]);
  expect((await fs.glob("*")).map(({ path }) => path)).toEqual(["after", "before", "held"]);
  expect(await fs.usage()).toMatchObject({ fileCount: 3, totalBytes: 30 });
  await expect(fs.snapshot()).rejects.toMatchObject({ code: "UNREADABLE", paths: ["held"] });
});

it("entries of a walk return undefined for a file that another program holds (C90)", async ({
  skip,
}) => {
  const { driver, root } = await hostFixture();
  writeFileSync(join(root, "held"), "x");
  await hold(join(root, "held"), skip);
  const [entry] = driver.accelerate.walk(at(""), () => true);
  expect([entry?.load(10), entry?.peek(10), entry?.revision()]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});
