/** All that this package uses of `@wink/filesystem` at run time: telling its errors, and refusing in its words. */
export { DEFAULT_LIMITS, FilesystemError, isFilesystemError } from "@wink/filesystem";
