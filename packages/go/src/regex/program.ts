import { getOrMake } from '@kubeadmit/base';
import { SetMatcher } from './match-set.ts';
import type { Assertion, RegexNode } from './syntax.ts';

// The program of Go's regexp/syntax/prog.go: instructions with one or two successors.

/** One step of a matcher. */
export type Instruction =
  | { readonly kind: 'set'; readonly set: SetMatcher; next: number }
  /** Both ways, the first one preferred. */
  | { readonly kind: 'fork'; next: number; other: number }
  | { readonly kind: 'assertion'; readonly assertion: Assertion; next: number }
  /** Where a group begins or ends. */
  | { readonly kind: 'save'; readonly slot: number; next: number }
  | { readonly kind: 'match' };

/** Instructions, and the one to begin with. */
export interface RegexProgram {
  readonly instructions: readonly Instruction[];
  readonly start: number;
}

/**
 * Compiles a program, from the end of the expression to its beginning. `savesGroups` records the positions of
 * groups.
 */
export function compileProgram(node: RegexNode, savesGroups: boolean = false): RegexProgram {
  const compiler = new Compiler(savesGroups);
  const match = compiler.add({ kind: 'match' });
  return { instructions: compiler.instructions, start: compiler.compile(node, match) };
}

class Compiler {
  readonly instructions: Instruction[] = [];
  readonly #savesGroups: boolean;
  readonly #sets: Map<string, SetMatcher> = new Map();

  constructor(savesGroups: boolean) {
    this.#savesGroups = savesGroups;
  }

  add(instruction: Instruction): number {
    return this.instructions.push(instruction) - 1;
  }

  /** Where the instructions of a node begin, after which those at `next` follow. */
  compile(node: RegexNode, next: number): number {
    switch (node.kind) {
      case 'empty':
        return next;
      case 'set':
      case 'class': {
        const set = getOrMake(this.#sets, JSON.stringify(node), () => new SetMatcher(node));
        return this.add({ kind: 'set', set, next });
      }
      case 'assertion':
        return this.add({ kind: 'assertion', assertion: node.assertion, next });
      case 'group':
        return this.#group(node, next);
      case 'sequence':
        return node.parts.reduceRight((after, part) => this.compile(part, after), next);
      case 'choice':
        return node.options
          .map((option) => this.compile(option, next))
          .reduceRight((other, first) => this.add({ kind: 'fork', next: first, other }));
      default:
        return this.#repeat(node, next);
    }
  }

  #group({ part, number }: Extract<RegexNode, { kind: 'group' }>, next: number): number {
    if (!this.#savesGroups) return this.compile(part, next);
    const end = this.add({ kind: 'save', slot: 2 * number + 1, next });
    return this.add({ kind: 'save', slot: 2 * number, next: this.compile(part, end) });
  }

  #repeat(
    { part, least, most, isLazy }: Extract<RegexNode, { kind: 'repeat' }>,
    next: number,
  ): number {
    let after = next;
    let copies = least;
    if (most === Number.POSITIVE_INFINITY) {
      if (least === 0) {
        after = this.#star(part, isLazy, next);
      } else {
        after = this.#loop(part, isLazy, next).body;
        copies--;
      }
    } else {
      for (let count = least; count < most; count++) {
        after = this.#either(this.compile(part, after), next, isLazy);
      }
    }
    for (let count = 0; count < copies; count++) after = this.compile(part, after);
    return after;
  }

  #star(part: RegexNode, isLazy: boolean, next: number): number {
    const { body, fork } = this.#loop(part, isLazy, next);
    // `(x+)?` if x can be empty, to keep the order of preference.
    return canBeEmpty(part) ? this.#either(body, next, isLazy) : fork;
  }

  #loop(part: RegexNode, isLazy: boolean, next: number): { body: number; fork: number } {
    const instruction: Extract<Instruction, { kind: 'fork' }> = { kind: 'fork', next, other: next };
    const fork = this.add(instruction);
    const body = this.compile(part, fork);
    if (isLazy) instruction.other = body;
    else instruction.next = body;
    return { body, fork };
  }

  #either(body: number, next: number, isLazy: boolean): number {
    return this.add(
      isLazy ? { kind: 'fork', next, other: body } : { kind: 'fork', next: body, other: next },
    );
  }
}

/** Whether a node matches the empty text, wherever its assertions hold. */
export function canBeEmpty(node: RegexNode): boolean {
  switch (node.kind) {
    case 'set':
    case 'class':
      return false;
    case 'group':
      return canBeEmpty(node.part);
    case 'sequence':
      return node.parts.every(canBeEmpty);
    case 'choice':
      return node.options.some(canBeEmpty);
    case 'repeat':
      return node.least === 0 || canBeEmpty(node.part);
    default:
      return true;
  }
}
