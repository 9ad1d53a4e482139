import { expect, it } from "vitest";
import { TimeSlices } from "./time-slices.js";

/** Each step takes longer than a slice. */
function* steps(count: number, log: string[]): Generator<void, string, undefined> {
  try {
    for (let step = 1; step <= count; step++) {
      log.push(`step ${step}`);
      const end = performance.now() + 11;
      while (performance.now() < end);
      yield;
    }
    return "done";
  } finally {
    log.push("closed");
  }
}

it("TimeSlices.finish lets other events run between steps (FS-90)", async () => {
  const log: string[] = [];
  setImmediate(() => log.push("event"));
  expect(await new TimeSlices().finish(steps(2, log))).toBe("done");
  expect(log).toEqual(["step 1", "event", "step 2", "closed"]);
});

it("TimeSlices.finish ends the work when its signal is aborted or a check fails (FS-70)", async () => {
  const controller = new AbortController();
  const log: string[] = [];
  const aborted = new TimeSlices(controller.signal).finish(steps(3, log));
  controller.abort("enough");
  await expect(aborted).rejects.toBe("enough");
  const failed = new TimeSlices(undefined, () => {
    throw new Error("the root is closed");
  }).finish(steps(3, log));
  await expect(failed).rejects.toThrow("the root is closed");
  expect(log).toEqual(["step 1", "closed", "step 1", "closed"]);
  expect(() => new TimeSlices(AbortSignal.abort("before"))).toThrow("before");
});
