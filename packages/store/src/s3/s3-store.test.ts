import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createStore } from "../key-value/create-store.js";
import { MemoryStorage } from "../key-value/memory-storage.js";
import { S3Server } from "../servers/s3-server.test.support.js";
import { storeContract } from "../testing/store-contract.js";
import { type S3StoreOptions, s3Store } from "./s3-store.js";

const credentials = { accessKeyId: "AK", secretAccessKey: "hunter2" };
let server: S3Server;
beforeAll(async () => {
  server = await S3Server.start();
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
});

const open = (options: Partial<S3StoreOptions> = {}) =>
  s3Store({ bucket: "runs", endpoint: server.url, credentials, ...options });
const heads = createStore(new MemoryStorage());

storeContract("S3", () => open());
storeContract("S3 with heads in another store", () => open({ keyPrefix: "bytes/", heads }));

describe("s3Store", () => {
  it("sends two requests for a commit with contents, and one for records only (STO-32)", async () => {
    const store = open({ credentials: async () => credentials });
    const writer = await store.open("counted");
    const requests = async (body: () => Promise<unknown>) => {
      const before = server.requests.length;
      await body();
      return server.requests
        .slice(before)
        .map((request) => request.replace(/[^ ]*\/([hp])\/.*/, "$1"));
    };
    const files = Array.from({ length: 20 }, (_, index) => ({
      bytes: Buffer.from(`file ${index}`),
    }));
    const batch = await writer.place(files);
    expect(
      await requests(() =>
        writer.commit({ delta: Buffer.from("d"), events: [Buffer.from("e")], blobs: [batch] }),
      ),
    ).toEqual(["PUT p", "PUT h"]);
    expect(await requests(() => writer.commit({ events: [Buffer.from("e")] }))).toEqual(["PUT h"]);
    expect(await requests(() => writer.read(batch.refs))).toEqual(["GET p"]);
    await writer.close();
  });

  it("names credentials that are missing or cannot be loaded (STO-7, STO-30)", async () => {
    const wrong = { accessKeyId: "AK" } as never;
    expect(() => open({ credentials: wrong })).toThrow("credentials: expected { accessKeyId");
    await expect(open({ credentials: () => wrong }).open("a")).rejects.toMatchObject({
      code: "ARGUMENT_INVALID",
    });
    const expired = async () => {
      throw new Error("hunter2 expired");
    };
    await expect(open({ credentials: expired, timeoutMs: 1 }).open("a")).rejects.toThrow(
      /^store(?: 's3')?: [^2]*$/,
    );
    expect(() => open({ heads: null as never })).toThrow("heads: expected a store");
    // The errors of requests would contain the URL.
    for (const endpoint of ["hunter2", "http://joe:hunter2@127.0.0.1:1", "ftp://127.0.0.1"])
      expect(() => open({ endpoint })).toThrow(/^endpoint: [^2]*$/);
  });

  it("refuses a server that ignores conditions, unless heads are elsewhere (STO-33, J235)", async () => {
    await using careless = await S3Server.start();
    careless.faults.ignoresConditions = true;
    const options = { bucket: "runs", endpoint: careless.url, credentials };
    await expect(s3Store(options).open("a")).rejects.toMatchObject({
      code: "NO_CONDITIONAL_WRITES",
      message: expect.stringContaining("heads: postgresStore("),
    });
    const writer = await s3Store({ ...options, heads }).open("careless");
    await writer.commit({ blobs: [await writer.place([{ bytes: Buffer.from("x") }])] });
    expect(writer.version).toBe(1);
    await writer.close();
  });

  it("finds out that a commit happened although the server answered 500 (STO-4, J233)", async () => {
    const store = open();
    const writer = await store.open("five-hundred");
    server.faults.failsAfterWrite = 1;
    await writer.commit({ events: [Buffer.from("once")] });
    expect((await store.read("five-hundred"))?.counts.events).toBe(1);
    await writer.close();
  });

  it.each(["RequestTimeout", "IncompleteBody", "BadDigest"])(
    "sends a request again that the server refused with %s (STO-4, J233)",
    async (code) => {
      const store = open();
      const writer = await store.open(`refused-${code}`);
      server.faults.refusesWith = code;
      await writer.commit({ events: [Buffer.from("once")] });
      expect(server.faults.refusesWith).toBeUndefined();
      expect((await store.read(writer.id))?.counts.events).toBe(1);
      server.faults.refusesWith = "EntityTooSmall";
      await expect(writer.commit({ events: [Buffer.from("twice")] })).rejects.toThrow(
        "the server refused a request (400 EntityTooSmall)",
      );
      await writer.close();
    },
  );

  it("has no credentials and no address in its errors (STO-30, J248)", async () => {
    const wrong = open({ credentials: { accessKeyId: "WRONG", secretAccessKey: "hunter2" } });
    const error = await wrong.open("a").catch((reason: Error) => reason);
    expect(error).toMatchObject({ code: "ARGUMENT_INVALID" });
    expect(String(error)).not.toMatch(/hunter2|127\.0\.0\.1|WRONG/);
    const gone = s3Store({
      bucket: "runs",
      endpoint: "http://127.0.0.1:1",
      credentials,
      timeoutMs: 50,
    });
    await expect(gone.open("a")).rejects.toMatchObject({ code: "UNREACHABLE" });
    expect(() => open({ bucket: "../x" })).toThrow("bucket: expected the name of a bucket");
  });
});
