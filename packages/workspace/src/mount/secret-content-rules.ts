import { isLogin, isSecretValue } from "./secret-settings.js";

/** A pattern that marks a file's content as secret, whatever its name. */
export interface SecretContentRule {
  /** The kind of secret, as shown in the mount report. */
  readonly what: string;
  /**
   * Every match contains one of these texts, each at least 3 characters long. The pattern runs only if one of them is
   * found.
   */
  readonly anchors: readonly string[];
  /**
   * Repetitions are bounded, so that matching takes linear time. The groups capture the secret, which must look random.
   */
  readonly pattern: RegExp;
  /** A further check of the captured secret. @default none */
  readonly confirm?: ((secret: string) => boolean) | undefined;
}

/** A rule for tokens with a fixed start. A random token of 24 characters has a digit, which words do not. */
function prefixed(
  what: string,
  prefixes: readonly string[],
  characters: string,
): SecretContentRule {
  const starts = prefixes.map((each) => each.replaceAll(".", "\\.")).join("|");
  const pattern = new RegExp(`\\b(?:${starts})(${characters})`, "g");
  return { what, anchors: prefixes, pattern, confirm: (secret) => /\d/.test(secret) };
}

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
  {
    what: "GitHub token",
    anchors: ["ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"],
    pattern: /\b(?:gh[pousr]_([A-Za-z0-9]{36,255})|github_pat_([A-Za-z0-9_]{60,255}))/g,
  },
  {
    what: "GitLab token",
    anchors: ["glpat-", "gldt-", "glrt-", "glptt-", "glcbt-"],
    pattern: /\bgl(?:pat|dt|rt|ptt|cbt)-([\w-]{20,100})/g,
  },
  {
    what: "Slack token",
    anchors: ["xoxa-", "xoxb-", "xoxe-", "xoxp-", "xoxr-", "xoxs-", "xoxc-", "xoxd-", "xapp-1-"],
    pattern: /\b(?:xox[abeprscd]|xapp-1)-((?:[A-Za-z0-9%]{1,64}-){0,5}[A-Za-z0-9%]{10,200})/g,
  },
  {
    what: "webhook address",
    anchors: ["hooks.slack.com"],
    pattern: /hooks\.slack\.com\/(?:services|workflows|triggers)\/(T[A-Z0-9]{6,14}\/[\w/]{20,80})/g,
  },
  {
    what: "webhook address",
    anchors: ["/api/webhooks/"],
    pattern: /discord(?:app)?\.com\/api\/webhooks\/\d{15,22}\/([\w-]{60,80})/g,
  },
  {
    what: "Stripe key",
    anchors: ["sk_live_", "rk_live_", "sk_test_", "whsec_"],
    pattern: /\b(?:[sr]k_live_|sk_test_|whsec_)([A-Za-z0-9+/]{20,200})/g,
  },
  {
    what: "Anthropic key",
    anchors: ["sk-ant-"],
    pattern: /\bsk-ant-(?:[a-z]{2,8}\d{2}-)?([\w-]{24,200})/g,
  },
  {
    what: "OpenAI key",
    anchors: ["sk-proj-", "sk-svcacct-", "sk-admin-", "T3BlbkFJ"],
    pattern: /\bsk-(?:(?:proj|svcacct|admin)-)?([\w-]{32,250})/g,
  },
  { what: "npm token", anchors: ["npm_"], pattern: /\bnpm_([A-Za-z0-9]{36})\b/g },
  {
    what: "npm token",
    anchors: ["_authToken", "npmAuthToken"],
    pattern: /_?(?:npmA|a)uthToken\s{0,4}[=:]\s{0,4}["']?([A-Za-z0-9_-]{16,200})/g,
  },
  { what: "PyPI token", anchors: ["pypi-AgE"], pattern: /\bpypi-AgE([\w-]{50,250})/g },
  {
    what: "Google key",
    anchors: ["AIza", "ya29.", "GOCSPX-"],
    pattern: /\b(?:AIza([\w-]{35})(?![\w-])|ya29\.([\w-]{30,300})|GOCSPX-([\w-]{24,40}))/g,
  },
  { what: "SendGrid key", anchors: ["SG."], pattern: /\bSG\.([\w-]{20,24}\.[\w-]{39,50})/g },
  prefixed(
    "access token",
    [
      "dckr_pat_",
      "hvs.",
      "hvb.",
      "sntrys_",
      "sntryu_",
      "HRKU-",
      "figd_",
      "tskey-auth-",
      "tskey-api-",
    ],
    "[\\w-]{24,250}",
  ),
  prefixed(
    "access token",
    [
      "tskey-client-",
      "xkeysib-",
      "ATATT3",
      "nvapi-",
      "sk-or-v1-",
      "pcsk_",
      "lsv2_pt_",
      "lsv2_sk_",
      "fo1_",
    ],
    "[\\w-]{24,250}",
  ),
  prefixed(
    "access token",
    [
      "fm2_",
      "glc_ey",
      "ops_ey",
      "pscale_tkn_",
      "pscale_pw_",
      "vercel_blob_rw_",
      "sq0atp-",
      "sq0csp-",
    ],
    "[\\w-]{22,250}",
  ),
  prefixed("access token", ["dt0c01."], "[A-Z0-9]{24}\\.[A-Z0-9]{64}"),
  prefixed("access token", ["CFPAT-"], "[\\w-]{40,50}"),
  // Without underscores, because source code has identifiers with these prefixes.
  prefixed(
    "access token",
    [
      "hf_",
      "doo_v1_",
      "dop_v1_",
      "dor_v1_",
      "shpat_",
      "shpca_",
      "shppa_",
      "shpss_",
      "sbp_",
      "glsa_",
    ],
    "[A-Za-z0-9]{24,250}",
  ),
  prefixed(
    "access token",
    [
      "rubygems_",
      "lin_api_",
      "ntn_",
      "nfp_",
      "NRAK-",
      "PMAK-",
      "pul-",
      "gsk_",
      "xai-",
      "r8_",
      "pplx-",
    ],
    "[A-Za-z0-9]{24,250}",
  ),
  prefixed(
    "access token",
    ["rnd_", "dp.pt.", "sqp_", "squ_", "sgp_", "phx_", "tgp_v1_", "rzp_live_", "ATBB"],
    "[A-Za-z0-9]{24,250}",
  ),
  prefixed("access token", ["LTAI", "AKID"], "(?=[A-Za-z]{0,30}\\d)[A-Za-z0-9]{16,32}\\b"),
  prefixed("access token", ["anaconda.org/t/"], "[a-z]{2}-[0-9a-f-]{32,40}"),
  {
    what: "access token",
    anchors: [".atlasv1."],
    pattern: /\.atlasv1\.([A-Za-z0-9]{40,100})/g,
  },
  {
    what: "access token",
    anchors: [":AA"],
    pattern: /\b\d{8,10}:AA([\w-]{33})\b/g,
  },
  { what: "access token", anchors: ["key-"], pattern: /\bkey-([0-9a-f]{32})\b/g },
  { what: "Databricks token", anchors: ["dapi"], pattern: /\bdapi([0-9a-f]{32})\b/g },
  {
    what: "Azure key",
    anchors: ["AccountKey=", "SharedAccessKey="],
    pattern: /\b(?:Account|SharedAccess)Key=([A-Za-z0-9+/]{43,86}=)/g,
  },
];
