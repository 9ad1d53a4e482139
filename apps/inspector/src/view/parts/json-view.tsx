import { useState } from "preact/hooks";
import { Text } from "../code/text.js";
import { plural } from "../format/numbers.js";

const MAX_ITEMS = 100;
const MAX_STRING_CHARACTERS = 2000;

/** A JSON value as a tree. Its deeper parts are built when they are opened. */
export function JsonView({ value }: { readonly value: unknown }) {
  return (
    <div class="json">
      <JsonNode value={value} depth={0} />
    </div>
  );
}

interface JsonNodeProps {
  readonly name?: string | undefined;
  readonly value: unknown;
  readonly depth: number;
}

function JsonNode({ name, value, depth }: JsonNodeProps) {
  const [isOpen, setOpen] = useState(depth < 2);
  const [shown, setShown] = useState(MAX_ITEMS);
  const label =
    name === undefined ? null : (
      <span class="code-attr">
        <Text text={name} />:{" "}
      </span>
    );
  if (typeof value !== "object" || value === null)
    return (
      <div>
        {label}
        <JsonLeaf value={value} />
      </div>
    );
  const items: readonly (readonly [string, unknown])[] = Array.isArray(value)
    ? value.map((item: unknown, index) => [`${index}`, item] as const)
    : Object.entries(value);
  const summary = Array.isArray(value) ? `[${items.length}]` : `{${plural(items.length, "field")}}`;
  if (items.length === 0)
    return (
      <div>
        {label}
        {Array.isArray(value) ? "[]" : "{}"}
      </div>
    );
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {label}
        <span class="dim">{summary}</span>
      </summary>
      {isOpen && (
        <div>
          {items.slice(0, shown).map(([key, item]) => (
            <JsonNode key={key} name={key} value={item} depth={depth + 1} />
          ))}
          {items.length > shown && (
            <button type="button" class="link" onClick={() => setShown(shown + 1000)}>
              Show more of {items.length}
            </button>
          )}
        </div>
      )}
    </details>
  );
}

function JsonLeaf({ value }: { readonly value: unknown }) {
  if (typeof value !== "string")
    return <span class="code-number">{value === undefined ? "missing" : `${value}`}</span>;
  const cut = value.length - MAX_STRING_CHARACTERS;
  return (
    <span class="code-string">
      "<Text text={value.slice(0, MAX_STRING_CHARACTERS)} />"
      {cut > 0 && <span class="cut"> … {cut} more characters</span>}
    </span>
  );
}
