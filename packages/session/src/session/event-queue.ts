import { SessionError } from "../define/session-error.js";

/**
 * Delivers events one after the other, also events from observers during a delivery. Stops an endless
 * chain of events.
 */
export class EventQueue<Event> {
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

  /** Must be called before each dispatch. Throws `EVENT_STORM` when observers have dispatched too many events. */
  admit(): void {
    if (!this.#running) return;
    if (this.#storm) throw this.#storm;
    this.#chained++;
    if (this.#chained <= this.#maxChained) return;
    this.#storm = new SessionError(
      "EVENT_STORM",
      "dispatch",
      `the event was applied, but its observers dispatched more than ${this.#maxChained} events in response`,
    );
    throw this.#storm;
  }

  /** Delivers `event`, or queues it for the delivery in progress. */
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
