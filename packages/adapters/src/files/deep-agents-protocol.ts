/**
 * The backend protocol of deepagents, version 2, written out so that the package need not be installed. A failed call has
 * only `error`.
 */
export interface DeepAgentsBackend {
  ls(path: string): Promise<{
    error?: string;
    files?: { path: string; is_dir: boolean; size: number; modified_at?: string }[];
  }>;
  read(
    path: string,
    offset?: number,
    limit?: number,
  ): Promise<{ error?: string; content?: string | Uint8Array; mimeType?: string }>;
  readRaw(path: string): Promise<{
    error?: string;
    data?: {
      content: string | Uint8Array;
      mimeType: string;
      created_at: string;
      modified_at: string;
    };
  }>;
  write(
    path: string,
    content: string,
  ): Promise<{ error?: string; path?: string; filesUpdate?: null }>;
  edit(
    path: string,
    from: string,
    to: string,
    all?: boolean,
  ): Promise<{ error?: string; path?: string; filesUpdate?: null; occurrences?: number }>;
  grep(
    pattern: string,
    path?: string | null,
    glob?: string | null,
    maxCount?: number | null,
  ): Promise<{
    error?: string;
    matches?: { path: string; line: number; text: string }[];
    truncated?: boolean;
  }>;
  glob(
    pattern: string,
    path?: string,
  ): Promise<{
    error?: string;
    files?: { path: string; is_dir: boolean; size: number; modified_at?: string }[];
    truncated?: boolean;
  }>;
  delete(path: string): Promise<{ error?: string; path?: string; filesUpdate?: null }>;
  uploadFiles(files: readonly (readonly [string, Uint8Array])[]): Promise<
    {
      path: string;
      error: "file_not_found" | "permission_denied" | "is_directory" | "invalid_path" | null;
    }[]
  >;
  downloadFiles(paths: readonly string[]): Promise<
    {
      path: string;
      content: Uint8Array | null;
      error: "file_not_found" | "permission_denied" | "is_directory" | "invalid_path" | null;
    }[]
  >;
}
