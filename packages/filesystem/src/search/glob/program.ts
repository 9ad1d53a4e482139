import { CharacterClasses } from "./character-classes.js";
import type { CharacterSet } from "./character-set.js";
import type { Expression } from "./read-expression.js";

/** One instruction of a compiled expression. Numbers are indexes of instructions. */
type Instruction =
  /** Consumes one character of `set`, then continues with the next instruction. */
  | { readonly type: "consume"; readonly set: CharacterSet }
  | { readonly type: "split"; readonly targets: readonly number[] }
  /** Continues with the next instruction unless the program at `body` matches what follows. */
  | { readonly type: "not"; readonly body: number; next: number }
  | { readonly type: "start" | "end" | "not-end" | "match" };

export interface Program {
  readonly instructions: readonly Instruction[];
  readonly classes: CharacterClasses;
}

/** Compiles an expression to a program whose size is proportional to the expression's. */
export function compileExpression(expression: Expression): Program {
  const sets = new Set<CharacterSet>();
  collectSets(expression, sets);
  const compiler = new Compiler(new CharacterClasses([...sets]));
  compiler.add(expression);
  compiler.instructions.push({ type: "match" });
  return compiler;
}

function collectSets(expression: Expression, sets: Set<CharacterSet>): void {
  if (expression.type === "set") sets.add(expression.set);
  else if (expression.type === "sequence")
    for (const part of expression.parts) collectSets(part, sets);
  else if (expression.type === "choice")
    for (const option of expression.options) collectSets(option, sets);
  else if (expression.type === "repeat" || expression.type === "not")
    collectSets(expression.body, sets);
}

class Compiler implements Program {
  readonly instructions: Instruction[] = [];
  readonly classes: CharacterClasses;

  constructor(classes: CharacterClasses) {
    this.classes = classes;
  }

  add(expression: Expression): void {
    if (expression.type === "set") this.instructions.push({ type: "consume", set: expression.set });
    else if (expression.type === "sequence") for (const part of expression.parts) this.add(part);
    else if (expression.type === "choice") this.#addChoice(expression.options);
    else if (expression.type === "repeat") this.#addRepeat(expression);
    else if (expression.type === "not") this.#addNot(expression.body);
    else this.instructions.push({ type: expression.type });
  }

  #addChoice(options: readonly Expression[]): void {
    const starts: number[] = [];
    this.instructions.push({ type: "split", targets: starts });
    const ends: number[][] = [];
    for (const option of options) {
      starts.push(this.instructions.length);
      this.add(option);
      ends.push(this.#jump());
    }
    for (const end of ends) end.push(this.instructions.length);
  }

  #addRepeat({ body, min, many }: Expression & { readonly type: "repeat" }): void {
    const skip: number[] = [];
    if (min === 0) {
      this.instructions.push({ type: "split", targets: skip });
      skip.push(this.instructions.length);
    }
    const start = this.instructions.length;
    this.add(body);
    if (many) {
      const again = this.#jump();
      again.push(start, this.instructions.length);
    }
    skip.push(this.instructions.length);
  }

  #addNot(body: Expression): void {
    const instruction: Instruction = { type: "not", body: this.instructions.length + 1, next: 0 };
    this.instructions.push(instruction);
    this.add(body);
    this.instructions.push({ type: "match" });
    instruction.next = this.instructions.length;
  }

  /** Adds a jump whose targets the caller fills in. */
  #jump(): number[] {
    const targets: number[] = [];
    this.instructions.push({ type: "split", targets });
    return targets;
  }
}
