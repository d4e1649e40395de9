import type { Node } from '@kubeadmit/kyverno/jmespath';
import { matcherOf } from '@kubeadmit/kyverno/unstable-internal';
import { endsWhereAbsent } from './value.ts';
import type { Variables } from './variables.ts';

/**
 * The variables of an expression that end it in an error where they have no value. Kyverno loads each one that the text
 * mentions before it evaluates the expression (`deferredLoader`).
 */
export function requiredIn(expression: string, { named }: Variables): readonly string[] {
  return [...named].flatMap(([name, value]) => {
    return endsWhereAbsent(value) && mentions(expression, name) ? [name] : [];
  });
}

/** Whether Kyverno loads a variable of the context for a text. */
export function mentions(text: string, name: string): boolean {
  return matcherOf(name)?.(text) === true;
}

/** Whether the evaluation of an expression reads a variable whatever the values of others are. */
export function isAlwaysRead({ kind, value, children: parts }: Node, name: string): boolean {
  const [first, second] = parts;
  switch (kind) {
    case 'field':
      return value === name;
    case 'call':
      return parts.some((part) => isAlwaysRead(part, name));
    case 'comparator':
      return first !== undefined && second?.kind === 'literal' && isAlwaysRead(first, name);
    case 'list':
    case 'hash':
      return false;
    default:
      return first !== undefined && isAlwaysRead(first, name);
  }
}
