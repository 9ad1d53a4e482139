import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

export type Random = () => number;

/** Numbers from 0 to 1 that depend only on the seed. */
export function seeded(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** The seed of a test, printed so that a failure can be repeated. */
export function printedSeed(test: string): number {
  const seed = Number(process.env["WINK_SEED"] ?? Date.now() % 1_000_000);
  console.log(`${test}: WINK_SEED=${seed}`);
  return seed;
}

/**
 * A proxy in front of a server. It counts round trips, and with `faultRate` it resets connections before a request, cuts
 * answers in the middle, drops them after the server has executed the request, or delays them. With `repeats`, which needs
 * a protocol without a login, it lets the server execute a request twice and passes on the second answer.
 */
export class FaultProxy implements AsyncDisposable {
  /** How many of all requests meet a fault, from 0 to 1. */
  faultRate = 0;
  /** How often a client sent something after it had received something. */
  roundTrips = 0;
  repeats = false;
  /** Passes nothing on and keeps the connections open, like a router that lost its state. */
  isSilent = false;
  readonly faults = { reset: 0, cut: 0, drop: 0, delay: 0, repeat: 0 };
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #isClosed = false;

  private constructor(target: number, random: Random) {
    this.#server = createServer((client) => this.#join(client, target, random));
  }

  static async start(target: number, random: Random = () => 1): Promise<FaultProxy> {
    const proxy = new FaultProxy(target, random);
    proxy.#server.listen(0, "127.0.0.1");
    await once(proxy.#server, "listening");
    return proxy;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  #join(client: Socket, target: number, random: Random): void {
    // A connection that was waiting to be accepted when the proxy closed.
    if (this.#isClosed) return void client.destroy();
    const server = connect(target, "127.0.0.1");
    for (const socket of [client, server]) {
      socket.setNoDelay(true);
      this.#sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => this.#sockets.delete(socket));
    }
    const destroy = () => {
      client.destroy();
      server.destroy();
    };
    client.on("close", destroy);
    server.on("close", destroy);
    let isAnswered = true;
    // The rest of a request must not arrive before the part that is sent twice.
    let sent: Promise<unknown> = Promise.resolve();
    // TCP never changes the order, so later answers wait for a delayed one.
    let delayed: Promise<unknown> = Promise.resolve();
    const pass = (bytes: Uint8Array) => {
      delayed = delayed.then(() => client.write(bytes));
    };
    client.on("data", (bytes) => {
      if (this.isSilent) return;
      if (isAnswered) this.roundTrips += 1;
      isAnswered = false;
      const write = () => server.write(bytes);
      if (random() >= this.faultRate / 4) {
        sent = sent.then(write);
        return;
      }
      if (this.repeats && random() < 0.5) {
        sent = sent.then(() => this.#repeat(bytes, target)).then(write);
        return;
      }
      this.faults.reset += 1;
      destroy();
    });
    server.on("data", (bytes) => {
      if (this.isSilent) return;
      isAnswered = true;
      if (random() >= this.faultRate) return pass(bytes);
      const kind = (["cut", "drop", "delay"] as const)[Math.floor(random() * 3)] ?? "drop";
      this.faults[kind] += 1;
      if (kind === "delay") {
        delayed = Promise.all([delayed, sleep(random() * 20)]);
        return pass(bytes);
      }
      if (kind === "cut") client.write(bytes.subarray(0, Math.ceil(bytes.length / 2)), destroy);
      else destroy();
    });
  }

  /** Sends a request on its own connection. Resolves when it is answered. */
  async #repeat(bytes: Uint8Array, target: number): Promise<void> {
    this.faults.repeat += 1;
    const other = connect(target, "127.0.0.1");
    this.#sockets.add(other);
    const end = () => other.destroy();
    // A part of a request has no answer.
    other.on("error", end).on("data", end).setTimeout(100, end);
    other.write(bytes);
    await new Promise((resolve) => other.once("close", resolve));
    this.#sockets.delete(other);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, "close");
  }
}
