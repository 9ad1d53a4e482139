import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { FileContent } from "../../content/file-content.js";
import { TimeSlices } from "../../content/time-slices.js";
import { isFilesystemError } from "../../protocol/filesystem-error.js";
import { makePrivateDirectory } from "../containment/private-directory.js";
import { AppendFile } from "./append-file.js";
import { tolerating } from "./from-node-error.js";
import { findProcess } from "./process-identity.js";
import { isAbandoned } from "./temporary-name.js";

const content = FileContent.ofText("a\n", 2, "1");

it.each<[string, (...given: readonly unknown[]) => unknown, readonly unknown[]]>([
  ["tolerating", tolerating as never, [undefined, () => 1]],
  ["tolerating", tolerating as never, [["ENOENT"], "body"]],
  ["findProcess", findProcess as never, [Symbol("a")]],
  ["isAbandoned", isAbandoned as never, [undefined, 0]],
  ["makePrivateDirectory", makePrivateDirectory as never, [Symbol("a")]],
  ["TimeSlices", (signal) => new TimeSlices(signal as never), [42]],
  ["FileContent.lines", content.lines.bind(content) as never, [undefined, 1, 2]],
  ["FileContent.lineCount", content.lineCount.bind(content) as never, [7]],
  ["FileContent.equals", content.equals.bind(content) as never, [{}]],
])("%s answers wrong arguments with a typed error", (_, call, given) => {
  expect(() => call(...given)).toThrow(expect.toSatisfy(isFilesystemError));
});

it("AppendFile names missing options", () => {
  const directory = mkdtempSync(path.join(tmpdir(), "wink-append-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const file = path.join(directory, "log");
  expect(() => new AppendFile(file, undefined as never)).toThrow(
    expect.toSatisfy(isFilesystemError),
  );
});
