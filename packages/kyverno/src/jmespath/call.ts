import { isObject } from '@kubeadmit/apimachinery';
import { formatComposite, formatValue } from '@kubeadmit/go';
import { absorb, ExpressionReference, Failure } from './steps/failure.ts';
import { Items } from './steps/items.ts';
import type { ArgumentType, FunctionEntry, FunctionTable, Run, Step } from './steps/step.ts';

/** A call: the arguments from left to right, a missing key being null, then their check, then the function. */
export function compileCall(name: unknown, steps: readonly Step[], functions: FunctionTable): Step {
  if (typeof name !== 'string') return () => new Failure('invalid node value type');
  const entry = functions.get(name);
  return (value, run) => {
    const args: unknown[] = [];
    for (const step of steps) {
      const current = absorb(step(value, run));
      if (current instanceof Failure) return current;
      args.push(current);
    }
    if (entry === undefined) return new Failure(`unknown function: ${name}`);
    const problem = checkArguments(args, entry.parameters, entry.variadic === true);
    const unable = problem ?? run.spend(1);
    if (unable !== undefined) return unable;
    const result = applyTo(entry, args, run);
    return run.spend(lengthOf(result)) ?? result;
  };
}

function applyTo({ apply }: FunctionEntry, args: readonly unknown[], run: Run): unknown {
  try {
    return apply(args, run);
  } catch (error) {
    // A string or list that is longer than JavaScript allows.
    if (error instanceof RangeError) return new Failure('the expression handles too many elements');
    throw error;
  }
}

/** The elements of a list; of a string, one for every 16 characters. */
function lengthOf(value: unknown): number {
  if (typeof value === 'string') return Math.floor(value.length / 16);
  return Array.isArray(value) ? value.length : 0;
}

function checkArguments(
  args: readonly unknown[],
  parameters: readonly (readonly ArgumentType[])[] | undefined,
  variadic: boolean,
): Failure | undefined {
  if (parameters === undefined) return undefined;
  if (variadic) return args.length < parameters.length ? new Failure('Invalid arity.') : undefined;
  if (args.length !== parameters.length) return new Failure('incorrect number of args');
  for (const [at, types] of parameters.entries()) {
    if (!types.some((type) => typeTests[type](args[at]))) {
      const expected = types.map((type) => `"${type}"`).join(', ');
      return new Failure(
        `Invalid type for: ${formatComposite(args[at], formatPart)}, expected: []jmespath.JpType{${expected}}`,
      );
    }
  }
  return undefined;
}

function formatPart(value: unknown): string {
  return value instanceof ExpressionReference ? value.text : formatValue(value);
}

const typeTests: Readonly<Record<ArgumentType, (value: unknown) => boolean>> = {
  number: (value) => typeof value === 'number',
  string: (value) => typeof value === 'string',
  array: (value) => Array.isArray(value) || value instanceof Items,
  object: isObject,
  'array[number]': (value) => isListOf(value, 'number'),
  'array[string]': (value) => isListOf(value, 'string'),
  expref: (value) => value instanceof ExpressionReference,
  any: () => true,
};

function isListOf(value: unknown, type: 'number' | 'string'): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === type);
}
