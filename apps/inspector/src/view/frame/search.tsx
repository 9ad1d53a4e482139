import { useEffect, useState } from "preact/hooks";
import type { SearchHit } from "../../model/run-views.js";
import { Text } from "../code/text.js";
import { useInspector } from "../state/inspector.js";
import { type RunHit, searchRuns } from "../state/search-runs.js";
import { useAnswer } from "../state/use-answer.js";

const DELAY_MS = 120;

/** The search field. It searches events, texts and paths. */
export function Search() {
  const inspector = useInspector();
  const { query } = inspector.route.value;
  const root = inspector.root.value ?? "";
  const [text, setText] = useState(query);
  const [active, setActive] = useState(0);
  const [isOpen, setOpen] = useState(false);
  useEffect(() => setText(query), [query]);
  useEffect(() => {
    const timer = setTimeout(() => inspector.go({ query: text }), DELAY_MS);
    return () => clearTimeout(timer);
  }, [text, inspector]);
  const last = inspector.index.value?.overview.lastSequence;
  const answer = useAnswer(query === "" ? undefined : `search/${root}/${last}/${query}`, (source) =>
    searchRuns(source, root, query),
  );
  const hits = query === "" ? [] : (answer.value ?? []);
  const pick = async (hit: RunHit | undefined) => {
    if (hit === undefined) return;
    setOpen(false);
    await inspector.load(hit.run);
    const kind = hit.in === "events" || hit.call === null ? "event" : "call";
    const index = kind === "call" ? (hit.call ?? 0) : hit.sequence;
    inspector.choose(inspector.nameOf(hit.run, kind, index), "push");
    if (hit.path !== null && hit.in === "paths") inspector.go({ tab: "files", path: hit.path });
    else inspector.go({ tab: kind === "call" ? "call" : "raw" });
  };
  const onKeyDown = (event: KeyboardEvent & { currentTarget: HTMLInputElement }) => {
    const moves: Readonly<Record<string, () => void>> = {
      ArrowDown: () => setActive(Math.min(active + 1, hits.length - 1)),
      ArrowUp: () => setActive(Math.max(active - 1, 0)),
      Enter: () => {
        void pick(hits[active]);
        event.currentTarget.blur();
      },
      Escape: () => {
        setOpen(false);
        event.currentTarget.blur();
      },
    };
    const move = moves[event.key];
    if (move === undefined) return;
    event.preventDefault();
    move();
  };
  const isShown = isOpen && query !== "";
  return (
    <div class="search">
      <input
        id="search"
        type="search"
        list={undefined}
        role="combobox"
        aria-label="Search events, texts and paths"
        aria-expanded={isShown}
        aria-controls="search-hits"
        aria-activedescendant={isShown && hits.length > 0 ? `hit-${active}` : undefined}
        placeholder="Search events, texts, paths   /"
        autocomplete="off"
        value={text}
        onInput={(event) => {
          setText(event.currentTarget.value);
          setActive(0);
          setOpen(true);
        }}
        onFocus={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onKeyDown={onKeyDown}
      />
      <ul id="search-hits" role="listbox" aria-label="Search results" hidden={!isShown}>
        {hits.map((hit, index) => (
          <li
            key={index}
            id={`hit-${index}`}
            role="option"
            aria-selected={index === active}
            onMouseDown={(event) => {
              event.preventDefault();
              void pick(hit);
            }}
          >
            <span class="number dim">{hit.sequence}</span>
            <span class="dim cut-end">
              {hit.run === root ? hit.where : `subagent: ${hit.where}`}
            </span>
            <Excerpt hit={hit} />
          </li>
        ))}
        {isShown && hits.length === 0 && (
          <li role="option" aria-selected="false" aria-disabled="true">
            <span />
            <span />
            <span class="dim">
              {answer.problem ?? (answer.value ? "Nothing found." : "Searching …")}
            </span>
          </li>
        )}
      </ul>
    </div>
  );
}

function Excerpt({ hit }: { readonly hit: SearchHit }) {
  const { excerpt, start, end } = hit;
  return (
    <span class="cut-end mono">
      <Text text={excerpt.slice(0, start)} />
      <mark>
        <Text text={excerpt.slice(start, end)} />
      </mark>
      <Text text={excerpt.slice(end)} />
    </span>
  );
}
