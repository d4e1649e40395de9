import { errorText } from '@kubeadmit/base';
import { NestingError, withinStack } from '@kubeadmit/go/unstable-internal';

/** Deeper than any object of a cluster; the JSON decoder allows at most 10,000 levels. */
const deepest = 1000;

const tooDeep = 'an object is nested too deeply, or contains itself';

/**
 * Returns the decision, or a failure if the request's objects prevent a decision.
 *
 * Such objects are nested too deeply for the stack, contain themselves, or are not JSON: non-finite numbers, or
 * members that throw when they are read.
 */
export function orFailure<Result>(
  request: unknown,
  run: () => Result,
): Result | { readonly failure: string } {
  try {
    return withinStack(run);
  } catch (failure) {
    // Where the stack ends, other failures than that of its end come about.
    const problem = failure instanceof NestingError ? tooDeep : valueProblem(request);
    if (problem === undefined) throw failure;
    return { failure: `request: ${problem}` };
  }
}

function valueProblem(value: unknown): string | undefined {
  const pending: (readonly [value: unknown, depth: number])[] = [[value, 0]];
  try {
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      const [inner, depth] = next;
      if (depth > deepest) return tooDeep;
      if (typeof inner === 'number' && !Number.isFinite(inner)) return `${inner} is not JSON`;
      if (typeof inner !== 'object' || inner === null) continue;
      for (const member of Object.values(inner)) pending.push([member, depth + 1]);
    }
  } catch (failure) {
    return `it cannot be read: ${errorText(failure)}`;
  }
  return undefined;
}
