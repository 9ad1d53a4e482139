// biome-ignore-all lint/suspicious/noTemplateCurlyInString: placeholders are written so.
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

/** What a review is, whichever model writes it. */
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
      "Report each fault with the file and the line where it stands.",
      "When a fault can be repaired in a line or two, repair it in the workspace: the author decides what becomes of it.",
    ].join("\n"),
  });
  const question = new MarkdownSection({
    key: "question",
    title: "Question",
    params: z.object({ text: z.string(), history: z.string() }),
    defaults: { text: "", history: "" },
    enabled: ({ text }) => text !== "",
    template: "What was said so far:\n\n${history}\n\nAnswer this in the summary: ${text}",
  });
  const template = new PromptTemplate({
    ns: "examples",
    key: "code-reviewer",
    output: Review,
    sections: [task, question, workspace],
  });
  return { template, workspace };
}
