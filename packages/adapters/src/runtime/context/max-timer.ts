/** The maximum delay of a Node timer in milliseconds. A longer delay fires immediately. */
export const MAX_TIMER_MS = 2_147_483_647;
