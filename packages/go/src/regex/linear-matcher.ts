import type { Instruction, RegexProgram } from './program.ts';
import { ReachTable } from './reach-table.ts';
import { codePointAt } from './text.ts';

/**
 * Finds all consecutive matches in a text in time linear in the text. A machine that searches each of them may read the
 * rest of the text every time, as for `a*b|a` in a text of `a`. A {@link ReachTable} says
 * beforehand where a match can be reached, so that only the most preferred way is followed. It takes more memory than a
 * machine, and more time for few matches.
 */
export class LinearMatcher {
  readonly #instructions: readonly Instruction[];
  readonly #start: number;
  readonly #slots: number;
  readonly #text: string;
  readonly #table: ReachTable;

  /** @param slots how many positions a match has: its begin and end, and those of its groups */
  constructor({ instructions, start }: RegexProgram, text: string, slots: number) {
    this.#instructions = instructions;
    this.#start = start;
    this.#slots = slots;
    this.#text = text;
    this.#table = new ReachTable(instructions, text);
  }

  /**
   * Returns the positions of the leftmost match at an offset or after it, -1 for groups that took no part. Offsets must
   * not descend from call to call.
   */
  match(from: number): readonly number[] | undefined {
    let position = from;
    while (this.#table.at(position)[this.#start] !== 1) {
      if (position >= this.#text.length) return undefined;
      position += this.#widthAt(position);
    }
    let slots: readonly number[] = new Array<number>(this.#slots).fill(-1).with(0, position);
    for (let place = this.#start; ; position += this.#widthAt(position)) {
      const found = this.#follow(place, slots, position);
      slots = found.slots;
      const instruction = this.#instructions[found.place] as Instruction;
      if (instruction.kind !== 'set') return slots.with(1, position);
      place = instruction.next;
    }
  }

  /** The first instruction in the order of preference that takes a character or ends the match. */
  #follow(
    from: number,
    given: readonly number[],
    position: number,
  ): { readonly place: number; readonly slots: readonly number[] } {
    const row = this.#table.at(position);
    const seen = new Set<number>();
    const pending = [{ place: from, slots: given }];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      const { place, slots } = next;
      if (row[place] !== 1 || seen.has(place)) continue;
      seen.add(place);
      const instruction = this.#instructions[place] as Instruction;
      if (instruction.kind === 'set' || instruction.kind === 'match') return next;
      if (instruction.kind === 'fork') pending.push({ place: instruction.other, slots });
      const isSave = instruction.kind === 'save';
      pending.push({
        place: instruction.next,
        slots: isSave ? slots.with(instruction.slot, position) : slots,
      });
    }
    throw new Error('a match was reached before');
  }

  #widthAt(position: number): number {
    return codePointAt(this.#text, position) > 0xffff ? 2 : 1;
  }
}
