/**
 * The prefix of temporary files. No backend lets a caller create such a name. A shell can create one; then it is an
 * ordinary file.
 */
export const TEMPORARY_PREFIX = ".wink-tmp-";

/**
 * The prefix of files that `apply` has moved aside. The cleanup of temporary files does not delete them: after a crash such
 * a file can be the only copy of the user's content.
 */
export const BACKUP_PREFIX = ".wink-backup-";
