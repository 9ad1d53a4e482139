import { defineEvent, defineState } from "@wink/session";
import { z } from "zod";

/** A state of the workspace's files, as its store knows it. */
const SnapshotSchema = z.object({
  snapshotId: z.string(),
  createdAt: z.string(),
  commitRef: z.string(),
  rootPath: z.string(),
  tag: z.string().optional(),
  name: z.string().optional(),
});

const PathsSchema = z.object({
  written: z.array(z.string()),
  deleted: z.array(z.string()),
  merged: z.array(z.string()),
});

const AppliedSchema = PathsSchema.extend({
  undoToken: z.string(),
  /** ISO 8601. */
  appliedAt: z.string(),
  /** What the directory had before, as far as it was mounted. */
  base: SnapshotSchema,
});

const ApplyingSchema = PathsSchema.extend({
  /** What the directory has when it is done. */
  next: SnapshotSchema,
});

const MountedSchema = z.object({
  fileCount: z.number(),
  totalBytes: z.number(),
  leftOut: z.array(
    z.object({
      path: z.string(),
      reason: z.string(),
      isDirectory: z.boolean(),
      /** How a secret was recognised. */
      detail: z.string().optional(),
    }),
  ),
});

const WorkspaceRecordSchema = z.object({
  directory: z.string(),
  phase: z.enum(["new", "mounting", "ready"]),
  /** What the directory has, as far as the workspace knows. */
  base: SnapshotSchema.nullable(),
  /** Tells whether the directory was changed by somebody else since. Empty when that is not known. */
  hostPrint: z.string(),
  mounted: MountedSchema.nullable(),
  /** Begun and not known to have ended. */
  applying: ApplyingSchema.nullable(),
  /** Whether a call was being applied in place, so that the directory tells what came of it. */
  inPlace: z.boolean(),
  /** The token of what is being taken back. */
  undoing: z.string().nullable(),
  /** What can be taken back, the last one last. */
  applied: z.array(AppliedSchema),
});

export type WorkspaceRecord = z.infer<typeof WorkspaceRecordSchema>;
export type Applied = z.infer<typeof AppliedSchema>;

/** The library keeps the means to take back as many. */
const MOST_APPLIED = 20;

export const StartMount = defineEvent("workspace.start-mount", z.object({ directory: z.string() }));
export const FinishMount = defineEvent(
  "workspace.finish-mount",
  z.object({ base: SnapshotSchema, hostPrint: z.string(), mounted: MountedSchema }),
);
export const StartApply = defineEvent("workspace.start-apply", ApplyingSchema);
export const FinishApply = defineEvent(
  "workspace.finish-apply",
  z.object({
    /** `null` when the directory had everything already. */
    undoToken: z.string().nullable(),
    appliedAt: z.string(),
    hostPrint: z.string(),
  }),
);
export const GiveUpApply = defineEvent("workspace.give-up-apply", z.object({}));
export const StartUndo = defineEvent("workspace.start-undo", z.object({ undoToken: z.string() }));
export const FinishUndo = defineEvent(
  "workspace.finish-undo",
  z.object({ undoToken: z.string(), hostPrint: z.string() }),
);
export const StartInPlace = defineEvent("workspace.start-in-place", z.object({}));
export const FinishInPlace = defineEvent("workspace.finish-in-place", z.object({}));
export const GiveUpUndo = defineEvent("workspace.give-up-undo", z.object({}));

/** What is known of a workspace. Each step is written down before it is taken and after it. */
export const WorkspaceRecord = defineState({
  name: "workspace",
  schema: WorkspaceRecordSchema,
  initial: {
    directory: "",
    phase: "new",
    base: null,
    hostPrint: "",
    mounted: null,
    applying: null,
    inPlace: false,
    undoing: null,
    applied: [],
  },
  reducers: (on) => [
    on(StartMount, (record, { directory }) => ({ ...record, directory, phase: "mounting" })),
    on(FinishMount, (record, mount) => ({ ...record, ...mount, phase: "ready", inPlace: false })),
    on(StartApply, (record, applying) => ({ ...record, applying })),
    on(FinishApply, finishApply),
    on(GiveUpApply, (record) => ({ ...record, applying: null })),
    on(StartUndo, (record, { undoToken }) => ({ ...record, undoing: undoToken })),
    on(FinishUndo, finishUndo),
    on(StartInPlace, (record) => ({ ...record, inPlace: true })),
    on(FinishInPlace, (record) => ({ ...record, inPlace: false })),
    on(GiveUpUndo, (record) => ({ ...record, undoing: null })),
  ],
});

function finishApply(
  record: WorkspaceRecord,
  { undoToken, appliedAt, hostPrint }: z.infer<typeof FinishApply.schema>,
): WorkspaceRecord {
  const { applying, base, applied } = record;
  if (applying === null || base === null) return record;
  const { next, ...paths } = applying;
  const entry = undoToken === null ? [] : [{ undoToken, appliedAt, base, ...paths }];
  return {
    ...record,
    base: next,
    hostPrint,
    applying: null,
    applied: [...applied, ...entry].slice(-MOST_APPLIED),
  };
}

function finishUndo(
  record: WorkspaceRecord,
  { undoToken, hostPrint }: z.infer<typeof FinishUndo.schema>,
): WorkspaceRecord {
  const undone = record.applied.find((each) => each.undoToken === undoToken);
  const applied = record.applied.filter((each) => each !== undone);
  return { ...record, base: undone?.base ?? record.base, hostPrint, undoing: null, applied };
}
