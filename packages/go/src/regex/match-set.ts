import { rangesSource } from './code-point-set.ts';
import type { SetNode } from './syntax.ts';

/** Tests whether a code point is in a set, and caches the results. */
export class SetMatcher {
  readonly #tests: readonly RegExp[];
  readonly #isNegated: boolean;
  /** 1 for members, 2 for others, 0 for those not looked up yet. */
  readonly #known: Uint8Array = new Uint8Array(256);

  constructor(node: SetNode) {
    this.#isNegated = node.kind === 'class' && node.isNegated;
    this.#tests =
      node.kind === 'class'
        ? node.sources.map((source) => classTest(source, node.foldsCase))
        : [classTest(rangesSource(node.set), false)];
  }

  has(code: number): boolean {
    if (code >= this.#known.length) return this.#test(code);
    const known = this.#known[code];
    if (known !== 0) return known === 1;
    const result = this.#test(code);
    this.#known[code] = result ? 1 : 2;
    return result;
  }

  #test(code: number): boolean {
    const character = String.fromCodePoint(code);
    return this.#tests.some((test) => test.test(character)) !== this.#isNegated;
  }
}

function classTest(source: string, foldsCase: boolean): RegExp {
  if (!foldsCase || !source.startsWith('^')) {
    return new RegExp(`[${source}]`, foldsCase ? 'iu' : 'u');
  }
  // Characters that differ only in case from a member are members, too, before the set is negated.
  return new RegExp(`(?![${source.slice(1)}])[^]`, 'iu');
}
