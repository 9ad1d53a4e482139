import { MarkdownSection, PromptTemplate } from "@wink/prompt";
import type { Session } from "@wink/session";
import { PodmanSandboxSection } from "@wink/tools/podman";
import { z } from "zod";

export const Report = z.object({ fixed: z.boolean(), cause: z.string() });

/** An agent that makes failing tests pass, in a container that has the project and nothing else. */
export async function createFixer(session: Session, project: string, image: string) {
  const sandbox = await PodmanSandboxSection.create({
    session,
    config: {
      image,
      mounts: [{ hostPath: "." }],
      allowedHostRoots: [project],
      memoryLimit: "256m",
      onProgress({ stage }) {
        if (stage === "starting" || stage === "ready") console.log(`  (container ${stage})`);
      },
    },
  });
  const task = new MarkdownSection({
    key: "task",
    title: "Task",
    template:
      "The tests of this project fail. Run them with `python3 -m unittest`, find the cause, fix it in the code and not in the tests, and run them again.",
  });
  const template = new PromptTemplate({
    ns: "examples",
    key: "test-fixer",
    output: Report,
    sections: [task, sandbox],
  });
  return { template, sandbox };
}
