import { holds } from './machine.ts';
import type { Instruction, RegexProgram } from './program.ts';
import { codePointAt, codePointBefore } from './text.ts';

interface Thread {
  readonly place: number;
  /** Where the groups begin and end, as far as is known. */
  readonly slots: readonly number[];
}

/** As `RegexMachine`, and remembers for each possibility where its groups begin and end. */
export class GroupMachine {
  readonly #instructions: readonly Instruction[];
  readonly #start: number;
  readonly #slots: number;
  /** How many characters were read for all matches. */
  steps = 0;

  constructor({ instructions, start }: RegexProgram, groups: number) {
    this.#instructions = instructions;
    this.#start = start;
    this.#slots = 2 * groups;
  }

  /** The places of the leftmost match at an offset or after it and of its groups, -1 for one that took no part. */
  match(text: string, from: number): readonly number[] | undefined {
    let found: readonly number[] | undefined;
    let threads: Thread[] = [];
    let seen = new Set<number>();
    let before = codePointBefore(text, from);
    for (let position = from; ; ) {
      const code = codePointAt(text, position);
      this.steps++;
      const after = position + (code > 0xffff ? 2 : 1);
      if (found === undefined) {
        const slots = new Array<number>(this.#slots).fill(-1);
        slots[0] = position;
        this.#add(threads, seen, { place: this.#start, slots }, { position, before, after: code });
      }
      const next: Thread[] = [];
      const nextSeen = new Set<number>();
      const following = code < 0 ? -1 : codePointAt(text, after);
      for (const { place, slots } of threads) {
        const instruction = this.#instructions[place] as Instruction;
        if (instruction.kind === 'match') {
          found = slots.with(1, position);
          break;
        }
        if (instruction.kind === 'set' && code >= 0 && instruction.set.has(code)) {
          const between = { position: after, before: code, after: following };
          this.#add(next, nextSeen, { place: instruction.next, slots }, between);
        }
      }
      if (code < 0 || (next.length === 0 && found !== undefined)) return found;
      threads = next;
      seen = nextSeen;
      position = after;
      before = code;
    }
  }

  #add(
    threads: Thread[],
    seen: Set<number>,
    first: Thread,
    at: { readonly position: number; readonly before: number; readonly after: number },
  ): void {
    const pending = [first];
    for (let thread = pending.pop(); thread !== undefined; thread = pending.pop()) {
      const { place, slots } = thread;
      if (seen.has(place)) continue;
      seen.add(place);
      const instruction = this.#instructions[place] as Instruction;
      if (instruction.kind === 'fork') {
        pending.push({ place: instruction.other, slots }, { place: instruction.next, slots });
      } else if (instruction.kind === 'save') {
        pending.push({
          place: instruction.next,
          slots: slots.with(instruction.slot, at.position),
        });
      } else if (instruction.kind === 'assertion') {
        if (holds(instruction.assertion, at.before, at.after, at.position === 0)) {
          pending.push({ place: instruction.next, slots });
        }
      } else {
        threads.push(thread);
      }
    }
  }
}
