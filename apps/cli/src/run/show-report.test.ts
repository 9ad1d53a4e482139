import { expect, it } from "vitest";
import { memoryIo } from "../terminal/memory-io.test.support.js";
import { renderAnswer } from "./show-report.js";

const CHANGES = [{ type: "added", path: "new.txt" }] as never;

it.each([
  ["the answer and the changes", "Done.", CHANGES, false, "\nDone.\n\nA new.txt\n"],
  ["the changes after an answer that was streamed", "Done.", CHANGES, true, "\nA new.txt\n"],
  ["an answer without changes", "Done.", [] as never, false, "\nDone.\n"],
])("one empty line is above %s (CL-12)", (_, output, changes, isShown, shown) => {
  expect(renderAnswer(memoryIo({ cwd: "/" }), { output, changes }, isShown)).toBe(shown);
});
