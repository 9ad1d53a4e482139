// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is the syntax of placeholders.
import { MarkdownSection, PromptTemplate } from "@wink/prompt";
import type { Session } from "@wink/session";
import { VfsToolsSection } from "@wink/tools";
import { z } from "zod";

const Finding = z.object({
  file: z.string(),
  line: z.number(),
  severity: z.enum(["low", "medium", "high"]),
  problem: z.string(),
  advice: z.string(),
});

/** The schema of a review, for every model. */
export const Review = z.object({ summary: z.string(), findings: z.array(Finding) });
export type Review = z.infer<typeof Review>;

/** The agent: a document of three sections. The last one owns a copy of the files under `directory`. */
export async function createReviewer(session: Session, directory: string) {
  const workspace = await VfsToolsSection.create({
    session,
    mounts: [{ hostPath: ".", gitignore: true, maxFiles: 2_000 }],
    allowedHostRoots: [directory],
  });
  const task = new MarkdownSection({
    key: "task",
    title: "Task",
    params: z.object({ focus: z.string() }),
    template: [
      "Review the code in the workspace for ${focus}, and for nothing else.",
      "Report each fault with its file and line.",
      "If a fault can be fixed in a line or two, fix it in the workspace. The author decides whether to apply the fix.",
    ].join("\n"),
  });
  const question = new MarkdownSection({
    key: "question",
    title: "Question",
    params: z.object({ text: z.string(), history: z.string() }),
    defaults: { text: "", history: "" },
    enabled: ({ text }) => text !== "",
    template: "The conversation so far:\n\n${history}\n\nAnswer this in the summary: ${text}",
  });
  const template = new PromptTemplate({
    ns: "examples",
    key: "code-reviewer",
    output: Review,
    sections: [task, question, workspace],
  });
  return { template, workspace };
}
