import { createHash } from "node:crypto";
import { afterEach, expect, it, vi } from "vitest";
import { sha256 } from "./sha-256.js";

const TEXTS = ["", "abc", "é日😀", "x".repeat(10_000), "\ud800"];

afterEach(() => vi.restoreAllMocks());

it.each(TEXTS)("sha256 hashes text %# like node:crypto (PR-36)", (text) => {
  expect(sha256(text)).toBe(createHash("sha256").update(text).digest("hex"));
});

it.each(TEXTS)("sha256 hashes text %# the same without node:crypto (PR-36)", (text) => {
  const expected = sha256(text);
  const builtin = vi.spyOn(process, "getBuiltinModule").mockReturnValue(undefined);
  expect(sha256(text)).toBe(expected);
  expect(builtin).toHaveBeenCalledOnce();
});
