import { Text } from "../code/text.js";
import type { Selection } from "../list/selection.js";
import { JsonView } from "../parts/json-view.js";
import { Pending } from "../parts/pending.js";
import { useAnswer } from "../state/use-answer.js";

/** The selected event as it was recorded, and what the transcript has for it. */
export function RawTab({ selection: { run, sequence } }: { readonly selection: Selection }) {
  const event = useAnswer(`${run}/${sequence}/event`, (source) =>
    source.events(run, sequence, sequence),
  );
  const records = useAnswer(`${run}/${sequence}/records`, (source) =>
    source.records(run, sequence),
  );
  return (
    <>
      <Pending answer={event} what="the event">
        {([found]) =>
          found === undefined ? (
            <p class="note">The log has no event {sequence}.</p>
          ) : (
            <section class="block">
              <h2>
                Event {found.sequence} · {found.type}
              </h2>
              <p class="note">
                <Text text={`${found.what} ${found.detail}`} />
              </p>
              {found.rolledBack && <p class="note undone">Undone: {found.rolledBack.reason}</p>}
              <JsonView value={found} />
            </section>
          )
        }
      </Pending>
      <Pending answer={records} what="the transcript">
        {(list) =>
          list.length === 0 ? null : (
            <section class="block">
              <h2>Transcript until the next event</h2>
              {list.slice(0, 50).map((record, index) => (
                <JsonView key={index} value={record} />
              ))}
            </section>
          )
        }
      </Pending>
    </>
  );
}
