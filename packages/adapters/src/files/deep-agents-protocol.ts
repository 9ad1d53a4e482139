/** The backend protocol of deepagents, version 2, written out so that the package need not be installed. */
export interface DeepAgentsBackend {
  ls(path: string): Promise<LsResult>;
  read(path: string, offset?: number, limit?: number): Promise<ReadResult>;
  readRaw(path: string): Promise<ReadRawResult>;
  write(path: string, content: string): Promise<WriteResult>;
  edit(path: string, from: string, to: string, all?: boolean): Promise<EditResult>;
  grep(
    pattern: string,
    path?: string | null,
    glob?: string | null,
    maxCount?: number | null,
  ): Promise<GrepResult>;
  glob(pattern: string, path?: string): Promise<GlobResult>;
  delete(path: string): Promise<DeleteResult>;
  uploadFiles(files: readonly (readonly [string, Uint8Array])[]): Promise<FileUploadResponse[]>;
  downloadFiles(paths: readonly string[]): Promise<FileDownloadResponse[]>;
}

export interface FileInfo {
  path: string;
  is_dir: boolean;
  size: number;
  modified_at?: string;
}

interface Failed {
  error?: string;
}

export interface LsResult extends Failed {
  files?: FileInfo[];
}

export interface GlobResult extends LsResult {
  truncated?: boolean;
}

export interface ReadResult extends Failed {
  content?: string | Uint8Array;
  mimeType?: string;
}

export interface ReadRawResult extends Failed {
  data?: {
    content: string | Uint8Array;
    mimeType: string;
    created_at: string;
    modified_at: string;
  };
}

export interface WriteResult extends Failed {
  path?: string;
  filesUpdate?: null;
}

export interface EditResult extends WriteResult {
  occurrences?: number;
}

export type DeleteResult = WriteResult;

export interface GrepResult extends Failed {
  matches?: { path: string; line: number; text: string }[];
  truncated?: boolean;
}

export type FileOperationError =
  | "file_not_found"
  | "permission_denied"
  | "is_directory"
  | "invalid_path";

export interface FileUploadResponse {
  path: string;
  error: FileOperationError | null;
}

export interface FileDownloadResponse {
  path: string;
  content: Uint8Array | null;
  error: FileOperationError | null;
}
