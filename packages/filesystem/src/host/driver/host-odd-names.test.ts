import { lstatSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { at, bytes, hostFixture, textOf, walked } from "./host-fixture.test.setup.js";

const NAMES = [
  Buffer.from([0x63, 0x61, 0x66, 0xe9]),
  Buffer.from("tab\there"),
  Buffer.from("back\\slash"),
  Buffer.from("\u{10ff41}"),
  Buffer.from("\ufffd"),
  Buffer.from([0xff, 0xfe]),
];

const escaped = (...codes: number[]) =>
  String.fromCodePoint(...codes.map((code) => 0x10ff00 + code));

async function setup() {
  const fixture = await hostFixture();
  const inRoot = (name: Buffer) => Buffer.concat([Buffer.from(`${fixture.root}/`), name]);
  return { ...fixture, inRoot };
}

it.each(NAMES)(
  "a name that is not plain text (%#) can be listed, read, written, moved and removed (A26)",
  async (name) => {
    const { driver, inRoot, root } = await setup();
    writeFileSync(inRoot(name), "content");
    const [entry] = driver.list(at(""));
    const path = at(entry?.name ?? "");
    expect(driver.stat(path)).toMatchObject({ kind: "file", sizeBytes: 7 });
    expect(textOf(driver.accelerate.load(path, 100))).toBe("content");
    driver.write(path, bytes("!"), "append");
    expect(lstatSync(inRoot(name)).size).toBe(8);
    driver.accelerate.rename(path, at("plain"));
    driver.accelerate.rename(at("plain"), path);
    expect(readdirSync(root, { encoding: "buffer" })).toEqual([name]);
    const [met] = driver.accelerate.walk(at(""), () => true);
    expect([met?.path, textOf(met?.load(100))]).toEqual([path, "content!"]);
    await driver.remove(path);
    expect(readdirSync(root)).toEqual([]);
  },
);

it.each(NAMES)(
  "a directory whose name is not plain text (%#) is walked and removed (A26)",
  async (name) => {
    const { driver, inRoot, root } = await setup();
    mkdirSync(inRoot(name));
    writeFileSync(Buffer.concat([inRoot(name), Buffer.from("/inner")]), "content");
    const [directory, file] = walked(driver);
    expect(file).toBe(`${directory}inner`);
    expect(textOf(driver.accelerate.load(at(file ?? ""), 100))).toBe("content");
    await driver.accelerate.clone(at((directory ?? "").slice(0, -1)), at("copy"));
    expect(textOf(driver.accelerate.load(at("copy/inner"), 100))).toBe("content");
    await driver.accelerate.removeTree(at("copy"));
    await driver.accelerate.removeTree(at((directory ?? "").slice(0, -1)));
    expect(readdirSync(root)).toEqual([]);
  },
);

it.each([
  ["dot dot", escaped(0x2e, 0x2e)],
  ["a path", `x${escaped(0x2f)}y`],
  ["NUL", `x${escaped(0)}`],
  ["an ordinary letter", escaped(0x66)],
])("%s in escapes does not reach a file (A13, A26)", async (_, name) => {
  const { driver, root, expectOutsideUntouched } = await setup();
  writeFileSync(join(root, "f"), "x");
  for (const path of [name, `${name}/secret.txt`, `${name}/outside/secret.txt`]) {
    expect(driver.stat(at(path))).toBeUndefined();
    expect(() => driver.read(at(path), 0, 10)).toThrow(/EINVAL/);
    expect(() => driver.write(at(path), bytes("x"), "overwrite")).toThrow(/EINVAL/);
    expect(() => driver.list(at(path))).toThrow(/EINVAL/);
  }
  expect(driver.accelerate.load(at(name), 10)).toBeUndefined();
  expectOutsideUntouched();
});
