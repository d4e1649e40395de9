import { isObject, type JsonObject } from '@kubeadmit/apimachinery';
import { formatType, quote } from '@kubeadmit/go';
import { field, objectField, objectsField, stringField } from '../fields/fields.ts';
import { conditionOperators } from './policy-schema.data.ts';

/** A text with the place in the rule that Kyverno writes before it. */
export interface Placed {
  readonly place: string;
  readonly message: string;
  /** Where the mistake is, in cases in which Kyverno writes another place. */
  readonly path?: string;
}

/** The operators that conditions may have, in the order of Kyverno's text: those of the definitions, and two old names. */
const operators: readonly string[] = conditionOperators.flatMap((operator) =>
  operator === 'Equals' || operator === 'NotEquals' ? [operator.slice(0, -1), operator] : operator,
);

const replacements: ReadonlyMap<string, string> = new Map([
  ['In', '["AllIn" "AnyIn"]'],
  ['NotIn', '["AllNotIn" "AnyNotIn"]'],
]);

/** Validates conditions: missing fields first, then operators. */
export function validateConditions(source: unknown, key: string): Placed | undefined {
  return valueProblem(source, key) ?? operatorProblem(source, key);
}

function valueProblem(source: unknown, key: string): Placed | undefined {
  for (const [list, at, condition] of conditionsOf(source)) {
    const problem = conditionProblem(condition);
    if (problem === undefined) continue;
    const path = `${key}${list}[${at}]`;
    return { place: `${path}.${problem.place}`, message: problem.message, path };
  }
  return undefined;
}

function* conditionsOf(source: unknown): Generator<[list: string, at: number, JsonObject]> {
  const lists: [string, readonly JsonObject[]][] = Array.isArray(source)
    ? [['', source.filter(isObject)]]
    : ['any', 'all'].map((name) => [
        `.${name}`,
        isObject(source) ? objectsField(source, name) : [],
      ]);
  for (const [list, conditions] of lists) {
    for (const [at, condition] of conditions.entries()) yield [list, at, condition];
  }
}

function conditionProblem(condition: JsonObject): Placed | undefined {
  const key = field(condition, 'key');
  const value = field(condition, 'value');
  if (key === undefined || value === undefined || stringField(condition, 'operator') === '') {
    const message = 'entered value of `key`, `value` or `operator` is missing or misspelled';
    return { place: '', message };
  }
  return typeof key === 'string' && key.replaceAll(' ', '') === '{{request.operation}}'
    ? operationProblem(value)
    : undefined;
}

const operations = ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'];

function operationProblem(value: unknown): Placed | undefined {
  const unknown = (text: string): string =>
    `unknown value '${text}' found under the 'value' field. Only the following values are allowed: [CREATE, UPDATE, DELETE, CONNECT]`;
  if (typeof value === 'string') {
    const isVariable = value.length >= 4 && value.startsWith('{{') && value.endsWith('}}');
    return isVariable || operations.includes(value)
      ? undefined
      : { place: `value: ${value}`, message: unknown(value) };
  }
  if (!Array.isArray(value)) {
    const kind = isObject(value) ? 'map' : goType(value);
    const message = `'value' field found to be of the type ${kind}. The provided value/values are expected to be either in the form of a string or list`;
    return { place: 'value', message };
  }
  for (const [at, item] of value.entries()) {
    const place = `value[${at}]`;
    if (typeof item !== 'string') {
      const message = `'value[${at}]' found to be of the type ${goType(item)}. The provided values are expected to be strings`;
      return { place, message };
    }
    if (!operations.includes(item)) return { place, message: unknown(item) };
  }
  return undefined;
}

function goType(value: unknown): string {
  return typeof value === 'number' && Number.isInteger(value) ? 'int64' : formatType(value);
}

/**
 * Returns the first condition with an unknown operator.
 *
 * @param own the field of the conditions, where Kyverno calls it otherwise
 */
export function operatorProblem(
  source: unknown,
  key: string,
  own: string = key,
): Placed | undefined {
  for (const [list, at, condition] of conditionsOf(source)) {
    if (operators.includes(stringField(condition, 'operator'))) continue;
    const place = `${key}${list === '.all' ? '.any' : list}[${at}].`;
    const valid = operators.map(quote).join(' ');
    return {
      place,
      message: `entered value of \`operator\` is invalid. valid values: [${valid}]`,
      path: `${own}${list}[${at}].operator`,
    };
  }
  return undefined;
}

/** The blocks of conditions of the attestations of an item of `verifyImages`. */
export function attestationConditions(item: JsonObject): readonly JsonObject[] {
  return objectsField(item, 'attestations').flatMap((attestation) =>
    objectsField(attestation, 'conditions'),
  );
}

/** Warnings about old operators in `deny`, in the conditions of loops and of attestations. */
export function operatorWarnings(rule: JsonObject): readonly string[] {
  const validate = objectField(rule, 'validate') ?? {};
  const denied = (owner: JsonObject): unknown =>
    field(objectField(owner, 'deny') ?? {}, 'conditions');
  const blocks = [
    denied(validate),
    ...objectsField(validate, 'foreach').flatMap((loop) => [
      field(loop, 'preconditions'),
      denied(loop),
    ]),
    ...objectsField(rule, 'verifyImages').flatMap(attestationConditions),
  ];
  return blocks.flatMap((block) =>
    [...conditionsOf(block)].flatMap(([, , condition]) => {
      const operator = stringField(condition, 'operator');
      const instead = replacements.get(operator);
      return instead === undefined
        ? []
        : [
            `Operator ${operator} has been deprecated and will be removed soon. Use these instead: ${instead}`,
          ];
    }),
  );
}
