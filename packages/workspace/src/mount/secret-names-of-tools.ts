import {
  hasOnlyCertificates,
  hasOnlyOrdinaryWords,
  hasOnlyPublicKeys,
  hasOnlyPublicSettings,
  isProse,
} from "./harmless-content.js";
import type { SecretNameRule } from "./secret-name-rule.js";
import { isDefaultValue } from "./secret-settings.js";

/** Keys, and accounts of operating systems, clouds and development tools. */
export const SECRET_NAMES_OF_TOOLS: readonly SecretNameRule[] = [
  {
    names: ".env .env.* .env-* .env_* .envrc .envrc.* .dev.vars .dev.vars.* .env/* .envs/**",
    why: "Environment files hold passwords and tokens of services.",
    unless: hasOnlyPublicSettings,
  },
  {
    names: "*.env *.env.{local,dev,development,test,staging,stage,prod,production}",
    why: "Environment files of one service or deployment stage.",
    unless: hasOnlyPublicSettings,
  },
  {
    names:
      "id_{rsa,dsa,ecdsa,ed25519,xmss}{,_*,-*,.*} *[_-]{rsa,dsa,ecdsa,ed25519} ssh_host_*_key {,*[_-]}deploy[_-]key private[_-]key privatekey insecure_private_key",
    why: "SSH private keys have these names by default.",
  },
  {
    names: ".ssh/** .gnupg/** .gpg/** private-keys-v1.d/**",
    why: "SSH and GnuPG keep keys here.",
    unless: hasOnlyPublicKeys,
  },
  {
    names:
      "*.{ppk,p8,p12,pfx,pkcs12,pkcs8,pk8,jks,jceks,bks,bcfks,keystore,pvk,snk,skr,agekey,keychain,keychain-db,sso}",
    why: "Key stores and private keys have these endings.",
    unless: hasOnlyCertificates,
  },
  {
    names: "*.{pem,key}",
    why: "Private keys are kept as PEM. Keynote slides, which are archives, have one of these endings too.",
    unless: (text) => hasOnlyPublicKeys(text) || isProse(text) || text.startsWith("PK\x03\x04"),
  },
  {
    names: "*.{gpg,pgp} secring.*",
    why: "Key rings and encrypted secrets.",
    unless: hasOnlyPublicKeys,
  },
  {
    names:
      "*.{kdb,kdbx,psafe3,1pif,1pux,opvault,agilekeychain,keyring,kwallet,kwl,enpassdb,enpassdbsync,2fas} .password-store/** .config/op/** .lpass/** .local/share/keyrings/** bitwarden?cli/**",
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
    unless: isDefaultValue,
  },
  {
    names:
      ".htpasswd *.htpasswd .htdigest shadow- gshadow- master.passwd smbpasswd passdb.tdb secrets.tdb",
    why: "Password hashes can be guessed offline.",
  },
  {
    names:
      "htpasswd passwd shadow gshadow userlist.txt {mosquitto,dovecot,vsftpd}*{passwd,pwfile,users}* {mgmt,application}-users.properties",
    why: "Password hashes, in files with a name that is also used otherwise.",
    holds:
      /^(?:[^\s:#=]{1,100}[:=](?:\{[A-Z0-9-]{2,12}\})?[$\w./+=-]{0,3}[^\s:]{10}|"[^"\n]{1,100}" "[^"\n]{6})/m,
  },
  {
    names: "*.keytab krb5cc* .k5login.secret *.{kirbi,ccache} ntds.dit",
    why: "Kerberos keys and tickets.",
  },
  {
    names:
      "*.ovpn wg[0-9]*.conf etc/wireguard/*.conf tailscaled.state .cloudflared/** .ngrok2/** ngrok.yml ipsec.secrets rndc.key .vpnc/** psk.txt openfortivpn/config",
    why: "VPNs, tunnels and name servers keep their keys in the configuration.",
  },
  {
    names:
      ".netrc _netrc .authinfo .authinfo2 .fetchmailrc .msmtprc msmtp/config .offlineimaprc .getmailrc .getmail/** .smbcredentials .passwd-s3fs passwd-s3fs authinfo2 .muttrc .mbsyncrc .esmtprc davfs2/secrets chap-secrets pap-secrets wpa_supplicant*.conf *.nmconnection system-connections/** .dropbox_uploader .megarc .b2_account_info cookies.txt sasl_passwd sasl_passwd.db passwd.client aerc/accounts.conf .pine-passfile .s3curl",
    why: "Passwords of hosts and mail accounts.",
  },
  {
    names:
      ".pgpass pgpass.conf pgpassfile .my.cnf .mylogin.cnf .mongorc.js .cassandra/credentials .erlang.cookie .vnc/passwd .xauthority .iceauthority .rhosts .shosts .cvspass .subversion/auth/** .putty/** confcons.xml *.rdg weechat/sec.conf .purple/accounts.xml",
    why: "Databases and remote logins read passwords from these.",
  },
  {
    names:
      ".*_history .*-history .*_hist .lesshst .viminfo .histfile fish_history consolehost_history.txt .rediscli_auth .dbshell",
    why: "Shell histories contain typed passwords.",
    unless: hasOnlyOrdinaryWords,
  },
  {
    names:
      ".git-credentials .gitcookies git/credentials gh/hosts.yml glab-cli/config.yml gitlab-runner/config.toml tea/config.yml .config/hub .config/github-copilot/** .credentials_rsaparams .circleci/cli.yml .flyrc .config/argocd/** .argocd/** gitlab-secrets.json .arcrc .pause",
    why: "Git and the tools of its hosts store tokens.",
  },
  {
    names:
      ".aws/{credentials*,config,sso/**,cli/**} .azure/{*.json,*.bin,config,clouds.config} .gcloud/** .gsutil/** .config/gcloud/** .kube/{config*,cache/**} .oci/** .aliyun/** .tccli/** .bluemix/** .scw/** .config/scw/** .exoscale/** .fly/config.yml .jfrog/** .snowflake/** .snowsql/** .doppler/** .pulumi/credentials.json *.publishsettings azureauth.json {.,}aws{_,-}credentials{,.txt,.csv,.json} {,.}ovh.conf .vultr-cli.yaml .civo.json *openrc.sh *openrc keystonerc* .hal/**",
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
      ".docker/config.json .dockercfg .dockerconfigjson containers/auth.json .docker/contexts/tls/** .docker/trust/private/** helm/registry/config.json",
    why: "Registries' passwords.",
  },
  {
    names:
      "*.tfplan .terraformrc terraform.rc credentials.tfrc.json .vault-token vault{-,_}{init,keys}*.{json,txt} *unseal{-,_}keys*",
    why: "Terraform and Vault write secrets into these in plain text.",
  },
  {
    names: "*.tfvars *.tfvars.json",
    why: "Variables of Terraform, often with passwords.",
    unless: hasOnlyPublicSettings,
  },
  {
    names: "*.tfstate *.tfstate.*",
    why: "The state of Terraform has the generated passwords of databases and services.",
    holds: "password",
  },
  {
    names: "*.tfstate *.tfstate.*",
    why: "The state of Terraform has the results of its generators.",
    holds:
      /"type"\s{0,4}:\s{0,4}"(?:random_password|tls_private_key|aws_iam_access_key|[a-z]{2,12}_[a-z_]{0,40}_?(?:secret|password|service_account_key))[a-z_]{0,20}"/,
  },
  {
    names:
      ".s3cfg .boto rclone.conf .rclone.conf .databrickscfg .doctl/** doctl/config.yaml hcloud/cli.toml linode-cli .linode-cli .mc/config.json .cf/config.json .netlify/config.json netlify/config.json com.vercel.cli/auth.json .vercel/auth.json .now/auth.json .zeit/auth.json .railway/config.json heroku/accounts/** .config/{heroku,flyctl,solana,.wrangler}/** .wrangler/config/** .stripe/** stripe/config.toml .supabase/access-token supabase/access-token .clasprc.json configstore/{firebase-tools,snyk}.json .runtimeconfig.json",
    why: "Command lines of storage, hosting and deployment services.",
  },
  {
    names:
      ".kaggle/** kaggle.json huggingface/token .huggingface/** .claude/.credentials.json .codex/auth.json .gemini/oauth_creds.json .openai .openai/** .anthropic/** .config/anthropic/** opencode/auth.json *oauth_creds.json .modal.toml .comet.config .twurlrc .sgptrc",
    why: "Accounts of model and data providers.",
  },
  {
    names:
      ".pypirc .cargo/credentials .cargo/credentials.toml .gem/credentials .composer/auth.json composer/auth.json .m2/settings-security.xml settings-security.xml .sbt/.credentials .ivy2/.credentials .lein/credentials.clj .pub-cache/credentials.json hex.config pypoetry/auth.toml uv/credentials/** .luarocks/upload_config.lua pub-tokens.json .conan/.conan.db .bazaar/authentication.conf",
    why: "Package managers' accounts.",
  },
];
