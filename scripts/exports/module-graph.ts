import { type ESTree, parseSync } from "vite";

/** The declaration of an exported name. */
export interface Origin {
  /** The file that declares it, or the specifier of a module outside of the repository. */
  readonly file: string;
  readonly name: string;
  /** Whether the compiler removes it. */
  readonly isType: boolean;
}

/** How the modules of a graph are found and read. */
export interface ModuleSource {
  /** The file that a specifier means; nothing for a module outside of the repository. */
  resolve(from: string, specifier: string): string | undefined;
  read(file: string): string;
}

/** A name that comes from another module. `*` is the module itself. */
interface Reference {
  readonly specifier: string;
  readonly name: string;
  readonly isType: boolean;
}

/** The names of one module. */
export interface Module {
  readonly file: string;
  readonly declarations: ReadonlyMap<string, readonly ESTree.Node[]>;
  readonly imports: ReadonlyMap<string, Reference>;
  /** Exported name → local name. */
  readonly localExports: ReadonlyMap<string, { readonly local: string; readonly isType: boolean }>;
  readonly reExports: ReadonlyMap<string, Reference>;
  /** Specifiers of `export * from`. */
  readonly starExports: readonly string[];
}

const TYPE_DECLARATIONS = new Set(["TSInterfaceDeclaration", "TSTypeAliasDeclaration"]);

/** Follows exports and imports through modules, to where a name is declared. */
export class ModuleGraph {
  readonly #source: ModuleSource;
  readonly #modules = new Map<string, Module>();

  constructor(source: ModuleSource) {
    this.#source = source;
  }

  module(file: string): Module {
    const known = this.#modules.get(file);
    if (known !== undefined) return known;
    const module = readModule(file, this.#source.read(file));
    this.#modules.set(file, module);
    return module;
  }

  /** Every name that a module exports, with its declaration. */
  exportsOf(file: string): ReadonlyMap<string, Origin> {
    const { localExports, reExports, starExports } = this.module(file);
    const names = new Map<string, Origin>();
    for (const specifier of starExports) {
      const target = this.#source.resolve(file, specifier);
      if (target !== undefined)
        for (const [name, origin] of this.exportsOf(target)) names.set(name, origin);
    }
    for (const [name, { local, isType }] of localExports)
      names.set(name, asType(this.originOf(file, local), isType));
    for (const [name, reference] of reExports) names.set(name, this.#follow(file, reference));
    return names;
  }

  /** The declaration that a local name of a module means. A global has the module itself as its file. */
  originOf(file: string, local: string): Origin {
    const module = this.module(file);
    const imported = module.imports.get(local);
    if (imported !== undefined) return this.#follow(file, imported);
    const nodes = module.declarations.get(local) ?? [];
    const isType = nodes.length > 0 && nodes.every(({ type }) => TYPE_DECLARATIONS.has(type));
    return { file, name: local, isType };
  }

  /** The declaration of a member of an imported module, such as `fs.Stat` after `import * as fs`. */
  memberOf(file: string, namespace: string, member: string): Origin | undefined {
    const reference = this.module(file).imports.get(namespace);
    if (reference?.name !== "*") return undefined;
    return this.#follow(file, { ...reference, name: member });
  }

  /** The declaration of a name in a module that is named by its specifier. */
  imported(file: string, specifier: string, name: string): Origin {
    return this.#follow(file, { specifier, name, isType: true });
  }

  #follow(file: string, { specifier, name, isType }: Reference): Origin {
    const target = this.#source.resolve(file, specifier);
    if (target === undefined) return { file: specifier, name, isType };
    const origin = name === "*" ? undefined : this.exportsOf(target).get(name);
    return asType(origin ?? { file: target, name, isType }, isType);
  }
}

function asType(origin: Origin, isType: boolean): Origin {
  return isType && !origin.isType ? { ...origin, isType } : origin;
}

function readModule(file: string, text: string): Module {
  const declarations = new Map<string, ESTree.Node[]>();
  const imports = new Map<string, Reference>();
  const localExports = new Map<string, { local: string; isType: boolean }>();
  const reExports = new Map<string, Reference>();
  const starExports: string[] = [];
  const declare = (node: ESTree.Node): readonly string[] => {
    const names = namesOf(node);
    for (const name of names) declarations.set(name, [...(declarations.get(name) ?? []), node]);
    return names;
  };
  for (const node of parseSync(file, text).program.body) {
    if (node.type === "ImportDeclaration") {
      const isType = node.importKind === "type";
      for (const each of node.specifiers)
        imports.set(each.local.name, {
          specifier: node.source.value,
          name: each.type === "ImportSpecifier" ? textOf(each.imported) : "*",
          isType: isType || (each.type === "ImportSpecifier" && each.importKind === "type"),
        });
    } else if (node.type === "ExportAllDeclaration") {
      const name = node.exported && textOf(node.exported);
      const reference = { specifier: node.source.value, name: "*", isType: false };
      if (name === null) starExports.push(node.source.value);
      else reExports.set(name, reference);
    } else if (node.type === "ExportNamedDeclaration") {
      if (node.declaration !== null)
        for (const name of declare(node.declaration))
          localExports.set(name, { local: name, isType: false });
      for (const each of node.specifiers) {
        const name = textOf(each.exported);
        const local = textOf(each.local);
        const isType = node.exportKind === "type" || each.exportKind === "type";
        if (node.source === null) localExports.set(name, { local, isType });
        else reExports.set(name, { specifier: node.source.value, name: local, isType });
      }
    } else declare(node);
  }
  return { file, declarations, imports, localExports, reExports, starExports };
}

function namesOf(node: ESTree.Node): readonly string[] {
  if (node.type === "VariableDeclaration")
    return node.declarations.flatMap(({ id }) => (id.type === "Identifier" ? [id.name] : []));
  const { id } = node as { readonly id?: { readonly type: string; readonly name?: string } | null };
  return id?.name === undefined ? [] : [id.name];
}

function textOf(name: ESTree.ModuleExportName): string {
  return name.type === "Literal" ? name.value : name.name;
}
