import { defineTool, fail, ok } from "@wink/prompt";
import { z } from "zod";
import { answering } from "../reply/answering.js";
import { chooseFence, fenced } from "../reply/fence.js";
import { describePage, type Page, pageFields, pageItems, renderPage } from "../reply/page-items.js";
import type { ShellSettings } from "./shell-settings.js";

export function shellOutputTool({ outputs, limits, nameTool }: ShellSettings) {
  return defineTool({
    name: "shell_output",
    description: "Read more output of an earlier command, in pages of lines.",
    input: z.object({
      output_id: z.number().int().describe("The output_id in the answer of shell_execute."),
      stream: z.enum(["stdout", "stderr"]).default("stdout"),
      ...pageFields,
    }),
    access: "read",
    effects: "workspace",
    handler: answering(nameTool, ({ output_id, stream, ...paging }) => {
      const output = outputs.find(output_id);
      if (output === undefined)
        return fail(`Output ${output_id} does not exist or was dropped.`, {
          hint:
            outputs.ids.length === 0
              ? "No command has printed anything yet."
              : `Stored outputs: ${outputs.ids.join(", ")}.`,
        });
      const text = output[stream];
      const lines = text === "" ? [] : text.replace(/\n$/, "").split("\n");
      const page = pageItems(lines, paging, limits);
      return ok(page, describePage(page, ["line", "lines"], `of ${stream}`));
    }),
    render: (page: Page) => {
      const text = renderPage(page);
      return page.lines.length === 0 ? "" : fenced("", text, chooseFence(text));
    },
  });
}
