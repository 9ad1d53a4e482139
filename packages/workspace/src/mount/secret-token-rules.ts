import type { SecretContentRule } from "./secret-content-rule.js";

/**
 * A rule for tokens with a fixed start. It requires a digit, because a random token of 24 characters has one and a word
 * has none.
 */
function prefixed(
  what: string,
  prefixes: readonly string[],
  characters: string,
): SecretContentRule {
  const starts = prefixes.map((each) => each.replaceAll(".", "\\.")).join("|");
  const pattern = new RegExp(`\\b(?:${starts})(${characters})`, "g");
  return { what, anchors: prefixes, pattern, confirm: (secret) => /\d/.test(secret) };
}

/** Tokens that their service marks with a fixed text. */
export const SECRET_TOKEN_RULES: readonly SecretContentRule[] = [
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
  {
    what: "Azure key",
    anchors: ["&sig=", "?sig="],
    pattern: /[?&]sig=((?:[A-Za-z0-9+/]|%2[BbFf]){43}(?:=|%3[Dd]))/g,
  },
  {
    what: "Subversion login",
    anchors: ["\npassword\nV "],
    pattern: /\npassword\nV \d{1,3}\n([^\n]{6,100})\n/g,
  },
];
