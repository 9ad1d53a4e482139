/** How many phrases of the old style the whole repository may contain. Well-read projects of this field have 1 to 12. */
export const MAX_PER_10000_WORDS = { comments: 10, messages: 5, prose: 10 };

/** Files that quote the phrases, hold recorded output or are generated. */
export const EXEMPT_FILES = /^scripts\/language\/|^docs\/reference\/|\/fixtures\//;

/**
 * Phrases that used to make comments, messages and documentation hard to read. Each of them can be plain
 * English in its place, so the check limits their number and does not forbid them.
 */
export const PHRASES = [
  "alike",
  "anew",
  "anybody",
  "apart",
  "are no",
  "at hand",
  "at once",
  "becomes of",
  "behind",
  "beside",
  "by itself",
  "comes to light",
  "glance",
  "goes on",
  "has its price",
  "hears of",
  "in force",
  "in turn",
  "is no",
  "is spared",
  "is worth",
  "leads out",
  "lent",
  "let go",
  "meanwhile",
  "mend",
  "mended",
  "no more",
  "nobody",
  "of its own",
  "of one's own",
  "of their own",
  "said",
  "sees to it",
  "so many",
  "somebody",
  "stands",
  "taken back",
  "takes back",
  "those that",
  "those who",
  "told",
  "under way",
  "went on",
  "what is",
  "what was",
  "whoever",
  "whose turn",
];
