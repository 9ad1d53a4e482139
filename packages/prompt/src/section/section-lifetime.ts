import type { AnySection } from "./section.js";

interface Lifetime {
  /** How many open prompts use the section. */
  users: number;
  opening: Promise<void> | undefined;
  closed: boolean;
}

// A WeakMap instead of a field, so that sections from another copy of this package work too.
const lifetimes = new WeakMap<AnySection, Lifetime>();

/** Adds a user, and opens the section for the first one. */
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
 * Removes a user, and closes the section after the last one.
 *
 * A caller that never opened the section is not a user. It closes the section only if there are no
 * users.
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
