import { type Evaluator, makeEvaluator } from '../evaluator.ts';
import { RecentTexts } from '../recent-texts.ts';
import { Compiler } from './compiler.ts';

const mostRecentTexts = 500;
const mostRecentUnits = 500_000;

/** Makes functions of texts too, and remembers recent ones. */
export class EvaluatingCompiler extends Compiler {
  readonly #recent: RecentTexts<Evaluator> = new RecentTexts(mostRecentTexts, mostRecentUnits);

  /** The expression as a function of its variables. */
  evaluator(text: string): Evaluator {
    return this.#recent.get(text, (given) => makeEvaluator(this, given));
  }
}
