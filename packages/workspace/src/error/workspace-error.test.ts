import { expect, it } from "vitest";
import { ApplyConflictError } from "./apply-error.js";
import { WorkspaceError } from "./workspace-error.js";

it.each([undefined, null, 7])("errors can be created with %j as details", (value) => {
  expect(new WorkspaceError("BUSY", value as never)).toMatchObject({
    code: "BUSY",
    message: "workspace: it failed.",
  });
  expect(new ApplyConflictError(value as never).conflicts).toEqual([]);
});
