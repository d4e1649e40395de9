import { NestingError, withinStack } from '@kubeadmit/go/internal';

/** Deeper than any object of a cluster; what is decoded from JSON goes down 10,000 levels at most. */
const deepest = 1000;

/**
 * What a decision gave, or why nothing is decided: of a request with objects that are nested too deeply for the stack
 * or contain themselves.
 */
export function orFailure<Result>(
  request: unknown,
  run: () => Result,
): Result | { readonly failure: string } {
  try {
    return withinStack(run);
  } catch (failure) {
    // Where the stack ends, other failures than that of its end come about.
    if (!(failure instanceof NestingError) && !isDeep(request)) throw failure;
    return { failure: 'request: an object is nested too deeply, or contains itself' };
  }
}

function isDeep(value: unknown): boolean {
  const pending: (readonly [value: unknown, depth: number])[] = [[value, 0]];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [inner, depth] = next;
    if (depth > deepest) return true;
    if (typeof inner !== 'object' || inner === null) continue;
    for (const member of Object.values(inner)) pending.push([member, depth + 1]);
  }
  return false;
}
