import { hasSecretSetting, isPassword, isPublicValue } from "./secret-settings.js";

/** Whether a file has nothing but white space, empty brackets and comments. */
export function isBlank(text: string): boolean {
  return !/[^\s{}[\]]/.test(text.replace(/^[ \t]*(?:#|\/\/ |;)[^\n]*/gm, ""));
}

/** Whether a text is a remark in place of a key, such as `This is a fake certificate!` in a test. */
export function isProse(text: string): boolean {
  const line = text.trim();
  if (line.length > 300 || !/^[A-Za-z][A-Za-z ,.!?'()-]*$/.test(line)) return false;
  const words = line.toLowerCase().split(/[^a-z]+/);
  if (words.some((word) => PRETENDING.has(word))) return words.length >= 3;
  return (
    words.length >= 4 && words.some((word) => SMALL.has(word)) && !/secret|passw|key/.test(line)
  );
}

const PRETENDING = new Set(["fake", "dummy", "placeholder", "mock", "not"]);
/** Words of sentences. The words from which a wallet is restored contain none of them. */
const SMALL = new Set(["a", "an", "is", "the", "of", "to", "in", "for"]);

/** Whether a file has certificates and public keys, as text or as an OpenPGP packet, and no private key. */
export function hasOnlyPublicKeys(text: string): boolean {
  if (text.includes("PRIVATE KEY")) return false;
  return PUBLIC_KEY.test(text) || isProse(text);
}

const PUBLIC_KEY =
  /-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}(?:CERTIFICATE|PUBLIC KEY|PARAMETERS|CRL|REQUEST|SIGNATURE|MESSAGE)|^[\x98\x99\xc6]|^[^\n]{0,2000}\b(?:ssh-(?:rsa|dss|ed25519)|ecdsa-sha2-nistp\d{3}) AAAA/;

/** Whether a key store has certificates and no private key, as stores of trusted authorities do. */
export function hasOnlyCertificates(text: string): boolean {
  if (text.startsWith("\xfe\xed\xfe\xed")) return hasOnlyTrustedEntries(text);
  return text.startsWith("0") && text.includes(ENCRYPTED_DATA) && !text.includes(KEY_BAG);
}

/** PKCS #12 names its parts by object identifiers: encrypted certificates, and (shrouded) private keys. */
const ENCRYPTED_DATA = "\x2a\x86\x48\x86\xf7\x0d\x01\x07\x06";
const KEY_BAG = "\x2a\x86\x48\x86\xf7\x0d\x01\x0c\x0a\x01";

/** Reads the entries of a Java key store. Each starts with 1 for a private key, or 2 for a certificate. */
function hasOnlyTrustedEntries(text: string): boolean {
  const bytes = Buffer.from(text, "latin1");
  const version = bytes.readUInt32BE(4);
  let at = 12;
  while (at + 4 <= bytes.length - DIGEST_BYTES) {
    if (bytes.readUInt32BE(at) !== 2) return false;
    at += 4;
    at += 2 + (at + 2 <= bytes.length ? bytes.readUInt16BE(at) : 0) + 8;
    if (version === 2) at += 2 + (at + 2 <= bytes.length ? bytes.readUInt16BE(at) : 0);
    at += 4 + (at + 4 <= bytes.length ? bytes.readUInt32BE(at) : 0);
  }
  return at > 12;
}

const DIGEST_BYTES = 20;

/** Whether all lines are settings and none has a secret: a file such as `NODE_ENV=production`. */
export function hasOnlyPublicSettings(text: string): boolean {
  if (!/[=:]/.test(text) || /\0|mnemonic|seed.?phrase/i.test(text)) return false;
  if (hasSecretSetting(text, "literal")) return false;
  for (const [, name = "", value = ""] of text.matchAll(SETTING_LINE))
    if (!isPublicValue(name, value)) return false;
  return true;
}

const SETTING_LINE =
  /^[ \t]{0,40}(?:export[ \t]{1,4})?["']?([\w.-]{1,100})["']?[ \t]{0,20}[=:][ \t]{0,20}["']?([^\s"',]{1,400})/gm;

/** Whether a short text has only words and small numbers, so that no password can be in it. */
export function hasOnlyOrdinaryWords(text: string): boolean {
  const words = text.split(/[\s'"`=:;,()]+/);
  return text.length < 4_096 && words.length >= 3 && !words.some(isPassword);
}
