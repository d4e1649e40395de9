import type { JsonObject } from '@kubeadmit/apimachinery';
import { field, objectField, objectsField, saysSomething, stringField } from '../fields/fields.ts';
import { readReference } from '../images/image-name.ts';
import { compileExpression } from '../jmespath/expression.ts';
import { Failure } from '../jmespath/steps/failure.ts';
import { variablesOf } from './variables.ts';

const predefined = [
  'images',
  'request',
  'serviceAccountName',
  'serviceAccountNamespace',
  'element',
  'elementIndex',
];

const sources = ['configMap', 'apiCall', 'globalReference', 'imageRegistry', 'variable'] as const;

/** Validates the context entries of a rule (`validateRuleContext`). */
export function contextProblem(rule: JsonObject, isNamespaced: boolean): string | undefined {
  const entries = objectsField(rule, 'context');
  if (entries.length === 0) return undefined;
  if (saysSomething(objectField(objectField(rule, 'validate') ?? {}, 'cel'))) {
    return 'context variables are not supported for CEL expressions in validate rules';
  }
  for (const entry of entries) {
    const problem = entryProblem(entry, isNamespaced);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function entryProblem(entry: JsonObject, isNamespaced: boolean): string | undefined {
  const name = stringField(entry, 'name');
  if (name === '') return 'a name is required for context entries';
  const taken = predefined.find((known) => name === known || name.startsWith(`${known}.`));
  if (taken !== undefined) {
    return `entry name ${name} is invalid as it conflicts with a pre-defined variable ${taken}`;
  }
  const [source, ...others] = sources.filter((one) => field(entry, one) !== undefined);
  const body = source && objectField(entry, source);
  if (body === undefined || others.length > 0) {
    return 'exactly one of configMap or apiCall or imageRegistry or variable is required for context entries';
  }
  switch (source) {
    case 'configMap':
      return missingText(body, ['name', 'namespace'], 'configMap');
    case 'apiCall':
      return stringField(body, 'urlPath') !== '' && field(body, 'service') !== undefined
        ? 'a URLPath cannot be used for service API calls'
        : pathProblem(body);
    case 'globalReference':
      if (isNamespaced) return 'globalReference is not allowed in namespaced policies';
      return missingText(body, ['name'], 'globalReference') ?? pathProblem(body);
    case 'imageRegistry':
      return referenceProblem(stringField(body, 'reference')) ?? pathProblem(body);
    default:
      return variableProblem(body);
  }
}

function missingText(
  body: JsonObject,
  names: readonly string[],
  source: string,
): string | undefined {
  const missing = names.find((name) => stringField(body, name) === '');
  return missing && `a ${missing} is required for ${source} context entry`;
}

/** An expression with variables in it cannot be judged. */
function pathProblem(body: JsonObject): string | undefined {
  const path = stringField(body, 'jmesPath');
  if (path === '' || variablesOf(path).length > 0) return undefined;
  const expression = compileExpression(path);
  return expression instanceof Failure
    ? `failed to parse JMESPath ${path}: ${expression.message}`
    : undefined;
}

function referenceProblem(reference: string): string | undefined {
  if (reference === '') return 'a ref is required for imageRegistry context entry';
  if (variablesOf(reference).length > 0) return undefined;
  const read = readReference(reference);
  return typeof read === 'string' ? `bad image: ${reference}: ${read}` : undefined;
}

function variableProblem(variable: JsonObject): string | undefined {
  const hasPath = stringField(variable, 'jmesPath') !== '';
  const problem = pathProblem(variable);
  if (problem !== undefined) return problem;
  if (!hasPath && field(variable, 'value') === undefined) {
    return 'a variable must define a value or a jmesPath expression';
  }
  return !hasPath && field(variable, 'default') !== undefined
    ? 'a variable must define a default value only when a jmesPath expression is defined'
    : undefined;
}
