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
import { type OpenHostDriverOptions, openHostDriver } from "../open/open-host-driver.js";
import type { HostDriver } from "./host-driver.js";

export const SECRET = "canary-4f1d: nobody inside may see this";

/** In memory where there is such a place: for tests that would spend their time waiting for a disk. */
export const QUICK_PLACE = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();

export interface HostFixture {
  /** The workspace's directory. */
  readonly root: string;
  /** A directory beside it that nothing may touch. */
  readonly outside: string;
  readonly driver: HostDriver;
  /** Fails unless everything outside is as it was. */
  readonly expectOutsideUntouched: () => void;
}

/** Opens a workspace with a canary beside it. Both go when the test is over. */
export async function hostFixture(
  options: OpenHostDriverOptions = {},
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
  // Whatever depth and names a test leaves, rm can deal with.
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

/** Paths in these tests are written in their normal form. */
export function at(path: string): VirtualPath {
  return path as VirtualPath;
}

export function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** Of a small file, for which nobody waits. */
export function textOf(
  content: MaybePromise<{ bytes(): Uint8Array } | undefined>,
): string | undefined {
  if (isPromise(content)) throw new Error("What is small is there at once.");
  return content && new TextDecoder().decode(content.bytes());
}

/** How many descriptors this process holds, without those of the registry of temporary files: an open workspace may have one. */
export function openDescriptors(): number {
  const targets = readdirSync("/proc/self/fd").map(targetOf);
  return targets.filter((target) => !target.includes("/wink-temporaries-")).length;
}

function targetOf(descriptor: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`);
  } catch {
    // The one that the directory was read by.
    return "";
  }
}

/** Leaves a test that cannot be tried here, and says why. */
export function skipWithReason(skip: (note: string) => never, reason: string): never {
  console.log(`skipped: ${reason}`);
  return skip(reason);
}

/** The paths of everything a walk meets, with a mark for what is no file. */
export function walked(driver: HostDriver, base = ""): string[] {
  const mark = { file: "", directory: "/", symlink: "@", special: "!" };
  return [...driver.walk(at(base), () => true)].map(({ path, kind }) => path + mark[kind]);
}

/** Every call of the driver that names one path, for cases that hold for all of them. */
export const CALLS: readonly (readonly [string, (d: HostDriver, path: VirtualPath) => unknown])[] =
  [
    ["list", (d, path) => d.list(path)],
    ["read", (d, path) => d.read(path, 0, 100)],
    ["revision", (d, path) => d.revision(path)],
    ["write", (d, path) => d.write(path, bytes("x"), "overwrite")],
    ["append", (d, path) => d.write(path, bytes("x"), "append")],
    ["create", (d, path) => d.write(path, bytes("x"), "create")],
    ["mkdir", (d, path) => d.mkdir(path)],
    ["remove", (d, path) => d.remove(path)],
    ["removeTree", (d, path) => d.removeTree(path)],
    ["rename from", (d, path) => d.rename(path, at("elsewhere"))],
    ["rename to", (d, path) => d.rename(at("own.txt"), path)],
    ["clone from", (d, path) => d.clone(path, at("elsewhere"))],
    ["clone to", (d, path) => d.clone(at("own.txt"), path)],
    ["openRead", (d, path) => d.openRead(path)],
    ["openWrite", async (d, path) => (await d.openWrite(path, "overwrite")).commit()],
    ["openWrite append", async (d, path) => (await d.openWrite(path, "append")).commit()],
    ["walk", (d, path) => [...d.walk(path, () => true)]],
  ];
