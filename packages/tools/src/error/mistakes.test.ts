import { InMemoryFilesystem } from "@wink/filesystem";
import { createToolContext } from "@wink/prompt/testing";
import { Session } from "@wink/session";
import { describe, expect, it } from "vitest";
import * as tools from "../index.js";
import * as podman from "../podman.js";
import * as python from "../python.js";

const session = new Session();

/** Calls with any arguments, as JavaScript can. */
type Loose = (...args: readonly unknown[]) => unknown;
const make = (section: unknown) => (options?: unknown) =>
  new (section as new (options: unknown) => unknown)(options);
const loose = (call: unknown) => call as Loose;

const {
  VfsToolsSection,
  PlanningToolsSection,
  SnapshotToolsSection,
  WorkspaceDigestSection,
  WorkspaceDigest,
} = tools;
const createVfs = loose(VfsToolsSection.create.bind(VfsToolsSection));
const createPodman = loose(podman.PodmanSandboxSection.create.bind(podman.PodmanSandboxSection));
const fromFilesystem = loose(WorkspaceDigest.fromFilesystem);

/** What a developer gets wrong in JavaScript, and the whole message. */
const MISTAKES: readonly { readonly call: () => unknown; readonly message: string }[] = [
  {
    call: () => make(VfsToolsSection)({ session }),
    message:
      "VfsToolsSection: it cannot be created with new, because it has to read files first. Use await VfsToolsSection.create(options).",
  },
  {
    call: () => make(podman.PodmanSandboxSection)(),
    message:
      "PodmanSandboxSection: it cannot be created with new, because it has to read files first. Use await PodmanSandboxSection.create(options).",
  },
  {
    call: () => createVfs({}),
    message: "VfsToolsSection: option 'session': it must be a Session, got undefined.",
  },
  {
    call: () => new PlanningToolsSection({ session }).render({}, undefined as never),
    message: "PlanningToolsSection.render: session: it must be a Session, got undefined.",
  },
  {
    call: () => new SnapshotToolsSection({ retention: { maxAge: 3 } as never }),
    message: "retention: unknown option 'maxAge'. Did you mean 'maxAgeMs'?",
  },
  {
    call: () => createVfs(),
    message: "VfsToolsSection: option 'session': it must be a Session, got undefined.",
  },
  {
    call: () => createVfs("."),
    message: "VfsToolsSection: options must be an object, got a string.",
  },
  {
    call: () => createVfs({ session, mount: [] }),
    message: "VfsToolsSection: unknown option 'mount'. Did you mean 'mounts'?",
  },
  {
    call: () => createVfs({ session, mounts: [{ hostPath: "." }] }),
    message:
      'VfsToolsSection: mounts need allowedHostRoots. Name the host directories that may be mounted, for example allowedHostRoots: ["."].',
  },
  {
    call: () => createVfs({ session, mounts: "src", allowedHostRoots: ["."] }),
    message: "VfsToolsSection: option 'mounts': it must be an array of objects, got a string.",
  },
  {
    call: () => createVfs({ session, mounts: ["src"], allowedHostRoots: ["."] }),
    message: "VfsToolsSection: option 'mounts': it must be an array of objects, got an array.",
  },
  {
    call: () => createVfs({ session, mounts: [{ hostPath: "." }], allowedHostRoots: "." }),
    message:
      "VfsToolsSection: option 'allowedHostRoots': it must be an array of strings, got a string.",
  },
  {
    call: () => createVfs({ session, filesystem: {} }),
    message: "VfsToolsSection: option 'filesystem': it must be a Filesystem, got an object.",
  },
  {
    call: () => createVfs({ session, limits: { maxEdit: 3 } }),
    message: "limits: unknown option 'maxEdit'. Did you mean 'maxEdits'?",
  },
  {
    call: () => make(PlanningToolsSection)(),
    message: "PlanningToolsSection: option 'session': it must be a Session, got undefined.",
  },
  {
    call: () => make(PlanningToolsSection)({ session, strategie: "react" }),
    message: "PlanningToolsSection: unknown option 'strategie'. Did you mean 'strategy'?",
  },
  {
    call: () => make(PlanningToolsSection)({ session, limits: { maxStep: 1 } }),
    message: "limits: unknown option 'maxStep'. Did you mean 'maxSteps'?",
  },
  {
    call: () => make(SnapshotToolsSection)({ retentions: {} }),
    message: "SnapshotToolsSection: unknown option 'retentions'. Did you mean 'retention'?",
  },
  {
    call: () => make(SnapshotToolsSection)(5),
    message: "SnapshotToolsSection: options must be an object, got a number.",
  },
  {
    call: () => make(WorkspaceDigestSection)({}),
    message: "WorkspaceDigestSection: option 'session': it must be a Session, got undefined.",
  },
  {
    call: () => make(python.PythonSection)({ limit: {} }),
    message: "PythonSection: unknown option 'limit'. Did you mean 'limits'?",
  },
  {
    call: () => make(python.PythonSection)({ limits: { timeoutMs: "5s" } }),
    message: "limits: timeoutMs must be a whole number above 0, got 5s.",
  },
  {
    call: () => createPodman({ session, config: { imgae: "x" } }),
    message: "config: unknown option 'imgae'. Did you mean 'image'?",
  },
  {
    call: () => createPodman({ session, config: { mounts: [{ hostPath: "." }] } }),
    message:
      'PodmanSandboxSection: mounts need allowedHostRoots. Name the host directories that may be mounted, for example allowedHostRoots: ["."].',
  },
  {
    call: () => loose(WorkspaceDigest.fromDirectory)(),
    message: "WorkspaceDigest.fromDirectory: directory: it must be a string, got undefined.",
  },
  {
    call: () => fromFilesystem("."),
    message: "WorkspaceDigest.fromFilesystem: filesystem: it must be a Filesystem, got a string.",
  },
  {
    call: () => fromFilesystem(new InMemoryFilesystem(), { exclude: [] }),
    message: "WorkspaceDigest: unknown option 'exclude'. Did you mean 'excludeGlob'?",
  },
  {
    call: () => loose(tools.setWorkspaceDigest)(session, 5),
    message: "setWorkspaceDigest: digest: it must be an object, got a number.",
  },
  {
    call: () => loose(tools.renderPlan)({}),
    message: "renderPlan: plan.objective: expected string, received undefined.",
  },
  {
    call: () =>
      loose(tools.renderPlan)({
        objective: "",
        status: "active",
        steps: [{ id: "1", title: "T" }],
      }),
    message: "renderPlan: plan.steps.0.details: expected string, received undefined.",
  },
  {
    call: () => make(python.PythonSection)({ engine: { run: () => undefined } }),
    message:
      "PythonSection: option 'engine': it must be a Python engine with run() and close(), got an object.",
  },
  {
    call: () => loose(tools.replayFiles)([], undefined),
    message: "replayFiles: filesystem: it must be a Filesystem, got undefined.",
  },
  {
    call: () => loose(tools.fileHandlers.readFile)({ path: "a" }),
    message: "handler: context: it must be an object, got undefined.",
  },
];

it.each(MISTAKES)("a mistake is answered with $message (TL-13)", async ({ call, message }) => {
  const error = await attempt(call);
  expect(error).toMatchObject({ code: "INVALID_OPTION", message });
  expect(tools.isToolsError(error, "INVALID_OPTION")).toBe(true);
});

const WRONG: readonly unknown[] = [undefined, null, 5, "x", true, [], {}, () => {}, Symbol("s")];

/** Every exported function and class, with good arguments before the one that is wrong. */
const CALLS: Readonly<
  Record<string, { readonly call: Loose; readonly good?: readonly unknown[] }>
> = {
  "VfsToolsSection.create": { call: createVfs },
  "new VfsToolsSection": { call: make(VfsToolsSection) },
  PlanningToolsSection: { call: make(PlanningToolsSection) },
  SnapshotToolsSection: { call: make(SnapshotToolsSection) },
  WorkspaceDigestSection: { call: make(WorkspaceDigestSection) },
  PythonSection: { call: make(python.PythonSection) },
  "SkillsSection.create": { call: loose(tools.SkillsSection.create.bind(tools.SkillsSection)) },
  "new SkillsSection": { call: make(tools.SkillsSection) },
  "AgentsFileSection.create": {
    call: loose(tools.AgentsFileSection.create.bind(tools.AgentsFileSection)),
  },
  "new AgentsFileSection": { call: make(tools.AgentsFileSection) },
  "PodmanSandboxSection.create": { call: createPodman },
  "new PodmanSandboxSection": { call: make(podman.PodmanSandboxSection) },
  "WorkspaceDigest.fromDirectory": { call: loose(WorkspaceDigest.fromDirectory) },
  "WorkspaceDigest.fromFilesystem": { call: fromFilesystem },
  "options of WorkspaceDigest.fromFilesystem": {
    call: fromFilesystem,
    good: [new InMemoryFilesystem()],
  },
  setWorkspaceDigest: { call: loose(tools.setWorkspaceDigest) },
  "digest of setWorkspaceDigest": { call: loose(tools.setWorkspaceDigest), good: [session] },
  "key of setWorkspaceDigest": { call: loose(tools.setWorkspaceDigest), good: [session, "x"] },
  latestWorkspaceDigest: { call: loose(tools.latestWorkspaceDigest) },
  clearWorkspaceDigest: { call: loose(tools.clearWorkspaceDigest) },
  renderDigest: { call: loose(tools.renderDigest) },
  renderPlan: { call: loose(tools.renderPlan) },
  replayFiles: { call: loose(tools.replayFiles) },
  "filesystem of replayFiles": { call: loose(tools.replayFiles), good: [[]] },
  ...Object.fromEntries(
    [tools.fileHandlers, tools.planningHandlers, tools.snapshotHandlers, python.pythonHandlers]
      .flatMap((group) => Object.entries(group))
      .flatMap(([name, handler]) => [
        [
          `input of ${name}`,
          { call: (input: unknown) => loose(handler)(input, createToolContext()) },
        ],
        [
          `context of ${name}`,
          { call: (context: unknown) => loose(handler)({ path: "a" }, context) },
        ],
      ]),
  ),
};

describe.each(Object.entries(CALLS))("%s", (_, { call, good = [] }) => {
  it("throws no error of the runtime for a wrong argument (TL-13)", async () => {
    for (const wrong of WRONG) {
      const error = await attempt(() => call(...good, wrong));
      if (error === undefined) continue;
      const known = [
        "ToolsError",
        "PodmanError",
        "FilesystemError",
        "SnapshotError",
        "SessionError",
      ];
      expect({ wrong: String(wrong), name: (error as Error).name }).toEqual({
        wrong: String(wrong),
        name: expect.toBeOneOf([...known, "PromptError"]),
      });
    }
  });
});

async function attempt(call: () => unknown): Promise<unknown> {
  try {
    const made: unknown = await call();
    // A section that was created has to be closed.
    if (typeof made === "object" && made !== null && "close" in made)
      await (made as { close(): unknown }).close();
    return undefined;
  } catch (error) {
    return error;
  }
}
