import { render } from "preact";
import { openSource } from "../source/open-source.js";
import { App } from "./frame/app.js";
import { followRuns } from "./state/follow.js";
import { Inspector, InspectorProvider } from "./state/inspector.js";

async function start(): Promise<void> {
  const place = document.getElementById("app");
  if (place === null) return;
  try {
    const source = await openSource(window);
    const inspector = new Inspector(source, await source.info());
    followRuns(inspector);
    render(
      <InspectorProvider value={inspector}>
        <App />
      </InspectorProvider>,
      place,
    );
  } catch (error) {
    render(
      <p class="failure" role="alert">
        {error instanceof Error ? error.message : `${error}`}
      </p>,
      place,
    );
  }
}

void start();
