/** All that this package uses of `@wink/session` at run time: its own events and state are declared with it. */
export { defineEvent, defineSlice, defineState, Session } from "@wink/session";
