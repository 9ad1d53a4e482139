import { createClient } from "redis";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { RedisServer, redisProgram } from "../servers/redis-server.test.support.js";
import { isAvailable } from "../servers/required.test.support.js";
import { storeContract } from "../testing/store-contract.js";
import { redisStore } from "./redis-store.js";

if (isAvailable("Redis", process.env["WINK_REDIS_URL"] ?? redisProgram)) {
  let server: RedisServer | undefined;
  let url = process.env["WINK_REDIS_URL"] ?? "";
  beforeAll(async () => {
    if (url !== "") return;
    server = await RedisServer.start(["--appendonly", "yes", "--appendfsync", "everysec"]);
    url = server.url;
  });
  afterAll(async () => {
    await server?.[Symbol.asyncDispose]();
  });

  storeContract("Redis", () => redisStore(url));

  describe("redisStore", () => {
    it("uses a client that exists, and leaves it open (STO-26)", async () => {
      const client = createClient({ url, disableOfflineQueue: true });
      await client.connect();
      const store = redisStore(client, { keyPrefix: "mine" });
      const writer = await store.open("a");
      await writer.commit({ events: [Uint8Array.of(1)] });
      await writer.close();
      await store.close();
      expect(await client.exists("mine:{.root/a}:head")).toBe(1);
      client.destroy();
    });

    it("sends a script again that the server has forgotten (STO-26)", async () => {
      const client = createClient({ url });
      await client.connect();
      const store = redisStore(url);
      const writer = await store.open("forgotten");
      await client.sendCommand(["SCRIPT", "FLUSH"]);
      await writer.commit({ events: [Uint8Array.of(1)] });
      expect(writer.version).toBe(1);
      await writer.close();
      await store.close();
      client.destroy();
    });

    it("names a number of a database that the server refuses (STO-7)", async () => {
      const store = redisStore(`${url}/99`);
      await expect(store.open("a")).rejects.toMatchObject({ code: "ARGUMENT_INVALID" });
      await store.close();
    });

    it("deletes any number of entries in one step (STO-6)", async () => {
      const store = redisStore(url, { keyPrefix: "entries" });
      const writer = await store.open("a");
      for (let first = 0; first < 9000; first += 3000) {
        const names = Array.from({ length: 3000 }, (_, index) => `${first + index}`);
        const set = Object.fromEntries(names.map((name) => [name, Uint8Array.of(1)]));
        await writer.commit({ entries: { set } });
      }
      await writer.commit({ entries: { clear: true, set: { b: Uint8Array.of(2) } } });
      await writer.commit({ entries: { set: { c: Uint8Array.of(3) }, delete: ["b"] } });
      expect([...(await writer.entries()).keys()]).toEqual(["c"]);
      await writer.close();
      await store.close();
    });

    it("lists all heads although the index has keys without a head (STO-23)", async () => {
      const client = createClient({ url });
      await client.connect();
      const store = redisStore(client as never, { keyPrefix: "orphans" });
      await (await store.open("z")).close();
      const orphans = Array.from({ length: 501 }, (_, index) => `.root/a${index}`);
      await client.zAdd(
        "orphans:heads:.root/",
        orphans.map((value) => ({ score: 0, value })),
      );
      const ids: string[] = [];
      for await (const { id } of store.list()) ids.push(id);
      expect(ids).toEqual(["z"]);
      client.destroy();
    });

    it("prunes by the clock of the server (STO-23, J241)", async () => {
      const store = redisStore(url, { keyPrefix: "clock" });
      await (await store.open("new")).close();
      const { now } = Date;
      const skewed = vi.spyOn(Date, "now").mockImplementation(() => now() + 86_400_000);
      expect(await store.prune({ maxAgeMs: 3_600_000 })).toMatchObject({ deleted: [], kept: 1 });
      skewed.mockRestore();
      await store.close();
    });

    it("refuses a server that evicts (STO-31, J236)", async () => {
      if (redisProgram === undefined) return;
      await using evicting = await RedisServer.start(["--maxmemory-policy", "allkeys-lru"]);
      const warn = vi.spyOn(process, "emitWarning").mockImplementation(() => {});
      const store = redisStore(evicting.url);
      await expect(store.open("a")).rejects.toMatchObject({
        code: "EVICTING",
        message: expect.stringContaining("its maxmemory-policy is allkeys-lru"),
      });
      await store.close();
      warn.mockRestore();
    });

    it("warns of a server that writes nothing to its disk (STO-31)", async () => {
      if (redisProgram === undefined) return;
      await using forgetful = await RedisServer.start(["--appendonly", "no"]);
      const warn = vi.spyOn(process, "emitWarning").mockImplementation(() => {});
      const store = redisStore(forgetful.url);
      await store.read("a");
      expect(warn).toHaveBeenCalledWith(
        expect.stringContaining("appendonly is off"),
        expect.objectContaining({ code: "WINK_STORE_APPENDONLY" }),
      );
      await store.close();
      warn.mockRestore();
    });

    it("has no credentials and no address in its errors (STO-30, J248)", async () => {
      const store = redisStore("redis://wink:hunter2@127.0.0.1:1", { timeoutMs: 50 });
      const error = await store.open("a").catch((reason: Error) => reason);
      expect(error).toMatchObject({ code: "UNREACHABLE" });
      expect(String(error)).not.toMatch(/hunter2|127\.0\.0\.1/);
      await store.close();
      const invalid = redisStore("redis://:hunter2@127.0.0.1:1/database");
      const refused = await invalid.open("a").catch((reason: Error) => reason);
      expect(refused).toMatchObject({ code: "ARGUMENT_INVALID" });
      expect(String(refused)).not.toMatch(/hunter2|127\.0\.0\.1/);
    });
  });
}
