/**
 * How the texts of a language are coloured. The groups of the expression name the colours; `word` and `key` depend on
 * what follows. No part may scan far and then fail, because a hostile file would then block the page.
 */
export interface Language {
  readonly pattern: RegExp;
  readonly keywords: ReadonlySet<string>;
}

const NUMBER = String.raw`(?<number>\b\d[\w.]*)`;
const WORD = String.raw`(?<word>[A-Za-z_$][\w$]*)`;
const QUOTED = String.raw`"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?`;
const HASH_COMMENT = String.raw`(?<comment>(?<![^\s])#.*)`;

function language(keywords: string, ...parts: readonly string[]): Language {
  return { pattern: new RegExp(parts.join("|"), "gm"), keywords: new Set(keywords.split(" ")) };
}

const BRACES = language(
  "abstract as async await bool boolean break case catch char class const continue default defer delete do double else enum " +
    "export extends extern false final finally float fn for from func function go if impl implements import in instanceof " +
    "int interface is keyof let long loop match mod module mut namespace new null nullptr number object of override package " +
    "private protected pub public readonly return satisfies self static string struct super switch this throw throws trait " +
    "true try type typeof undefined union unknown unsafe use using val var void volatile where while with yield",
  String.raw`(?<comment>\/\/.*|\/\*[^]*?(?:\*\/|$(?![^])))`,
  String.raw`(?<string>${QUOTED}|${"`"}(?:\\[^]|[^\\${"`"}])*${"`"}?)`,
  NUMBER,
  WORD,
);

const PYTHON = language(
  "False None True and as assert async await break class continue def del elif else except finally for from global if import " +
    "in is lambda match nonlocal not or pass raise return try while with yield self",
  `(?<comment>#.*)`,
  `(?<string>"""[^]*?(?:"""|$(?![^]))|'''[^]*?(?:'''|$(?![^]))|${QUOTED})`,
  NUMBER,
  WORD,
);

const SHELL = language(
  "begin case def do done elif else end esac export false fi for function if in local null return then true until while",
  HASH_COMMENT,
  `(?<string>${QUOTED})`,
  String.raw`(?<attr>^[ \t]*(?:- )?[\w.-]{1,80}(?=:(?:\s|$)|\s?=)|\$\{?[\w@#?]+\}?)`,
  NUMBER,
  WORD,
);

const SQL = language(
  "add all alter and as asc between by case create delete desc distinct drop else end exists from group having in index " +
    "inner insert into is join key left like limit not null on or order outer primary select set table then union unique " +
    "update values view when where with",
  String.raw`(?<comment>--.*|\/\*[^]*?(?:\*\/|$(?![^])))`,
  `(?<string>${QUOTED})`,
  NUMBER,
  WORD,
);

const JSON_TEXT = language(
  "true false null",
  `(?<key>${QUOTED})`,
  String.raw`(?<number>-?\b\d[\w.+-]*)`,
  WORD,
);

const MARKUP = language(
  "",
  `(?<comment><!--[^]*?(?:-->|$(?![^])))`,
  String.raw`(?<keyword><[\/!?]?[\w:.-]+|\/?>)`,
  String.raw`(?<attr>(?<![\w:@.-])[\w:@.-]{1,80}(?==["']))`,
  `(?<string>(?<==)(?:"[^"]*"?|'[^']*'?))`,
);

const STYLES = language(
  "",
  String.raw`(?<comment>\/\*[^]*?(?:\*\/|$(?![^])))`,
  `(?<string>${QUOTED})`,
  String.raw`(?<keyword>@[\w-]+)`,
  String.raw`(?<attr>(?<![\w-])[\w-]{1,80}(?=\s?:\s))`,
  String.raw`(?<number>#[0-9a-fA-F]{3,8}\b|-?\b\d[\w.%]*)`,
);

const MARKDOWN = language(
  "",
  `(?<keyword>^#{1,6} .*)`,
  "(?<string>^```[^]*?(?:^```|$(?![^]))|`[^`\\n]*`)",
  String.raw`(?<title>\*\*[^*\n]+\*\*)`,
  String.raw`(?<number>^[ \t]*(?:[-*+]|\d+\.) )`,
);

const PATCH = language(
  "",
  String.raw`(?<comment>^(?:@@|diff |index |---|\+\+\+).*)`,
  String.raw`(?<string>^\+.*)`,
  `(?<deletion>^-.*)`,
);

const ENDINGS = new Map<string, Language>(
  (
    [
      [
        BRACES,
        "js mjs cjs jsx ts mts cts tsx java go rs c h cc cpp hpp cs kt swift php scala dart",
      ],
      [PYTHON, "py pyi"],
      [SHELL, "sh bash zsh rb yml yaml toml ini env dockerfile makefile mk"],
      [SQL, "sql"],
      [JSON_TEXT, "json jsonl"],
      [MARKUP, "html htm xml svg vue"],
      [STYLES, "css scss less"],
      [MARKDOWN, "md markdown mdx"],
      [PATCH, "diff patch"],
    ] as const
  ).flatMap(([each, names]) => names.split(" ").map((name) => [name, each] as const)),
);

/** The language of a file by the end of its name. */
export function languageOf(path: string): Language | undefined {
  return ENDINGS.get(/[^./]+$/.exec(path)?.[0].toLowerCase() ?? "");
}
