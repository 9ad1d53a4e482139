import { defineTool, fail, ok } from "@wink/prompt";
import { z } from "zod";
import { pageFields, pageOptions } from "../files/page-fields.js";
import { chooseFence, fenced } from "../reply/fence.js";
import { describePage, pageItems } from "../reply/page-items.js";
import { toolHandler } from "../reply/tool-handler.js";
import type { ShellSettings } from "./shell-settings.js";

export const ShellOutputInput = z.object({
  output_id: z.number().int().describe("The output_id in the answer of shell_execute."),
  stream: z.enum(["stdout", "stderr"]).default("stdout"),
  ...pageFields,
});

export interface ShellOutputValue {
  readonly lines: readonly string[];
  readonly totalLines: number;
  /** The offset of the next page; `undefined` on the last page. */
  readonly nextOffset: number | undefined;
}

export function shellOutputTool({ outputs, limits, nameTool }: ShellSettings) {
  return defineTool({
    name: "shell_output",
    description: "Read more output of an earlier command, in pages of lines.",
    input: ShellOutputInput,
    access: "read",
    handler: toolHandler({
      input: ShellOutputInput,
      needsFiles: false,
      nameTool,
      run({ output_id, stream, ...page }) {
        const output = outputs.find(output_id);
        if (output === undefined)
          return fail(`Output ${output_id} does not exist or was dropped.`, {
            hint:
              outputs.ids.length === 0
                ? "No command has printed anything yet."
                : `Stored outputs: ${outputs.ids.join(", ")}.`,
          });
        const lines = output[stream].replace(/\n$/, "").split("\n");
        const shown = pageItems(output[stream] === "" ? [] : lines, pageOptions(page, limits));
        const value = { lines: shown.lines, totalLines: shown.total, nextOffset: shown.nextOffset };
        return ok<ShellOutputValue>(value, describePage(shown, ["line", "lines"], `of ${stream}`));
      },
    }),
    render: ({ lines }: ShellOutputValue) => {
      const text = lines.join("\n");
      return lines.length === 0 ? "" : fenced("", text, chooseFence(text));
    },
  });
}
