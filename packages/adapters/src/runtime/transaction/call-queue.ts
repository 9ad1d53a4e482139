/** Whether other tickets may hold the same resource at the same time. */
export type LockMode = "shared" | "exclusive";

/** The tickets that wait for or hold one resource, in the order of arrival. */
export type Queue = Ticket[];

/** A ticket's claim on one resource. */
interface Claim {
  readonly queue: Queue;
  mode: LockMode;
}

/**
 * The position of one call in the queues of all resources that it needs.
 *
 * A ticket claims all its resources in one step. So the order is the same for every resource and
 * deadlocks are impossible.
 */
export class Ticket {
  readonly #claims: readonly Claim[];
  #granted = false;
  #grant: (() => void) | undefined;

  constructor(claims: readonly Claim[]) {
    this.#claims = claims;
    for (const { queue } of claims) queue.push(this);
    this.#granted = this.#isNext();
  }

  /** Resolves when all locks are held. Returns `undefined` if they already are. */
  wait(): Promise<void> | undefined {
    if (this.#granted) return undefined;
    return new Promise((resolve) => {
      this.#grant = resolve;
    });
  }

  modeOf(queue: Queue): LockMode | undefined {
    return this.#claims.find((claim) => claim.queue === queue)?.mode;
  }

  /**
   * Releases the locks and claims them again at the same position, exclusively. Resolves like
   * `wait`.
   */
  upgrade(): Promise<void> | undefined {
    this.#granted = false;
    for (const claim of this.#claims) claim.mode = "exclusive";
    this.#granted = this.#isNext();
    this.#wakeOthers();
    return this.wait();
  }

  /** Leaves every queue, whether or not the ticket was granted. */
  release(): void {
    for (const { queue } of this.#claims) {
      const index = queue.indexOf(this);
      if (index >= 0) queue.splice(index, 1);
    }
    this.#granted = false;
    this.#wakeOthers();
  }

  #wakeOthers(): void {
    for (const { queue } of this.#claims) {
      if (queue.length === 0) continue;
      for (const other of [...queue]) if (other !== this) other.#grantIfNext();
    }
  }

  #grantIfNext(): void {
    if (this.#granted || !this.#isNext()) return;
    this.#granted = true;
    this.#grant?.();
    this.#grant = undefined;
  }

  #isNext(): boolean {
    return this.#claims.every(({ queue, mode }) => {
      const place = queue.indexOf(this);
      return queue.every((other, index) => {
        if (other === this || (index > place && !other.#granted)) return true;
        return mode === "shared" && other.modeOf(queue) === "shared";
      });
    });
  }
}
