import { useMemo, useState } from "preact/hooks";
import type { RunKey } from "../../model/run-overview.js";
import type { ChangeList, ChangeRow, FileView } from "../../model/run-views.js";
import { formatBytes, formatCount } from "../format/numbers.js";
import type { Answer } from "../state/answers.js";
import { useInspector } from "../state/inspector.js";
import { DiffList } from "./diff-list.js";
import type { ComparedFile } from "./diff-rows.js";

/** Files that are open from the start. */
const MAX_OPEN = 20;
const MAX_FILES = 1000;

interface FileChangesProps {
  readonly run: RunKey;
  readonly list: ChangeList;
  readonly label: string;
  readonly fills?: boolean | undefined;
}

/** Changed files with their lines. */
export function FileChanges({ run, list, label, fills }: FileChangesProps) {
  const inspector = useInspector();
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set());
  const changes = list.changes.slice(0, MAX_FILES);
  const answers = changes.map((change, index) => {
    const isOpen = index < MAX_OPEN !== toggled.has(change.path);
    const content = (id: string | null): Answer<FileView> | undefined =>
      isOpen && id !== null && change.kind !== "directory"
        ? inspector.answers.ask(`content/${run}/${id}`, () => inspector.source.content(run, id))
        : undefined;
    return { change, isOpen, before: content(change.before), after: content(change.after) };
  });
  const states = answers.flatMap(({ isOpen, before, after }) => [isOpen, before, after]);
  const files = useMemo(() => answers.map(compared), [list, ...states]);
  const toggle = (path: string) => {
    const next = new Set(toggled);
    if (!next.delete(path)) next.add(path);
    setToggled(next);
  };
  return (
    <>
      <DiffList label={label} files={files} onToggle={toggle} fills={fills} />
      {list.total > changes.length && (
        <p class="note">{formatCount(list.total - changes.length)} more files changed.</p>
      )}
    </>
  );
}

interface Loaded {
  readonly change: ChangeRow;
  readonly isOpen: boolean;
  readonly before: Answer<FileView> | undefined;
  readonly after: Answer<FileView> | undefined;
}

function compared({ change, isOpen, before, after }: Loaded): ComparedFile {
  const file = { path: change.path, label: labelOf(change), isOpen };
  if (!isOpen) return file;
  if (change.kind === "directory") return { ...file, note: "a directory" };
  if (change.before === change.after) return { ...file, note: "The content is the same." };
  const problem = before?.problem ?? after?.problem;
  if (problem !== undefined) return { ...file, note: problem };
  const [one, two] = [textOf(before), textOf(after)];
  if (one === null || two === null) {
    const sizes = [change.sizeBytesBefore, change.sizeBytesAfter].map(formatBytes);
    return { ...file, note: `not text: ${sizes.join(" → ")}` };
  }
  return { ...file, before: one, after: two };
}

/** The text of a content; `null` if it is not text, `undefined` while it is loaded. */
function textOf(answer: Answer<FileView> | undefined): string | null | undefined {
  if (answer === undefined) return "";
  if (answer.value === undefined) return undefined;
  return answer.value.kind === "text" ? answer.value.text : null;
}

function labelOf({ type, oldPath, kind }: ChangeRow): string {
  const from = oldPath === null ? "" : ` from ${oldPath}`;
  return `${type}${from}${kind === "symlink" ? ", a link" : ""}`;
}
