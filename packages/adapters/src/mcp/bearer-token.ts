import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { AdapterError } from "../error/adapter-error.js";

const TOKEN_BYTES = 32;
/** The characters of a bearer token, by RFC 6750. */
const USABLE = /^[\w.~+/-]{16,1024}=*$/;

/** Creates a secret of 256 random bits. */
export function createToken(): string {
  return randomBytes(TOKEN_BYTES).toString("base64url");
}

/** @throws AdapterError `TOKEN_INVALID`, whose message does not contain the token */
export function requireToken(token: string): string {
  if (USABLE.test(token)) return token;
  throw new AdapterError("TOKEN_INVALID", {
    subject: "token",
    reason:
      "it must have 16 to 1024 characters out of A-Z a-z 0-9 - . _ ~ + /. Leave it out to get a random one",
  });
}

/** Whether a request has `token` as its bearer token. Compares in constant time. */
export function hasToken({ headers }: IncomingMessage, token: string): boolean {
  const [, sent = ""] = /^Bearer +(\S+)$/i.exec(headers.authorization ?? "") ?? [];
  return timingSafeEqual(digest(sent), digest(token));
}

/** Hashes have equal lengths, which `timingSafeEqual` requires. */
function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
