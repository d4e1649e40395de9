import { parseJson, type Value } from '@kubeadmit/cel';
import { type ExpressionInput, evaluateExpression } from '@kubeadmit/engine';
import { Random } from '@kubeadmit/random';
import { damage } from './generate/damage.ts';
import { type HostileCase, hostileCase } from './generate/hostile.ts';
import { CaseGenerator } from './generate.ts';

// Evaluates hostile and random cases until it is ended, and reports each to its parent before it begins.

const seed = Number(process.argv[2]);
const start = Number(process.argv[3]);

/** With declarations, a version and a budget now and then. */
type FuzzCase = HostileCase &
  Partial<Omit<ExpressionInput, 'variables'>> & { readonly id?: string };

const inherited = Object.getOwnPropertyNames(Object.prototype).join();

for (let index = start; ; index++) {
  const input = caseOf(index);
  tell({ started: index, expression: input.expression.slice(0, 200) });
  const problem = run(input);
  if (problem !== undefined) tell({ index, problem, expression: input.expression.slice(0, 2000) });
  // Lets messages go out.
  await new Promise(setImmediate);
}

/** Returns a case with a separate seed, so that each case can run alone. */
function caseOf(index: number): FuzzCase {
  const random = new Random((seed + index * 0x9e3779b1) >>> 0);
  if (random.chance(0.4)) return hostileCase(random);
  const { variables, ...made } = new CaseGenerator(random).next(String(index));
  let { expression } = made;
  for (let times = random.below(4); times > 0; times--) expression = damage(random, expression);
  return { ...made, expression, data: JSON.stringify(variables) };
}

/** Returns the problem with the answer to a case, if any. */
function run(input: FuzzCase): string | undefined {
  const first = answer(input);
  if (first.startsWith('crash ')) return first;
  const second = answer(input);
  // The depth of the runtime's stack depends on the code compiled so far.
  if (first !== second && !isTooDeep(first) && !isTooDeep(second)) return 'two evaluations differ';
  return Object.getOwnPropertyNames(Object.prototype).join() === inherited
    ? undefined
    : 'Object.prototype has changed';
}

function answer({ data, id: _, ...input }: FuzzCase): string {
  try {
    const variables = parseJson(data) as Readonly<Record<string, Value>>;
    const { cost, ...rest } = evaluateExpression({ ...input, variables });
    return JSON.stringify({ ...rest, cost: String(cost) });
  } catch (failure) {
    return `crash ${failure instanceof Error ? failure.stack : failure}`;
  }
}

function tell(message: unknown): void {
  process.send?.(message);
}

function isTooDeep(answered: string): boolean {
  return answered.includes('internal error: values are nested too deeply');
}
