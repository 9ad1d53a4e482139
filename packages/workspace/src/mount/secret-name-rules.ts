import type { Certainty } from "./secret-settings.js";

/** Name patterns of files and directories that contain secrets. Case-insensitive. */
export interface SecretNameRule {
  /**
   * Globs, separated by spaces. A glob with an inner slash matches the end of the host path, the others match the last
   * name. A trailing slash means a directory, which is left out with its content.
   */
  readonly names: string;
  /** What the file contains. */
  readonly why: string;
  /** The rule applies only if the content matches, or has a setting with a secret value. @default it always applies */
  readonly holds?: RegExp | Certainty | undefined;
  /** The rule does not apply if the file's content matches. @default it always applies */
  readonly unless?: RegExp | undefined;
}

const PASSWORD =
  /auth|token|passw|secret|credential|api.?key|:\/\/[^\s/@:]{0,100}:[^\s/@]{1,100}@/i;
/** Certificates and public keys: as text, or as an OpenPGP packet. */
const PUBLIC_ONLY =
  /^(?![\s\S]*PRIVATE KEY)[\s\S]*-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}(?:CERTIFICATE|PUBLIC KEY|PARAMETERS|CRL|REQUEST|SIGNATURE|MESSAGE)|^[\x98\x99\xc6]/;

export const SECRET_NAME_RULES: readonly SecretNameRule[] = [
  {
    names: ".env .env.* .env-* .env_* .envrc .envrc.* .dev.vars .dev.vars.* .env/ .envs/",
    why: "Environment files hold passwords and tokens of services.",
  },
  {
    names: "*.env",
    why: "Environment files of one service or stage.",
    holds: "literal",
  },
  {
    names: "*.env.{local,dev,development,test,staging,stage,prod,production}",
    why: "Each deployment stage has its own environment file.",
  },
  {
    names:
      "id_{rsa,dsa,ecdsa,ed25519,xmss}{,_*,-*,.*} *[_-]{rsa,dsa,ecdsa,ed25519} ssh_host_*_key {,*[_-]}deploy[_-]key private[_-]key privatekey insecure_private_key",
    why: "SSH private keys have these names by default.",
  },
  { names: ".ssh/ .gnupg/ .gpg/ private-keys-v1.d/", why: "SSH and GnuPG keep keys here." },
  {
    names:
      "*.{ppk,p8,p12,pfx,pkcs12,pkcs8,pk8,jks,jceks,bks,bcfks,keystore,pvk,snk,skr,agekey,keychain,keychain-db,sso}",
    why: "Key stores and private keys have these endings.",
  },
  {
    names: "*.{pem,key}",
    why: "Private keys are kept as PEM. Keynote slides, which are archives, have one of these endings too.",
    unless: new RegExp(`${PUBLIC_ONLY.source}|^PK\\x03\\x04|^\\s{0,100}$`),
  },
  { names: "*.{gpg,pgp} secring.*", why: "Key rings and encrypted secrets.", unless: PUBLIC_ONLY },
  {
    names:
      "*.{kdb,kdbx,psafe3,1pif,1pux,opvault,agilekeychain,keyring,kwallet,kwl,enpassdb,enpassdbsync,2fas} .password-store/ .config/op/ .lpass/ .local/share/keyrings/ bitwarden?cli/",
    why: "Password managers store everything in these.",
  },
  {
    names:
      "{bitwarden,lastpass,1password,dashlane,keepass,nordpass}{,_,-}*export*.{csv,json,xml} *recovery[_-]codes*.txt *backup[_-]codes*.txt *.otpauth passwords.{xlsx,xls,ods,docx,numbers}",
    why: "Password managers export to these, and services offer codes for download.",
  },
  {
    names: "*.csv",
    why: "Browsers and password managers export a table of logins.",
    holds:
      /^(?=[^\n]{0,400}passw)(?=[^\n]{0,400}(?:user|login|url|site))[^\n]{1,400}\n[^\n]{0,400}[^\s,"]/i,
  },
  {
    names: "{bitwarden,lastpass,1password,dashlane,keepass,nordpass,aegis}*.{json,xml}",
    why: "Password managers export to these too.",
    holds: /"login"|"password"|"secret"|<Value ProtectInMemory|"slots"/,
  },
  {
    names:
      "{.,}{password,passwords,passwd,secret,secrets,api_key,api-key,apikey,api_keys,api-keys,passphrase}.txt",
    why: "Notes with these names contain passwords or tokens.",
  },
  {
    names: "{.,}{token,tokens}.txt *{passwords,logins}.txt",
    why: "Notes with tokens or passwords. A file with many lines is a vocabulary.",
    unless: /(?:\n[^\n]*){40}/,
  },
  {
    names:
      ".token .secret .secrets .api_key .api-key .apikey .{github,gitlab,slack,npm}{_,-}token auth_token api_token *.{token,secret,secrets,password,passwd,credentials,creds} *{_,-}{token,password,apikey,api_key,api-key}.txt .{openai,anthropic,gemini}_api_key galaxy_token .google_authenticator encrypted_data_bag_secret .nomad-token .consul-token",
    why: "Files that contain only a token.",
  },
  {
    names:
      "*{_,-}{password,passwd,passphrase,secret,token} *{_,-}{key,keys,pat}.txt {redis-,}users.acl",
    why: "A mounted secret of a container, or a note: one word.",
    holds: /^\s{0,4}[^\s#]{4,400}\s{0,4}$|^user [^\n]{1,400}[>#]/,
  },
  {
    names:
      ".htpasswd *.htpasswd .htdigest shadow- gshadow- master.passwd smbpasswd passdb.tdb secrets.tdb",
    why: "Password hashes can be guessed offline.",
  },
  {
    names: "htpasswd shadow gshadow userlist.txt {mgmt,application}-users.properties",
    why: "Password hashes, in files with a name that is also used otherwise.",
    holds: /^(?:[^\s:#=]{1,100}[:=][^\n]{8}|"[^"\n]{1,100}" "[^"\n]{6})/m,
  },
  {
    names: "*.keytab krb5cc* .k5login.secret *.{kirbi,ccache} ntds.dit",
    why: "Kerberos keys and tickets.",
  },
  {
    names:
      "*.ovpn wg[0-9]*.conf etc/wireguard/*.conf tailscaled.state .cloudflared/ .ngrok2/ ngrok.yml ipsec.secrets rndc.key .vpnc/ psk.txt openfortivpn/config",
    why: "VPNs, tunnels and name servers keep their keys in the configuration.",
  },
  {
    names:
      ".netrc _netrc .authinfo .authinfo2 .fetchmailrc .msmtprc msmtp/config .offlineimaprc .getmailrc .getmail/ .smbcredentials .passwd-s3fs passwd-s3fs authinfo2 .muttrc .mbsyncrc .esmtprc davfs2/secrets chap-secrets pap-secrets wpa_supplicant*.conf *.nmconnection system-connections/ .dropbox_uploader .megarc .b2_account_info cookies.txt sasl_passwd sasl_passwd.db passwd.client aerc/accounts.conf .pine-passfile .s3curl",
    why: "Passwords of hosts and mail accounts.",
  },
  {
    names:
      ".pgpass pgpass.conf pgpassfile .my.cnf .mylogin.cnf .mongorc.js .cassandra/credentials .erlang.cookie .vnc/passwd .xauthority .iceauthority .rhosts .shosts .cvspass .subversion/auth/ .putty/ confcons.xml *.rdg weechat/sec.conf .purple/accounts.xml",
    why: "Databases and remote logins read passwords from these.",
  },
  {
    names:
      ".*_history .*-history .*_hist .lesshst .viminfo .histfile fish_history consolehost_history.txt .rediscli_auth .dbshell",
    why: "Shell histories contain typed passwords.",
  },
  {
    names:
      ".git-credentials .gitcookies git/credentials gh/hosts.yml glab-cli/config.yml gitlab-runner/config.toml tea/config.yml .config/hub .config/github-copilot/ .credentials_rsaparams .circleci/cli.yml .flyrc .config/argocd/ .argocd/ gitlab-secrets.json .arcrc .pause",
    why: "Git and the tools of its hosts store tokens.",
  },
  {
    names:
      ".aws/{credentials*,config,sso/**,cli/**} .azure/{*.json,*.bin,config,clouds.config} .gcloud/ .gsutil/ .config/gcloud/ .kube/{config*,cache/**} .oci/ .aliyun/ .tccli/ .bluemix/ .scw/ .config/scw/ .exoscale/ .fly/config.yml .jfrog/ .snowflake/ .snowsql/ .doppler/ .pulumi/credentials.json *.publishsettings azureauth.json {.,}aws{_,-}credentials{,.txt,.csv,.json} {,.}ovh.conf .vultr-cli.yaml .civo.json *openrc.sh *openrc keystonerc* .hal/",
    why: "Cloud command lines keep their credentials in these.",
  },
  {
    names:
      "gcloud/{credentials.db,access_tokens.db,legacy_credentials/**} application_default_credentials.json",
    why: "Google Cloud credentials, also when .config itself is mounted.",
  },
  {
    names:
      "kubeconfig *.kubeconfig .kubeconfig {,*[-_.]}kubeconfig{.,-,_}* kubernetes/{admin,kubelet,super-admin}.conf k3s.yaml",
    why: "Kubernetes clients keep certificates and tokens in these.",
    unless: /^#!|^users:[ \t]{0,4}(?:null|\[\])/m,
  },
  {
    names:
      ".docker/config.json .dockercfg .dockerconfigjson containers/auth.json .docker/contexts/tls/ .docker/trust/private/ helm/registry/config.json",
    why: "Registries' passwords.",
  },
  {
    names:
      "*.tfstate *.tfstate.* *.tfvars *.tfvars.json *.tfplan .terraformrc terraform.rc credentials.tfrc.json .vault-token vault{-,_}{init,keys}*.{json,txt} *unseal{-,_}keys*",
    why: "Terraform and Vault write secrets into these in plain text.",
  },
  {
    names:
      ".s3cfg .boto rclone.conf .rclone.conf .databrickscfg .doctl/ doctl/config.yaml hcloud/cli.toml linode-cli .linode-cli .mc/config.json .cf/config.json .netlify/config.json netlify/config.json com.vercel.cli/auth.json .vercel/auth.json .now/auth.json .zeit/auth.json .railway/config.json heroku/accounts/** .config/{heroku,flyctl,solana,.wrangler}/ .wrangler/config/ .stripe/ stripe/config.toml .supabase/access-token supabase/access-token .clasprc.json configstore/{firebase-tools,snyk}.json .runtimeconfig.json",
    why: "Command lines of storage, hosting and deployment services.",
  },
  {
    names:
      ".kaggle/ kaggle.json huggingface/token .huggingface/ .claude/.credentials.json .codex/auth.json .gemini/oauth_creds.json .openai .openai/ .anthropic/ .config/anthropic/ opencode/auth.json *oauth_creds.json .modal.toml .comet.config .twurlrc .sgptrc",
    why: "Accounts of model and data providers.",
  },
  {
    names:
      ".pypirc .cargo/credentials .cargo/credentials.toml .gem/credentials .composer/auth.json composer/auth.json .m2/settings-security.xml settings-security.xml .sbt/.credentials .ivy2/.credentials .lein/credentials.clj .pub-cache/credentials.json .hex/hex.config pypoetry/auth.toml uv/credentials/** .luarocks/upload_config.lua pub-tokens.json .conan/.conan.db .bazaar/authentication.conf",
    why: "Package managers' accounts.",
  },
  {
    names:
      ".npmrc .yarnrc .yarnrc.yml .bunfig.toml bunfig.toml pip.conf pip.ini nuget.config .condarc .curlrc .wgetrc .sentryclirc .piprc uv.toml sentry.properties .aider.conf.yml .bigqueryrc .gitconfig .hgrc",
    why: "Settings that can hold a token or password.",
    holds: PASSWORD,
  },
  {
    names: ".bundle/config",
    why: "Bundler keeps the login of a private source as `user:password`.",
    holds: /^BUNDLE_[A-Z0-9_]{1,200}: "?[^\s":/]{1,100}:[^\s"/]{6}/m,
  },
  {
    names: "auth.json",
    why: "Composer and other tools keep accounts in it.",
    holds:
      /"(?:http-basic|github-oauth|gitlab-token|gitlab-oauth|bearer|bitbucket-oauth|auths|tokens|refresh_token|access_token|id_token|password|OPENAI_API_KEY)"\s{0,9}:/,
  },
  {
    names:
      "sftp.json ftp-simple.json .ftpconfig parameters.{yml,yaml} appsettings.{production,prod,staging}.json application{-,.}prod*.{properties,yml,yaml} my.cnf clouds.yaml secure.yaml .cabal/config .m2/settings.xml flyway.{conf,toml} liquibase*.properties {db,jdbc,database,datasource,hibernate,connection}*.properties hibernate*.cfg.xml persistence.xml my.ini *.remmina *.rdp {keystore,key,signing,release}.properties repositories.yaml boot.properties redis.conf",
    why: "Logins of servers, databases and key stores.",
    holds: "literal",
  },
  {
    names:
      "database.{yml,yaml,php,json} {local,production,superset}_{settings,config}.py {settings,config}_{local,production,prod}.py settings.php settings.local.php localsettings.php appsettings*.json application*.{properties,yml,yaml} bootstrap*.{properties,yml,yaml} config.inc.php configuration.php app_local.php local.settings.json profiles.yml ormconfig.* hosts.ini inventory inventory.ini settings.xml context.xml server.xml web.config app.config connectionstrings.config {,.}{cqlshrc,odbc.ini} .continue/config.json *.pubxml *.pubxml.user grafana.ini airflow.cfg {gradle,local}.properties jupyter_{server,notebook}_config.json gitlab.rb datasources.json {config/,config.}{production,prod,staging,local}*.{json,yml,yaml,py,php} settings/{production,prod,local}.py instance/config.py",
    why: "Settings of applications, with passwords of databases and services.",
    holds: "password",
  },
  {
    names:
      "{secret,secrets}.{yml,yaml,json,toml,ini,conf,cfg,properties,xml,csv,env} {secret,secrets}.*.{yml,yaml,json,toml} *.secret.exs .streamlit/secrets.toml *.decrypt.private.php",
    why: "Applications read their secrets from these, but for templates and encrypted ones.",
    unless: /\{\{|^kind:\s{0,4}(?:SealedSecret|ExternalSecret)|^sops:|"sops"\s{0,4}:/m,
  },
  {
    names:
      "*{secret,token,passw,passphrase,credential,creds,apikey,api_key,api-key,private?key,privatekey,keypair,keyfile,oauth}*.{json,yml,yaml,toml,ini,cfg,conf,txt,xml,properties,csv,env} *{secret,token,passw,passphrase,credential,creds,apikey,api_key,api-key,keyfile} auth.txt auth.conf auth.cfg auth-user-pass* login.txt login.conf *[_-]key",
    why: "The name suggests a secret, and the content confirms it.",
    holds: "password",
  },
  {
    names:
      "credentials .credentials credentials.{yml,yaml,toml,ini,cfg,conf,txt,csv,xml,db,properties,clj} credentials.json {*accesskeys*,rootkey,credentials*,*_credentials}.csv creds{,.json,.yml,.yaml,.txt,.ini} *{_,-}creds.{json,yml,yaml,txt} token.pickle {credentials,secrets}.yml.enc credentials/*.yml.enc credentials-config.json",
    why: "Credentials, as services offer them for download.",
    unless: /^(?:get|post|openapi|type):|\{\{|"\$schema"/m,
  },
  {
    names:
      "*service{-,_,}account*.json client{-,_}secret*.json *adminsdk*.json {gcp,gcloud,google}*key*.json keyfile.json *-sa-key.json",
    why: "Keys of service accounts, but not the Kubernetes objects of that name.",
    unless: /"kind"\s{0,4}:/,
  },
  {
    names:
      "wp-config.php wp-config-*.php wp-config.*.php master.key config/credentials/*.key hudson.util.secret secret_key_base app/etc/env.php app/etc/local.xml tomcat-users.xml serializedsystemini.dat",
    why: "Keys and passwords of web applications.",
  },
  {
    names:
      "{.,}vault{_,-}pass{,word}{,.txt} .vault_pass* {.,}ansible{_,-}vault{_,-}pass* restic{_,-}password* .restic-password .borg-passphrase borg/keys/** sops/age/keys.txt age/keys.txt .age/",
    why: "Passwords of encrypted stores and backups.",
  },
  {
    names:
      "sftp-config.json .remote-sync.json ftp-sync.json sitemanager.xml recentservers.xml filezilla.xml winscp.ini datasources.local.xml webservers.xml http-client.private.env.json *.duck .lftprc",
    why: "Editors and transfer programs store logins.",
  },
  {
    names:
      "logins.json key3.db key4.db cert9.db signons.sqlite cookies.sqlite cookies.binarycookies wallet.dat *.wallet *.seco utc--* .electrum/ .bitcoin/ .ethereum/keystore/ .foundry/keystores/ .brownie/accounts/ {seed,mnemonic,recovery}{-,_}phrase*.txt",
    why: "Browsers and wallets.",
  },
  {
    names: "cookies login?data web?data local?state",
    why: "Browsers.",
    holds: /^SQLite format 3|"encrypted_key"/,
  },
  { names: "*.keys", why: "Monero wallets.", holds: /^[^\n]{0,200}\0/ },
  {
    names: "*{seed,mnemonic,phrase,wallet,recovery,backup}*.txt {seed,mnemonic}",
    why: "The words from which a wallet is restored.",
    holds: /^(?:[\d.):\s-]{0,8}\b[a-z]{3,8}\b){12,24}\s{0,4}$/,
  },
  {
    names: ".step/ .acme.sh/ letsencrypt/{live,archive,keys,accounts}/ .pki/",
    why: "Certificate tools keep private keys here.",
  },
  {
    names:
      ".*{_,-}{password,passwd,pass,token,secret,apikey} {apikey,api_key,api-key} {api-keys,api_keys,apikeys}.{json,yml,yaml}",
    why: "Passwords and keys are kept alone in a file.",
  },
];

/** Names that match a rule above but contain no secret: examples, translations, schemas and public keys. */
export const EXAMPLE_NAMES =
  "{*.,}{example,sample,template,dist,defaults,default,schema,tpl,tmpl,erb,j2} {*.,}{example,sample,template,schema}.* *{example,sample,template,schema}.* .env.vault *.pub {locales,locale,_locales,i18n,lang,translations,schemas,schema}/**/*.{json,yml,yaml}";
/** Source code, which is often named for the secrets that it handles. */
export const SOURCE_NAMES =
  "[!.]*.{ts,tsx,mts,cts,js,jsx,mjs,cjs,vue,svelte,go,rs,java,kt,swift,c,h,cc,cpp,hpp,cs,rb,md,mdx,rst,adoc,html,css,scss,map,snap}";

/** Files in a settings format, and source code that is only settings. A generated value of a secret setting in them is a secret. */
export const SETTINGS_FILE_NAMES =
  "*.{json,json5,jsonc,yaml,yml,toml,ini,cfg,conf,config,cnf,properties,props,xml,plist,env,tfvars,tf,hcl,sh,bash,zsh,ps1,bat,cmd,http,rest,reg} .* !(*.*) " +
  "{config,settings,secrets,credentials,keys,env,environment,environment.*,production,prod,local,knife,*_config,*_settings,config.*,*.config}.{js,mjs,cjs,ts,py,php,rb,exs,lua} config/*.{js,mjs,cjs,ts,py,php,rb,exs} settings/*.py";

/** Suffixes of backup copies: `id_rsa.bak` contains the same as `id_rsa`. */
export const COPY_ENDING =
  /(?:~|\.(?:bak|backup|old|orig|save|saved|copy|tmp|swp|swo|swn|rej|dpkg-old|dpkg-dist|rpmsave|rpmnew|\d{1,8}))$/;
