import { execFileSync } from "node:child_process";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import type { VirtualPath } from "../../path/virtual-path.js";
import { isPromise, type MaybePromise } from "../../protocol/maybe-promise.js";
import { openHostDriver } from "../open/open-host-driver.test.support.js";
import type { HostDriver } from "./host-driver.js";

export const SECRET = "canary-4f1d: code inside must not see this";

/** A directory in memory if there is one, for tests that would be slow on a disk. */
export const QUICK_PLACE = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();

export interface HostFixture {
  /** The workspace's directory. */
  readonly root: string;
  /** A directory next to it that must not change. */
  readonly outside: string;
  readonly driver: HostDriver;
  /** Fails if anything in `outside` changed. */
  readonly expectOutsideUntouched: () => void;
}

/** Opens a workspace with a secret file next to it. Both are removed after the test. */
export async function hostFixture(
  options: Parameters<typeof openHostDriver>[1] = {},
  parent = tmpdir(),
): Promise<HostFixture> {
  const { root, outside } = makePlaces(parent);
  const driver = await openHostDriver(root, { fsync: false, ...options });
  onTestFinished(() => driver.close());
  const before = manifest(outside);
  const expectOutsideUntouched = () => expect(manifest(outside)).toEqual(before);
  return { root, outside, driver, expectOutsideUntouched };
}

export function makePlaces(parent = tmpdir()): { readonly root: string; readonly outside: string } {
  const place = mkdtempSync(join(realpathSync(parent), "wink-host-"));
  // `rm` can remove trees of any depth and with any names.
  onTestFinished(() => void execFileSync("rm", ["-rf", "--", place]));
  const root = join(place, "root");
  const outside = join(place, "outside");
  for (const directory of [root, outside, join(outside, "folder")]) mkdirSync(directory);
  writeFileSync(join(outside, "secret.txt"), SECRET);
  writeFileSync(join(outside, "folder/inner.txt"), SECRET);
  return { root, outside };
}

/** Every node below a directory with its mode and content. */
export function manifest(directory: string): readonly string[] {
  const lines: string[] = [];
  for (const name of readdirSync(directory, { recursive: true, encoding: "utf8" }).sort()) {
    const stat = lstatSync(join(directory, name));
    const content = stat.isFile() ? readFileSync(join(directory, name), "latin1") : "";
    lines.push(`${name} ${stat.mode.toString(8)} ${content}`);
  }
  return lines;
}

/** Paths in these tests are already normalized. */
export function at(path: string): VirtualPath {
  return path as VirtualPath;
}

export function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** The text of a small file, which the driver returns synchronously. */
export function textOf(
  content: MaybePromise<{ bytes(): Uint8Array } | undefined>,
): string | undefined {
  if (isPromise(content)) throw new Error("A small file must be returned synchronously.");
  return content && new TextDecoder().decode(content.bytes());
}

/**
 * The number of open descriptors of this process, without those of the registry of temporary files: an open
 * workspace may have one.
 */
export function openDescriptors(): number {
  const targets = readdirSync("/proc/self/fd").map(targetOf);
  return targets.filter((target) => !target.includes("/wink-temporaries-")).length;
}

function targetOf(descriptor: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`);
  } catch {
    // The descriptor that read the directory is closed already.
    return "";
  }
}

/** Skips a test that cannot run here and logs the reason. */
export function skipWithReason(skip: (note: string) => never, reason: string): never {
  console.log(`skipped: ${reason}`);
  return skip(reason);
}

/** The paths of all entries of a walk, with a suffix for entries that are not files. */
export function walked(driver: HostDriver, base = ""): string[] {
  const mark = { file: "", directory: "/", symlink: "@", special: "!" };
  return [...driver.accelerate.walk(at(base), () => true)].map(
    ({ path, kind }) => path + mark[kind],
  );
}

/** All driver calls that take one path, for tests that apply to each of them. */
export const CALLS: readonly (readonly [string, (d: HostDriver, path: VirtualPath) => unknown])[] =
  [
    ["list", (d, path) => d.list(path)],
    ["read", (d, path) => d.read(path, 0, 100)],
    ["revision", (d, path) => d.accelerate.revision(path)],
    ["write", (d, path) => d.write(path, bytes("x"), "overwrite")],
    ["append", (d, path) => d.write(path, bytes("x"), "append")],
    ["create", (d, path) => d.write(path, bytes("x"), "create")],
    ["mkdir", (d, path) => d.mkdir(path)],
    ["remove", (d, path) => d.remove(path)],
    ["removeTree", (d, path) => d.accelerate.removeTree(path)],
    ["rename from", (d, path) => d.accelerate.rename(path, at("elsewhere"))],
    ["rename to", (d, path) => d.accelerate.rename(at("own.txt"), path)],
    ["clone from", (d, path) => d.accelerate.clone(path, at("elsewhere"))],
    ["clone to", (d, path) => d.accelerate.clone(at("own.txt"), path)],
    ["openRead", (d, path) => d.accelerate.openRead(path)],
    ["openWrite", async (d, path) => (await d.accelerate.openWrite(path, "overwrite")).commit()],
    [
      "openWrite append",
      async (d, path) => (await d.accelerate.openWrite(path, "append")).commit(),
    ],
    ["walk", (d, path) => [...d.accelerate.walk(path, () => true)]],
  ];
