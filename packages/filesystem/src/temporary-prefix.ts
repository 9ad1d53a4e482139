/** What the names of temporary files start with. Nobody else may make such names, on any backend, and on a host nobody is shown them. */
export const TEMPORARY_PREFIX = ".wink-tmp-";
