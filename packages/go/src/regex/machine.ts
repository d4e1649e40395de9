import type { SetMatcher } from './match-set.ts';
import type { Instruction, RegexProgram } from './program.ts';
import type { Assertion } from './syntax.ts';
import { codePointAt, codePointBefore } from './text.ts';

/** Where a match is, in UTF-16 units. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/**
 * Matches all possibilities at once, character by character, so that it takes time linear in the text; the first of
 * them in the order of preference is the match, as in Go.
 */
export class RegexMachine {
  readonly #instructions: readonly Instruction[];
  readonly #start: number;
  /** One of which a match begins with, where that is known. */
  readonly #firstSets: readonly SetMatcher[] | undefined;
  readonly #visited: Uint32Array;
  readonly #pending: number[] = [];
  #generation = 0;
  /** How many characters were read for all matches. */
  steps = 0;
  /** The places in progress, in the order of preference, and where each began. */
  #places: number[] = [];
  #begins: number[] = [];
  #nextPlaces: number[] = [];
  #nextBegins: number[] = [];

  constructor({ instructions, start }: RegexProgram) {
    this.#instructions = instructions;
    this.#start = start;
    this.#visited = new Uint32Array(instructions.length);
    this.#firstSets = firstSetsOf(instructions, start);
  }

  /** The leftmost match at an offset or after it; only the fact of one where `isTest`. */
  match(text: string, from: number, isTest: boolean): Range | undefined {
    let found: Range | undefined;
    this.#places.length = 0;
    this.#begins.length = 0;
    let position = from;
    let before = codePointBefore(text, from);
    this.#generation = nextGeneration(this.#generation, this.#visited);
    for (;;) {
      if (this.#places.length === 0 && found === undefined && this.#firstSets !== undefined) {
        const next = skip(text, position, this.#firstSets);
        if (next > position) {
          position = next;
          before = codePointBefore(text, position);
        }
      }
      const code = codePointAt(text, position);
      this.steps++;
      if (found === undefined) {
        this.#add(this.#places, this.#begins, this.#start, position, before, code, position === 0);
      }
      if (this.#places.length === 0 && found !== undefined) return found;
      const after = code < 0 ? position : position + (code > 0xffff ? 2 : 1);
      const following = code < 0 ? -1 : codePointAt(text, after);
      this.#generation = nextGeneration(this.#generation, this.#visited);
      this.#nextPlaces.length = 0;
      this.#nextBegins.length = 0;
      for (let index = 0; index < this.#places.length; index++) {
        const instruction = this.#instructions[this.#places[index] as number] as Instruction;
        const begin = this.#begins[index] as number;
        if (instruction.kind === 'match') {
          found = { start: begin, end: position };
          if (isTest) return found;
          // Less preferred threads no longer count.
          break;
        }
        if (instruction.kind === 'set' && code >= 0 && instruction.set.has(code)) {
          this.#add(
            this.#nextPlaces,
            this.#nextBegins,
            instruction.next,
            begin,
            code,
            following,
            false,
          );
        }
      }
      if (code < 0) return found;
      [this.#places, this.#nextPlaces] = [this.#nextPlaces, this.#places];
      [this.#begins, this.#nextBegins] = [this.#nextBegins, this.#begins];
      position = after;
      before = code;
    }
  }

  /** Adds an instruction and all that follow it without a character. */
  #add(
    places: number[],
    begins: number[],
    first: number,
    begin: number,
    before: number,
    after: number,
    isBegin: boolean,
  ): void {
    const instructions = this.#instructions;
    const visited = this.#visited;
    const generation = this.#generation;
    const pending = this.#pending;
    pending.push(first);
    while (pending.length > 0) {
      const place = pending.pop() as number;
      if (visited[place] === generation) continue;
      visited[place] = generation;
      const instruction = instructions[place] as Instruction;
      if (instruction.kind === 'fork') {
        pending.push(instruction.other, instruction.next);
      } else if (instruction.kind === 'assertion') {
        if (holds(instruction.assertion, before, after, isBegin)) pending.push(instruction.next);
      } else {
        places.push(place);
        begins.push(begin);
      }
    }
  }
}

/** The sets with one of which every match begins; `undefined` where it may begin with something else. */
function firstSetsOf(
  instructions: readonly Instruction[],
  start: number,
): readonly SetMatcher[] | undefined {
  const sets = new Set<SetMatcher>();
  const seen = new Set<number>();
  const pending = [start];
  for (let place = pending.pop(); place !== undefined; place = pending.pop()) {
    if (seen.has(place)) continue;
    seen.add(place);
    const instruction = instructions[place] as Instruction;
    if (instruction.kind === 'fork') pending.push(instruction.next, instruction.other);
    else if (instruction.kind === 'set') sets.add(instruction.set);
    else return undefined;
  }
  return sets.size > 4 ? undefined : [...sets];
}

/** The first offset from one on at which a match may begin, or the end of the text. */
function skip(text: string, from: number, sets: readonly SetMatcher[]): number {
  let position = from;
  while (position < text.length) {
    const code = codePointAt(text, position);
    for (const set of sets) {
      if (set.has(code)) return position;
    }
    position += code > 0xffff ? 2 : 1;
  }
  return position;
}

function nextGeneration(generation: number, visited: Uint32Array): number {
  if (generation < 0xffff_fffe) return generation + 1;
  visited.fill(0);
  return 1;
}

/** Whether an assertion holds between two characters, -1 where the text begins or ends. */
export function holds(
  assertion: Assertion,
  before: number,
  after: number,
  isBegin: boolean,
): boolean {
  switch (assertion) {
    case 'beginText':
      return isBegin || before < 0;
    case 'endText':
      return after < 0;
    case 'beginLine':
      return before < 0 || before === 0x0a;
    case 'endLine':
      return after < 0 || after === 0x0a;
    case 'wordBoundary':
      return isWord(before) !== isWord(after);
    default:
      return isWord(before) === isWord(after);
  }
}

function isWord(code: number): boolean {
  return (
    (code >= 0x61 && code <= 0x7a) ||
    (code >= 0x41 && code <= 0x5a) ||
    (code >= 0x30 && code <= 0x39) ||
    code === 0x5f
  );
}
