/** What the names of temporary files start with. Nobody else may make such names, on any backend, and on a host nobody is shown them. */
export const TEMPORARY_PREFIX = ".wink-tmp-";

/**
 * What the names of files start with that `apply` has moved aside. They are ordinary names to a sweep of temporary files:
 * after a kill such a file can hold the only copy of what the user saved.
 */
export const BACKUP_PREFIX = ".wink-backup-";
