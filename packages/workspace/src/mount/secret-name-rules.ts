/** Name patterns of files and directories that contain secrets. Case-insensitive. */
export interface SecretNameRule {
  /**
   * Globs, separated by spaces. A glob with an inner slash matches the end of the host path, the others match the last
   * name. A trailing slash means a directory, which is left out with its content.
   */
  readonly names: string;
  /** What the file contains. */
  readonly why: string;
  /** The rule applies only if the file's content matches. @default it always applies */
  readonly holds?: RegExp | undefined;
  /** The rule does not apply if the file's content matches. @default it always applies */
  readonly unless?: RegExp | undefined;
}

const PASSWORD =
  /auth|token|passw|secret|credential|api.?key|:\/\/[^\s/@:]{0,100}:[^\s/@]{1,100}@/i;
const PUBLIC_ONLY =
  /^(?![\s\S]*PRIVATE KEY)[\s\S]*-----BEGIN (?:[A-Z0-9]+ ){0,3}(?:CERTIFICATE|PUBLIC KEY|PARAMETERS|CRL|REQUEST|SIGNATURE|MESSAGE)/;

export const SECRET_NAME_RULES: readonly SecretNameRule[] = [
  {
    names: ".env .env.* .env-* .env_* *.env .envrc .envrc.* .dev.vars .dev.vars.* .env/ .envs/",
    why: "Environment files hold passwords and tokens of services.",
  },
  {
    names: "*.env.{local,dev,development,test,staging,stage,prod,production}",
    why: "Each deployment stage has its own environment file.",
  },
  {
    names: "id_{rsa,dsa,ecdsa,ed25519,xmss}{,_*,-*,.*} *[_-]{rsa,dsa,ecdsa,ed25519} ssh_host_*_key",
    why: "SSH private keys have these names by default.",
  },
  { names: ".ssh/ .gnupg/ .gpg/", why: "SSH and GnuPG keep keys here." },
  {
    names:
      "*.{ppk,p8,p12,pfx,pkcs12,pkcs8,jks,jceks,bks,keystore,pvk,snk,skr,agekey,keychain,keychain-db}",
    why: "Key stores and private keys have these endings.",
  },
  { names: "*.{pem,key}", why: "Private keys are kept as PEM.", unless: PUBLIC_ONLY },
  { names: "*.{gpg,pgp} secring.*", why: "Key rings and encrypted secrets.", unless: PUBLIC_ONLY },
  {
    names:
      "*.{kdb,kdbx,psafe3,1pif,opvault,agilekeychain,keyring,kwallet} .password-store/ .config/op/",
    why: "Password managers store everything in these.",
  },
  {
    names:
      "{bitwarden,lastpass,1password,dashlane,keepass}*.{csv,json,xml} *recovery[_-]codes*.txt",
    why: "Password managers export to these, and services offer codes for download.",
  },
  {
    names:
      "{.,}{password,passwords,passwd,secrets,token,tokens,api_key,api-key,apikey,api_keys,api-keys}.txt",
    why: "Notes with these names contain passwords or tokens.",
  },
  {
    names:
      ".token .secret .secrets .api_key .api-key .apikey .{github,gitlab,slack,npm}{_,-}token auth_token api_token *.{token,secret,secrets,password,passwd,credentials,creds} *{_,-}{token,password,apikey,api_key,api-key}.txt .{openai,anthropic,gemini}_api_key galaxy_token .google_authenticator",
    why: "Files that contain only a token.",
  },
  {
    names:
      ".htpasswd *.htpasswd htpasswd .htdigest shadow shadow- gshadow gshadow- master.passwd smbpasswd",
    why: "Password hashes can be guessed offline.",
  },
  {
    names: "*.keytab krb5cc* .k5login.secret *.{kirbi,ccache} ntds.dit",
    why: "Kerberos keys and tickets.",
  },
  {
    names:
      "*.ovpn wg[0-9]*.conf etc/wireguard/*.conf tailscaled.state .cloudflared/ .ngrok2/ ngrok.yml",
    why: "VPNs and tunnels keep their keys in the configuration.",
  },
  {
    names:
      ".netrc _netrc .authinfo .authinfo2 .fetchmailrc .msmtprc .offlineimaprc .getmailrc .smbcredentials .passwd-s3fs passwd-s3fs authinfo2 .muttrc .mbsyncrc .esmtprc davfs2/secrets chap-secrets pap-secrets wpa_supplicant*.conf *.nmconnection system-connections/ .dropbox_uploader .megarc .b2_account_info cookies.txt",
    why: "Passwords of hosts and mail accounts.",
  },
  {
    names:
      ".pgpass pgpass.conf .my.cnf .mylogin.cnf .mongorc.js .cassandra/credentials .erlang.cookie .vnc/passwd .xauthority .rhosts .shosts",
    why: "Databases and remote logins read passwords from these.",
  },
  {
    names: ".*_history .*_hist .histfile fish_history consolehost_history.txt .rediscli_auth",
    why: "Shell histories contain typed passwords.",
  },
  {
    names:
      ".git-credentials .gitcookies git/credentials gh/hosts.yml glab-cli/config.yml .config/hub .config/github-copilot/",
    why: "Git and the tools of its hosts store tokens.",
  },
  {
    names:
      ".aws/ .azure/ .gcloud/ .config/gcloud/ .kube/ .oci/ .aliyun/ .tccli/ .bluemix/ .scw/ .exoscale/ .fly/ .jfrog/ .snowflake/ .snowsql/ .doppler/ *.publishsettings azureauth.json {.,}aws{_,-}credentials{,.txt,.csv,.json}",
    why: "Cloud command lines keep their credentials in these.",
  },
  {
    names:
      "gcloud/{credentials.db,access_tokens.db,legacy_credentials/**} application_default_credentials.json",
    why: "Google Cloud credentials, also when .config itself is mounted.",
  },
  {
    names:
      "kubeconfig *.kubeconfig .kubeconfig kubeconfig{.,-,_}* kubernetes/{admin,kubelet,super-admin}.conf",
    why: "Kubernetes clients keep certificates and tokens in these.",
  },
  {
    names:
      ".docker/config.json .dockercfg .dockerconfigjson containers/auth.json .docker/contexts/tls/ helm/registry/config.json",
    why: "Registries' passwords.",
  },
  {
    names:
      "*.tfstate *.tfstate.* *.tfvars *.tfvars.json *.tfplan .terraformrc terraform.rc credentials.tfrc.json .vault-token",
    why: "Terraform and Vault write secrets into these in plain text.",
  },
  {
    names:
      ".s3cfg .boto rclone.conf .databrickscfg .doctl/ doctl/config.yaml hcloud/cli.toml linode-cli .linode-cli .mc/config.json .cf/config.json",
    why: "Storage and hosting command lines.",
  },
  {
    names:
      ".netlify/config.json netlify/config.json com.vercel.cli/auth.json .vercel/auth.json .now/auth.json .zeit/auth.json .railway/ .heroku/ heroku/accounts/** .wrangler/config/** .stripe/ stripe/config.toml .supabase/access-token supabase/access-token .clasprc.json configstore/{firebase-tools,snyk}.json",
    why: "Deployment command lines.",
  },
  {
    names:
      ".kaggle/ kaggle.json huggingface/token .huggingface/ .claude/.credentials.json .codex/auth.json .gemini/oauth_creds.json .openai/ .anthropic/ .config/anthropic/ opencode/auth.json *oauth_creds.json .modal.toml .comet.config",
    why: "Accounts of model and data providers.",
  },
  {
    names:
      ".pypirc .cargo/credentials .cargo/credentials.toml .gem/credentials .composer/auth.json composer/auth.json .m2/settings.xml .m2/settings-security.xml settings-security.xml .sbt/.credentials .ivy2/.credentials .lein/credentials.clj .pub-cache/credentials.json .hex/hex.config pypoetry/auth.toml uv/credentials/**",
    why: "Package managers' accounts.",
  },
  {
    names:
      ".npmrc .yarnrc .yarnrc.yml .bunfig.toml bunfig.toml pip.conf pip.ini nuget.config .bundle/config gradle.properties local.properties .condarc .curlrc .wgetrc .sentryclirc .piprc uv.toml keystore.properties key.properties sentry.properties .aider.conf.yml .bigqueryrc",
    why: "Settings that can hold a token or password.",
    holds: PASSWORD,
  },
  {
    names: "*.{jwk,jwks} {jwk,jwks,private}*.json",
    why: "Keys of a token service; public ones have no private part.",
    holds: /"(?:d|k)"\s{0,9}:\s{0,9}"[\w-]{20,}"/,
  },
  {
    names: "auth.json",
    why: "Composer and other tools keep accounts in it.",
    holds:
      /"(?:http-basic|github-oauth|gitlab-token|gitlab-oauth|bearer|bitbucket-oauth|auths|tokens|refresh_token|access_token|id_token|password|OPENAI_API_KEY)"\s*:/,
  },
  {
    names:
      "database.yml parameters.yml sftp.json local_settings.py settings.local.php localsettings.php appsettings.*.json my.cnf application*.{properties,yml,yaml} config.inc.php sites/*/settings.php",
    why: "Tokens and passwords of an application.",
    holds:
      /["']?(?:refresh_token|access_token|client_secret|password|passwd|secret|secret_key|wgDBpassword)["'\])]*\s*(?:=>|[:=])\s*["']?[^\s"'<{$%,}]{6}/i,
  },
  {
    names:
      "{secret,secrets}.{yml,yaml,json,toml,ini,conf,cfg,properties,xml,csv,php,py,env} {secret,secrets}.*.{yml,yaml,json,toml} .streamlit/secrets.toml",
    why: "Applications read their secrets from these.",
  },
  {
    names:
      "credentials .credentials credentials.{yml,yaml,toml,ini,cfg,conf,txt,csv,xml,db,properties,clj} credentials.json {*accesskeys*,rootkey,credentials*}.csv creds{,.json,.yml,.yaml,.txt,.ini} *{_,-}creds.{json,yml,yaml,txt} token.pickle",
    why: "Credentials, as services offer them for download.",
  },
  {
    names: "*credentials*.json *token*.json oauth*.json",
    why: "Credentials of one service.",
    holds:
      /"[\w.-]{0,60}(?:secret|passw|token|private_?key|access_?key|api_?key)[\w.-]{0,60}"\s{0,9}:\s{0,9}"[^"\s]{8,}"/i,
  },
  {
    names:
      "*service{-,_,}account*.json client{-,_}secret*.json *adminsdk*.json {gcp,gcloud,google}*key*.json keyfile.json *-sa-key.json",
    why: "Keys of service accounts.",
  },
  {
    names:
      "wp-config.php wp-config-*.php wp-config.*.php master.key config/credentials/*.key hudson.util.secret secret_key_base app/etc/env.php app/etc/local.xml tomcat-users.xml",
    why: "Keys and passwords of web applications.",
  },
  {
    names:
      "{.,}vault{_,-}pass{,word}{,.txt} .vault_pass* {.,}ansible{_,-}vault{_,-}pass* restic{_,-}password* .restic-password .borg-passphrase borg/keys/** sops/age/keys.txt age/keys.txt .age/",
    why: "Passwords of encrypted stores and backups.",
  },
  {
    names:
      "sftp-config.json .ftpconfig .remote-sync.json sitemanager.xml recentservers.xml winscp.ini datasources.local.xml webservers.xml .twurlrc",
    why: "Editors and transfer programs store logins.",
  },
  {
    names:
      "logins.json key3.db key4.db signons.sqlite cookies.sqlite login?data wallet.dat utc--* .electrum/ .bitcoin/ .ethereum/keystore/ {seed,mnemonic,recovery}{-,_}phrase*.txt",
    why: "Browsers and wallets.",
  },
  {
    names: ".step/ .acme.sh/ letsencrypt/{live,archive,keys,accounts}/ .pki/",
    why: "Certificate tools keep private keys here.",
  },
  {
    names:
      ".config/{heroku,flyctl,solana,.wrangler}/ .wrangler/config/ .rclone.conf .dbt/profiles.yml",
    why: "Command-line tools of services keep their logins here.",
  },
  {
    names:
      ".*{_,-}{password,passwd,pass,token,secret,apikey} {apikey,api_key,api-key} {api-keys,api_keys,apikeys}.{json,yml,yaml}",
    why: "Passwords and keys are kept alone in a file.",
  },
  {
    names: "{token,tokens,oauth_token,oauth2_token}.json",
    why: "OAuth clients store their tokens in these.",
    holds: /refresh_token|access_token|id_token/i,
  },
  {
    names:
      "{LocalSettings,settings.local,configuration,config.inc,database}.php local.settings.json {profiles,database}.yml",
    why: "Applications keep the password of their database here.",
    holds:
      /passw(?:or)?d["'\]\s]{0,4}(?:=>?|:|,)\s{0,4}["']?[^\s"'${<]|AccountKey=|SharedAccessKey=/i,
  },
];

/** Names that match a rule above but contain no secret: examples, public keys and source code. */
export const HARMLESS_NAMES =
  "{*.,}{example,sample,template,dist,defaults,default,schema,tpl,tmpl,erb,j2}{,.*} *{example,sample,template,schema}.* *.env.{example,sample,template,dist,defaults} .env.*.{example,sample,template,dist,defaults} .env.vault *.pub " +
  "*.{ts,tsx,mts,cts,js,jsx,mjs,cjs,vue,svelte,go,rs,java,kt,swift,c,h,cc,cpp,hpp,cs,rb,md,mdx,rst,adoc,html,css,scss,map,snap}";

/** Suffixes of backup copies: `id_rsa.bak` contains the same as `id_rsa`. */
export const COPY_ENDING =
  /(?:~|\.(?:bak|backup|old|orig|save|saved|copy|tmp|swp|swo|swn|rej|dpkg-old|dpkg-dist|rpmsave|rpmnew|\d{1,8}))$/;
