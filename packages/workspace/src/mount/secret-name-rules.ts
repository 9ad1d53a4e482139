import type { SecretNameRule } from "./secret-name-rule.js";
import { SECRET_NAMES_OF_APPLICATIONS } from "./secret-names-of-applications.js";
import { SECRET_NAMES_OF_TOOLS } from "./secret-names-of-tools.js";

export const SECRET_NAME_RULES: readonly SecretNameRule[] = [
  ...SECRET_NAMES_OF_TOOLS,
  ...SECRET_NAMES_OF_APPLICATIONS,
];

/** Names that match a rule above but contain no secret: examples, translations, schemas and public keys. */
export const EXAMPLE_NAMES =
  "{*.,}{example,sample,template,dist,defaults,default,schema,tpl,tmpl,erb,j2} {*.,}{example,sample,template,schema}.* *{example,sample,template,schema}.* .env.vault *.pub {locales,locale,_locales,i18n,lang,translations,schemas,schema}/**/*.{json,yml,yaml}";
/** Source code, which is often named for the secrets that it handles. */
export const SOURCE_NAMES =
  "[!.]*.{ts,tsx,mts,cts,js,jsx,mjs,cjs,vue,svelte,go,rs,java,kt,swift,c,h,cc,cpp,hpp,cs,rb,md,mdx,rst,adoc,html,css,scss,map,snap}";

/** Pictures and documents in a format that holds no keys. */
export const IMAGE_NAMES = "*.{png,jpg,jpeg,gif,svg,webp,avif,ico,bmp,pdf,mp4,webm,woff,woff2,ttf}";

/** Files in a settings format, and source code that is only settings. A generated value of a secret setting in them is a secret. */
export const SETTINGS_FILE_NAMES =
  "*.{json,json5,jsonc,yaml,yml,toml,ini,cfg,conf,config,cnf,properties,props,xml,plist,env,tfvars,tf,hcl,sh,bash,zsh,ps1,bat,cmd,http,rest,reg,har,mobileconfig} .* !(*.*) " +
  "{config,settings,secrets,credentials,keys,env,environment,environment.*,production,prod,local,knife,*_config,*_settings,config.*,*.config}.{js,mjs,cjs,ts,py,php,rb,exs,lua} *secrets.{h,hpp,ino,dart,swift,kt} config/*.{js,mjs,cjs,ts,py,php,rb,exs} settings/*.py";

/** Suffixes of backup copies: `id_rsa.bak` contains the same as `id_rsa`. */
export const COPY_ENDING =
  /(?:~|\.(?:bak|backup|old|orig|save|saved|copy|tmp|swp|swo|swn|rej|dpkg-old|dpkg-dist|rpmsave|rpmnew|\d{1,8}))$/;
