/** Whether others may hold the same thing at the same time. */
export type LockMode = "shared" | "exclusive";

/** What a ticket wants of one resource. It may come to want more. */
export interface Claim {
  readonly lock: Lock;
  mode: LockMode;
}

/** Whoever wants or has one resource, in the order in which they came. */
type Lock = Ticket[];

/**
 * Locks on sessions and filesystems, given in the order in which they were asked for.
 *
 * A ticket asks for all it needs in one step, so the order is the same at every
 * resource and nobody waits in a circle.
 */
export class CallLocks {
  readonly #locks = new WeakMap<object, Lock>();

  lockOf(resource: object): Lock {
    const known = this.#locks.get(resource);
    if (known !== undefined) return known;
    const lock: Lock = [];
    this.#locks.set(resource, lock);
    return lock;
  }
}

/** One place in the queues of everything that a call needs. */
export class Ticket {
  readonly #claims: readonly Claim[];
  #granted = false;
  #grant: (() => void) | undefined;

  constructor(claims: readonly Claim[]) {
    this.#claims = claims;
    for (const { lock } of this.#claims) lock.push(this);
    this.#granted = this.#isNext();
  }

  /** Resolves when everything is held. At once, and with no promise, when nobody is in the way. */
  wait(): Promise<void> | undefined {
    if (this.#granted) return undefined;
    return new Promise((resolve) => {
      this.#grant = resolve;
    });
  }

  modeOf(lock: Lock): LockMode | undefined {
    return this.#claims.find((claim) => claim.lock === lock)?.mode;
  }

  /** Holds `lock` alone from now on, if nobody else has it or came before. */
  tryUpgrade(lock: Lock): boolean {
    const claim = this.#claims.find((each) => each.lock === lock);
    if (!this.#granted || claim === undefined) return false;
    if (claim.mode === "exclusive") return true;
    if (lock[0] !== this || lock.some((other) => other !== this && other.#granted)) return false;
    claim.mode = "exclusive";
    return true;
  }

  /** Whether everybody who asked for `lock` before has given it back. */
  isFirst(lock: Lock): boolean {
    return lock[0] === this;
  }

  /** Gives everything back and asks again from the same place, for `lock` alone this time. */
  askAgainAlone(lock: Lock): void {
    this.#granted = false;
    for (const claim of this.#claims) if (claim.lock === lock) claim.mode = "exclusive";
    this.#granted = this.#isNext();
    this.#wakeOthers();
  }

  /** Leaves every queue, whether or not the ticket was granted. */
  release(): void {
    for (const { lock } of this.#claims) {
      const index = lock.indexOf(this);
      if (index >= 0) lock.splice(index, 1);
    }
    this.#granted = false;
    this.#wakeOthers();
  }

  #wakeOthers(): void {
    for (const { lock } of this.#claims) {
      if (lock.length === 0) continue;
      for (const other of [...lock]) if (other !== this) other.#grantIfNext();
    }
  }

  #grantIfNext(): void {
    if (this.#granted || !this.#isNext()) return;
    this.#granted = true;
    this.#grant?.();
    this.#grant = undefined;
  }

  #isNext(): boolean {
    return this.#claims.every(({ lock, mode }) => {
      const place = lock.indexOf(this);
      return lock.every((other, index) => {
        if (other === this || (index > place && !other.#granted)) return true;
        return mode === "shared" && other.modeOf(lock) === "shared";
      });
    });
  }
}
