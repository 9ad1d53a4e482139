import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

/** Waits until a server accepts connections, as long as `isRunning` says that it may still come. */
export async function accepting(port: number, isRunning: () => boolean): Promise<void> {
  while (isRunning()) {
    const socket = connect(port, "127.0.0.1");
    const isOpen = await new Promise<boolean>((resolve) => {
      socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    });
    socket.destroy();
    if (isOpen) return;
    await sleep(20);
  }
  throw new Error(`The server on port ${port} ended while it started.`);
}
