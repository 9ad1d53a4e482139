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
    what: "private key",
    anchors: ["AGE-SECRET-KEY-1"],
    pattern: /AGE-SECRET-KEY-1([0-9A-Z]{50,60})/g,
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
    anchors: ["client-key-data"],
    pattern: /\bclient-key-data:\s{0,4}"?([A-Za-z0-9+/]{100,200})/g,
  },
  {
    what: "registry login",
    anchors: ['"auths"'],
    pattern: /"auths"\s{0,8}:[\s\S]{0,400}?"auth"\s{0,8}:\s{0,8}"([A-Za-z0-9+/]{12,400}={0,2})"/g,
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
    anchors: ["sk_live_", "rk_live_", "whsec_"],
    pattern: /\b(?:[sr]k_live_|whsec_)([A-Za-z0-9+/]{20,200})/g,
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
  {
    what: "access token",
    anchors: [
      ...[
        "dckr_pat_",
        "hf_",
        "dop_v1_",
        "doo_v1_",
        "dor_v1_",
        "shpat_",
        "shpca_",
        "shppa_",
        "shpss_",
      ],
      ...[
        "hvs.",
        "hvb.",
        "sbp_",
        "glsa_",
        "sntrys_",
        "sntryu_",
        "rubygems_",
        "lin_api_",
        "ntn_",
        "nfp_",
      ],
      ...[
        "NRAK-",
        "PMAK-",
        "pul-",
        "gsk_",
        "xai-",
        "r8_",
        "pplx-",
        "dp.pt.",
        "HRKU-",
        "figd_",
        "tskey-",
      ],
      ...[".atlasv1."],
    ],
    // The second group excludes underscores, because source code has identifiers with these prefixes.
    pattern:
      /\b(?:dckr_pat_|hv[sb]\.|sntry[su]_|HRKU-|figd_|tskey-(?:auth|api|client)-)([\w-]{24,250})|\b(?:hf_|do[opr]_v1_|shp(?:at|ca|pa|ss)_|sbp_|glsa_|rubygems_|lin_api_|ntn_|nfp_|NRAK-|PMAK-|pul-|gsk_|xai-|r8_|pplx-|dp\.pt\.)([A-Za-z0-9]{24,250})|\.atlasv1\.([A-Za-z0-9]{40,100})/g,
  },
  { what: "Databricks token", anchors: ["dapi"], pattern: /\bdapi([0-9a-f]{32})\b/g },
  {
    what: "Azure key",
    anchors: ["AccountKey=", "SharedAccessKey="],
    pattern: /\b(?:Account|SharedAccess)Key=([A-Za-z0-9+/]{43,86}=)/g,
  },
];
