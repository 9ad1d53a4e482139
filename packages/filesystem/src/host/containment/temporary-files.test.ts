import { spawnSync } from "node:child_process";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { at, bytes, hostFixture, walked } from "../driver/host-fixture.test.setup.js";
import { openHostDriver } from "../open/open-host-driver.test.support.js";
import { temporaryName } from "../process/temporary-name.js";
import { interceptCalls } from "../snapshots/intercepted-calls.test.support.js";

let program: string;

beforeAll(async () => {
  const outDir = mkdtempSync(join(tmpdir(), "wink-killed-writer-"));
  await build({
    configFile: false,
    logLevel: "silent",
    root: outDir,
    ssr: { noExternal: true },
    build: {
      ssr: fileURLToPath(new URL("killed-writer.test.program.ts", import.meta.url)),
      outDir,
      target: "es2023",
      rolldownOptions: { output: { entryFileNames: "writer.mjs", codeSplitting: false } },
    },
  });
  program = join(outDir, "writer.mjs");
  return () => rmSync(outDir, { recursive: true });
});

/**
 * Starts a process that begins to write a file, and kills it. Returns the name of the temporary file that it
 * leaves.
 */
function leftByKilledProcess(root: string, path: string): string {
  const directory = join(root, dirname(path));
  const before = new Set(readdirSync(directory));
  const { signal, stderr } = spawnSync(process.execPath, [program, root, path], {
    encoding: "utf8",
  });
  expect([signal, stderr]).toEqual(["SIGKILL", ""]);
  const [left = ""] = readdirSync(directory).filter((name) => !before.has(name));
  expect(left).toMatch(/^\.wink-tmp-/);
  return left;
}

/** Makes every removal of a file fail. Call the result to stop that. */
function failRemovals(): () => void {
  return interceptCalls((_number, name, args, proceed) => {
    if (name !== "unlinkSync") return proceed(...args);
    throw Object.assign(new Error("made to fail"), { code: "EACCES" });
  });
}

describe("temporary files", () => {
  /** A name that a dead process would have generated. */
  function nameOfDeadProcess(): string {
    const dead = spawnSync(process.execPath, ["-e", ""]).pid;
    return temporaryName().replace(`-${process.pid}-`, `-${dead}-`);
  }

  it("are created next to their target (K251)", async () => {
    const { driver, root } = await hostFixture();
    driver.mkdir(at("d"));
    const writer = await driver.accelerate.openWrite(at("d/f"), "create");
    expect(readdirSync(join(root, "d"))).toEqual([expect.stringMatching(/^\.wink-tmp-/)]);
    expect(lstatSync(join(root, "d", readdirSync(join(root, "d"))[0] ?? "")).mode & 0o777).toBe(
      0o600,
    );
    writer.abort();
  });

  it("that are being written are hidden and cannot be accessed (K254)", async () => {
    const { driver, root } = await hostFixture();
    const other = await openHostDriver(root, { fsync: false });
    onTestFinished(() => other.close());
    mkdirSync(join(root, "d"));
    const writer = await driver.accelerate.openWrite(at("d/f"), "create");
    writer.write(bytes("12345"));
    const [name = ""] = readdirSync(join(root, "d"));
    for (const each of [driver, other]) {
      expect(each.list(at("d"))).toEqual([]);
      expect(walked(each)).toEqual(["d/"]);
      expect(each.stat(at(`d/${name}`))).toBeUndefined();
      expect(each.accelerate.load(at(`d/${name}`), 100)).toBeUndefined();
      expect(await each.accelerate.usage()).toMatchObject({ totalBytes: 0, nodeCount: 1 });
      for (const call of [
        () => each.read(at(`d/${name}`), 0, 1),
        () => each.write(at(`d/${name}`), bytes("x"), "overwrite"),
        () => each.mkdir(at(`${name}/x`)),
        () => each.accelerate.rename(at("d"), at(name)),
        () => each.accelerate.openRead(at(`d/${name}`)),
      ])
        expect(call).toThrow(/EACCES: .* a temporary file that is being written/);
    }
    writer.commit();
    expect(walked(driver)).toEqual(["d/", "d/f"]);
  });

  it("do not prevent the removal of a directory that is otherwise empty (K254)", async () => {
    const { driver, root } = await hostFixture();
    driver.mkdir(at("d"));
    const writer = await driver.accelerate.openWrite(at("d/f"), "create");
    await driver.remove(at("d"));
    expect(readdirSync(root)).toEqual([]);
    writer.abort();
    mkdirSync(join(root, "e", temporaryName()), { recursive: true });
    await expect(driver.remove(at("e"))).rejects.toThrow(/EEXIST: .* the directory is not empty/);
  });

  it("of a killed process are removed at the next opening, and no other file is removed (K254)", async () => {
    const { root } = await hostFixture();
    mkdirSync(join(root, "a/b"), { recursive: true });
    const left = leftByKilledProcess(root, "a/b/file");
    const others = [temporaryName(), nameOfDeadProcess(), ".wink-tmp-x", left.replace(/.$/, "_")];
    for (const name of others) writeFileSync(join(root, "a/b", name), "");
    // The same name in another directory is another file.
    writeFileSync(join(root, "a", left), "");
    for (let time = 0; time < 2; time++) (await openHostDriver(root)).close();
    expect(readdirSync(join(root, "a/b")).sort()).toEqual(others.sort());
    expect(readdirSync(join(root, "a")).sort()).toEqual([left, "b"]);
  });

  it("of a killed process are forgotten when their workspace was deleted (K254)", async () => {
    const { root, outside } = await hostFixture();
    const other = join(outside, "other");
    mkdirSync(other);
    leftByKilledProcess(other, "file");
    const { dev, ino } = lstatSync(other);
    const registry = join(tmpdir(), `wink-temporaries-${process.geteuid?.() ?? 0}`);
    const left = () => readdirSync(registry).filter((name) => name.endsWith(`~${dev}:${ino}`));
    (await openHostDriver(root)).close();
    expect(left()).toHaveLength(1);
    rmSync(other, { recursive: true });
    (await openHostDriver(root)).close();
    expect(left()).toEqual([]);
  });

  it("of a killed process stay if the workspace is opened with sweep: false (K254)", async () => {
    const { root } = await hostFixture();
    const left = leftByKilledProcess(root, "file");
    (await openHostDriver(root, { sweep: false })).close();
    expect(readdirSync(root)).toEqual([left]);
  });

  it("that could not be removed are visible, and are removed after the workspace was closed (K254)", async () => {
    const { driver, root } = await hostFixture();
    const writer = await driver.accelerate.openWrite(at("f"), "create");
    const [name = ""] = readdirSync(root);
    const undo = failRemovals();
    try {
      writer.abort();
    } finally {
      undo();
    }
    expect(walked(driver)).toEqual([name]);
    driver.close();
    (await openHostDriver(root)).close();
    expect(readdirSync(root)).toEqual([]);
  });

  it("are written, and hidden from this process, if the registry is not private (K254, SN-24)", async () => {
    const { driver, root, outside } = await hostFixture();
    const registry = join(outside, `wink-temporaries-${process.geteuid?.() ?? 0}`);
    mkdirSync(registry);
    chmodSync(registry, 0o777);
    const before = process.env["TMPDIR"];
    process.env["TMPDIR"] = outside;
    onTestFinished(() => {
      if (before === undefined) delete process.env["TMPDIR"];
      else process.env["TMPDIR"] = before;
    });
    const writer = await driver.accelerate.openWrite(at("f"), "create");
    expect(walked(driver)).toEqual([]);
    expect(readdirSync(registry)).toEqual([]);
    // A record that another user could have written must not hide a file.
    const { dev, ino } = lstatSync(root);
    writeFileSync(
      join(registry, `${temporaryName()}~${dev}:${ino}`),
      `.wink-tmp-evil ${dev}:${ino}\n`,
    );
    writeFileSync(join(root, ".wink-tmp-evil"), "");
    expect(walked(driver)).toEqual([".wink-tmp-evil"]);
    writer.abort();
    expect(readdirSync(root)).toEqual([".wink-tmp-evil"]);
  });
});
