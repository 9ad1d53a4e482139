/**
 * Patterns of the style in which this project was once written. Each match is a problem, because a plain sentence does not
 * need them. `language-phrases.ts` lists phrases that a plain sentence may need.
 */
const PATTERNS = [
  // People and things without a name.
  'whoever|whomever|somebody|anybody|(?<!["`])nobody(?!["`])',
  "(?:one|ones) (?:who|whom)",
  "those who|none minds",
  "(?<=[.!?]\\s+|/\\*\\* |// )(?:One|Ones|Those) (?:that|who|which)",
  "what (?:is|was|are|were) (?:no|none) \\w+",
  "(?<=[.!?]\\s+|/\\*\\* |// )What (?:is|was|were|has been) [^.?!:|,]{0,50}(?<!that|it|there|who|which) (?:is|was|stays?|keeps?|goes|comes|may|will|leaves?|starts?|costs?)(?= )",
  "what never",
  // Verbs of people, for things that programs do.
  "(?:is|are|was|were|be|been|being) told|hears? of|tells? (?:whoever|those)|(?:is|was) said of|said so",
  "sees? to it|let(?:s|ting)? go of|let others|goes on(?! to)|went on|going on",
  "mend(?:s|ed|ing)?|glanc(?:e|es|ing)|lent|is spared|are spared|comes? to light",
  "(?:take|takes|took|taken|taking) back|given up|leads? out|(?:come|came|comes) to a halt",
  "stands? (?:in )?for|stands in|comes? and goes?|becomes? of|has nothing below|gone with",
  "(?:has|have|had) (?:its|their) price|(?:keeps?|kept) (?:its|their) place",
  "(?:wants?|takes?|has|have|gets?|whose) (?:its |their |a )?turn(?! (?:of|after|that|with|in|has|there))",
  "passed over|puts what|saying (?:a|the|what)|(?:budget|time|memory) does not (?:reach|suffice)",
  // Old words, and adverbs that hide when something happens.
  "anew|afresh|meanwhile|(?<!-)alike|beside|once more|at once|under way|in force|at hand|in turn",
  "by itself|is worth|so many|on the strength of|no more(?! than)|length of time",
  "whence|thence|thereof|wherein|whereof|lest|albeit|hereby|forthwith|henceforth|nought|naught",
  "for want of|in vain|as it were|in (?:its|their|his) stead|to and fro",
  "of (?:its|their|his|one's) own(?! \\w)",
  "stands? (?:with|below|in|above|on|at|apart)|not there (?:when|where|if)|for ever|told (?:in|by|of|from)",
  "(?:looked|gone) through|bears? (?:the|a|no)|(?:is|are) to be|all that (?:is|was|it)|answers? whether",
  "made of an?|prints? of (?:a|the)|gives? up (?:a|the|its) call|taken for an?",
  "(?<=[.!?]\\s+|/\\*\\* |// )(?:Told|Asked|Lent|Known) (?:of|by|for|what|whether|when)",
  // Sentences of a tale instead of a reference.
  "(?:says?|makes?) of (?:an?|each|it|the)|nothing of (?:it|them|this)|of which nothing|that which",
  "(?:no one is|is not|are not) to (?:be|\\w+ while)|is for the \\w+ to|only who|such as have|here ends",
  "(?:has|have|keeps?) an eye|keeps? to (?:itself|themselves)|(?:comes?|came) to nothing|brought to (?:its|their) end",
  "as they came|finds? the \\w+ (?:taken|gone)|how (?:long|much|many|often) one (?:may|must|can|has)|whatever was begun",
  "known to others|built upon|lets in|speaks? for|the elder|ever after|let alone(?! \\w+ing)",
  "what came before|(?<=[.!?]\\s+|/\\*\\* |// )(?:One whose|This one knows|None may)",
  // Negation of a noun.
  "(?<!there )(?:is|are|was|were) no (?!longer|such)\\w+|(?:knows?|minds?|wants?) (?:no|none|nothing)",
];

/** Matches where a sentence is in the old style. Name the thing that acts, use an engineer's noun, and negate with "not". */
export const OLD_STYLE: RegExp = new RegExp(
  PATTERNS.map((pattern) => `(?<!\\w)(?:${pattern.replaceAll(" ", "\\s+")})(?!\\w)`).join("|"),
  "gi",
);
