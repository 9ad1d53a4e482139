import { useMemo } from "preact/hooks";
import type { FileRow, SeenRange, FileTree as Tree } from "../../model/run-views.js";
import { Text } from "../code/text.js";
import { formatBytes, plural } from "../format/numbers.js";
import type { Selection } from "../list/selection.js";
import { Empty, Pending } from "../parts/pending.js";
import { useInspector } from "../state/inspector.js";
import { useAnswer } from "../state/use-answer.js";
import { CodeView } from "./code-view.js";
import { FileTree } from "./file-tree.js";
import { Picture } from "./picture.js";

/** The files after the selected event. */
export function FilesTab({ selection }: { readonly selection: Selection }) {
  const { run, sequence } = selection;
  const tree = useAnswer(`${run}/${sequence}/tree`, (source) =>
    source.tree(run, { event: sequence }),
  );
  return (
    <Pending answer={tree} what="the files">
      {(found) =>
        found.entries.length === 0 ? (
          <Empty title="No files at this event">The workspace is empty.</Empty>
        ) : (
          <Files selection={selection} tree={found} />
        )
      }
    </Pending>
  );
}

function Files({ selection, tree }: { readonly selection: Selection; readonly tree: Tree }) {
  const inspector = useInspector();
  const { run, sequence } = selection;
  const changes = useAnswer(`${run}/${sequence}/changes/0`, (source) =>
    source.changes(run, { event: 0 }, { event: sequence }),
  );
  const changed = useMemo(
    () => new Set(changes.value?.changes.map(({ path }) => path)),
    [changes.value],
  );
  const chosen = inspector.route.value.path ?? selection.call?.path ?? undefined;
  const found = tree.entries.findIndex(({ path, kind }) => path === chosen && kind !== "directory");
  const first = tree.entries.findIndex(
    ({ kind, path }) => kind === "file" && (changed.size === 0 || changed.has(path)),
  );
  const entry = found >= 0 ? found : inspector.route.value.path === undefined ? first : -1;
  const file = tree.entries[entry];
  return (
    <div class="split">
      <nav aria-label="Files of the workspace">
        <div class="bar dim">
          {plural(tree.entries.filter(({ kind }) => kind !== "directory").length, "file")}
          <span class="right mono">{tree.state.slice(0, 7)}</span>
        </div>
        <FileTree
          entries={tree.entries}
          chosen={file?.path}
          changed={changed}
          onChoose={(path) => inspector.go({ path })}
        />
      </nav>
      <section aria-label="File">
        {file === undefined ? (
          <Empty title="This file does not exist here">
            <Text text={chosen ?? ""} /> does not exist after event {sequence}. Select another event
            or file.
          </Empty>
        ) : (
          <File key={file.path} run={run} sequence={sequence} entry={entry} file={file} />
        )}
      </section>
    </div>
  );
}

interface FileProps {
  readonly run: string;
  readonly sequence: number;
  readonly entry: number;
  readonly file: FileRow;
}

function File({ run, sequence, entry, file }: FileProps) {
  const inspector = useInspector();
  const { blame } = inspector.route.value;
  const content = useAnswer(`content/${run}/${file.content}`, (source) =>
    source.content(run, file.content),
  );
  const seen = useAnswer(`${run}/${sequence}/seen/${entry}`, (source) =>
    source.seen(run, sequence, entry),
  );
  const writers = useAnswer(blame ? `${run}/${sequence}/blame/${entry}` : undefined, (source) =>
    source.blame(run, sequence, entry),
  );
  return (
    <>
      <div class="bar">
        <b class="mono">
          <Text text={file.path} />
        </b>
        <span class="dim">
          {formatBytes(file.sizeBytes)} · {file.mode.toString(8)}
          {file.kind === "symlink" ? " · link" : ""}
        </span>
        <div class="right">
          <SeenNote seen={seen.value ?? []} />
          <button
            type="button"
            class="chip"
            aria-pressed={blame}
            onClick={() => inspector.go({ blame: !blame })}
          >
            who wrote it
          </button>
        </div>
      </div>
      <Pending answer={content} what="the file">
        {(view) =>
          view.kind === "image" ? (
            <Picture file={view} path={file.path} />
          ) : view.kind === "binary" ? (
            <Empty title="Not text">{formatBytes(view.sizeBytes)} of binary data.</Empty>
          ) : view.text === "" ? (
            <Empty title="An empty file" />
          ) : (
            <>
              {view.isCut && <p class="note">The file is longer than this page shows.</p>}
              <CodeView
                run={run}
                path={file.path}
                text={view.text}
                seen={seen.value ?? []}
                blame={blame ? (writers.value?.ranges ?? []) : undefined}
              />
            </>
          )
        }
      </Pending>
    </>
  );
}

/** What the marks next to the line numbers mean. */
function SeenNote({ seen }: { readonly seen: readonly SeenRange[] }) {
  if (seen.length === 0) return <span class="dim">not read by the model</span>;
  const isCurrent = seen.some((range) => range.isCurrent);
  return (
    <span class="dim">
      <i class={`seen-mark ${isCurrent ? "yes" : "old"}`} />
      {isCurrent ? "read by the model" : "the model has read an earlier version"}
    </span>
  );
}
