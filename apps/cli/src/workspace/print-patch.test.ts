import { expect, it } from "vitest";
import { memoryIo } from "../terminal/memory-io.test.support.js";
import { printPatch } from "./print-patch.js";

const PATCH = "+\u001b]0;taken over\u0007\r\n";

it("printPatch removes control characters on a terminal without colour (CL-5, CL-7)", () => {
  const io = memoryIo({ isStdoutTerminal: true });
  printPatch(io, PATCH);
  expect(io.out()).toBe("+�]0;taken over��\n");
});

it("printPatch writes the patch unchanged to a pipe (CL-31)", () => {
  const io = memoryIo();
  printPatch(io, PATCH);
  expect(io.out()).toBe(PATCH);
});
