/** Files and directories that hold nothing but secrets wherever they stand. */
const NAMES = new Set([
  ...[".env", ".envrc", ".netrc", "_netrc", ".npmrc", ".pypirc", ".pgpass", ".my.cnf", ".htpasswd"],
  ...[".git-credentials", ".dockercfg", ".vault-token", ".boto", ".s3cfg", ".terraformrc"],
  ...[".ssh", ".aws", ".azure", ".gnupg", ".kube", ".gcloud", ".password-store"],
  ...["id_rsa", "id_dsa", "id_ecdsa", "id_ed25519", "id_ecdsa_sk", "id_ed25519_sk"],
  ...[".bash_history", ".zsh_history", ".node_repl_history", ".psql_history", ".python_history"],
]);

const ENDINGS = [
  ...[".pem", ".key", ".p12", ".pfx", ".jks", ".keystore", ".kdbx", ".ppk", ".tfstate"],
  ...[".tfstate.backup", ".agekey", ".ovpn"],
];

/** Those that do so only below a certain directory. */
const PATHS = [
  ...[".docker/config.json", ".config/gcloud", ".config/gh/hosts.yml", ".config/hub"],
  ...[".cargo/credentials", ".cargo/credentials.toml", ".gem/credentials", ".m2/settings.xml"],
];

/** What projects check in to show which variables there are. */
const HARMLESS = /^\.env\.(?:example|sample|template|dist|defaults)$/;

/** Whether what has this path usually holds a secret. The case of letters does not count. */
export function isSecretName(path: string): boolean {
  const lower = path.toLowerCase();
  const name = lower.slice(lower.lastIndexOf("/") + 1);
  if (NAMES.has(name)) return true;
  if (name.startsWith(".env.")) return !HARMLESS.test(name);
  if (ENDINGS.some((ending) => name.endsWith(ending))) return true;
  return PATHS.some((secret) => lower === secret || lower.endsWith(`/${secret}`));
}
