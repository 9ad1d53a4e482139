import { InMemoryFilesystem } from "@wink/filesystem";
import { expect, it } from "vitest";
import { recoverApply } from "../apply/recover-apply.js";
import { mountHost } from "../workspace/mount-host.js";
import { makeHost } from "./mount-fixture.test.support.js";

/** Calls with values that TypeScript refuses. */
const mount = mountHost as unknown as (...args: readonly unknown[]) => Promise<unknown>;

it.each([
  [
    "no options",
    [{ hostPath: "." }],
    undefined,
    'allowedHostRoots: It is missing. List the directories that may be mounted, such as ["."].',
  ],
  [
    "no allowedHostRoots",
    [{ hostPath: "." }],
    {},
    'allowedHostRoots: It is missing. List the directories that may be mounted, such as ["."].',
  ],
  [
    "a root as text",
    [{ hostPath: "." }],
    { allowedHostRoots: "." },
    'allowedHostRoots: It must be an array of strings, got a string. Write ["."].',
  ],
  [
    "mounts that are not an array",
    { hostPath: "." },
    { allowedHostRoots: ["."] },
    'mounts: They must be an array, got an object. Write [{ hostPath: "src" }].',
  ],
  [
    "a mount as text",
    ["src"],
    { allowedHostRoots: ["."] },
    'mounts[0]: It must be an object, got a string. Write { hostPath: "src" }.',
  ],
  [
    "exclude",
    [{ hostPath: ".", exclude: ["x"] }],
    { allowedHostRoots: ["."] },
    "mounts[0]: unknown option 'exclude'. Did you mean 'excludeGlob'?",
  ],
  [
    "include",
    [{ hostPath: ".", include: ["x"] }],
    { allowedHostRoots: ["."] },
    "mounts[0]: unknown option 'include'. Did you mean 'includeGlob'?",
  ],
  [
    "a glob as text",
    [{ hostPath: ".", excludeGlob: "*.log" }],
    { allowedHostRoots: ["."] },
    "mounts[0].excludeGlob: It must be an array of strings, got a string.",
  ],
  [
    "no hostPath",
    [{}],
    { allowedHostRoots: ["."] },
    "mounts[0].hostPath: It must be a string, got undefined.",
  ],
  [
    "a revision as text",
    [{ hostPath: ".", git: "main" }],
    { allowedHostRoots: ["."] },
    'mounts[0].git.rev: It must be a string, got undefined. Write { rev: "main" }.',
  ],
  [
    "a misspelt option",
    [{ hostPath: "." }],
    { allowedHostRoot: ["."] },
    "mountHost: unknown option 'allowedHostRoot'. Did you mean 'allowedHostRoots'?",
  ],
])(
  "mountHost with %s is a typed error that names the option (SN-20)",
  async (_, mounts, options, message) => {
    await expect(mount(new InMemoryFilesystem(), mounts, options)).rejects.toMatchObject({
      name: "WorkspaceError",
      code: "INVALID_OPTION",
      message,
    });
  },
);

it("an allowed root that does not exist is named as it was written (SN-20)", async () => {
  await expect(
    mount(new InMemoryFilesystem(), [{ hostPath: "." }], { allowedHostRoots: ["no-such-project"] }),
  ).rejects.toMatchObject({
    code: "ENOENT",
    message: "ENOENT: mount 'no-such-project': the directory in allowedHostRoots does not exist.",
  });
});

it("recoverApply checks its options too", async () => {
  makeHost();
  const recover = recoverApply as unknown as (options: unknown) => Promise<unknown>;
  await expect(recover({})).rejects.toMatchObject({
    code: "INVALID_OPTION",
    subject: "allowedHostRoots",
  });
});
