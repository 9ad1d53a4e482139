export { toMastraFilesystem } from "./files/mastra-filesystem.js";
export type { MastraFilesystem, MastraFilesystemOptions } from "./files/mastra-protocol.js";
