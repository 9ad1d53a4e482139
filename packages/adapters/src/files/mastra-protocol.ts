/** Mastra's `WorkspaceFilesystem`, written out so that its package need not be installed to compile. */
export interface MastraFilesystem {
  readonly id: string;
  readonly name: string;
  readonly provider: string;
  readonly status: "ready";
  readonly readOnly: boolean;
  getInfo(): Pick<MastraFilesystem, "id" | "name" | "provider" | "status" | "readOnly">;
  getInstructions(): string;
  readFile(path: string, options?: { encoding?: BufferEncoding }): Promise<string | Buffer>;
  writeFile(path: string, content: string | Uint8Array, options?: WriteOptions): Promise<void>;
  appendFile(path: string, content: string | Uint8Array): Promise<void>;
  deleteFile(path: string, options?: RemoveOptions): Promise<void>;
  copyFile(from: string, to: string, options?: CopyOptions): Promise<void>;
  moveFile(from: string, to: string, options?: CopyOptions): Promise<void>;
  mkdir(path: string, options?: { recursive?: boolean }): Promise<void>;
  rmdir(path: string, options?: RemoveOptions): Promise<void>;
  readdir(path: string, options?: ListOptions): Promise<FileEntry[]>;
  exists(path: string): Promise<boolean>;
  stat(path: string): Promise<FileStat>;
  realpath(path: string): Promise<string>;
}

export interface MastraFilesystemOptions {
  /** The identifier of the filesystem in Mastra. @default "wink" */
  readonly id?: string | undefined;
}

export interface WriteOptions {
  recursive?: boolean;
  overwrite?: boolean;
  mimeType?: string;
  expectedMtime?: Date;
}

export interface RemoveOptions {
  recursive?: boolean;
  force?: boolean;
}

export interface CopyOptions {
  overwrite?: boolean;
  recursive?: boolean;
}

export interface ListOptions {
  recursive?: boolean;
  extension?: string | string[];
  maxDepth?: number;
}

export interface FileEntry {
  name: string;
  type: "file" | "directory";
  size?: number;
  isSymlink?: boolean;
  symlinkTarget?: string;
}

export interface FileStat {
  name: string;
  path: string;
  type: "file" | "directory";
  size: number;
  createdAt: Date;
  modifiedAt: Date;
  mimeType?: string;
}
