import { isObject, type JsonObject } from '@kubeadmit/apimachinery';
import { literal } from '../cel/literal.ts';
import { operandOf } from '../conditions/conditions.ts';
import { translate } from '../jmespath/translate.ts';
import { shapeOf, type Value } from '../jmespath/value.ts';
import type { Variables } from '../jmespath/variables.ts';
import { Unsupported } from '../unsupported.ts';

/**
 * The variables with those that entries of a rule's or loop's `context` declare.
 *
 * @throws Unsupported for entries from elsewhere than the request.
 */
export function withContext(context: unknown, variables: Variables): Variables {
  if (!Array.isArray(context) || context.length === 0) return variables;
  const named = new Map(variables.named);
  for (const entry of context) {
    if (!isObject(entry)) continue;
    named.set(String(entry['name']), contextValue(entry, { ...variables, named }));
  }
  return { ...variables, named };
}

function contextValue(entry: JsonObject, variables: Variables): Value {
  const variable = entry['variable'];
  if (!isObject(variable)) {
    const source = Object.keys(entry).find((key) => key !== 'name') ?? 'nothing';
    throw new Unsupported(
      `a context entry from ${source}`,
      source === 'configMap' ? 'use a ConfigMap as the parameter of the policy' : undefined,
    );
  }
  if (typeof variable['jmesPath'] === 'string' && variable['value'] === undefined) {
    const value = translate(variable['jmesPath'], variables);
    const otherwise = variable['default'];
    if (otherwise === undefined || value.kind !== 'path') return value;
    const term = value.path.orValue(literal(otherwise));
    return { kind: 'term', term, shape: shapeOf(value) };
  }
  if (variable['jmesPath'] === undefined) return operandOf(variable['value'], variables);
  throw new Unsupported('a context variable with a value and an expression');
}
