import { Compiler } from './compiler.ts';
import { type Evaluator, makeEvaluator } from './evaluator.ts';
import type { CompilerVocabulary } from './standard-vocabulary.ts';

/**
 * A cache of results by text, bounded in entries and in UTF-16 units of text.
 *
 * A result is kept when its text is requested for the second time, so that texts which occur once cost only
 * themselves. The cache has two halves: when the newer one is full, the older one is dropped; a requested entry
 * moves to the newer one.
 */
class RecentTexts<Made> {
  // Null for a text that was requested once.
  #newer: Map<string, Made | null> = new Map();
  #older: Map<string, Made | null> = new Map();
  readonly #most: number;
  readonly #mostUnits: number;
  #units = 0;

  constructor(most: number, mostUnits: number) {
    this.#most = most / 2;
    this.#mostUnits = mostUnits / 2;
  }

  /** Returns the cached or new result for a text. */
  get(text: string, make: (text: string) => Made): Made {
    const known = this.#newer.get(text);
    if (known !== undefined && known !== null) return known;
    const older = known === undefined ? this.#older.get(text) : null;
    const made = older ?? make(text);
    if (known === undefined) this.#makeRoom(text.length);
    if (text.length <= this.#mostUnits) this.#newer.set(text, older === undefined ? null : made);
    return made;
  }

  #makeRoom(length: number): void {
    this.#units += length;
    if (this.#newer.size < this.#most && this.#units <= this.#mostUnits) return;
    this.#older = this.#newer;
    this.#newer = new Map();
    this.#units = length;
  }
}

const mostRecentTexts = 500;
const mostRecentUnits = 500_000;

/** Makes functions of texts too, and remembers recent ones. */
export class EvaluatingCompiler<
  Names extends CompilerVocabulary = CompilerVocabulary,
> extends Compiler<Names> {
  readonly #recent: RecentTexts<Evaluator> = new RecentTexts(mostRecentTexts, mostRecentUnits);

  /** The expression as a function of its variables. */
  evaluator(text: string): Evaluator {
    return this.#recent.get(text, (given) => makeEvaluator(this, given));
  }
}
