import { hasMembers, requireArgument } from '@kubeadmit/base';

/**
 * Requires an argument to be an object of one of some kinds.
 *
 * @throws TypeError that names the function, the expected value and the actual one
 */
export function requireKind(call: string, value: unknown, kinds: readonly string[]): void {
  const what = `an object of the kind ${kinds.join(' or ')}`;
  requireArgument(call, value, { what });
  const { kind } = value as { readonly kind?: unknown };
  if (kinds.includes(kind as string)) return;
  const found = typeof kind === 'string' ? `one of the kind ${kind}` : 'an object without kind';
  throw new TypeError(`${call}: expected ${what}, got ${found}`);
}

/**
 * Requires an argument to be a complete policy. Other values, such as its spec alone, would be a policy without
 * expressions.
 *
 * @throws TypeError that names the function, the expected value and the actual one
 */
export function requirePolicy(call: string, policy: unknown, kind: string): void {
  const what = `a whole ${kind}`;
  requireArgument(call, policy, { what });
  const { kind: found, spec } = policy as Readonly<Record<string, unknown>>;
  if (found === kind || (found === undefined && hasMembers(spec))) return;
  const other = typeof found === 'string' ? `one of the kind ${found}` : 'an object without `spec`';
  throw new TypeError(`${call}: expected ${what}, got ${other}`);
}
