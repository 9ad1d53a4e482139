import { SessionError } from "../define/session-error.js";

/**
 * Delivers events one after the other, also those that observers dispatch while
 * one is being delivered, and stops a chain of them that does not end.
 */
export class Delivery<Event> {
  readonly #publish: (event: Event) => void;
  readonly #maxChained: number;
  readonly #waiting: Event[] = [];
  #running = false;
  #chained = 0;
  #storm: SessionError | undefined;

  constructor(publish: (event: Event) => void, maxChained: number) {
    this.#publish = publish;
    this.#maxChained = maxChained;
  }

  get running(): boolean {
    return this.#running;
  }

  /** Asks for leave to dispatch. Throws `event_storm` when observers have dispatched too much. */
  admit(): void {
    if (!this.#running) return;
    if (this.#storm) throw this.#storm;
    this.#chained++;
    if (this.#chained <= this.#maxChained) return;
    this.#storm = new SessionError("event_storm", {
      subject: "dispatch",
      reason: `its event was applied, but its observers dispatched more than ${this.#maxChained} events in answer to it and to each other`,
    });
    throw this.#storm;
  }

  /** Delivers `event`, or leaves it to the delivery that is running. */
  add(event: Event): void {
    this.#waiting.push(event);
    if (this.#running) return;
    this.#running = true;
    this.#chained = 0;
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift())
      this.#publish(next);
    this.#running = false;
    const storm = this.#storm;
    this.#storm = undefined;
    if (storm) throw storm;
  }
}
