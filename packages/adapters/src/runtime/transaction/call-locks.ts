/** Whether other tickets may hold the same resource at the same time. */
export type LockMode = "shared" | "exclusive";

/** A ticket's claim on one resource. A shared claim can become exclusive. */
export interface Claim {
  readonly lock: Lock;
  mode: LockMode;
}

/** The tickets that wait for or hold one resource, in the order of arrival. */
type Lock = Ticket[];

/**
 * Locks on sessions and filesystems, granted in the order of the requests.
 *
 * A ticket claims all its resources in one step. So the order is the same for every resource and
 * deadlocks are impossible.
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

/** The position of one call in the queues of all resources that it needs. */
export class Ticket {
  readonly #claims: readonly Claim[];
  #granted = false;
  #grant: (() => void) | undefined;

  constructor(claims: readonly Claim[]) {
    this.#claims = claims;
    for (const { lock } of this.#claims) lock.push(this);
    this.#granted = this.#isNext();
  }

  /** Resolves when all locks are held. Returns `undefined` if they already are. */
  wait(): Promise<void> | undefined {
    if (this.#granted) return undefined;
    return new Promise((resolve) => {
      this.#grant = resolve;
    });
  }

  modeOf(lock: Lock): LockMode | undefined {
    return this.#claims.find((claim) => claim.lock === lock)?.mode;
  }

  /** Makes the claim on `lock` exclusive if no other ticket holds the lock or came earlier. */
  tryUpgrade(lock: Lock): boolean {
    const claim = this.#claims.find((each) => each.lock === lock);
    if (!this.#granted || claim === undefined) return false;
    if (claim.mode === "exclusive") return true;
    if (lock[0] !== this || lock.some((other) => other !== this && other.#granted)) return false;
    claim.mode = "exclusive";
    return true;
  }

  /** Whether every earlier ticket has released `lock`. */
  isFirst(lock: Lock): boolean {
    return lock[0] === this;
  }

  /** Releases the locks and claims them again at the same position, with `lock` exclusive. */
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
