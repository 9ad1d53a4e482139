import { createHash, generateKeyPairSync, sign } from "node:crypto";

/** Letters and digits that look random but are the same in every run, so that the sources contain no complete token. */
export function randomText(length: number, alphabet: "alnum" | "hex" | "lower" = "alnum"): string {
  const characters = {
    hex: "0123456789abcdef",
    lower: "abcdefghijklmnopqrstuvwxyz0123456789",
    alnum: "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwz23456789",
  }[alphabet];
  let text = "";
  for (let block = 0; text.length < length; block++)
    for (const byte of createHash("sha256").update(`${alphabet} ${length} ${block}`).digest())
      text += characters[byte % characters.length];
  return text.slice(0, length);
}

/** Bytes that look random, as a text with one character per byte. */
function randomBytes(length: number): string {
  let text = "";
  for (let block = 0; text.length < length; block++)
    text += createHash("sha256").update(`bytes ${length} ${block}`).digest().toString("latin1");
  return text.slice(0, length);
}

export const hex = (length: number): string => randomText(length, "hex");

const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });
const ec = generateKeyPairSync("ec", { namedCurve: "P-256" });
const ed25519 = generateKeyPairSync("ed25519");
export const RSA_KEY = rsa.privateKey.export({ type: "pkcs1", format: "pem" }).toString();
export const EC_KEY = ec.privateKey.export({ type: "sec1", format: "pem" }).toString();
export const PRIVATE_KEY = ed25519.privateKey.export({ type: "pkcs8", format: "pem" }).toString();
export const LOCKED_KEY = rsa.privateKey
  .export({ type: "pkcs8", format: "pem", cipher: "aes-256-cbc", passphrase: "p" })
  .toString();
export const PUBLIC_KEY = rsa.publicKey.export({ type: "spki", format: "pem" }).toString();
export const RSA_DER = rsa.privateKey.export({ type: "pkcs8", format: "der" }).toString("latin1");
export const PUBLIC_DER = rsa.publicKey.export({ type: "spki", format: "der" }).toString("latin1");
export const PRIVATE_JWK = JSON.stringify(rsa.privateKey.export({ format: "jwk" }));
export const PUBLIC_JWK = JSON.stringify(rsa.publicKey.export({ format: "jwk" }));
export const OPENSSH_KEY = RSA_KEY.replaceAll("RSA PRIVATE", "OPENSSH PRIVATE");
export const PGP_KEY = armored("PGP PRIVATE KEY BLOCK");
export const CERTIFICATE = `-----BEGIN CERTIFICATE-----\n${randomText(64)}\n-----END CERTIFICATE-----\n`;
export const SSH_PUBLIC_KEY = `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${randomText(43)} me@laptop\n`;

/** A binary file of some program, for formats that are known by name only. */
export const BINARY = `\u0000\u0001\u0002${randomBytes(400)}`;
export const SQLITE = `SQLite format 3\u0000${randomBytes(400)}`;
/** The first bytes of a PKCS #12 archive. */
export const PKCS12 = `0\u0082\u000a\u0041\u0002\u0001\u00030\u0082\u000a\u0007${randomBytes(400)}`;
export const JAVA_KEY_STORE = `\u00fe\u00ed\u00fe\u00ed\u0000\u0000\u0000\u0002\u0000\u0000\u0000\u0001\u0000\u0000\u0000\u0001${randomBytes(400)}`;
/** Key stores with one certificate and no key. */
export const JAVA_TRUST_STORE = `\u00fe\u00ed\u00fe\u00ed\0\0\0\u0002\0\0\0\u0001\0\0\0\u0002\0\u0002ca${"\0".repeat(8)}\0\u0005X.509\0\0\u0001\u0000${randomBytes(256)}${randomBytes(20)}`;
export const PKCS12_TRUST_STORE = `0\u0082\u000a\u0041\u0002\u0001\u00030\u0082\u000a\u0007\u0006\u0009\u002a\u0086\u0048\u0086\u00f7\u000d\u0001\u0007\u0006${randomBytes(400)}`;
/** OpenPGP: a secret key packet, a public key packet, and an encrypted message. */
export const PGP_SECRET_RING = `\u0095\u0003\u0098\u0004\u0065\u0001\u0002\u0003\u0001${randomBytes(400)}`;
export const PGP_PUBLIC_RING = `\u0099\u0001\u000d\u0004\u0065\u0001\u0002\u0003\u0001${randomBytes(400)}`;
export const PGP_MESSAGE = `\u0085\u0001\u000c\u0003${randomBytes(400)}`;

export function armored(what: string): string {
  return `-----BEGIN ${what}-----\nVersion: GnuPG v2\n\n${randomText(64)}\n-----END ${what}-----\n`;
}

export function serviceAccount(email = "ci@shop.iam.gserviceaccount.com"): string {
  const key = { type: "service_account", private_key_id: hex(40), private_key: PRIVATE_KEY };
  return JSON.stringify({
    ...key,
    client_email: email,
    token_uri: "https://oauth2.googleapis.com",
  });
}

/** A signed JSON Web Token. */
export function jwt(): string {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const text = `${part({ alg: "RS256", typ: "JWT" })}.${part({ sub: "1", scope: "admin" })}`;
  return `${text}.${sign("sha256", Buffer.from(text), rsa.privateKey).toString("base64url")}`;
}
