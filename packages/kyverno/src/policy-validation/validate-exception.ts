import { type FieldError, formatFieldError, type JsonObject } from '@kubeadmit/apimachinery';
import {
  duplicate,
  forbidden,
  invalid,
  required,
  tooMany,
} from '@kubeadmit/apimachinery/field-errors';
import { qualifiedNameProblems } from '@kubeadmit/apimachinery/names';
import { boolType } from '@kubeadmit/cel/types';
import { trimSpace } from '@kubeadmit/go';
import { ExpressionCompiler } from '../cel-policies/compile-expressions.ts';
import { exceptionEnvironment } from '../cel-policies/environment.ts';
import { field, listField, objectField, objectsField, stringField } from '../fields/fields.ts';
import { validateFilter } from './match-exclude.ts';
import { type Problem, pathOf } from './problem.ts';
import { validateExclusion } from './spec.ts';

/**
 * Returns the problems for which Kyverno's webhook refuses a PolicyException of either group (`webhooks/exception`,
 * `webhooks/celexception`). `findSchemaProblems` finds violations of the definition.
 */
export function validateException(source: JsonObject): readonly Problem[] {
  const spec = objectField(source, 'spec') ?? {};
  const isCel = stringField(source, 'apiVersion').startsWith('policies.kyverno.io/');
  return isCel ? celProblems(spec) : classicErrors(spec).map(problemOf);
}

function problemOf(error: FieldError): Problem {
  return { message: formatFieldError(error), path: pathOf(error.field) };
}

/** The errors of `PolicyExceptionSpec.Validate` in `kyverno.io`. */
function classicErrors(spec: JsonObject): readonly FieldError[] {
  const match = objectField(spec, 'match') ?? {};
  const filters = ['any', 'all'].flatMap((list) =>
    objectsField(match, list).map((filter, at) => ({ filter, path: `spec.match.${list}[${at}]` })),
  );
  const isBackground = field(spec, 'background') !== false;
  const unnamed = objectsField(spec, 'exceptions').flatMap((exception, at) =>
    stringField(exception, 'policyName') === ''
      ? [required(`spec.exceptions[${at}].policyName`, 'An exception requires a policy name')]
      : [],
  );
  return [
    ...(isBackground ? filters.flatMap(({ filter, path }) => userErrors(filter, path)) : []),
    ...filters.flatMap(({ filter, path }) => validateFilter(filter, path, false)),
    ...unnamed,
    ...objectsField(spec, 'podSecurity').flatMap((exclude, at) =>
      validateExclusion(exclude, stringField(exclude, 'controlName'), `spec.podSecurity[${at}]`),
    ),
  ];
}

/** Background scans have no user. */
function userErrors(filter: JsonObject, path: string): readonly FieldError[] {
  return ['roles', 'clusterRoles', 'subjects']
    .filter((name) => listField(filter, name).length > 0)
    .map((name) => forbidden(`${path}.${name}`, 'Usage of user info is forbidden'));
}

const mostConditions = 64;

/** The problems of a PolicyException of `policies.kyverno.io`: its references and its match conditions. */
function celProblems(spec: JsonObject): readonly Problem[] {
  const conditions = objectsField(spec, 'matchConditions');
  const count = conditions.length;
  const place = 'spec.matchConditions';
  const names = new Set<string>();
  return [
    ...referenceErrors(spec).map(problemOf),
    ...(count > mostConditions ? [problemOf(tooMany(place, count, mostConditions))] : []),
    ...conditions.flatMap((condition, at) => [
      ...expressionProblems(condition, `${place}[${at}].expression`),
      ...nameErrors(stringField(condition, 'name'), `${place}[${at}].name`, names).map(problemOf),
    ]),
  ];
}

function referenceErrors(spec: JsonObject): readonly FieldError[] {
  const references = objectsField(spec, 'policyRefs');
  if (references.length === 0) {
    return [invalid('spec.policyRefs', [], 'must specify at least one policy ref')];
  }
  return references.flatMap((reference, at) =>
    ['name', 'kind']
      .filter((name) => stringField(reference, name) === '')
      .map((name) => invalid(`spec.policyRefs[${at}].${name}`, '', `must specify policy ${name}`)),
  );
}

function expressionProblems(condition: JsonObject, place: string): readonly Problem[] {
  const expression = trimSpace(stringField(condition, 'expression'));
  if (expression === '') return [problemOf(required(place))];
  const compiler = new ExpressionCompiler(exceptionEnvironment(), condition);
  compiler.compile(expression, place, [boolType]);
  return compiler.problems.map(({ message, path }) => ({ message, path: pathOf(path) }));
}

function nameErrors(name: string, place: string, names: Set<string>): readonly FieldError[] {
  if (name === '') return [required(place)];
  const problems = qualifiedNameProblems(name);
  if (problems.length > 0) return problems.map((problem) => invalid(place, name, problem));
  if (names.has(name)) return [duplicate(place, name)];
  names.add(name);
  return [];
}
