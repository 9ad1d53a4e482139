import type { CallOptions, Filesystem, GlobOptions } from "../protocol/filesystem.js";
import { invalidArgument } from "../protocol/filesystem-error.js";
import type { SnapshotableFilesystem } from "../snapshots/filesystem-snapshot.js";

/** One call of a method, as a hook of {@link wrapFilesystem} sees it. */
export interface FilesystemCall {
  /** The name of the method. */
  readonly operation: Exclude<
    keyof SnapshotableFilesystem,
    "root" | "readOnly" | "mountPoint" | "limits" | "quotas"
  >;
  /**
   * `read` only reads, `change` changes files, `stream` opens a reader or writer, and `snapshot` is about snapshots or
   * transactions.
   */
  readonly kind: "read" | "change" | "stream" | "snapshot";
  /** The paths as the caller wrote them; `.` if the call is about the whole workspace. */
  readonly paths: readonly string[];
  readonly args: readonly unknown[];
  readonly signal: AbortSignal | undefined;
}

/**
 * Runs around a call: before it, after it or instead of it. `run` does the call, with another signal if one is given.
 * For `exportSnapshot`, `run` returns the chunks.
 */
export type AroundCall = <T>(
  call: FilesystemCall,
  run: (signal?: AbortSignal) => Promise<T>,
) => Promise<T>;

type Operation = FilesystemCall["operation"];
type Members = Partial<SnapshotableFilesystem>;
/** Methods of any filesystem, by name. */
type Methods = { readonly [Name in Operation]?: (...args: never[]) => unknown };

interface Shape {
  readonly kind: FilesystemCall["kind"];
  /** How many arguments are paths. `optional`: one that may be missing. `second`: only the second. `options`: the option `path`. */
  readonly paths: 0 | 1 | 2 | "second" | "optional" | "options";
  /** Where the options are. */
  readonly options: 0 | 1 | 2;
}

const FILE_METHODS = {
  read: { kind: "read", paths: 1, options: 1 },
  readBytes: { kind: "read", paths: 1, options: 1 },
  exists: { kind: "read", paths: 1, options: 1 },
  stat: { kind: "read", paths: 1, options: 1 },
  readlink: { kind: "read", paths: 1, options: 1 },
  realpath: { kind: "read", paths: 1, options: 1 },
  contentId: { kind: "read", paths: 1, options: 1 },
  list: { kind: "read", paths: "optional", options: 1 },
  glob: { kind: "read", paths: "options", options: 1 },
  grep: { kind: "read", paths: "options", options: 1 },
  usage: { kind: "read", paths: 0, options: 0 },
  write: { kind: "change", paths: 1, options: 2 },
  writeBytes: { kind: "change", paths: 1, options: 2 },
  delete: { kind: "change", paths: 1, options: 1 },
  mkdir: { kind: "change", paths: 1, options: 1 },
  copy: { kind: "change", paths: 2, options: 2 },
  move: { kind: "change", paths: 2, options: 2 },
  symlink: { kind: "change", paths: "second", options: 2 },
  chmod: { kind: "change", paths: 1, options: 2 },
  utimes: { kind: "change", paths: 1, options: 2 },
  openRead: { kind: "stream", paths: 1, options: 1 },
  openWrite: { kind: "stream", paths: 1, options: 1 },
  openText: { kind: "stream", paths: 1, options: 1 },
  transact: { kind: "snapshot", paths: 0, options: 1 },
} as const satisfies Record<Operation & keyof Filesystem, Shape>;

const SNAPSHOT_METHODS = {
  snapshot: { kind: "snapshot", paths: 0, options: 0 },
  restore: { kind: "snapshot", paths: 0, options: 1 },
  diff: { kind: "snapshot", paths: 0, options: 2 },
  snapshots: { kind: "snapshot", paths: 0, options: 0 },
  deleteSnapshot: { kind: "snapshot", paths: 0, options: 1 },
  prune: { kind: "snapshot", paths: 0, options: 0 },
  verify: { kind: "snapshot", paths: 0, options: 0 },
  exportSnapshot: { kind: "snapshot", paths: 0, options: 1 },
  importSnapshot: { kind: "snapshot", paths: 0, options: 1 },
  fork: { kind: "snapshot", paths: 0, options: 0 },
  begin: { kind: "snapshot", paths: 0, options: 0 },
} as const satisfies Record<Exclude<Operation, keyof Filesystem>, Shape>;

/** Whether a filesystem has every method of {@link SnapshotableFilesystem}, whichever class implements it. */
export function isSnapshotable(filesystem: Filesystem): filesystem is SnapshotableFilesystem {
  const members: Methods | null | undefined = filesystem;
  // The names are the keys of the table.
  for (const name in SNAPSHOT_METHODS)
    if (typeof members?.[name as keyof typeof SNAPSHOT_METHODS] !== "function") return false;
  return true;
}

/**
 * A filesystem that passes every call to `target` through the hook `around`. It has snapshots if `target` has them.
 *
 * @param members replace members of `target`. A replaced method is called through the hook too.
 */
export function wrapFilesystem(
  target: SnapshotableFilesystem,
  around: AroundCall,
  members?: Partial<SnapshotableFilesystem>,
): SnapshotableFilesystem;
export function wrapFilesystem(
  target: Filesystem,
  around: AroundCall,
  members?: Partial<SnapshotableFilesystem>,
): Filesystem;
export function wrapFilesystem(
  target: Filesystem,
  around: AroundCall,
  members?: Partial<SnapshotableFilesystem>,
): Filesystem {
  if (typeof target !== "object" || target === null || typeof around !== "function")
    throw invalidArgument("wrapFilesystem", "the arguments must be a filesystem and a function");
  return isSnapshotable(target)
    ? new SnapshotableWrapper(target, around, members)
    : new FilesWrapper(target, around, members);
}

class Wrapper {
  readonly #target: Filesystem;
  readonly #around: AroundCall;
  readonly #members: Members;

  constructor(target: Filesystem, around: AroundCall, members: Members = {}) {
    this.#target = target;
    this.#around = around;
    this.#members = members;
  }

  get root() {
    return this.#members.root ?? this.#target.root;
  }
  get readOnly() {
    return this.#members.readOnly ?? this.#target.readOnly;
  }
  get mountPoint() {
    return this.#members.mountPoint ?? this.#target.mountPoint;
  }
  get limits() {
    return this.#members.limits ?? this.#target.limits;
  }
  get quotas() {
    return this.#members.quotas ?? this.#target.quotas;
  }

  /** @param own replace the arguments for the target; the hook sees those of the caller */
  #call(
    operation: Operation,
    shape: Shape,
    args: readonly unknown[],
    own = args,
  ): Promise<unknown> {
    const given = (args[shape.options] as CallOptions | undefined)?.signal;
    // The target refuses anything else. The hook need not check it.
    const signal = typeof given?.throwIfAborted === "function" ? given : undefined;
    const run = (other: AbortSignal | undefined = signal): Promise<unknown> => {
      const owner: Methods = operation in this.#members ? this.#members : this.#target;
      const passed = other === signal ? own : withSignal(own, shape.options, other);
      // A wrapper has the snapshot methods only if its target has them. `exportSnapshot` returns no promise.
      return Promise.resolve(Reflect.apply(owner[operation] as () => unknown, owner, passed));
    };
    try {
      const { kind } = shape;
      return this.#around({ operation, kind, paths: pathsOf(args, shape), args, signal }, run);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  /** A body of `transact` whose calls go through the hook too. */
  #wrapsFilesOf(body: unknown): unknown {
    // The target refuses anything else.
    if (typeof body !== "function") return body;
    return (files: Filesystem): unknown => body(wrapFilesystem(files, this.#around, this.#members));
  }

  /** Adds the methods of a table to a prototype, so that a wrapper costs one object. */
  static define(prototype: Wrapper, methods: Readonly<Record<string, Shape>>): void {
    for (const [name, shape] of Object.entries(methods)) {
      // The tables have the names of methods as keys.
      const operation = name as Operation;
      let value = function (this: Wrapper, ...args: readonly unknown[]): unknown {
        return this.#call(operation, shape, args);
      };
      if (operation === "exportSnapshot")
        value = async function* (this: Wrapper, ...args: readonly unknown[]) {
          yield* (await this.#call(operation, shape, args)) as AsyncIterable<Uint8Array>;
        };
      if (operation === "transact")
        value = function (this: Wrapper, body: unknown, ...args: readonly unknown[]) {
          const own = [this.#wrapsFilesOf(body), ...args];
          return this.#call(operation, shape, [body, ...args], own);
        };
      Object.defineProperty(prototype, name, { value, writable: true, configurable: true });
    }
  }

  static {
    Wrapper.define(Wrapper.prototype, FILE_METHODS);
  }
}

type WrapperOf<T extends Filesystem> = new (target: T, around: AroundCall, members?: Members) => T;

// The compiler does not see the methods that `define` adds. The tables have one row for each method of the interfaces.
const FilesWrapper = Wrapper as unknown as WrapperOf<Filesystem>;

class SnapshotMethods extends Wrapper {
  static {
    Wrapper.define(SnapshotMethods.prototype, SNAPSHOT_METHODS);
  }
}

/** For a class that is a wrapped filesystem itself. */
export const SnapshotableWrapper = SnapshotMethods as unknown as WrapperOf<SnapshotableFilesystem>;

function pathsOf(args: readonly unknown[], { paths, options }: Shape): readonly string[] {
  // Callers of JavaScript may pass other types. The target refuses them.
  const strings = args as readonly string[];
  if (paths === 1 || paths === 2) return strings.slice(0, paths);
  if (paths === "second") return strings.slice(1, 2);
  if (paths === "optional") return [strings[0] ?? "."];
  return [(paths === "options" && (args[options] as GlobOptions | undefined)?.path) || "."];
}

/** Options of a wrong type stay as they are, because the target refuses them. */
function withSignal(
  args: readonly unknown[],
  index: number,
  signal: AbortSignal | undefined,
): readonly unknown[] {
  const options = args[index];
  if (options !== undefined && (typeof options !== "object" || options === null)) return args;
  const given = [...args];
  given[index] = { ...options, signal };
  return given;
}
