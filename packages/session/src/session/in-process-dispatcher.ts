import { invalid, requireFunction, requireOptions } from "../define/check-argument.js";
import type { EventDeclaration, PayloadOf } from "../define/define-event.js";
import type { RecordedEvent } from "../state/event-trail.js";
import type { Dispatcher } from "./dispatcher.js";
import type { Session } from "./session.js";

/** Called with an event after the session has changed. It may dispatch further events. */
export type Observer<Type extends string = string, Payload = unknown> = (
  event: RecordedEvent<Type, Payload>,
  session: Session,
) => unknown;

interface Subscription {
  readonly type: string | undefined;
  readonly observer: Observer<never, never>;
  active: boolean;
}

/**
 * Calls observers in the order of their subscription. An observer that throws affects neither the others nor the
 * session.
 */
export class InProcessDispatcher implements Dispatcher {
  readonly #onError: (error: unknown, event: RecordedEvent) => void;
  #subscriptions: readonly Subscription[] = [];

  constructor(
    options: {
      /**
       * Called with the error of an observer, thrown or rejected.
       * @default prints it with `console.error`
       */
      readonly onError?: (error: unknown, event: RecordedEvent) => void;
    } = {},
  ) {
    requireOptions("InProcessDispatcher", options, ["onError"]);
    requireFunction("onError", options.onError);
    this.#onError = options.onError ?? printError;
  }

  /**
   * Subscribes to the events of one type, or to all of them. Returns a function that ends the subscription immediately,
   * even during a delivery.
   */
  subscribe<Event extends EventDeclaration>(
    event: Event,
    observer: Observer<Event["type"], PayloadOf<Event>>,
  ): () => void;
  subscribe(observer: Observer): () => void;
  subscribe(first: EventDeclaration | Observer, second?: Observer<never, never>): () => void {
    // An event token is a function too, so only the second argument tells the two overloads apart.
    const observer = second ?? (first as Observer);
    if (typeof observer !== "function") throw invalid("subscribe", "pass an observer function.");
    const type = second ? (first as EventDeclaration).type : undefined;
    const subscription: Subscription = { type, observer, active: true };
    this.#subscriptions = [...this.#subscriptions, subscription];
    return () => {
      subscription.active = false;
      this.#subscriptions = this.#subscriptions.filter((each) => each !== subscription);
    };
  }

  publish(event: RecordedEvent, session: Session): void {
    // The array is replaced, never mutated, so an observer that subscribes during a delivery starts with the next
    // event.
    for (const subscription of this.#subscriptions) {
      const { type, active } = subscription;
      if (active && (type === undefined || type === event.type))
        this.#call(subscription, event, session);
    }
  }

  #call({ observer }: Subscription, event: RecordedEvent, session: Session): void {
    const report = (error: unknown) => this.#report(error, event);
    try {
      // The type was compared above, and the payload belongs to the type.
      const result = (observer as Observer)(event, session);
      if (result instanceof Promise) result.catch(report);
    } catch (error) {
      report(error);
    }
  }

  #report(error: unknown, event: RecordedEvent): void {
    try {
      this.#onError(error, event);
    } catch (second) {
      printError(second, event);
    }
  }
}

function printError(error: unknown, event: RecordedEvent): void {
  console.error(`An observer of '${event.type}' (event ${event.sequence}) failed:`, error);
}
