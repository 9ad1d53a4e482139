import { createFilesystem, type Filesystem } from "@wink/filesystem";
import { defineTool, MarkdownSection, ok, type WorkspaceSection } from "@wink/prompt";
import { z } from "zod";
import { type Ticket, ticketDriver } from "./ticket-driver.js";

/** A section that owns a workspace: its instructions, its files and its own tool. */
export class TicketSection extends MarkdownSection<"tickets"> implements WorkspaceSection {
  readonly filesystem: Filesystem;

  constructor(tickets: Map<string, Ticket>) {
    super({
      key: "tickets",
      title: "Tickets",
      template:
        "Tickets are files: `open/T-1.md` and so on. `close_ticket` closes one with a remark.",
      tools: [closeTicket],
    });
    this.filesystem = createFilesystem(ticketDriver(tickets));
  }
}

const closeTicket = defineTool({
  name: "close_ticket",
  description: "Close an open ticket with a remark.",
  input: z.object({ id: z.string().regex(/^T-\d+$/), remark: z.string() }),
  access: "write",
  async handler({ id, remark }, { filesystem, signal }) {
    await filesystem.write(`open/${id}.md`, `\nClosed: ${remark}\n`, { mode: "append", signal });
    await filesystem.move(`open/${id}.md`, `closed/${id}.md`, { signal });
    return ok({ id }, `Closed ${id}.`);
  },
});
