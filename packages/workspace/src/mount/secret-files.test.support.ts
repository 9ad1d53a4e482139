import {
  hex,
  OPENSSH_KEY,
  PGP_KEY,
  PRIVATE_KEY,
  RSA_DER,
  RSA_KEY,
  randomText,
} from "./secret-contents.test.support.js";
import { SECRET_FILES_OF_APPLICATIONS } from "./secret-files-of-applications.test.support.js";
import { SECRET_FILES_OF_TOOLS } from "./secret-files-of-tools.test.support.js";

/** Files that are beyond doubt secret, with realistic contents. */
export const SECRET_FILES: Readonly<Record<string, string>> = {
  ...SECRET_FILES_OF_TOOLS,
  ...SECRET_FILES_OF_APPLICATIONS,
};

/** Secret files that are copied; `docs/security.md` gives the reason for each. */
export const COPIED_SECRETS: readonly string[] = ["fastlane/.env.default"];

/** Names that are enough: such a file is left out whatever it contains, unless it is empty. */
export const SECRET_NAMES: readonly string[] = `
  .ENV .env.production.local .env.bak .env~ .env-staging ..env.swp config/prod.env.local .envs/.production/.django
  .dev.vars.production .ssh/config .ssh/id_rsa id_rsa id_rsa.bak id_rsa.old id_rsa.orig id_ed25519 id_ed25519_work
  keys/id_ecdsa-2024 deploy_rsa ssh_host_ed25519_key x/server.pem x/tls.key putty.ppk AuthKey_ABC123.p8 cert.p12 cert.PFX
  dist.p12 app.jks release.keystore release.keystore.bak backup.gpg .gnupg/pubring.kbx secring.gpg .github_token .htpasswd
  etc/shadow- http.keytab krb5cc_1000 office.ovpn wg0.conf _netrc .zsh_history .mysql_history .psql_history .irb-history
  .gitcookies .config/hub .aws/credentials .aws/sso/cache/x.json .azure/msal_token_cache.json .gsutil/credstore
  .config/gcloud/credentials.db kubeconfig staging.kubeconfig kubeconfig-prod.yaml .oci/config terraform.tfvars prod.auto.tfvars kaggle.json .gemini/oauth_creds.json .cargo/credentials
  .ivy2/.credentials secrets.yml secrets.yaml.old .streamlit/secrets.toml secrets.json credentials credentials.json
  my_accessKeys.csv service-account.json service_account_prod.json client_secret_1.apps.googleusercontent.com.json
  shop-firebase-adminsdk-abc.json wp-config.php wp-config.php.bak config/master.key .vault_pass vault-password.txt
  .config/sops/age/keys.txt FileZilla/sitemanager.xml logins.json key4.db deploy.token slack-token.txt .mongorc.js
  etc/ppp/chap-secrets etc/NetworkManager/system-connections/office.nmconnection shop.publishsettings aws-credentials.txt
  db-creds.yml token.pickle app/etc/env.php tomcat-users.xml sasl_passwd my_passwords.txt credentials.yml.enc`
  .trim()
  .split(/\s+/);

/** Secrets in files with a harmless name, and the kind that the report shows. */
export const SECRETS_BY_CONTENT: Readonly<Record<string, readonly [string, string]>> = {
  "notes/a.txt": ["private key", RSA_KEY],
  "notes/b.txt": ["private key", PRIVATE_KEY],
  "notes/c.txt": ["private key", OPENSSH_KEY],
  "notes/d.asc": ["private key", PGP_KEY],
  "notes/e.bin": ["private key", RSA_DER],
  "notes/f.txt": ["private key", "-----BEGIN EC PRIVATE KEY-----\nAn unknown form\n"],
  "notes/g.txt": ["private key", `key: ${Buffer.from(RSA_KEY).toString("base64")}\n`],
  "notes/h.txt": ["private key", `a ${Buffer.from(PRIVATE_KEY).toString("base64")}\n`],
  "src/fixture.ts": ["private key", `export const key = ${JSON.stringify(PRIVATE_KEY)};\n`],
  "config/app.json": ["private key", JSON.stringify({ key: RSA_KEY })],
  "notes/putty": ["private key", `PuTTY-User-Key-File-3: ssh-ed25519\n${randomText(40)}\n`],
  "notes/age": ["private key", `AGE-SECRET-KEY-1${randomText(58).toUpperCase()}\n`],
  "notes/nostr": ["private key", `nsec1${randomText(58, "lower")}\n`],
  "vpn.conf": ["private key", `[Interface]\nPrivateKey = ${randomText(43)}=\n`],
  "deploy.sh": ["AWS key", `aws_secret_access_key = ${randomText(40)}\n`],
  "a.md": ["GitHub token", `use ghp_${randomText(36)}`],
  "b.md": ["GitHub token", `use github_pat_${randomText(22)}_${randomText(59)}`],
  "c.md": ["GitLab token", `use glpat-${randomText(20)}`],
  "d.md": ["Slack token", `xoxb-${randomText(12)}-${randomText(24)}`],
  "e.md": [
    "webhook address",
    `https://hooks.slack.com/services/T${randomText(8).toUpperCase()}/B0000/${randomText(24)}`,
  ],
  "f.md": ["Stripe key", `sk_live_${randomText(24)}`],
  "g.md": ["Anthropic key", `sk-ant-api03-${randomText(80)}`],
  "h.md": ["OpenAI key", `sk-proj-${randomText(80)}`],
  "i.md": ["OpenAI key", `sk-${randomText(20)}T3BlbkFJ${randomText(20)}`],
  "j.md": ["npm token", `npm_${randomText(36)}`],
  "k.md": ["PyPI token", `pypi-AgEIcHlwaS5vcmc${randomText(60)}`],
  "l.md": ["Google key", `AIza${randomText(35)}`],
  "m.md": ["Google key", `ya29.${randomText(60)}`],
  "n.md": ["SendGrid key", `SG.${randomText(22)}.${randomText(43)}`],
  "o.md": ["access token", `hf_${randomText(34)}`],
  "p.md": ["access token", `dop_v1_${hex(64)}`],
  "q.md": ["access token", `hvs.${randomText(24)}`],
  "r.md": ["Databricks token", `dapi${hex(32)}`],
  "s.md": ["Azure key", `AccountName=x;AccountKey=${randomText(86)}==`],
  "t.md": ["access token", `sk-or-v1-${hex(64)}`],
  "u.md": ["access token", `1${"2".repeat(3)}456789:AA${randomText(33)}`],
  "v.md": ["one-time password key", `otpauth://totp/a?secret=${"JBSWY3DPEHPK3PXPJBQ"}`],
};
