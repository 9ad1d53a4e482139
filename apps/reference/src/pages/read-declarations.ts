import path from "node:path";
import ts from "typescript";
import type { EntryPoint } from "./entry-points.js";

export type DeclarationKind = "class" | "function" | "value" | "type";

/** Something that an entry point exports. */
export interface Declaration {
  readonly name: string;
  readonly kind: DeclarationKind;
  /** Its JSDoc as markdown. */
  readonly comment: string;
  /** Its TypeScript declaration; members with their JSDoc. */
  readonly code: string;
}

/** An entry point and its exports. */
export interface DocumentedEntryPoint {
  readonly entryPoint: EntryPoint;
  readonly declarations: readonly Declaration[];
}

/** Reads the exports of each entry point, as an importing program sees them. */
export function readDeclarations(
  root: string,
  entryPoints: readonly EntryPoint[],
): readonly DocumentedEntryPoint[] {
  const program = ts.createProgram({
    rootNames: entryPoints.map(({ file }) => file),
    options: readOptions(root),
  });
  const declared = new DeclaredStatements(program);
  const checker = program.getTypeChecker();
  return entryPoints.map((entryPoint) => {
    const source = program.getSourceFile(entryPoint.file);
    const module = source && checker.getSymbolAtLocation(source);
    const symbols = module === undefined ? [] : checker.getExportsOfModule(module);
    const declarations = symbols.flatMap((symbol) => {
      const target =
        symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
      return describe(symbol.name, declared.of(target)) ?? [];
    });
    return { entryPoint, declarations };
  });
}

function readOptions(root: string): ts.CompilerOptions {
  const { config } = ts.readConfigFile(path.join(root, "tsconfig.base.json"), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  return {
    ...options,
    ...{ composite: false, declaration: true, declarationMap: false, sourceMap: false },
    ...{ emitDeclarationOnly: true, stripInternal: true, noCheck: true },
  };
}

/** The statements of the generated `.d.ts` files, by declared name. */
class DeclaredStatements {
  readonly #program: ts.Program;
  readonly #files = new Map<ts.SourceFile, ts.SourceFile>();

  constructor(program: ts.Program) {
    this.#program = program;
  }

  of(symbol: ts.Symbol): readonly ts.Statement[] {
    const source = symbol.declarations?.[0]?.getSourceFile();
    if (source === undefined || source.isDeclarationFile) return [];
    return this.#emit(source).statements.filter((each) => nameOf(each) === symbol.name);
  }

  #emit(source: ts.SourceFile): ts.SourceFile {
    const known = this.#files.get(source);
    if (known !== undefined) return known;
    let text = "";
    this.#program.emit(source, (_, emitted) => (text = emitted), undefined, true);
    const file = ts.createSourceFile("declared.d.ts", text, ts.ScriptTarget.Latest, true);
    this.#files.set(source, file);
    return file;
  }
}

function nameOf(statement: ts.Statement): string | undefined {
  if (ts.isVariableStatement(statement)) {
    const [declared] = statement.declarationList.declarations;
    return declared && ts.isIdentifier(declared.name) ? declared.name.text : undefined;
  }
  const isNamed =
    ts.isClassDeclaration(statement) ||
    ts.isFunctionDeclaration(statement) ||
    ts.isInterfaceDeclaration(statement) ||
    ts.isTypeAliasDeclaration(statement);
  return isNamed ? statement.name?.text : undefined;
}

function describe(name: string, statements: readonly ts.Statement[]): Declaration | undefined {
  const [first] = statements;
  if (first === undefined) return undefined;
  const kinds = statements.map(kindOf);
  return {
    name,
    // A name that is both a value and a type is listed as a value.
    kind: kinds.find((kind) => kind !== "type") ?? "type",
    comment: statements.map(commentOf).find((text) => text !== "") ?? "",
    code: statements.map(codeOf).join("\n"),
  };
}

function kindOf(statement: ts.Statement): DeclarationKind {
  if (ts.isClassDeclaration(statement)) return "class";
  if (ts.isFunctionDeclaration(statement)) return "function";
  return ts.isVariableStatement(statement) ? "value" : "type";
}

function commentOf(statement: ts.Statement): string {
  const text = statement.getSourceFile().text;
  const comment = ts.getLeadingCommentRanges(text, statement.pos)?.at(-1);
  const [, body] =
    /^\/\*\*(.*)\*\/$/s.exec(comment ? text.slice(comment.pos, comment.end) : "") ?? [];
  return (body ?? "")
    .split("\n")
    .map((line) => line.replace(/^\s*\* ?/, "").trimEnd())
    .join("\n")
    .replaceAll(/\{@link (\w+)[^}]*\}/g, "`$1`")
    .replaceAll(/^@param (\w+)/gm, "`$1`:")
    .trim();
}

function codeOf(statement: ts.Statement): string {
  return statement
    .getText()
    .replace(/^export /, "")
    .replace(/^declare /, "")
    .replaceAll(/^ {4}#private;\n/gm, "")
    .replaceAll(/import\("[^"]+"\)\./g, "")
    .replaceAll(/^(?: {4})+/gm, (indent) => " ".repeat(indent.length / 2))
    .replaceAll(/\{@link (\w+)[^}]*\}/g, "`$1`");
}
