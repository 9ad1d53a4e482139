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

it("ends work with 130, whatever that makes of it (CL-3, CL-18)", async () => {
  const { io, interrupt } = interruptedIo();
  const work = interruptible(io, async () => {
    interrupt();
    throw new Error("cut off");
  });
  await expect(work).rejects.toMatchObject({ message: "Interrupted.", exitCode: 130 });
});

it("ends with 130 also where the work could not be left half done (CL-3, CL-18)", async () => {
  const { io, interrupt } = interruptedIo();
  const work = interruptible(io, async () => {
    interrupt();
    return "done";
  });
  expect(await work).toBe("done");
  expect(io.exitCode).toBe(130);
});
