// A process that runs DBOS workflows: `<url of PostgreSQL> <id of the workflow>`.
import { DBOS } from "@dbos-inc/dbos-sdk";
import { Run } from "@wink/adapters/run";
import { openStore } from "@wink/store/url";
import { VfsToolsSection } from "@wink/tools";
import { agent, modelFor } from "./agent.js";

const [url = "", workflowID = ""] = process.argv.slice(2);
await using store = await openStore(url);
const model = modelFor((turn) => process.send?.({ turn }));

/** The whole run is one step. If the step is made again, the run continues and requests nothing twice. */
async function write(id: string): Promise<string> {
  await using run = await Run.open(
    { store, id },
    {
      ...{ agent, worker: `process ${process.pid}` },
      section: (session, filesystem) =>
        VfsToolsSection.create({ session, filesystem, key: "workspace" }),
      // A process that only seemed dead can commit nothing more.
      files: { takeOver: "always" },
    },
  );
  return (await run.continue(model)).text;
}

const book = DBOS.registerWorkflow(
  (id: string) => DBOS.runStep(() => write(id), { name: "agent", retriesAllowed: true }),
  { name: "book" },
);

DBOS.setConfig({ name: "wink-example", systemDatabaseUrl: url, logLevel: "error" });
// Starts the workflows again that were interrupted.
await DBOS.launch();
// Returns the existing workflow if there is one with this id.
const handle = await DBOS.startWorkflow(book, { workflowID })(workflowID);
process.send?.({ result: await handle.getResult() });
await DBOS.shutdown();
process.disconnect();
