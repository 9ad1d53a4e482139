// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are placeholders.

import type { Filesystem } from "@wink/filesystem";
import {
  Deadline,
  defineTool,
  MarkdownSection,
  ok,
  Prompt,
  PromptTemplate,
  type ProviderAdapter,
} from "@wink/prompt";
import { Session } from "@wink/session";
import type { WorkspaceChanges } from "@wink/workspace";
import { expectTypeOf } from "vitest";
import { z } from "zod";
import {
  fileHandlers,
  Plan,
  PlanningToolsSection,
  SnapshotToolsSection,
  VfsToolsSection,
  vfsFiles,
  WorkspaceDigest,
  WorkspaceDigestSection,
} from "../index.js";
import { PythonSection } from "../python.js";

declare const adapter: ProviderAdapter;
const Review = z.object({ verdict: z.string() });

const session = new Session();
const workspace = await VfsToolsSection.create({
  session,
  mounts: [
    { hostPath: "src", includeGlob: ["*.ts"], excludeGlob: ["dist/*"], maxBytes: 5_000_000 },
  ],
  allowedHostRoots: ["."],
});
expectTypeOf(workspace.filesystem).toEqualTypeOf<Filesystem>();

const countTodos = defineTool({
  name: "count_todos",
  description: "Count TODO comments under a folder.",
  input: z.object({ path: z.string().default(".") }),
  access: "read",
  async handler({ path }, { filesystem }) {
    const matches = await filesystem.grep("TODO", { path });
    return ok({ count: matches.length }, `${matches.length} TODOs under ${path}.`);
  },
});

const template = new PromptTemplate({
  ns: "examples",
  key: "reviewer",
  output: Review,
  sections: [
    new MarkdownSection({
      key: "task",
      title: "Task",
      params: z.object({ focus: z.string() }),
      template: "Review this code for ${focus}.",
      tools: [countTodos],
    }),
    new WorkspaceDigestSection({ session }),
    new PlanningToolsSection({ session, strategy: "react" }),
    new SnapshotToolsSection(),
    new PythonSection({ session }),
    workspace,
  ],
});

const prompt = new Prompt(template).bind({ task: { focus: "error handling" } });
const { output } = await adapter.evaluate(prompt, { session, deadline: Deadline.in("2m") });
expectTypeOf(output).toEqualTypeOf<{ verdict: string }>();
expectTypeOf(workspace.changes()).toEqualTypeOf<WorkspaceChanges>();
await workspace.changes().apply({ onConflict: "refuse" });

// These sections have no parameters, so none can be bound.
// @ts-expect-error the section takes no parameters
new Prompt(template).bind({ task: { focus: "x" }, vfs: {} });
// @ts-expect-error unknown strategy
new PlanningToolsSection({ session, strategy: "guess" });
// @ts-expect-error the session is required
VfsToolsSection.create({});

const docs = await VfsToolsSection.create({ session, key: "docs", files: { "a.md": "# A" } });
expectTypeOf(docs.key).toEqualTypeOf<"docs">();
expectTypeOf(workspace.key).toEqualTypeOf<"vfs">();

expectTypeOf(session.slice(Plan).latest()).toEqualTypeOf<Plan | undefined>();
expectTypeOf(vfsFiles(session)[0]?.version).toEqualTypeOf<number | undefined>();
expectTypeOf(WorkspaceDigest.fromDirectory(".")).resolves.toEqualTypeOf<WorkspaceDigest>();
session.slice(WorkspaceDigest).seed(await WorkspaceDigest.fromFilesystem(workspace.filesystem));

// Handlers take parsed input: one path, and the defaults filled in.
expectTypeOf(fileHandlers.readFile).parameter(0).toEqualTypeOf<{
  path: string;
  offset: number;
  limit?: number | undefined;
}>();
// @ts-expect-error mounts need allowedHostRoots
VfsToolsSection.create({ session, mounts: [{ hostPath: "." }] });
