/** How many steps work gets before a timer is started for it: most of it is done by then. */
const FREE_STEPS = 16;

/** What `work` comes to, or a rejection when it takes longer than `timeoutMs`. */
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
    timer = setTimeout(() => reject(new Error(`not done within ${timeoutMs} ms`)), timeoutMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
