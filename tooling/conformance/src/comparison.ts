import { type Command, comparable } from './commands.ts';
import { type Difference, describeDifferences, differences } from './difference.ts';
import { type JsonObject, printJson } from './json.ts';
import { inAnyOrder } from './map-order.ts';
import { inOrder, LineProgram } from './program.ts';
import { shrink } from './shrink.ts';

/** A map of five wrong entries names each of them first with a chance of one in five. */
export const REPEATS = 32;

/** Cases, made or read one after the other. */
export type Cases = AsyncIterable<JsonObject> | Iterable<JsonObject>;

/** The compared programs, and the relevant parts of the answers. */
export interface ComparisonOptions {
  /** The program of the oracle. */
  readonly program: string;
  /** Our answer to a case. */
  readonly ours: (input: JsonObject) => JsonObject | Promise<JsonObject>;
  /** The relevant part of an answer of either side (default: that of the command). */
  readonly comparable?: (answer: JsonObject, expected: JsonObject) => JsonObject;
  /** Whether an answer of the oracle is unsuitable for comparison (default: decided by the command). */
  readonly isRefused?: (answer: JsonObject) => boolean;
}

/** The result of comparing a case. */
export type Verdict = {
  readonly input: JsonObject;
  /** The answer of the oracle. */
  readonly expected: JsonObject;
} & (
  | {
      /**
       * The kind of result. If answers differ, the question is repeated.
       *
       * `unstable`: a later answer of the oracle equals ours. `varying`: its answers differ from each other and from ours.
       */
      readonly kind: 'equal' | 'unstable' | 'varying' | 'refused';
    }
  | { readonly kind: 'different'; readonly found: readonly Difference[] }
);

type Different = Extract<Verdict, { readonly kind: 'different' }>;

/** Holds our answers to the cases of a command against those of its oracle. */
export class Comparison {
  readonly #command: Command;
  readonly #oracle: LineProgram;
  /** Another process of the oracle, which shows whether its answer varies. */
  readonly #again: LineProgram;
  readonly #options: Required<ComparisonOptions>;

  constructor(command: Command, options: ComparisonOptions) {
    this.#command = command;
    this.#oracle = new LineProgram(options.program, command.oracle);
    this.#again = new LineProgram(options.program, command.oracle);
    this.#options = {
      comparable: (answer) => comparable(command, answer),
      isRefused: (answer) => command.refusals.some((key) => Object.hasOwn(answer, key)),
      ...options,
    };
  }

  /** The verdicts about cases in their order; the oracle ends when they end. */
  async *verdicts(cases: Cases): AsyncGenerator<Verdict> {
    try {
      yield* inOrder(cases, (input) => this.#judge(input));
    } finally {
      this.#oracle.close();
      this.#again.close();
    }
  }

  /**
   * Prints the first cases that differ, with `isShrinking` as small as they go, and the counts on standard error. Gives
   * the exit code.
   */
  async run(
    cases: Cases,
    { limit, isShrinking }: { readonly limit: number; readonly isShrinking: boolean },
  ): Promise<number> {
    const count = { equal: 0, different: 0, unstable: 0, varying: 0, refused: 0 };
    for await (const verdict of this.verdicts(cases)) {
      count[verdict.kind]++;
      if (verdict.kind !== 'different' || count.different > limit) continue;
      const { input, found } = isShrinking ? await this.#shrunk(verdict) : verdict;
      process.stdout.write(`${printJson(input)}\n${describeDifferences(found)}\n`);
    }
    const { equal, different, unstable, varying, refused } = count;
    process.stderr.write(
      `${equal + different + unstable + varying + refused} compared: ${equal} equal, ${different} different, ${unstable} unstable, ${varying} varying, ${refused} refused by the oracle\n`,
    );
    return different === 0 ? 0 : 1;
  }

  async #judge(input: JsonObject): Promise<Verdict> {
    const { ours, comparable, isRefused } = this.#options;
    const [expected, actual] = await Promise.all([this.#oracle.ask(input), ours(input)]);
    if (isCrash(actual)) {
      return { kind: 'different', input, expected, found: differences(expected, actual) };
    }
    if (isRefused(expected)) return { kind: 'refused', input, expected };
    const own = comparable(actual, expected);
    const found = differences(comparable(expected, expected), own);
    if (found.length === 0) return { kind: 'equal', input, expected };
    return (
      (await this.#repeat(input, expected, own)) ?? { kind: 'different', input, expected, found }
    );
  }

  /** Repeats the question; returns `undefined` if the oracle's answer stays the same. */
  async #repeat(
    input: JsonObject,
    expected: JsonObject,
    own: JsonObject,
  ): Promise<Verdict | undefined> {
    const { comparable } = this.#options;
    const theirs = comparable(expected, expected);
    const others: JsonObject[] = [];
    for (let repeat = 0; repeat < REPEATS; repeat++) {
      // The oracle reuses its objects of the previous case, and with them the order of a map.
      await this.#again.ask({ id: '' });
      const again = await this.#again.ask(input);
      const other = comparable(again, again);
      if (differences(other, own).length === 0) return { kind: 'unstable', input, expected };
      if (differences(other, theirs).length > 0) others.push(inAnyOrder(other));
    }
    if (others.length === 0) return undefined;
    // If the oracle's answers differ only in the order of lists, ours must agree apart from that order.
    const ordered = inAnyOrder(theirs);
    if (others.some((other) => differences(other, ordered).length > 0)) {
      return { kind: 'varying', input, expected };
    }
    const found = differences(ordered, inAnyOrder(own));
    return found.length === 0
      ? { kind: 'unstable', input, expected }
      : { kind: 'different', input, expected, found };
  }

  async #shrunk(verdict: Different): Promise<Different> {
    let smallest = verdict;
    await shrink(verdict.input, ['id', ...this.#command.requiredFields], async (candidate) => {
      const smaller = await this.#judge(candidate);
      if (smaller.kind !== 'different' || !isSameKind(smallest, smaller)) return false;
      smallest = smaller;
      return true;
    });
    return smallest;
  }
}

/** Whether our side crashed instead of answering, regardless of the oracle. */
function isCrash({ failure }: JsonObject): boolean {
  return typeof failure === 'string' && failure.startsWith('internal error: ');
}

/** Whether the differences of two cases begin in the same field, so that shrinking does not wander off. */
function isSameKind(before: Different, after: Different): boolean {
  const head = ({ found }: Different): string | undefined => found[0]?.path.split(/[.[]/)[0];
  return head(before) === head(after);
}
