import { useEffect } from "preact/hooks";
import { visibleText } from "../code/visible-text.js";
import { Help } from "../keys/help.js";
import { onKey } from "../keys/keymap.js";
import { RunList } from "../outline/run-list.js";
import { Empty } from "../parts/pending.js";
import { RunsPage } from "../runs/runs-page.js";
import { useInspector } from "../state/inspector.js";
import { Strip } from "../strip/strip.js";
import { Detail } from "./detail.js";
import { Footer } from "./footer.js";
import { Header } from "./header.js";

/** The page. */
export function App() {
  const inspector = useInspector();
  const root = inspector.root.value;
  const index = inspector.index.value;
  useEffect(() => {
    if (root !== undefined) void inspector.load(root);
  }, [root, inspector]);
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(inspector, event);
    addEventListener("keydown", listener);
    return () => removeEventListener("keydown", listener);
  }, [inspector]);
  useEffect(() => {
    const { agent, prompt, id } = index?.overview.summary ?? {};
    document.title = visibleText(`${agent ?? prompt ?? id ?? "Runs"} · WINK inspector`);
  }, [index]);
  return (
    <div class={root === undefined ? "frame is-list" : "frame"}>
      <Header />
      {inspector.problem.value && (
        <p class="failure problem" role="alert">
          {inspector.problem.value}
        </p>
      )}
      {root === undefined ? (
        <main>
          <RunsPage />
        </main>
      ) : index === undefined ? (
        <main>{inspector.problem.value ? null : <Empty title="Loading the run …" />}</main>
      ) : (
        <>
          <Strip index={index} />
          <RunList />
          <Detail />
        </>
      )}
      <Footer />
      <Help />
    </div>
  );
}
