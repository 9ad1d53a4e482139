import { editFileHandlerFor } from "./edit-file.js";
import { DEFAULT_FILE_TOOL_SETTINGS } from "./file-tool-settings.js";
import { globHandlerFor } from "./glob.js";
import { grepHandlerFor } from "./grep.js";
import { lsHandlerFor } from "./ls.js";
import { multiEditHandlerFor } from "./multi-edit.js";
import { readFileHandlerFor } from "./read-file.js";
import { rmHandlerFor } from "./rm.js";
import { copyHandlerFor, moveHandlerFor } from "./transfer.js";
import { writeFileHandlerFor } from "./write-file.js";

/* The handlers without a section, with the default limits: for tests and for your own tools. */
export const lsHandler = lsHandlerFor(DEFAULT_FILE_TOOL_SETTINGS);
export const readFileHandler = readFileHandlerFor(DEFAULT_FILE_TOOL_SETTINGS);
export const writeFileHandler = writeFileHandlerFor(DEFAULT_FILE_TOOL_SETTINGS);
export const editFileHandler = editFileHandlerFor(DEFAULT_FILE_TOOL_SETTINGS);
export const multiEditHandler = multiEditHandlerFor(DEFAULT_FILE_TOOL_SETTINGS);
export const globHandler = globHandlerFor(DEFAULT_FILE_TOOL_SETTINGS);
export const grepHandler = grepHandlerFor(DEFAULT_FILE_TOOL_SETTINGS);
export const moveHandler = moveHandlerFor(DEFAULT_FILE_TOOL_SETTINGS);
export const copyHandler = copyHandlerFor(DEFAULT_FILE_TOOL_SETTINGS);
export const rmHandler = rmHandlerFor(DEFAULT_FILE_TOOL_SETTINGS);
