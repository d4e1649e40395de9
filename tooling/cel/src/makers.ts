import { Random } from '@kubeadmit/random';
import { readLines } from '@kubeadmit/test-support';
import { brokenExpression } from './generate/broken-expressions.ts';
import type { GeneratedCase } from './generate/case.ts';
import { CaseGenerator } from './generate.ts';
import { Draw, type Family } from './libraries/draw.ts';
import { FAMILIES } from './libraries.ts';

/** Makes the next random case; it depends on the seed and on how many came before. */
export type Maker = (id: string) => GeneratedCase;

/** The lines of a file of this package that hold something. */
export function linesOf(name: string): readonly string[] {
  return readLines(new URL(`../${name}`, import.meta.url), String);
}

/**
 * The makers of cases by name, each of which takes a seed: valid expressions, broken ones, and calls of each
 * library.
 */
export const makers: Readonly<Record<string, (seed: number) => Maker>> = {
  expressions(seed) {
    const generator = new CaseGenerator(new Random(seed));
    return (id) => generator.next(id);
  },
  broken(seed) {
    const random = new Random(seed);
    const corpus = linesOf('corpus.txt');
    return (id) => ({ id, expression: brokenExpression(corpus, random), variables: {} });
  },
  ...Object.fromEntries(
    Object.entries(FAMILIES).map(([name, family]) => [name, (seed) => callsOf(family, seed)]),
  ),
};

function callsOf(family: Family, seed: number): Maker {
  const draw = new Draw(seed);
  return (id) => ({ id, ...draw.finish(family(draw)) });
}

/**
 * Returns the maker with a name.
 *
 * @throws Error if the name is unknown
 */
export function makerOf(name: string, seed: number): Maker {
  const make = makers[name];
  if (make === undefined)
    throw new Error(`nothing is called ${name}; there are ${Object.keys(makers).join(', ')}`);
  return make(seed);
}
