import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { interceptFs, systemError } from "../driver/intercepted-fs.test.support.js";
import { scratch } from "../snapshots/store-fixture.test.support.js";
import { AppendFile } from "./append-file.js";

const line = (text: string) => Buffer.from(`${text}\n`);

function open(sizeBytes = 0) {
  const path = join(scratch(), "log");
  const reopen = (bytes: number) => new AppendFile(path, { sizeBytes: bytes, fsync: false });
  return { path, file: reopen(sizeBytes), reopen, read: () => readFileSync(path, "utf8") };
}

it("an append file keeps complete records and drops one that a crash cut off (SE-24, SE-26)", () => {
  const { path, file, reopen, read } = open();
  file.append(line("one"));
  file.append(line("two"));
  const { sizeBytes } = file;
  file.close();
  appendFileSync(path, "thr");
  const next = reopen(sizeBytes);
  next.append(line("four"));
  next.close();
  expect(read()).toBe("one\ntwo\nfour\n");
});

it("a record that could not be written completely is removed (SE-24)", () => {
  const { path, file, read } = open();
  file.append(line("one"));
  const restore = interceptFs(["writeSync"], () => {
    restore();
    appendFileSync(path, "tw");
    throw systemError("ENOSPC", "/the/host");
  });
  expect(() => file.append(line("two"))).toThrow("ENOSPC");
  expect(read()).toBe("one\n");
  file.append(line("three"));
  expect(read()).toBe("one\nthree\n");
});

it("nothing is appended until an incomplete record can be removed (SE-24, SE-26)", () => {
  const { path, file, read } = open();
  const restore = interceptFs(["writeSync", "ftruncateSync"], (call) => {
    if (call === "writeSync") appendFileSync(path, "on");
    throw systemError("EIO", "/the/host");
  });
  expect(() => file.append(line("one"))).toThrow("EIO");
  expect(() => file.append(line("two"))).toThrow("could not be removed");
  expect(() => file.repair()).toThrow("could not be removed");
  expect(read()).toBe("on");
  restore();
  file.append(line("three"));
  expect(read()).toBe("three\n");
});

it("a closed append file refuses records (SE-24)", () => {
  const { file } = open();
  file.close();
  file.close();
  expect(() => file.append(line("one"))).toThrow("closed");
});
