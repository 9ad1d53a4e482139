import { hasOnlyPublicKeys, hasOnlyPublicSettings } from "./harmless-content.js";
import type { SecretNameRule } from "./secret-name-rule.js";
import { isDefaultValue } from "./secret-settings.js";

const PASSWORD =
  /auth|token|passw|secret|credential|api.?key|:\/\/[^\s/@:]{0,100}:[^\s/@]{1,100}@/i;

const ENCRYPTED_OR_TEMPLATE =
  /\{\{|^kind:\s{0,4}(?:SealedSecret|ExternalSecret)|^sops:|"sops"\s{0,4}:/m;

/** Settings of applications, and accounts of people. */
export const SECRET_NAMES_OF_APPLICATIONS: readonly SecretNameRule[] = [
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
    names: ".condarc .conda/**",
    why: "The token of a channel is part of its address.",
    holds: /\/t\/[\w-]{16,80}\//,
  },
  {
    names: "*.rdp",
    why: "Remote desktops store the password in an encrypted form that the same user can read.",
    holds: /^password 51:b:[0-9a-f]{20}/im,
  },
  {
    names:
      "auth-user-pass* {vpn,ovpn,openvpn}*{auth,pass,login}*.txt {vpn,openvpn}/*{auth,pass,login}* login.{txt,conf}",
    why: "OpenVPN reads a name and a password from two lines.",
    holds: /^[^\s#]{1,100}\r?\n[^\s#]{6,200}\s{0,4}$/,
  },
  {
    names: ".auth/*.json {storage,auth}{-,_,}state*.json *{cookies,session}*.json",
    why: "Browser tests and scrapers store the cookies of a login.",
    holds: /"cookies"[\s\S]{0,2000}"value"\s{0,4}:\s{0,4}"[^"]{12}|"(?:httpOnly|hostOnly)"/,
  },
  {
    names: "*.macaroon keystore-m_*.json elasticsearch.keystore",
    why: "Macaroons are tokens of lightning nodes; the others are keys of validators and search clusters.",
  },
  {
    names: "sam system security history.sqlite",
    why: "Registry hives with password hashes, and the history of IPython.",
    holds: /^(?:regf|SQLite format 3\0)/,
  },
  {
    names: "*unattend*.xml sysprep*.xml",
    why: "Windows reads the password of the administrator from these.",
    holds: /Password>\s{0,100}<Value>[^<\s]{4}/i,
  },
  {
    names: ".curlrc",
    why: "The login is an option of curl.",
    holds: /^\s{0,8}-{0,2}u(?:ser)?[\s=]{1,8}"?[^\s:"]{1,100}:[^\s"]{4}/m,
  },
  {
    names: "{nomad,consul}*{bootstrap,init,token}*",
    why: "The first token of a cluster.",
    holds: /secret.?id"?\s{0,9}[=:]/i,
  },
  {
    names: "servlist.conf",
    why: "HexChat stores the passwords of networks.",
    holds: /^P=[^\n]{4}/m,
  },
  {
    names: "auth.json",
    why: "Composer and other tools keep accounts in it.",
    holds:
      /"(?:http-basic|github-oauth|gitlab-token|gitlab-oauth|bearer|bitbucket-oauth|auths|tokens|refresh_token|access_token|id_token|password|OPENAI_API_KEY)"\s{0,9}:/,
  },
  {
    names:
      "sftp.json ftp-simple.json .ftpconfig parameters.{yml,yaml} appsettings.{production,prod,staging}.json application{-,.}prod*.{properties,yml,yaml} my.cnf .pg_service.conf pg_service.conf .irssi/config .jira.d/config.yml clouds.yaml secure.yaml .cabal/config .m2/settings.xml flyway.{conf,toml} liquibase*.properties {db,jdbc,database,datasource,hibernate,connection}*.properties hibernate*.cfg.xml persistence.xml my.ini *.remmina *.rdp {keystore,key,signing,release}.properties repositories.yaml boot.properties redis.conf",
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
    unless: (text) => ENCRYPTED_OR_TEMPLATE.test(text) || hasOnlyPublicSettings(text),
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
      "{.,}vault{_,-}pass{,word}{,.txt} .vault_pass* {.,}ansible{_,-}vault{_,-}pass* restic{_,-}password* .restic-password .borg-passphrase *{password,passwd,passphrase}{-,_}file{,.txt} atuin/key borg/keys/** sops/age/keys.txt age/keys.txt .age/**",
    why: "Passwords of encrypted stores and backups.",
    unless: isDefaultValue,
  },
  {
    names:
      "sftp-config.json .remote-sync.json ftp-sync.json sitemanager.xml recentservers.xml filezilla.xml winscp.ini datasources.local.xml webservers.xml http-client.private.env.json *.duck .lftprc",
    why: "Editors and transfer programs store logins.",
  },
  {
    names:
      "logins.json key3.db key4.db cert9.db signons.sqlite cookies.sqlite cookies.binarycookies wallet.dat *.wallet *.seco utc--* .electrum/** .bitcoin/** .ethereum/keystore/** .foundry/keystores/** .brownie/accounts/** {seed,mnemonic,recovery}{-,_}phrase*.txt",
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
    names: ".step/** .acme.sh/** letsencrypt/{live,archive,keys,accounts}/** .pki/**",
    why: "Certificate tools keep private keys here.",
    unless: hasOnlyPublicKeys,
  },
  {
    names:
      ".*{_,-}{password,passwd,pass,token,secret,apikey} {apikey,api_key,api-key} {api-keys,api_keys,apikeys}.{json,yml,yaml}",
    why: "Passwords and keys are kept alone in a file.",
  },
];
