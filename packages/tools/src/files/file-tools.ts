import type { Tool } from "@wink/prompt";
import { editFileTool } from "./edit-file.js";
import type { FileToolSettings } from "./file-tool-settings.js";
import { globTool } from "./glob.js";
import { grepTool } from "./grep.js";
import { lsTool } from "./ls.js";
import { multiEditTool } from "./multi-edit.js";
import { readFileTool } from "./read-file.js";
import { rmTool } from "./rm.js";
import { copyTool, moveTool } from "./transfer.js";
import { writeFileTool } from "./write-file.js";

/** The ten file tools, in the order in which a model sees them. They work on any `context.filesystem`. */
export function fileTools(settings: FileToolSettings): readonly Tool[] {
  return [
    lsTool(settings),
    readFileTool(settings),
    writeFileTool(settings),
    editFileTool(settings),
    multiEditTool(settings),
    globTool(settings),
    grepTool(settings),
    moveTool(settings),
    copyTool(settings),
    rmTool(settings),
    // The list mixes tools with different input and value types.
  ] as unknown as readonly Tool[];
}
