import { holds } from './machine.ts';
import type { Instruction } from './program.ts';
import { codePointAt, codePointBefore } from './text.ts';

/** The rows of one block are in memory at a time, and of every other block only its first row. */
const blockSize = 1024;

/**
 * The instructions from which a match can be reached, for each position of a text. They are computed from the end of the
 * text to its beginning, in time linear in the text. Callers read positions in ascending order, so that each block is
 * computed twice at most.
 */
export class ReachTable {
  readonly #instructions: readonly Instruction[];
  readonly #text: string;
  /** For each instruction, those that lead to it without a character. */
  readonly #before: readonly (readonly number[])[];
  /** The position at which each block begins, and after the last the end of the text. */
  readonly #starts: readonly number[];
  /** The first row of each block, and the row at the end of the text. */
  readonly #firstRows: Uint8Array[] = [];
  /** The block whose rows are in memory. */
  #block = -1;
  /** Its rows, by the distance from its beginning. */
  #rows: readonly (Uint8Array | undefined)[] = [];

  constructor(instructions: readonly Instruction[], text: string) {
    this.#instructions = instructions;
    this.#text = text;
    this.#before = withoutCharacter(instructions);
    this.#starts = blockStarts(text);
    const last = this.#starts.length - 1;
    this.#firstRows[last] = this.#rowAt(text.length, undefined);
    for (let block = last - 1; block >= 0; block--) {
      this.#firstRows[block] = this.#rowsOf(block)[0] as Uint8Array;
    }
  }

  /** One byte for each instruction: 1 if a match can be reached from it at a position. */
  at(position: number): Uint8Array {
    if (position === this.#text.length) return this.#firstRows.at(-1) as Uint8Array;
    const block = Math.floor(position / blockSize);
    // The second half of a pair never begins a block.
    const own = position < (this.#starts[block] ?? 0) ? block - 1 : block;
    if (own !== this.#block) {
      this.#rows = this.#rowsOf(own);
      this.#block = own;
    }
    return this.#rows[position - (this.#starts[own] ?? 0)] as Uint8Array;
  }

  #rowsOf(block: number): readonly (Uint8Array | undefined)[] {
    const start = this.#starts[block] ?? 0;
    const rows: (Uint8Array | undefined)[] = [];
    let next = this.#firstRows[block + 1] as Uint8Array;
    for (let position = this.#starts[block + 1] ?? 0; position > start; ) {
      const code = codePointBefore(this.#text, position);
      position -= code > 0xffff ? 2 : 1;
      next = this.#rowAt(position, next);
      rows[position - start] = next;
    }
    return rows;
  }

  #rowAt(position: number, next: Uint8Array | undefined): Uint8Array {
    const row = new Uint8Array(this.#instructions.length);
    const code = codePointAt(this.#text, position);
    const before = codePointBefore(this.#text, position);
    const pending: number[] = [];
    const add = (place: number): void => {
      if (row[place] === 1) return;
      row[place] = 1;
      pending.push(place);
    };
    for (const [place, instruction] of this.#instructions.entries()) {
      const { kind } = instruction;
      if (kind === 'match') add(place);
      else if (kind === 'set' && next?.[instruction.next] === 1 && instruction.set.has(code)) {
        add(place);
      }
    }
    for (let place = pending.pop(); place !== undefined; place = pending.pop()) {
      for (const earlier of this.#before[place] as readonly number[]) {
        const instruction = this.#instructions[earlier] as Instruction;
        const isOpen =
          instruction.kind !== 'assertion' ||
          holds(instruction.assertion, before, code, position === 0);
        if (isOpen) add(earlier);
      }
    }
    return row;
  }
}

function withoutCharacter(instructions: readonly Instruction[]): readonly (readonly number[])[] {
  const before: number[][] = instructions.map(() => []);
  for (const [place, instruction] of instructions.entries()) {
    if (instruction.kind === 'set' || instruction.kind === 'match') continue;
    before[instruction.next]?.push(place);
    if (instruction.kind === 'fork') before[instruction.other]?.push(place);
  }
  return before;
}

function blockStarts(text: string): readonly number[] {
  const starts: number[] = [];
  for (let start = 0; start < text.length; start += blockSize) {
    const isWithinPair = start > 0 && codePointBefore(text, start + 1) > 0xffff;
    starts.push(isWithinPair ? start + 1 : start);
  }
  return [...starts, text.length];
}
