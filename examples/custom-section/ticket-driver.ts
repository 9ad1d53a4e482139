import { type FilesystemDriver, FilesystemError } from "@wink/filesystem";

/** A ticket of the tracker. */
export interface Ticket {
  readonly id: string;
  status: "open" | "closed";
  text: string;
}

const FOLDERS = ["open", "closed"] as const;

/**
 * Shows the tickets of a tracker as files: `open/T-1.md`, `closed/T-2.md`.
 *
 * Writing a file writes the ticket, and moving a file to `closed/` closes it, so that every tool for
 * files is a tool for tickets.
 */
export function ticketDriver(tickets: Map<string, Ticket>): FilesystemDriver {
  const find = (path: string) => {
    const [folder, name = ""] = path.split("/");
    const ticket = tickets.get(name.replace(/\.md$/, ""));
    return ticket?.status === folder ? ticket : undefined;
  };
  const bytesOf = (ticket: Ticket) => new TextEncoder().encode(ticket.text);
  return {
    name: "tickets",
    stat(path) {
      if (path === "" || isFolder(path)) return { kind: "directory", sizeBytes: 0 };
      const ticket = find(path);
      return ticket && { kind: "file", sizeBytes: bytesOf(ticket).length };
    },
    list(path) {
      if (path === "") return FOLDERS.map((name) => ({ name, kind: "directory" }));
      const inside = [...tickets.values()].filter((ticket) => ticket.status === path);
      return inside.map(({ id }) => ({ name: `${id}.md`, kind: "file" }));
    },
    read(path, offset, length) {
      const ticket = find(path);
      return ticket ? bytesOf(ticket).slice(offset, offset + length) : new Uint8Array();
    },
    write(path, bytes, mode) {
      const [folder = "", name = ""] = path.split("/");
      if (!isFolder(folder) || !/^T-\d+\.md$/.test(name))
        throw new FilesystemError("EACCES", {
          operation: "write",
          path,
          reason: "a ticket is a file such as open/T-7.md",
        });
      const before = find(path);
      if (mode === "create" && before)
        throw new FilesystemError("EEXIST", { operation: "write", path });
      const text = new TextDecoder().decode(bytes);
      const id = name.replace(/\.md$/, "");
      tickets.set(id, {
        id,
        status: folder,
        text: mode === "append" ? (before?.text ?? "") + text : text,
      });
    },
    mkdir(path) {
      throw new FilesystemError("EACCES", {
        operation: "mkdir",
        path,
        reason: "there are only open and closed tickets",
      });
    },
    remove(path) {
      // A move writes the new file first, so the ticket has already left this folder.
      const ticket = find(path);
      if (ticket) tickets.delete(ticket.id);
    },
  };
}

function isFolder(path: string): path is Ticket["status"] {
  return path === "open" || path === "closed";
}
