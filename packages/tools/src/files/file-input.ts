import { z } from "zod";

/** Some models use `path`, because they were trained with other tools. */
const names = {
  file_path: z.string().optional().describe("The file, relative to the workspace root."),
  path: z.string().optional().describe("Another name for file_path."),
};

type Input<Fields extends z.ZodRawShape> = z.ZodType<
  z.output<z.ZodObject<{ path: z.ZodString } & Fields>>,
  z.input<z.ZodObject<typeof names & Fields>>
>;

/** The input of a tool for one file, which a model names `file_path` or `path`. Handlers and policies see one `path`. */
export function fileInput<Fields extends z.ZodRawShape>(fields: Fields): Input<Fields> {
  // `withOnePath` replaces the two names by one and keeps the other fields.
  return withOnePath(fields) as z.ZodType as Input<Fields>;
}

function withOnePath(fields: z.ZodRawShape) {
  // `names` is first because a model reads the fields in this order, and last because that gives them their types.
  // A transform has no JSON Schema for its result, and `defineTool` asks for one, so `z.any` follows.
  return z
    .object({ ...names, ...fields, ...names })
    .transform(({ file_path, path, ...rest }, context) => {
      const message = problemOf(file_path, path);
      if (message !== undefined) context.addIssue({ code: "custom", path: ["file_path"], message });
      return { ...rest, path: file_path ?? path };
    })
    .pipe(z.any());
}

function problemOf(filePath: string | undefined, path: string | undefined): string | undefined {
  if (filePath === undefined && path === undefined) return "Give the path of the file";
  if (filePath === undefined || path === undefined || filePath === path) return undefined;
  return "file_path and path name different files. Give only file_path";
}
