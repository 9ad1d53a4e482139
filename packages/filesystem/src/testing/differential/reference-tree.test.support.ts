import {
  type File,
  Folder,
  isFile,
  isLink,
  last,
  type Node,
  type Place,
  Refused,
} from "./reference-nodes.test.support.js";

/** Finds, follows and places the nodes of the reference model. */
export class ReferenceTree {
  protected readonly root = new Folder();

  protected find(names: readonly string[]): Node | undefined {
    let node: Node | undefined = this.root;
    for (const name of names) node = node instanceof Folder ? node.get(name) : undefined;
    return node;
  }

  /** The nearest node above a missing one decides. */
  protected whyMissing(names: readonly string[]): Refused {
    for (let length = names.length - 1; length >= 0; length--) {
      const node = this.find(names.slice(0, length));
      if (node === undefined) continue;
      if (isLink(node)) return new Refused("EACCES");
      return new Refused(isFile(node) ? "ENOTDIR" : "ENOENT");
    }
    return new Refused("ENOENT");
  }

  /** A node that is not a link. */
  protected require({ names, namesFolder }: Place): File | Folder {
    const node = this.find(names);
    if (node === undefined) throw this.whyMissing(names);
    if (isLink(node)) throw new Refused("EACCES");
    if (isFile(node) && namesFolder) throw new Refused("ENOTDIR");
    return node;
  }

  /** A node after all links of its path. */
  protected follow({ names, namesFolder }: Place): {
    node: File | Folder;
    names: readonly string[];
  } {
    const blocked = names.findIndex((_, index) => isLink(this.find(names.slice(0, index + 1))));
    if (blocked < 0) return { node: this.require({ names, namesFolder }), names };
    const found = this.resolve(names);
    const node = this.require({ names: found, namesFolder });
    return { node, names: found };
  }

  /** Replaces the first link of a path by its target, until there is none. */
  protected resolve(names: readonly string[]): readonly string[] {
    let path = [...names];
    let done: string[] = [];
    for (let links = 0; path.length > 0; ) {
      const [name = "", ...rest] = path;
      path = rest;
      if (name === "" || name === ".") continue;
      if (name === "..") {
        if (done.length === 0) throw new Refused("EACCES");
        done = done.slice(0, -1);
        continue;
      }
      if (!(this.find(done) instanceof Folder)) throw new Refused("ENOTDIR");
      const node = this.find([...done, name]);
      if (node === undefined) throw new Refused("ENOENT");
      if (!isLink(node)) done = [...done, name];
      else {
        if (++links > 40 || node.target.startsWith("/")) throw new Refused("EACCES");
        path = [...node.target.split("/"), ...path];
      }
    }
    return done;
  }

  protected file(at: Place): File {
    const { node } = this.follow(at);
    if (node instanceof Folder) throw new Refused("EISDIR");
    return node;
  }

  /** Puts a node in place. The times of the folder around it are not known then. */
  protected put(names: readonly string[], node: Node): void {
    const folder = this.parent(names);
    folder.time = undefined;
    folder.set(last(names), node);
  }

  protected remove(names: readonly string[]): void {
    const folder = this.parent(names);
    folder.time = undefined;
    folder.delete(last(names));
  }

  protected missingParents(names: readonly string[], mayCreate: boolean): number {
    let missing = 0;
    for (let length = 1; length < names.length; length++) {
      const node = this.find(names.slice(0, length));
      if (isLink(node)) throw new Refused("EACCES");
      if (isFile(node)) throw new Refused("ENOTDIR");
      if (node === undefined) missing++;
    }
    if (missing > 0 && !mayCreate) throw new Refused("ENOENT");
    return missing;
  }

  /** The folder that contains the last of `names`. Makes it if it is missing. */
  protected parent(names: readonly string[]): Folder {
    let folder = this.root;
    for (const name of names.slice(0, -1)) {
      let next = folder.get(name);
      if (!(next instanceof Folder)) {
        next = new Folder();
        folder.time = undefined;
        folder.set(name, next);
      }
      folder = next;
    }
    return folder;
  }
}
