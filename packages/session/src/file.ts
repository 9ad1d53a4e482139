export { loadSnapshot, saveSnapshot } from "./file/snapshot-file.js";
