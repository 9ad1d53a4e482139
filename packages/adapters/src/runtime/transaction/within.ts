/**
 * How many microtasks to wait before a timer is started. Most work is done by then, and timers
 * are expensive.
 */
const FREE_STEPS = 16;

/** Settles like `work`, or rejects after `timeoutMs`. */
export async function within<T>(timeoutMs: number, work: Promise<T>): Promise<T> {
  let settled = false;
  const settle = () => {
    settled = true;
  };
  work.then(settle, settle);
  for (let step = 0; step < FREE_STEPS && !settled; step++) await undefined;
  return settled ? await work : await withTimer(timeoutMs, work);
}

async function withTimer<T>(timeoutMs: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`timed out after ${timeoutMs} ms`)), timeoutMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
