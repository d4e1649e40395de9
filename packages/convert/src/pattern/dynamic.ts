import { isObject } from '@kubeadmit/apimachinery';
import type { Shape } from '@kubeadmit/schemas/types';
import { literal } from '../cel/literal.ts';
import type { Path } from '../cel/path.ts';
import { all, apply, call, relation, type Term } from '../cel/term.ts';
import { holdsVariables, textTerm } from '../jmespath/text-value.ts';
import type { Variables } from '../jmespath/variables.ts';
import { Unsupported } from '../notes/unsupported.ts';

/** A scalar of a pattern that is computed. */
export class ComputedPattern {
  readonly term: Term;

  constructor(term: Term) {
    this.term = term;
  }
}

/** A text without everything from its first variable to the end of the last one. */
function withoutVariables(text: string): string {
  const start = text.indexOf('{{');
  const end = text.lastIndexOf('}}');
  return start === -1 || end < start + 2 ? text : text.slice(0, start) + text.slice(end + 2);
}

/**
 * A pattern whose variables are terms.
 *
 * @throws Unsupported for references, for keys with variables and for variables without an equal.
 */
export function withVariables(pattern: unknown, variables: Variables): unknown {
  if (!holdsVariables(pattern)) return pattern;
  if (typeof pattern === 'string') {
    if (pattern.includes('$(')) throw new Unsupported('a reference to another part of a pattern');
    if (/^\s*[<>!=|&]|\||&/.test(withoutVariables(pattern))) {
      throw new Unsupported('a variable next to operators in a pattern');
    }
    return new ComputedPattern(textTerm(pattern, variables));
  }
  if (Array.isArray(pattern)) return pattern.map((item) => withVariables(item, variables));
  if (!isObject(pattern)) return pattern;
  return Object.fromEntries(
    Object.entries(pattern).map(([key, value]) => {
      if (holdsVariables(key)) throw new Unsupported('a key of a pattern with variables');
      return [key, withVariables(value, variables)];
    }),
  );
}

/** Whether a field has the computed value; amounts are compared as amounts. */
export function holdsComputed(place: Path, { term }: ComputedPattern): Term {
  return all([place.presence, isSame(place.term, place.known.shape, term)]);
}

function isSame(value: Term, shape: Shape | undefined, wanted: Term): Term {
  if (shape?.kind !== 'quantity') return relation(value, '==', wanted);
  const order = call(apply('quantity', value), 'compareTo', apply('quantity', wanted));
  return relation(order, '==', literal(0));
}
