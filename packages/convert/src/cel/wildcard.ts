import { trimLeft, trimRight } from '@kubeadmit/go';
import { hasWildcard } from '@kubeadmit/kyverno/patterns';
import { literal, quoted } from './literal.ts';
import { always, apply, binding, call, never, relation, type Term } from './term.ts';

/** Whether a string matches a text with wildcards. */
export function wildcardTest(value: Term, pattern: string): Term {
  if (!hasWildcard(pattern)) return relation(value, '==', literal(pattern));
  if (/^\*+$/.test(pattern)) return always;
  if (/^(?:\?\*+|\*+\?)$/.test(pattern)) return relation(value, '!=', literal(''));
  const inner = trimLeft(trimRight(pattern, '*'), '*');
  if (!hasWildcard(inner)) {
    const open = pattern.startsWith('*');
    const close = pattern.endsWith('*');
    if (open && close) return call(value, 'contains', literal(inner));
    return call(value, open ? 'endsWith' : 'startsWith', literal(inner));
  }
  return call(value, 'matches', literal(expressionOf(pattern)));
}

/**
 * Whether a text matches a value of an object as a pattern, whose `*` and `?` are wildcards. All other characters are
 * literal (`\\Q…\\E`), also `\\E`.
 */
export function computedWildcardTest(text: Term, pattern: Term): Term {
  const steps = [
    ['\\E', '\\E\\\\E\\Q'],
    ['*', '\\E.*\\Q'],
    ['?', '\\E.\\Q'],
  ] as const;
  const inner = steps.reduce(
    (term, [from, to]) => call(term, 'replace', literal(from), literal(to)),
    pattern,
  );
  const expression = `${quoted('(?s)^\\Q')} + ${inner.text} + ${quoted('\\E$')}`;
  return call(text, 'matches', { text: expression, binds: binding.sum });
}

/** Whether a value of an object is a text with wildcards. */
export function holdsWildcard(value: Term): Term {
  return call(value, 'matches', literal('[*?]'));
}

/** Whether a string matches one of several texts. */
export function someWildcardTest(value: Term, patterns: readonly string[]): readonly Term[] {
  const plain = patterns.filter((pattern) => !hasWildcard(pattern));
  const tests = patterns.filter(hasWildcard).map((pattern) => wildcardTest(value, pattern));
  if (plain.length === 0) return tests;
  return [oneOf(value, plain), ...tests];
}

/** Whether a value is one of several. */
export function oneOf(value: Term, choices: readonly unknown[]): Term {
  const [first, ...others] = choices;
  if (first === undefined) return never;
  return others.length === 0
    ? relation(value, '==', literal(first))
    : relation(value, 'in', literal([first, ...others]));
}

/** Whether a value is a string, for places that may hold anything. */
export function isString(value: Term): Term {
  return relation(apply('type', value), '==', { text: 'string', binds: 7 });
}

// Go's wildcard package lets a star match line ends too.
function expressionOf(pattern: string): string {
  const body = pattern
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replace(/\*+/g, '.*')
    .replace(/\?/g, '.');
  return `(?s)^${body}$`;
}
