import type { ComponentChildren } from "preact";
import type { Answer } from "../state/answers.js";

interface PendingProps<T> {
  readonly answer: Answer<T>;
  /** The name of the data that is being loaded, which the page shows. */
  readonly what: string;
  readonly children: (value: T) => ComponentChildren;
}

/** Shows an answer, or that it is loaded, or why there is none. */
export function Pending<T>({ answer, what, children }: PendingProps<T>) {
  if (answer.problem !== undefined) return <p class="failure">{answer.problem}</p>;
  if (answer.value === undefined) return <p class="note">Loading {what} …</p>;
  return <>{children(answer.value)}</>;
}

/** What a pane shows when there is nothing to show, and why. */
export function Empty(props: { readonly title: string; readonly children?: ComponentChildren }) {
  return (
    <div class="empty">
      <b>{props.title}</b>
      {props.children}
    </div>
  );
}
