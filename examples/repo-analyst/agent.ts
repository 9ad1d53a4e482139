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

/** What the analyst knows in the end. */
export const Analysis = z.object({
  kind: z.string(),
  testCommand: z.string(),
  report: z.string().describe("The path of the report in the workspace."),
});

/** The agent: a task, what is known of the files beforehand, a plan, and the files. */
export async function createAnalyst(session: Session, directory: string) {
  const workspace = await VfsToolsSection.create({
    session,
    mounts: [{ hostPath: ".", gitignore: true, maxFileBytes: 1_000_000 }],
    allowedHostRoots: [directory],
  });
  // Computed from the files without a model, once: the model need not look around first.
  const digest = await WorkspaceDigest.fromFilesystem(workspace.filesystem);
  setWorkspaceDigest(session, digest);
  const task = new MarkdownSection({
    key: "task",
    title: "Task",
    template: "Find out what this project is and write `analysis.md` for somebody new to it.",
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
