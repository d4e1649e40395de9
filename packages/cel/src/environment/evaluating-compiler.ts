import { Compiler } from './compiler.ts';
import { type Evaluator, makeEvaluator } from './evaluator.ts';
import { RecentTexts } from './recent-texts.ts';
import type { CompilerVocabulary } from './standard-vocabulary.ts';

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
