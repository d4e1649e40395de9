import { isObject, type JsonObject } from '@kubeadmit/apimachinery';
import { matcherOf } from '@kubeadmit/kyverno/unstable-internal';
import { structShape } from '@kubeadmit/schemas/types';
import { literal } from '../cel/literal.ts';
import { Path } from '../cel/path.ts';
import { member } from '../cel/term.ts';
import { operandOf } from '../conditions/conditions.ts';
import { isOfOtherType } from '../jmespath/defaults.ts';
import { requiredIn } from '../jmespath/required-variables.ts';
import { holdsVariables } from '../jmespath/text-value.ts';
import { translate } from '../jmespath/translate.ts';
import { leniently, shapeOf, type Value } from '../jmespath/value.ts';
import type { Parameter, Variables } from '../jmespath/variables.ts';
import { Unsupported } from '../notes/unsupported.ts';

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
    if (matcherOf(name) === undefined) {
      throw new Unsupported(
        `the name \`${name}\` of a variable is not a valid regular expression, so Kyverno's rule ends in an error`,
        'rename the variable',
      );
    }
    if (isObject(entry['configMap'])) {
      const asked = parameterOf(entry['configMap']);
      if (parameter !== undefined && !isSame(parameter, asked)) {
        throw new Unsupported('context from two ConfigMaps: a policy has one parameter');
      }
      parameter = asked;
      named.set(name, { kind: 'path', path: parameterPath(variables) });
    } else named.set(name, contextValue(entry, { ...ofNewObject(variables), named }));
  }
  return { ...variables, named, ...(parameter === undefined ? {} : { parameter }) };
}

/** Within the name of the object, so that it is not taken for the old one: see {@link ofNewObject}. */
const mark = '\u2063';

/** Kyverno loads the context once, so that variables keep the values of the new object while the old one is judged. */
function ofNewObject(variables: Variables): Variables {
  const { object } = variables;
  const text = object.term.text.replace(/^(obj|varia)/, `$1${mark}`);
  return { ...variables, object: new Path(member(text), object.known) };
}

/** An expression without the marks of parts that belong to the new object. */
export function withoutMarks(text: string): string {
  return text.replaceAll(mark, '');
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

// A variable without a default has to have a value, wherever it is read.
function required(value: Value): Value {
  if (value.kind === 'path') {
    const { present } = value.path;
    if (present.isSure) return { kind: 'path', path: present };
    return { kind: 'term', term: present.term, shape: present.known.shape, mayEnd: true };
  }
  if (value.kind !== 'projection' || value.lenient === undefined) return value;
  const { lenient: _, ...rest } = value;
  return { ...rest, mayEnd: true };
}

// The default replaces a missing value, but not an empty one.
function withDefault(value: Value, otherwise: unknown): Value {
  const isOther = isOfOtherType(value, otherwise);
  if (value.kind === 'path' && !isOther) {
    const term = value.path.orValue(literal(otherwise));
    return { kind: 'term', term, shape: shapeOf(value) };
  }
  const whenFalse: Value = { kind: 'literal', value: otherwise };
  if (value.kind === 'path') {
    const whenTrue: Value = { kind: 'term', term: value.path.term, shape: shapeOf(value) };
    return { kind: 'choice', test: value.path.presence, whenTrue, whenFalse };
  }
  if (value.kind !== 'projection' || value.lenient === undefined) {
    if (value.kind === 'projection') return value;
    throw new Unsupported('a default for a computed value');
  }
  const { presence } = value.lenient;
  return { kind: 'choice', test: presence, whenTrue: leniently(value), whenFalse };
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
    const [open] = requiredIn(variable['jmesPath'], variables);
    if (otherwise !== undefined && open !== undefined) {
      throw new Unsupported(
        `a default for an expression that reads \`${open}\`, which may have no value`,
        `give \`${open}\` a default`,
      );
    }
    return otherwise === undefined ? required(value) : withDefault(value, otherwise);
  }
  if (variable['jmesPath'] === undefined) return operandOf(variable['value'], variables);
  throw new Unsupported('a context variable with a value and an expression');
}
