import { expect, it } from "vitest";
import { formatDuration, Progress } from "./progress.js";

it.each([
  [400, "0s"],
  [45_000, "45s"],
  [72_400, "1m12s"],
  [240_000, "4m"],
])("formatDuration writes %i ms as %s", (durationMs, text) => {
  expect(formatDuration(durationMs)).toBe(text);
});

it("Progress redraws one line on a terminal and prints results above it", () => {
  const { progress, written, passTime } = setup({ isTTY: true, columns: 80 });
  using _ = progress;
  progress.update("tests", "");
  passTime(72_000);
  progress.update("tests", "112/206 files, 4,120 tests, 0 failed");
  progress.update("installed", "");
  progress.finish("tests", "tests 6617 passed, 0 failed");
  expect(written).toEqual([
    "\r\u001b[K",
    "tests, 0s of about 4m",
    "\r\u001b[K",
    "tests 112/206 files, 4,120 tests, 0 failed, 1m12s of about 4m",
    "\r\u001b[K",
    "tests 112/206 files, 4,120 tests, 0 failed; installed, 1m12s of about 4m",
    "\r\u001b[K",
    "tests 6617 passed, 0 failed\n",
    "\r\u001b[K",
    "installed, 1m12s of about 4m",
  ]);
});

it.each([
  [20, "tests 112/206 files"],
  [0, "tests 112/206 files, 4,120 tests, 0 failed, 0s of about 4m"],
])("Progress cuts a line that would wrap on a terminal of %i columns", (columns, line) => {
  const { progress, written } = setup({ isTTY: true, columns });
  using _ = progress;
  progress.update("tests", "112/206 files, 4,120 tests, 0 failed");
  expect(written.at(-1)).toBe(line);
});

it("Progress prints whole lines in a log, and only on request", () => {
  const { progress, written, passTime } = setup({});
  using _ = progress;
  progress.show();
  progress.update("tests", "1/2 files, 3 tests, 1 failed");
  expect(written).toEqual([]);
  passTime(15_000);
  progress.show();
  progress.finish("tests", "tests failed");
  expect(written).toEqual([
    "  … tests 1/2 files, 3 tests, 1 failed, 15s of about 4m\n",
    "tests failed\n",
  ]);
});

function setup(terminal: { readonly isTTY?: boolean; readonly columns?: number }) {
  const written: string[] = [];
  let time = 0;
  const stream = { ...terminal, write: (text: string) => written.push(text) };
  const progress = new Progress({ stream, usualMs: 240_000, now: () => time });
  return { progress, written, passTime: (durationMs: number) => (time += durationMs) };
}
