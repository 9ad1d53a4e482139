import { defineAgent } from "@wink/cli";
import { MarkdownSection, Prompt, PromptTemplate } from "@wink/prompt";
import { PlanningToolsSection } from "@wink/tools";

/** Reads 4 kB and writes a file in each turn. */
export const agent = defineAgent({
  prompt({ session, workspace }) {
    const sections = [
      new MarkdownSection({ key: "task", title: "Task", template: "Do the work." }),
      new PlanningToolsSection({ session }),
      workspace,
    ];
    return new Prompt(new PromptTemplate({ ns: "bench", key: "run", sections })).bind({});
  },
  script: (_request, turn) =>
    turn + 1 >= Number(process.env.WINK_BENCH_TURNS)
      ? { text: "Done." }
      : {
          calls: [
            { tool: "read_file", input: { file_path: "a.txt", offset: turn % 10 } },
            {
              tool: "write_file",
              input: { file_path: "c.txt", content: `${turn}`, mode: "overwrite" },
            },
          ],
        },
});
