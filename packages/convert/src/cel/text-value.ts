import { isObject } from '@kubeadmit/apimachinery';
import { readVariables } from '@kubeadmit/kyverno/internal';
import { translate } from '../jmespath/translate.ts';
import { shapeOf, termOf } from '../jmespath/value.ts';
import type { Variables } from '../jmespath/variables.ts';
import { literal, quoted } from './literal.ts';
import { apply, binding, operand, type Term } from './term.ts';

/**
 * A text whose variables are replaced, as a sum of its parts; a text that is one variable is its value.
 *
 * @throws Unsupported for a variable without an equal.
 */
export function textTerm(text: string, variables: Variables): Term {
  const found = readVariables(text);
  const [first] = found;
  if (first === undefined) return literal(text);
  if (found.length === 1 && first.text === text)
    return termOf(translate(first.expression, variables));
  const parts: string[] = [];
  let rest = text;
  for (const each of found) {
    const at = rest.indexOf(each.text);
    if (at > 0) parts.push(quoted(rest.slice(0, at)));
    const value = translate(each.expression, variables);
    const term = termOf(value);
    const isText = shapeOf(value)?.kind === 'string';
    parts.push(isText ? operand(term, binding.sum) : apply('string', term).text);
    rest = rest.slice(at + each.text.length);
  }
  if (rest !== '') parts.push(quoted(rest));
  return { text: parts.join(' + '), binds: binding.sum };
}

/** Whether any text of a value holds variables or references. */
export function holdsVariables(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('{{') || value.includes('$(');
  if (Array.isArray(value)) return value.some(holdsVariables);
  return (
    isObject(value) &&
    Object.entries(value).some(([key, item]) => holdsVariables(key) || holdsVariables(item))
  );
}
