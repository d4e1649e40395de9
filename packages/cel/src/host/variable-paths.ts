import type { CheckedExpression } from '../check/checked-expression.ts';
import {
  type CallExpression,
  type ComprehensionExpression,
  childrenOf,
  type Expression,
} from '../syntax/expression.ts';

/** What an expression reads of a value: all of it, or some parts; without either, whether it is there. */
export interface ReadPart {
  all: boolean;
  /** All of it, if it is a list. */
  allOfList: boolean;
  /** The members and elements that are read by their names and indexes; `undefined` for none. */
  members: Map<string | number, ReadPart> | undefined;
  /** What is read of each element, if it is a list; all is read of a map. */
  each: ReadPart | undefined;
}

/** All of a value. */
export const wholePart: ReadPart = newPart(true);

function newPart(all: boolean): ReadPart {
  return { all, allOfList: false, members: undefined, each: undefined };
}

/** What an expression reads of each variable of its environment. */
export function readParts(checked: CheckedExpression): ReadonlyMap<string, ReadPart> {
  const reader = new Reader(checked);
  reader.visit(checked.expression);
  return reader.parts;
}

interface Local {
  readonly name: string;
  /** What it is an element of; `undefined` where it is nothing that was bound. */
  readonly part: ReadPart | undefined;
}

class Reader {
  readonly parts: Map<string, ReadPart> = new Map();
  readonly #checked: CheckedExpression;
  readonly #locals: Local[] = [];

  constructor(checked: CheckedExpression) {
    this.#checked = checked;
  }

  visit(expression: Expression): void {
    const part = this.#partOf(expression);
    if (part !== undefined) {
      // Of what is only tested no more than its presence counts.
      if (expression.kind !== 'select' || !expression.test) part.all = true;
      return;
    }
    if (expression.kind === 'comprehension') {
      this.#loop(expression);
    } else if (expression.kind === 'call') {
      if (this.#looksOnly(expression)) return;
      if (expression.target !== undefined) this.visit(expression.target);
      for (const value of expression.arguments) this.visit(value);
    } else if (expression.kind !== 'literal') {
      for (const child of childrenOf(expression)) this.visit(child);
    }
  }

  /** Whether a call does no more than look whether something is null or has a key; what it reads is noted. */
  #looksOnly({ function: name, arguments: [left, right] }: CallExpression): boolean {
    if (left === undefined || right === undefined) return false;
    if (name === '_==_' || name === '_!=_') {
      if (right.kind === 'literal' && right.value === null) return this.#partOf(left) !== undefined;
      return left.kind === 'literal' && left.value === null && this.#partOf(right) !== undefined;
    }
    if (name !== '@in' || left.kind !== 'literal' || typeof left.value !== 'string') return false;
    const part = this.#partOf(right);
    if (part === undefined) return false;
    part.allOfList = true;
    memberOf(part, left.value);
    return true;
  }

  #loop(expression: ComprehensionExpression): void {
    const { accumulator, variable, secondVariable, range } = expression;
    const part = this.#partOf(range);
    if (part === undefined) {
      this.visit(range);
    } else {
      part.each ??= newPart(false);
    }
    this.visit(expression.initial);
    const isValue = secondVariable === undefined;
    this.#locals.push(
      { name: accumulator, part: undefined },
      { name: variable, part: isValue ? part?.each : undefined },
      { name: secondVariable ?? variable, part: part?.each },
    );
    this.visit(expression.condition);
    this.visit(expression.step);
    this.visit(expression.result);
    for (let count = 0; count < 3; count++) this.#locals.pop();
  }

  /** The part that a chain of selections from a variable reads; `undefined` for anything else. */
  #partOf(expression: Expression): ReadPart | undefined {
    const reference = this.#checked.references[expression.id];
    if (reference?.kind === 'variable') {
      const { name, root } = reference;
      const local = root ? undefined : this.#locals.findLast((known) => known.name === name);
      return local === undefined ? child(this.parts, name) : local.part;
    }
    if (expression.kind === 'select') {
      const operand = this.#partOf(expression.operand);
      return operand && memberOf(operand, expression.field);
    }
    if (expression.kind !== 'call' || !indexes.has(expression.function)) return undefined;
    const [operand, index] = expression.arguments;
    if (operand === undefined || index?.kind !== 'literal') return undefined;
    const { value } = index;
    if (typeof value !== 'string' && !(typeof value === 'number' && Number.isSafeInteger(value))) {
      return undefined;
    }
    const part = this.#partOf(operand);
    return part && memberOf(part, value);
  }
}

const indexes: ReadonlySet<string> = new Set(['_[_]', '_[?_]', '_?._']);

function memberOf(part: ReadPart, key: string | number): ReadPart {
  part.members ??= new Map();
  return child(part.members, key);
}

function child<Key>(parts: Map<Key, ReadPart>, key: Key): ReadPart {
  const known = parts.get(key);
  if (known !== undefined) return known;
  const part = newPart(false);
  parts.set(key, part);
  return part;
}
