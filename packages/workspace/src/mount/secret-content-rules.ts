import type { SecretContentRule } from "./secret-content-rule.js";
import { isLogin, isSecretValue } from "./secret-settings.js";
import { SECRET_TOKEN_RULES } from "./secret-token-rules.js";

export const SECRET_CONTENT_RULES: readonly SecretContentRule[] = [
  {
    // Source code often contains only the header line. A real key has data after it, on new lines or after `\n` in a
    // string.
    what: "private key",
    anchors: ["PRIVATE KEY"],
    pattern:
      /-{4,5} ?BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)? ?-{4,5}(?:[\s"'`+,|>]|\\[nr]|(?:Proc-Type|DEK-Info|Version|Comment|Hash|Subject)[^\n\\]{0,120}(?=\n|\\n)){1,200}([A-Za-z0-9+/]{24})/g,
  },
  {
    // A file that begins with the header is a key, even if the data has an unknown form.
    what: "private key",
    anchors: ["PRIVATE KEY"],
    pattern:
      /^\s{0,8}-{4,5} ?BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)? ?-{4,5}[ \t]{0,8}\r?\n/g,
  },
  {
    // The same in base64, where the header has one of three forms.
    what: "private key",
    anchors: ["LS0tLS1CRUdJTi"],
    pattern:
      /LS0tLS1CRUdJTi[A-Za-z0-9+/]{0,30}(?:UFJJVkFURSBLRVkt|QUklWQVRFIEtFWS|BSSVZBVEUgS0VZ)[A-Za-z0-9+/]{40}/g,
  },
  {
    what: "private key",
    anchors: ["OpenVPN Static key"],
    pattern: /BEGIN OpenVPN Static key V1-{5}\s{1,4}([0-9a-f]{32})/g,
  },
  {
    what: "private key",
    anchors: ["PuTTY-User-Key-File"],
    pattern: /^PuTTY-User-Key-File-\d: ./gm,
  },
  {
    // Keys of DNSSEC, and of minisign and signify.
    what: "private key",
    anchors: ["Private-key-format: v1", "secret key\nR"],
    pattern:
      /Private-key-format: v1[\s\S]{0,2000}?^Private(?:Key|Exponent): ([A-Za-z0-9+/]{20})|^untrusted comment: [^\n]{0,80}secret key\n(R[A-Za-z0-9+/]{60})/gm,
  },
  {
    what: "key or token",
    anchors: ["Unseal Key ", "Initial Root Token: "],
    pattern: /^(?:Unseal Key \d{1,2}|Initial Root Token): {1,4}([\w+/=.]{20,100})/gm,
  },
  {
    what: "private key",
    anchors: ["AGE-SECRET-KEY-1"],
    pattern: /AGE-SECRET-KEY-1([0-9A-Z]{50,80})/g,
  },
  {
    what: "private key",
    anchors: ["PrivateKey"],
    pattern: /^\s{0,8}PrivateKey\s{0,4}=\s{0,4}([A-Za-z0-9+/]{43}=)\s*$/gm,
  },
  {
    what: "AWS key",
    anchors: ["AKIA", "ASIA"],
    pattern: /\b((?:AKIA|ASIA)[0-9A-Z]{16})\b/g,
  },
  {
    what: "AWS key",
    anchors: ["ecret_access_key", "ecretAccessKey", "ECRET_ACCESS_KEY"],
    pattern:
      /secret_?access_?key["']?\s{0,4}[=:]\s{0,4}["']?([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])/gi,
  },
  {
    what: "private key",
    anchors: ['"kty"'],
    pattern:
      /"kty"\s{0,9}:[\s\S]{0,1200}?"[dk]"\s{0,9}:\s{0,9}"([\w-]{20,2000})"|"d"\s{0,9}:\s{0,9}"([\w-]{20,2000})"[\s\S]{0,1200}?"kty"/g,
  },
  {
    // A wallet: in the Web3 format, or as an extended key or a Nostr key.
    what: "private key",
    anchors: ['"ciphertext"'],
    pattern: /"ciphertext"\s{0,9}:\s{0,9}"([0-9a-f]{64,200})"[\s\S]{0,600}?"kdf"/gi,
  },
  {
    // Keys of validators: in the Ethereum and the Tendermint format.
    what: "private key",
    anchors: ['"cipher"', '"priv_key"'],
    pattern:
      /"cipher"\s{0,9}:\s{0,9}\{[^}]{0,300}?"message"\s{0,9}:\s{0,9}"([0-9a-f]{64,200})"|"priv_key"\s{0,9}:[\s{][^}]{0,300}?"([A-Za-z0-9+/]{43,90}={0,2})"/g,
  },
  {
    what: "password",
    anchors: ["IDENTIFIED BY", "identified by", " PASSWORD '", " password '"],
    pattern: /(?:IDENTIFIED BY(?: PASSWORD)?|\bPASSWORD) '([^'\n]{8,100})'/gi,
    confirm: (secret) => isSecretValue(secret, "generated"),
  },
  {
    what: "private key",
    anchors: ["xprv", "yprv", "zprv", "tprv", "nsec1"],
    pattern: /\b(?:[xyzt]prv([1-9A-HJ-NP-Za-km-z]{100,110})|nsec1([a-z0-9]{58}))\b/g,
  },
  {
    what: "one-time password key",
    anchors: ["otpauth://"],
    pattern: /otpauth:\/\/[^\s"'<>]{1,200}[?&]secret=([A-Z2-7]{16,128})/gi,
  },
  {
    // An Ethereum key, as deployment scripts have it.
    what: "private key",
    anchors: ["accounts", "rivateKey", "rivate_key", "RIVATE_KEY"],
    pattern:
      /(?:private_?key|accounts)["']?\s{0,4}[:=]\s{0,4}\[?\s{0,20}["'](?:0x)?([0-9a-f]{64})["']/gi,
  },
  {
    what: "database login",
    anchors: ["mongodb", "postgres", "mysql://", "mariadb://", "redis", "amqp"],
    pattern:
      /\b(?:mongodb(?:\+srv)?|postgres(?:ql)?(?:\+\w{1,12})?|mysql|mariadb|rediss?|amqps?):\/\/[^\s/@:"'<>]{0,100}:([^\s/@"'<>]{12,200})@/g,
    confirm: (secret) => isSecretValue(secret, "generated"),
  },
  {
    what: "private key",
    anchors: ["client-key-data"],
    pattern: /\bclient-key-data:\s{0,4}"?([A-Za-z0-9+/]{100,200})/g,
  },
  {
    what: "registry login",
    anchors: ['"auths"'],
    pattern: /"auths"\s{0,8}:[\s\S]{0,400}?"auth"\s{0,8}:\s{0,8}"([A-Za-z0-9+/]{12,400}={0,2})"/g,
    confirm: isLogin,
  },
  ...SECRET_TOKEN_RULES,
];
