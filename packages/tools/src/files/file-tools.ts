import { DEFAULT_TOOL_LIMITS } from "../reply/limits.js";
import { editFileTool, multiEditTool } from "./edit-file.js";
import type { FileToolSettings } from "./file-tool-settings.js";
import { globTool } from "./glob.js";
import { grepTool } from "./grep.js";
import { lsTool } from "./ls.js";
import { readFileTool } from "./read-file.js";
import { rmTool } from "./rm.js";
import { copyTool, moveTool } from "./transfer.js";
import { writeFileTool } from "./write-file.js";

/** The ten file tools, in the order in which a model sees them. They work on any `context.filesystem`. */
export function fileTools(settings: FileToolSettings) {
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
  ] as const;
}

const [ls, readFile, writeFile, editFile, multiEdit, glob, grep, move, copy, rm] = fileTools({
  limits: DEFAULT_TOOL_LIMITS,
  workspace: "vfs",
  nameTool: (name) => name,
});

/**
 * The handlers of the file tools, with the default limits: for tests and for your own tools. They take parsed input;
 * `call` of `createToolContext` parses.
 */
export const fileHandlers = Object.freeze({
  ls: ls.handler,
  readFile: readFile.handler,
  writeFile: writeFile.handler,
  editFile: editFile.handler,
  multiEdit: multiEdit.handler,
  glob: glob.handler,
  grep: grep.handler,
  move: move.handler,
  copy: copy.handler,
  rm: rm.handler,
});
