import type { AnySection } from "./section.js";

interface Lifetime {
  /** How many open prompts use the section. */
  users: number;
  opening: Promise<void> | undefined;
  closed: boolean;
}

// Kept beside the sections, so that they hold nothing that ties them to one copy of this package.
const lifetimes = new WeakMap<AnySection, Lifetime>();

/** Counts one more user, and opens the section for the first. */
export async function openSection(section: AnySection): Promise<void> {
  const lifetime = lifetimeOf(section);
  if (lifetime.users++ === 0) {
    lifetime.closed = false;
    lifetime.opening = (async () => section.open())();
  }
  try {
    await lifetime.opening;
  } catch (error) {
    lifetime.users--;
    throw error;
  }
}

/**
 * Counts one user less, and closes the section after the last.
 *
 * Somebody who never opened it is no user, and closes it only when there is none.
 */
export async function closeSection(section: AnySection, wasUser: boolean): Promise<void> {
  const lifetime = lifetimeOf(section);
  if (wasUser) lifetime.users--;
  if (lifetime.users > 0 || lifetime.closed) return;
  lifetime.closed = true;
  await section.close();
}

function lifetimeOf(section: AnySection): Lifetime {
  const known = lifetimes.get(section);
  if (known !== undefined) return known;
  const lifetime = { users: 0, opening: undefined, closed: false };
  lifetimes.set(section, lifetime);
  return lifetime;
}
