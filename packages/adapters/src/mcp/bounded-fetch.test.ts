import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { boundedFetch } from "./bounded-fetch.js";

const MEGABYTE = "x".repeat(1_048_576);

it("boundedFetch passes a stream of many messages, but not one message that is too long (AD-49)", async () => {
  const ends = { "/events": "\r\n\r\n", "/halves": "\n\n", "/lines": "\n" };
  const server = createServer(async ({ url }, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    const [first = "", ...rest] = ends[url as keyof typeof ends];
    for (let count = 0; count < 12; count++) {
      // The end of a message may arrive in two chunks.
      response.write(MEGABYTE + first);
      await new Promise((resolve) => response.write(rest.join("") || " ", resolve));
    }
    response.end();
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  // It listens on a port, so the address is an AddressInfo.
  const { port } = server.address() as AddressInfo;
  const lengthOf = async (path: string) =>
    (await (await boundedFetch(`http://127.0.0.1:${port}${path}`)).text()).length;
  expect(await lengthOf("/events")).toBe(12 * (MEGABYTE.length + 4));
  expect(await lengthOf("/halves")).toBe(12 * (MEGABYTE.length + 2));
  await expect(lengthOf("/lines")).rejects.toThrow("a message has more than 10485760 bytes");
});
