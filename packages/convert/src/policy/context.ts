import { isObject, type JsonObject } from '@kubeadmit/apimachinery';
import { literal } from '../cel/literal.ts';
import { Path } from '../cel/path.ts';
import { structShape } from '../cel/shapes.ts';
import { member } from '../cel/term.ts';
import { holdsVariables } from '../cel/text-value.ts';
import { operandOf } from '../conditions/conditions.ts';
import { translate } from '../jmespath/translate.ts';
import { shapeOf, type Value } from '../jmespath/value.ts';
import type { Parameter, Variables } from '../jmespath/variables.ts';
import { Unsupported } from '../unsupported.ts';

/**
 * The variables with those that entries of a rule's or loop's `context` declare.
 *
 * @throws Unsupported for entries from elsewhere than the request.
 */
export function withContext(context: unknown, variables: Variables): Variables {
  if (!Array.isArray(context) || context.length === 0) return variables;
  const named = new Map(variables.named);
  let { parameter } = variables;
  for (const entry of context) {
    if (!isObject(entry)) continue;
    const name = String(entry['name']);
    if (isObject(entry['configMap'])) {
      const asked = parameterOf(entry['configMap']);
      if (parameter !== undefined && !isSame(parameter, asked)) {
        throw new Unsupported('context from two ConfigMaps: a policy has one parameter');
      }
      parameter = asked;
      named.set(name, { kind: 'path', path: parameterPath(variables) });
    } else named.set(name, contextValue(entry, { ...variables, named }));
  }
  return { ...variables, named, ...(parameter === undefined ? {} : { parameter }) };
}

// A ConfigMap of the context is the parameter of the policy.
function parameterOf(source: JsonObject): Parameter {
  const { name, namespace } = source;
  if (holdsVariables(name) || holdsVariables(namespace)) {
    throw new Unsupported('a ConfigMap whose name is computed');
  }
  return { name: String(name ?? ''), namespace: String(namespace ?? 'default') };
}

function isSame(one: Parameter, other: Parameter): boolean {
  return one.name === other.name && one.namespace === other.namespace;
}

function parameterPath({ known }: Variables): Path {
  return new Path(member('params'), { ...known, shape: structShape('core.v1.ConfigMap') });
}

function contextValue(entry: JsonObject, variables: Variables): Value {
  const variable = entry['variable'];
  if (!isObject(variable)) {
    const source = Object.keys(entry).find((key) => key !== 'name') ?? 'nothing';
    throw new Unsupported(`a context entry from ${source}`);
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
