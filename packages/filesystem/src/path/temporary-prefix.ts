/** The prefix of temporary files. No backend lets a caller create such a name; a shell can, and then it is a file like any other. */
export const TEMPORARY_PREFIX = ".wink-tmp-";

/**
 * What the names of files start with that `apply` has moved aside. They are ordinary names to a sweep of temporary files:
 * after a kill such a file can hold the only copy of what the user saved.
 */
export const BACKUP_PREFIX = ".wink-backup-";
