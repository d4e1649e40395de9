import { getOrMake } from '@kubeadmit/base';
import type { Instruction, RegexProgram } from './program.ts';
import { codePointAt } from './text.ts';

/** A set of active instructions, and the state after each character. */
interface State {
  /** Instructions that want a character, or the end of the text. */
  readonly places: readonly number[];
  readonly isMatch: boolean;
  /** Whether there is a match if the text ends here. */
  readonly matchesAtEnd: boolean;
  readonly next: (State | undefined)[];
  readonly nextBeyond: Map<number, State>;
}

const mostStates = 500;

/**
 * Decides whether a text matches, with one look-up per character: every set of active places becomes a state when
 * it is first reached. Supports only assertions for the beginning and the end of a text.
 */
export class RegexAutomaton {
  readonly #instructions: readonly Instruction[];
  readonly #start: number;
  readonly #states: Map<string, State> = new Map();
  readonly #first: State;

  /** Of a program for which {@link isAutomatic} holds. */
  constructor({ instructions, start }: RegexProgram) {
    this.#instructions = instructions;
    this.#start = start;
    this.#first = this.#stateOf([start], true);
  }

  /** `undefined` where there are too many states to keep. */
  test(text: string): boolean | undefined {
    let state = this.#first;
    for (let position = 0; position < text.length; ) {
      if (state.isMatch) return true;
      const code = codePointAt(text, position);
      const known = code < 128 ? state.next[code] : state.nextBeyond.get(code);
      if (known === undefined && this.#states.size >= mostStates) return undefined;
      state = known ?? this.#advance(state, code);
      position += code > 0xffff ? 2 : 1;
    }
    return state.isMatch || state.matchesAtEnd;
  }

  #advance(state: State, code: number): State {
    const reached: number[] = [];
    for (const place of state.places) {
      const instruction = this.#instructions[place] as Instruction;
      if (instruction.kind === 'set' && instruction.set.has(code)) reached.push(instruction.next);
    }
    const next = this.#stateOf([...reached, this.#start], false);
    if (code < 128) state.next[code] = next;
    else if (state.nextBeyond.size < mostStates) state.nextBeyond.set(code, next);
    return next;
  }

  #stateOf(from: readonly number[], isBegin: boolean): State {
    const places = this.#follow(from, isBegin, false);
    const key = `${isBegin} ${places.join()}`;
    const isAt = (found: readonly number[]): boolean =>
      found.some((place) => this.#instructions[place]?.kind === 'match');
    return getOrMake(this.#states, key, () => ({
      places,
      isMatch: isAt(places),
      matchesAtEnd: isAt(this.#follow(from, isBegin, true)),
      next: new Array(128).fill(undefined),
      nextBeyond: new Map(),
    }));
  }

  /** The instructions that are reached without a character, sorted. */
  #follow(from: readonly number[], isBegin: boolean, isEnd: boolean): readonly number[] {
    const seen = new Set<number>();
    const pending = [...from];
    for (let place = pending.pop(); place !== undefined; place = pending.pop()) {
      if (seen.has(place)) continue;
      seen.add(place);
      const instruction = this.#instructions[place] as Instruction;
      if (instruction.kind === 'fork') {
        pending.push(instruction.next, instruction.other);
      } else if (instruction.kind === 'assertion') {
        if (instruction.assertion === 'beginText' ? isBegin : isEnd) pending.push(instruction.next);
      }
    }
    return [...seen]
      .filter((place) => this.#instructions[place]?.kind !== 'fork')
      .sort((left, right) => left - right);
  }
}

/** Whether a program asks for nothing between characters but the beginning and the end of the text. */
export function isAutomatic({ instructions }: RegexProgram): boolean {
  return (
    instructions.length <= 2000 &&
    instructions.every(
      (instruction) =>
        instruction.kind !== 'assertion' ||
        instruction.assertion === 'beginText' ||
        instruction.assertion === 'endText',
    )
  );
}
