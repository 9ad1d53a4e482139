import type { PathCallGrant } from "./path-call-rules.js";

const OPEN_DIRECTORY = "Both paths are names in one open directory, made by pathOf in the caller.";
const STORE =
  "The store is a private directory outside of every workspace; no agent can write to it.";
const STATE =
  "The store, the directories of sessions and overrides, and the locks in them are outside of every workspace; no agent can write to them.";
const UNDO =
  "One end is a name in an open directory of the workspace, the other a name in the private directory of the undo log. Neither call follows a link.";
const REGISTRY =
  "The registry of temporary files is a private directory of the user; no agent can write to it.";
const SOCKET =
  "The socket's directory is the user's own or sticky, which is checked first; no agent can write to it.";

/**
 * Every removal, copy, rename and change of a mode or owner by a path, in the packages and apps, with the reason why no agent
 * can redirect it to another place. Calls on names in open directories are not listed; scan-path-calls.ts recognises them.
 */
export const pathCallGrants: readonly PathCallGrant[] = [
  {
    file: "apps/cli/src/demo/apply-to-copy.ts",
    call: "cp",
    reason: "Copies the sample project of the demo before anything runs in it.",
  },
  {
    file: "apps/cli/src/demo/test-runner.ts",
    call: "chmod",
    reason: "The directory was just made under a random name, and nothing runs in it yet.",
  },
  {
    file: "apps/reference/src/main.ts",
    call: "rm",
    reason: "Writes the reference of this repository; no agent is involved.",
  },
  {
    file: "packages/adapters/src/mcp/listen-on-socket.ts",
    call: "chmod",
    reason: SOCKET,
  },
  {
    file: "packages/adapters/src/mcp/listen-on-socket.ts",
    call: "link",
    reason: SOCKET,
  },
  {
    file: "packages/adapters/src/mcp/listen-on-socket.ts",
    call: "rm",
    reason: SOCKET,
  },
  {
    file: "packages/adapters/src/mcp/listen-on-socket.ts",
    call: "unlink",
    reason: SOCKET,
  },
  {
    file: "packages/filesystem/src/host/containment/probe-containment.ts",
    call: "rmdir",
    reason: "Removes the directory that the probe itself made under a random name.",
  },
  {
    file: "packages/filesystem/src/host/containment/probe-containment.ts",
    call: "symlink",
    reason: "Makes the links that the probe tries to follow.",
  },
  {
    file: "packages/filesystem/src/host/containment/probe-containment.ts",
    call: "unlink",
    reason: "Removes the files that the probe itself made under a random name.",
  },
  {
    file: "packages/filesystem/src/host/driver/sweep-temporaries.ts",
    call: "unlink",
    reason: REGISTRY,
  },
  {
    file: "packages/filesystem/src/host/containment/temporary-claims.ts",
    call: "rename",
    reason: REGISTRY,
  },
  {
    file: "packages/filesystem/src/host/containment/temporary-claims.ts",
    call: "unlink",
    reason: REGISTRY,
  },
  {
    file: "packages/filesystem/src/host/containment/pinned-directory.ts",
    call: "link",
    reason: OPEN_DIRECTORY,
  },
  ...["rename", "unlink"].map((call) => ({
    file: "packages/filesystem/src/host/containment/pinned-directory.ts",
    call,
    reason: OPEN_DIRECTORY,
  })),
  {
    file: "packages/filesystem/src/host/driver/temporary-file.ts",
    call: "rename",
    reason: OPEN_DIRECTORY,
  },
  {
    file: "packages/filesystem/src/host/driver/temporary-file.ts",
    call: "unlink",
    reason: OPEN_DIRECTORY,
  },
  {
    file: "packages/workspace/src/apply/apply-journal.ts",
    call: "rename",
    reason: "The directory of journals is private to the user; no agent can write to it.",
  },
  {
    file: "packages/filesystem/src/host/undo/can-move.ts",
    call: "rename",
    reason: UNDO,
  },
  {
    file: "packages/filesystem/src/host/undo/can-move.ts",
    call: "unlink",
    reason: UNDO,
  },
  {
    file: "packages/filesystem/src/host/open/fork-workspace.ts",
    call: "copyFile",
    reason:
      "The source is a descriptor. The target is a name in an open directory of the fork, and must not exist.",
  },
  {
    file: "packages/filesystem/src/host/git-store/loose-objects.ts",
    call: "rename",
    reason: STORE,
  },
  {
    file: "packages/filesystem/src/host/git-store/pack-writer.ts",
    call: "rename",
    reason: STORE,
  },
  {
    file: "packages/filesystem/src/host/driver/write-link.ts",
    call: "symlink",
    reason: OPEN_DIRECTORY,
  },
  {
    file: "packages/filesystem/src/host/containment/node-attributes.ts",
    call: "lutimes",
    reason:
      "The path is a name in an open directory, made by pathOf in the caller, or the open directory itself.",
  },
  {
    file: "packages/filesystem/src/host/snapshots/place-node.ts",
    call: "lchown",
    reason: OPEN_DIRECTORY,
  },
  {
    file: "packages/filesystem/src/host/driver/write-link.ts",
    call: "rename",
    reason: OPEN_DIRECTORY,
  },
  {
    file: "packages/filesystem/src/host/snapshots/place-node.ts",
    call: "symlink",
    reason: OPEN_DIRECTORY,
  },
  {
    file: "packages/filesystem/src/host/driver/write-link.ts",
    call: "unlink",
    reason: OPEN_DIRECTORY,
  },
  {
    file: "packages/filesystem/src/host/git-store/ref-files.ts",
    call: "rename",
    reason: STORE,
  },
  {
    file: "packages/filesystem/src/host/git-store/repack.ts",
    call: "rmdir",
    reason: STORE,
  },
  {
    file: "packages/filesystem/src/host/process/process-lock.ts",
    call: "rmdir",
    reason: STATE,
  },
  {
    file: "packages/filesystem/src/host/process/store-io.ts",
    call: "rename",
    reason: STATE,
  },
  {
    file: "packages/filesystem/src/host/process/store-io.ts",
    call: "unlink",
    reason: STATE,
  },
  {
    file: "packages/filesystem/src/host/undo/undo-log.ts",
    call: "link",
    reason: UNDO,
  },
  {
    file: "packages/filesystem/src/host/undo/undo-one.ts",
    call: "rename",
    reason: UNDO,
  },
  {
    file: "packages/filesystem/src/host/undo/undo-log.ts",
    call: "rename",
    reason: UNDO,
  },
  {
    file: "packages/tools/src/podman/overlay.ts",
    call: "chown",
    reason: "The directory was just made in a private one, and no container has it yet.",
  },
  {
    file: "packages/tools/src/podman/repository-mounts.ts",
    call: "cp",
    reason:
      "Runs before a container has the target. The source is a repository of the user, and links in it are not copied.",
  },
  {
    file: "packages/tools/src/podman/sandbox-container.ts",
    call: "unlink",
    reason:
      "A name in the root of the workspace; unlink removes a link as itself and no directory.",
  },
  {
    file: "packages/tools/src/podman/scan-overlay.ts",
    call: "lchown",
    reason: "A name in an open directory, and a link is changed as itself.",
  },
];
