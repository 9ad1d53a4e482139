import { expect, it } from "vitest";
import { memoryIo } from "../terminal/memory-io.test.support.js";
import { reportError } from "./report-error.js";

it("reportError hides the path of the state directory in the message of a failed system call (CL-45, CL-2)", () => {
  const io = memoryIo({ cwd: "/", env: { WINK_STATE_DIR: "/home/ada/state" } });
  const error = new Error("ENOENT: no such file, lstat '/home/ada/state/workspaces/x/incoming/y'");
  reportError(io, error, { json: true, debug: false });
  expect(io.out() + io.err()).not.toContain("/home/ada");
  expect(io.err()).toContain("ENOENT: no such file, lstat '<state directory>/workspaces/");
});

it.each(["EDQUOT", "ENOSPC", "NO_SPACE"])(
  "reportError says what to do about a full disk of the state directory: %s (CL-2)",
  (code) => {
    const io = memoryIo({});
    const error = Object.assign(new Error("mount '.': no space is left."), { code });
    reportError(io, error, { json: false, debug: false });
    expect(io.err()).toContain("set WINK_STATE_DIR to a directory on another disk.");
  },
);
