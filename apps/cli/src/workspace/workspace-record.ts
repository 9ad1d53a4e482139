import { defineEvent, defineState } from "@wink/session";
import { z } from "zod";

/** A snapshot of the workspace's files. */
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
  /** The copied part of the directory before the apply. */
  base: SnapshotSchema,
});

const ApplyingSchema = PathsSchema.extend({
  /** The state of the directory after the apply. */
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
  /** The state of the directory, as far as the workspace knows. */
  base: SnapshotSchema.nullable(),
  /** Fingerprint to detect changes by other programs. Empty if it is not known. */
  hostPrint: z.string(),
  mounted: MountedSchema.nullable(),
  /** An apply that started and is not known to have ended. */
  applying: ApplyingSchema.nullable(),
  /**
   * Whether a call was being applied in place. If the process dies then, the directory has the
   * result.
   */
  inPlace: z.boolean(),
  /** The token of the apply that is being undone. */
  undoing: z.string().nullable(),
  /** What can be undone, oldest first. */
  applied: z.array(AppliedSchema),
});

export type WorkspaceRecord = z.infer<typeof WorkspaceRecordSchema>;
export type Applied = z.infer<typeof AppliedSchema>;

/** The library stores the undo data of the same number. */
const MAX_APPLIED = 20;

export const StartMount = defineEvent("workspace.start-mount", z.object({ directory: z.string() }));
export const FinishMount = defineEvent(
  "workspace.finish-mount",
  z.object({ base: SnapshotSchema, hostPrint: z.string(), mounted: MountedSchema }),
);
export const StartApply = defineEvent("workspace.start-apply", ApplyingSchema);
export const FinishApply = defineEvent(
  "workspace.finish-apply",
  z.object({
    /** `null` if the directory already had every change. */
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

/** The state of a workspace. Each step is recorded before it starts and after it ends. */
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
    applied: [...applied, ...entry].slice(-MAX_APPLIED),
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
