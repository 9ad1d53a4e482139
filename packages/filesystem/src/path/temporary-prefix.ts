/**
 * The prefix of temporary files. No backend lets a caller create such a name. A shell can create one; then it is an
 * ordinary file.
 */
export const TEMPORARY_PREFIX = ".wink-tmp-";
