import { expect, it } from "vitest";
import { memoryIo } from "../terminal/memory-io.test.support.js";
import { interruptible } from "./interruptible.js";

function interruptedIo() {
  let interrupt = () => {};
  const io = memoryIo({
    onInterrupt(listener) {
      interrupt = listener;
      return () => {};
    },
  });
  return { io, interrupt: () => interrupt() };
}

it("interruptible exits with 130 if the work fails after the interruption (CL-3, CL-18)", async () => {
  const { io, interrupt } = interruptedIo();
  const work = interruptible(io, async () => {
    interrupt();
    throw new Error("cut off");
  });
  await expect(work).rejects.toMatchObject({ message: "Interrupted.", exitCode: 130 });
});

it("interruptible exits with 130 also if the work succeeds in spite of the interruption (CL-3, CL-18)", async () => {
  const { io, interrupt } = interruptedIo();
  const work = interruptible(io, async () => {
    interrupt();
    return "done";
  });
  expect(await work).toBe("done");
  expect(io.exitCode).toBe(130);
});
