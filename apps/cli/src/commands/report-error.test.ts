import { StoreError } from "@wink/store";
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

it("reportError shows no address of a store, also with --debug (STO-30, STO-56)", () => {
  const io = memoryIo({});
  const reason = Object.assign(new Error("connect to hunter2@10.0.0.1:5432"), {
    code: "ECONNREFUSED",
  });
  const inner = new StoreError("UNKNOWN", "store 'postgres'", undefined, { cause: reason });
  const error = new StoreError("UNREACHABLE", "store 'postgres'", undefined, { cause: inner });
  expect(reportError(io, error, { json: false, debug: true })).toBe(1);
  expect(io.err()).toMatch(/^wink: store 'postgres': the storage server cannot be reached/);
  expect(io.err()).toContain("Caused by: ECONNREFUSED");
  expect(io.err()).not.toMatch(/hunter2|10\.0\.0\.1|Add --debug/);
  const wrong = new StoreError("ARGUMENT_INVALID", "store", "the URL is not valid");
  expect(reportError(io, wrong, { json: false, debug: false })).toBe(2);
});
