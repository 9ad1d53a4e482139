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
  writeFile(
    path: string,
    content: string | Uint8Array,
    options?: { recursive?: boolean; overwrite?: boolean; mimeType?: string; expectedMtime?: Date },
  ): Promise<void>;
  appendFile(path: string, content: string | Uint8Array): Promise<void>;
  deleteFile(path: string, options?: { recursive?: boolean; force?: boolean }): Promise<void>;
  copyFile(from: string, to: string, options?: { overwrite?: boolean }): Promise<void>;
  moveFile(from: string, to: string, options?: { overwrite?: boolean }): Promise<void>;
  mkdir(path: string, options?: { recursive?: boolean }): Promise<void>;
  rmdir(path: string, options?: { recursive?: boolean; force?: boolean }): Promise<void>;
  readdir(
    path: string,
    options?: { recursive?: boolean; extension?: string | string[]; maxDepth?: number },
  ): Promise<
    {
      name: string;
      type: "file" | "directory";
      size?: number;
      isSymlink?: boolean;
      symlinkTarget?: string;
    }[]
  >;
  exists(path: string): Promise<boolean>;
  stat(path: string): Promise<{
    name: string;
    path: string;
    type: "file" | "directory";
    size: number;
    createdAt: Date;
    modifiedAt: Date;
    mimeType?: string;
  }>;
  realpath(path: string): Promise<string>;
}

export interface MastraFilesystemOptions {
  /** The identifier of the filesystem in Mastra. @default "wink" */
  readonly id?: string | undefined;
}
