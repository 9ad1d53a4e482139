import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { S3Server } from "../servers/s3-server.test.support.js";
import { isStoreUrl, openStore } from "./open-store.js";

it("opens a file of SQLite and a bucket of S3 by their URLs (STO-53)", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "wink-url-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await using server = await S3Server.start();
  const env = { AWS_ACCESS_KEY_ID: "AK", AWS_SECRET_ACCESS_KEY: "SK" };
  for (const url of [
    `sqlite:${path.join(folder, "runs.db")}`,
    `s3://runs/mine?endpoint=${server.url}`,
  ]) {
    await using store = await openStore(url, { env });
    const writer = await store.open("a");
    await writer.commit({ events: [Uint8Array.of(1)] });
    await writer.close();
    expect((await store.read("a"))?.version).toBe(1);
  }
  expect([...server.objects.keys()].every((key) => key.startsWith("mine/"))).toBe(true);
});

it.each([
  ["mysql://user:secret@host/db", "the scheme 'mysql' is unknown"],
  ["postgres://user:secret@host:99999999/db", "the URL is not valid"],
  ["s3://bucket:secret@x:y", "the URL is not valid"],
  ["s3://runs", "Set AWS_ACCESS_KEY_ID"],
  ["sqlite:", "the URL has no file"],
  ["runs.db", "it is not a URL"],
])("refuses %s without showing what it contains (STO-30, STO-53, J248)", async (url, reason) => {
  const error: unknown = await openStore(url, { env: {} }).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({
    code: "ARGUMENT_INVALID",
    message: expect.stringContaining(reason),
  });
  expect(JSON.stringify([String(error), error])).not.toContain("secret");
});

it("recognises the URL of a store", () => {
  expect(
    ["sqlite:a", "postgresql://h/d", "rediss://h", "s3://b", "runs/a", "C:\\a"].map(isStoreUrl),
  ).toEqual([true, true, true, true, false, false]);
});
