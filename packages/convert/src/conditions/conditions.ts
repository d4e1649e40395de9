import { isObject } from '@kubeadmit/apimachinery';
import { readVariables } from '@kubeadmit/kyverno/internal';
import { all, any, type Term } from '../cel/term.ts';
import { holdsVariables, textTerm } from '../cel/text-value.ts';
import { translate } from '../jmespath/translate.ts';
import type { Value } from '../jmespath/value.ts';
import type { Variables } from '../jmespath/variables.ts';
import { Unsupported } from '../unsupported.ts';
import { conditionTest } from './operator.ts';

/** What a block of conditions asks for: one of the first list, where it is not empty, and all of the second. */
export interface Conditions {
  readonly any: readonly Term[] | undefined;
  readonly all: readonly Term[];
}

/** Reads what `preconditions` or `deny.conditions` hold: `{any, all}`, or the old flat list. */
export function readConditions(source: unknown, variables: Variables): Conditions {
  const read = (list: unknown): readonly Term[] =>
    Array.isArray(list) ? list.map((condition) => readCondition(condition, variables)) : [];
  if (Array.isArray(source)) return { any: undefined, all: read(source) };
  if (!isObject(source)) return { any: undefined, all: [] };
  return {
    any: source['any'] === undefined ? undefined : read(source['any']),
    all: read(source['all']),
  };
}

/** Whether a block of conditions holds. */
export function conditionsHold(conditions: Conditions): Term {
  return all([...(conditions.any === undefined ? [] : [any(conditions.any)]), ...conditions.all]);
}

function readCondition(source: unknown, variables: Variables): Term {
  if (!isObject(source)) throw new Unsupported('a condition that is none');
  const key = operandOf(source['key'], variables);
  const value = operandOf(source['value'], variables);
  return conditionTest(String(source['operator'] ?? ''), key, value);
}

/** A value that may hold variables: one variable alone, or a constant. */
export function operandOf(source: unknown, variables: Variables): Value {
  if (typeof source !== 'string') {
    if (holdsVariables(source)) {
      if (Array.isArray(source) && source.length === 1) return operandOf(source[0], variables);
      throw new Unsupported('variables within a list or map of a condition');
    }
    return { kind: 'literal', value: source ?? null };
  }
  const { text, quoted } = withoutQuoted(source.trim(), variables);
  const found = readVariables(text);
  const [first] = found;
  if (first === undefined) return { kind: 'literal', value: source };
  const known = { ...variables, quoted };
  if (found.length === 1 && first.text === text) return translate(first.expression, known);
  const shape = { kind: 'string', pointer: false, go: 'string' } as const;
  return { kind: 'term', term: textTerm(text, known), shape };
}

const quotedVariable = /'\{\{([^{}]*)\}\}'/;

// A variable in quotes within another is replaced first; a name stands for it in the outer expression.
function withoutQuoted(
  source: string,
  variables: Variables,
): { readonly text: string; readonly quoted: ReadonlyMap<string, Value> } {
  const quoted = new Map(variables.quoted);
  let text = source;
  while (text.startsWith('{{')) {
    const found = quotedVariable.exec(text.slice(2));
    if (found === null) break;
    const name = `\u00ab${quoted.size}\u00bb`;
    quoted.set(name, translate((found[1] ?? '').trim(), { ...variables, quoted }));
    text = `{{${text.slice(2).replace(found[0], `'${name}'`)}`;
  }
  return { text, quoted };
}
