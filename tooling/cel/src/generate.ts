import type { Random } from '@kubeadmit/random';
import type { GeneratedCase } from './generate/case.ts';
import { damage } from './generate/damage.ts';
import { ExpressionWriter } from './generate/expressions.ts';
import { stretch } from './generate/stretch.ts';
import { makeWorld } from './generate/world.ts';

/** Makes random cases: most expressions have a type, and some are wrong on purpose. */
export class CaseGenerator {
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  /** The next case; it depends on the seed and on how many came before. */
  next(id: string): GeneratedCase {
    const random = this.#random;
    const world = makeWorld(random);
    const writer = new ExpressionWriter(random, world, 4 + random.below(30));
    let expression = writer.write(writer.anyType(), 1 + random.below(6));
    if (random.chance(0.015)) expression = stretch(random, expression);
    if (random.chance(0.04)) {
      expression = damage(random, expression);
    } else if (random.chance(0.03)) {
      expression = expression.replaceAll(/ (?=[-+*/&|?:(])/g, () =>
        random.pick([' ', '\n', '  ', '\r\n', ' // é🙂\n', '\t']),
      );
    }
    const { variables, declarations } = used(world, expression);
    return {
      id,
      expression,
      variables,
      ...(Object.keys(declarations).length === 0 ? {} : { declarations }),
      ...(random.chance(0.04) ? { kubernetesVersion: `1.${30 + random.below(8)}` } : {}),
      ...(random.chance(0.06) ? { budget: 1 + random.below(random.pick([5, 20, 60])) } : {}),
    };
  }
}

/** Returns the parts of a case for the variables that its expression uses. */
function used(
  world: Pick<GeneratedCase, 'variables'> & {
    readonly declarations: Readonly<Record<string, string>>;
  },
  expression: string,
): Required<Pick<GeneratedCase, 'variables' | 'declarations'>> {
  const words = new Set(expression.match(/\w+/g));
  const isNamed = ([name]: readonly [string, unknown]): boolean => words.has(name);
  return {
    variables: Object.fromEntries(Object.entries(world.variables).filter(isNamed)),
    declarations: Object.fromEntries(Object.entries(world.declarations).filter(isNamed)),
  };
}
