/** The longest that a timer of Node can wait, in milliseconds; told to wait longer, it does not wait at all. */
export const MAX_TIMER_MS = 2_147_483_647;
