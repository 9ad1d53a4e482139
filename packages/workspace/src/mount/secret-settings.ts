/**
 * How certain it must be that a value is a secret:
 * - `"generated"`: it looks like a generated key or token.
 * - `"password"`: it has digits or symbols, so it is not a word of a sentence.
 * - `"literal"`: it is not a reference, an example or a well-known default.
 */
export type Certainty = "generated" | "password" | "literal";

/** The last words of the name of a setting with a secret value. */
const KEY =
  "pass(?:word|wd|[_-]?phrase|code)?(?:[_-]?hash)?|requirepass|(?:default|db|user|root|admin|gpg)_pw|sonar\\.login|pwd|psk|token|credentials?|" +
  "secret(?:[_-]?(?:key(?:[_-]?base)?|id|token|value|string))?|" +
  "(?:api|app|application|auth|access|account|private|signing|encryption|encrypt|decryption|validation|master|root|consumer|storage|shared|fernet|cookie|session|jwt|deploy|license|write|admin|service|account|subscription|crypt)[_-]?key(?:[_-]?secret)?|" +
  "unseal_keys_b64";
/**
 * As in `"key": "…"`, `$a['key'] => '…'`, `<key>…`, `<Key encoding="base64">…`, `key="key" value="…"`, `"key", "value": "…"`,
 * and in a property list.
 */
const SEPARATOR =
  '["\'`\\])}]{0,3}(?:[ \\t]{0,8}(?:=>|:=|[=:])[ \\t]{0,8}\\[?|[ \\t]{1,8}(?:value[ \\t]{0,2}=[ \\t]{0,2})?|(?: [\\w-]{1,20}="[\\w-]{0,20}")?>|</key>\\s{0,40}<string>|["\']?\\s{0,4},?\\s{0,40}["\']?value["\']?[ \\t]{0,4}:[ \\t]{0,8}|,[ \\t]{0,4}(?=[\'"][^\'"\\n]{4,200}[\'"][ \\t]{0,4}\\)))';
const SETTING = new RegExp(`(?:${KEY})(${SEPARATOR})(["'\`]?)([^\\s"'\`<>,;&)}\\]]{4,400})`, "gi");
/** A login in an address. */
const ADDRESS = /:\/\/[^\s/@:"'<>]{0,100}:([^\s/@"'<>]{4,200})@/g;
const AUTHORISATION = /\b(?:Bearer|Basic|token)[ \t]{1,4}([\w+/=.~-]{20,2000})/g;
/** A key of 32 bytes. */
const SYMMETRIC_KEY =
  /(?:^|[\s"'{,])(?:key|encrypt)["']?[ \t]{0,4}[=:][ \t]{0,4}["']?([A-Za-z0-9+/]{43}=)(?![\w+/=])/gm;
/** Tokens that are public: `publicKeyToken` of .NET, `nextPageToken`. */
const IS_PUBLIC = /(?:public|csrf|page|next|continuation)[\w. -]{0,8}$/i;
const END_OF_SETTING = /^["']?[ \t]*(?:[\r\n,;<)}\]&#/]|$|[\w-]+=)/;

/** Whether a text in a settings format has a setting with a secret value, or an address with a password. */
export function hasSecretSetting(text: string, certainty: Certainty): boolean {
  for (const match of text.matchAll(SETTING)) {
    const [found, separator = "", quote = "", value = ""] = match;
    if (IS_PUBLIC.test(text.slice(Math.max(0, match.index - 16), match.index))) continue;
    const end = match.index + found.length;
    const after = text.slice(end, end + 16);
    // The value is the first word of a sentence: `password: must be long`.
    if (quote === "" ? !END_OF_SETTING.test(after) : /^[ \t]/.test(after)) continue;
    const isText = /^["'`\])}]*[ \t]+$/.test(separator) && certainty === "literal";
    if (isSecretValue(value, isText ? "password" : certainty)) return true;
  }
  for (const [, password = ""] of text.matchAll(ADDRESS))
    if (isSecretValue(password, certainty)) return true;
  for (const [, key = ""] of text.matchAll(SYMMETRIC_KEY))
    if (isSecretValue(key, "generated")) return true;
  for (const [, token = ""] of text.matchAll(AUTHORISATION))
    if (isSecretValue(token, "generated")) return true;
  return isKubernetesSecret(text);
}

/** Whether one of the first lines is a generated key or token and nothing else. */
export function hasSecretLine(text: string): boolean {
  const lines = text.slice(0, 4_096).split("\n", 20);
  return lines.some(
    (line) => /^\s*[\w+/.:~-]+={0,2}\s*$/.test(line) && isSecretValue(line, "generated"),
  );
}

const REFERENCE_OR_EXAMPLE =
  /example|xxxx|\*\*\*|\.\.\.|0000000|your|placeholder|change.?me|dummy|redacted|replace|insert|123456|abcdef|^(?:ENC[[(]|vault:|op:\/\/|arn:|https?:|file:|env[.:(]|process\.|os\.|config\.|\$|%|\{|!|@|\*|\/|\.{1,2}\/)/i;
/** Values for tests and for databases of one developer, without digits and separators. */
const DEFAULT_VALUE =
  /^(?:my|the|some|test|testing|vault|file|encrypted|dev|local|fake|foo|bar|user|admin|root|guest|demo|default|pass|word|passwd|passwort|pwd|secret|token|key|api|postgres|ql|mysql|mariadb|mongo|redis|rabbitmq|minio|string|true|false|null|none|nil|undefined|required|optional|empty|todo|value|here|text|hidden|auto){0,6}$/i;

/** Whether the value of a setting is neither secret nor generated. Names of revisions, images and identifiers are generated too. */
export function isPublicValue(name: string, value: string): boolean {
  if (SECRET_NAME.test(name) && !REFERENCE_OR_EXAMPLE.test(value)) return false;
  if (/key$/i.test(name) && !/public/i.test(name) && isSecretValue(value, "password")) return false;
  return GENERATED_BUT_PUBLIC.test(name) || UUID.test(value) || !isSecretValue(value, "generated");
}

const SECRET_NAME =
  /^key$|(?:^|[_.-])(?:token|secret|passw(?:or)?d|pwd|pass|credentials?|api[_-]?key)$/i;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const GENERATED_BUT_PUBLIC =
  /sha\d*$|commit|revision|hash|checksum|digest|version|image|ur[il]$|path|id$|public(?!.*key)/i;

export function isSecretValue(value: string, certainty: Certainty): boolean {
  if (certainty === "generated" && !isGenerated(value)) return false;
  if (certainty === "password" && !isPassword(value)) return false;
  return !isDefaultValue(value);
}

/** Whether a value is a reference, an example or a well-known default. */
export function isDefaultValue(value: string): boolean {
  return REFERENCE_OR_EXAMPLE.test(value) || DEFAULT_VALUE.test(value.replace(/[^a-z]/gi, ""));
}

const MIN_GENERATED_CHARACTERS = 16;
const MIN_DIFFERENT_CHARACTERS = 8;

/** Generated texts change between lower case, upper case and digits far more often than names and sentences do. */
function isGenerated(value: string): boolean {
  const text = value.replace(/[^A-Za-z0-9]/g, "");
  if (new Set(text).size < MIN_DIFFERENT_CHARACTERS) return false;
  if (text.length < MIN_GENERATED_CHARACTERS) return isGeneratedPassword(value);
  return changesIn(text) * 4 >= text.length && /\d.*\d/.test(text);
}

/** Passwords are shorter than tokens, so all kinds of characters are required. */
function isGeneratedPassword(value: string): boolean {
  const kinds = [/[a-z]/, /[A-Z]/, /[\d!@#$%^&*+?]/];
  if (value.length < 12 || changesIn(value) * 4 < value.length) return false;
  return kinds.every((kind) => kind.test(value));
}

export function isPassword(value: string): boolean {
  if (value.length < 6) return false;
  return /[\d!@#$%^&*+?]/.test(value) || changesIn(value) * 3 >= value.length;
}

/** How often the text changes between lower case, upper case and digits. */
function changesIn(text: string): number {
  return text.match(/[a-z](?=[A-Z0-9])|[A-Z](?=[a-z0-9])|[0-9](?=[A-Za-z])/g)?.length ?? 0;
}

/** Every value of a Kubernetes `Secret` is secret, whatever its name is. A `SealedSecret` is encrypted. */
function isKubernetesSecret(text: string): boolean {
  if (
    !/^[ \t]{0,8}"?kind"?:[ \t]{0,4}["']?Secret["']?,?[ \t\r]*$|"kind":\s{0,4}"Secret"/m.test(text)
  )
    return false;
  const data = /^data:[ \t]*\r?\n(?:[ \t][^\n]*(?:\n|$))+|"data":\s{0,8}\{[^}]{1,60000}/m.exec(
    text,
  );
  const values = data?.[0].matchAll(/["\w.-]{1,80}:[ \t]*["']?([A-Za-z0-9+/=]{6,})/g) ?? [];
  for (const [, value = ""] of values) if (isSecretData(value)) return true;
  const strings =
    /^stringData:[ \t]*\r?\n(?:[ \t][^\n]*(?:\n|$))+|"stringData":\s{0,8}\{[^}]{1,60000}/m.exec(
      text,
    );
  for (const [, value = ""] of strings?.[0].matchAll(/["\w.-]{1,80}:[ \t]*["']?([^\s"']{6,})/g) ??
    [])
    if (isSecretValue(value, "password")) return true;
  return false;
}

/** Whether base64 text is a secret: unreadable, or readable as a password or a document with one. */
function isSecretData(base64: string): boolean {
  const text = Buffer.from(base64, "base64").toString("latin1").trim();
  if (!/^[\t\r\n -~]*$/.test(text)) return true;
  return (
    isSecretValue(text, "password") || hasSecretSetting(text, "password") || text.includes('"auth"')
  );
}

/** Whether base64 text is `user:password`, as registries store a login. */
export function isLogin(base64: string): boolean {
  const text = Buffer.from(base64, "base64").toString("latin1");
  return isSecretValue(text.slice(text.indexOf(":") + 1), "password");
}
