import { MarkdownSection, PromptTemplate } from "@wink/prompt";
import type { Session } from "@wink/session";
import {
  PlanningToolsSection,
  setWorkspaceDigest,
  VfsToolsSection,
  WorkspaceDigest,
  WorkspaceDigestSection,
} from "@wink/tools";
import { z } from "zod";

/** The result of the analysis. */
export const Analysis = z.object({
  kind: z.string(),
  testCommand: z.string(),
  report: z.string().describe("The path of the report in the workspace."),
});

/** The agent: a task, a digest of the files, a plan, and the files. */
export async function createAnalyst(session: Session, directory: string) {
  const workspace = await VfsToolsSection.create({
    session,
    mounts: [{ hostPath: ".", gitignore: true, maxFileBytes: 1_000_000 }],
    allowedHostRoots: [directory],
  });
  // Computed once from the files, without a model, so that the model need not explore first.
  const digest = await WorkspaceDigest.fromFilesystem(workspace.filesystem);
  setWorkspaceDigest(session, digest);
  const task = new MarkdownSection({
    key: "task",
    title: "Task",
    template: "Find out what this project is and write `analysis.md` for new contributors.",
  });
  const template = new PromptTemplate({
    ns: "examples",
    key: "repo-analyst",
    output: Analysis,
    sections: [
      task,
      new WorkspaceDigestSection({ session }),
      new PlanningToolsSection({ session, strategy: "plan-act-reflect" }),
      workspace,
    ],
  });
  return { template, workspace, digest };
}
