import { isObject, type JsonObject, listOf, objectOf } from '@kubeadmit/apimachinery';
import { stringifyJson } from '@kubeadmit/go';
import { truth } from '../cel/term.ts';
import { conditionsHold, readConditions } from '../conditions/conditions.ts';
import {
  type ConstraintOptions,
  matchConstraints,
  objectPath,
  type Part,
  readConstraints,
} from '../match/constraints.ts';
import type { Note } from '../notes/difference-notes.ts';
import { Unsupported } from '../notes/unsupported.ts';
import { deletedText } from './existing-violations.ts';
import { oneLine } from './message.ts';
import { withPlainValues } from './or-value.ts';

/** The parts of a policy's `spec` that a rule in CEL gives as they are. */
export interface CelRule {
  readonly spec: JsonObject;
  readonly paramRef: unknown;
  /** The parts of the rule that are missing from the result, which therefore denies more. */
  readonly lost: readonly Note[];
}

/**
 * Converts a rule with `validate.cel` to specs of ValidatingAdmissionPolicies; the expressions stay the same. Deletions
 * have a spec for themselves if conditions read the object, which is the old one to Kyverno's `match`, and null to CEL.
 */
export function convertCelRules(
  rule: JsonObject,
  parts: readonly Part[],
  options: ConstraintOptions,
): readonly CelRule[] {
  const specs = parts.map((part) => convertCelRule(rule, { ...options, part }));
  const [one, other] = specs;
  if (one === undefined || other === undefined) return specs;
  const conditions = specs.map(({ spec }) => stringifyJson(spec['matchConditions'] ?? []));
  return conditions[0] === conditions[1] ? [{ ...one, spec: withDeletions(one.spec) }] : specs;
}

function withDeletions(spec: JsonObject): JsonObject {
  const constraints = objectOf(spec['matchConstraints']);
  const resourceRules = listOf(constraints['resourceRules'])
    .map(objectOf)
    .map((each) => ({ ...each, operations: [...listOf(each['operations']), 'DELETE'] }));
  return { ...spec, matchConstraints: { ...constraints, resourceRules } };
}

function convertCelRule(rule: JsonObject, options: ConstraintOptions): CelRule {
  const { schemas } = options;
  const validate = rule['validate'];
  const source = isObject(validate) ? validate['cel'] : undefined;
  const cel = withPlainValues(source, source);
  if (!isObject(cel)) throw new Unsupported('a rule without CEL');
  const constraints = readConstraints(rule['match'], rule['exclude'], options);
  const object = objectPath(schemas, 'object', []);
  const variables = {
    known: { schemas, shape: undefined },
    object,
    oldObject: objectPath(schemas, 'oldObject', []),
    named: new Map(),
    isIdiomatic: options.isIdiomatic === true,
    notes: new Set<Note>(),
    failing: new Set<string>(),
  };
  const preconditions = conditionsHold(readConditions(rule['preconditions'], variables));
  const given = withPlainValues(rule['celPreconditions'], source);
  const own = listOf(given);
  const written = (text: string): string =>
    options.part === 'deletions' ? deletedText(text) : text;
  const conditions = [
    ...constraints.conditions.map(({ name, test }) => ({
      name,
      expression: written(truth(test).text),
    })),
    ...(preconditions.text === 'true'
      ? []
      : [{ name: 'preconditions', expression: written(preconditions.text) }]),
    ...own,
  ];
  return {
    paramRef: cel['paramRef'],
    lost: constraints.lost,
    spec: {
      ...(cel['paramKind'] === undefined ? {} : { paramKind: cel['paramKind'] }),
      matchConstraints: matchConstraints(constraints),
      ...(conditions.length === 0 ? {} : { matchConditions: conditions }),
      ...(cel['variables'] === undefined ? {} : { variables: cel['variables'] }),
      ...(cel['expressions'] === undefined
        ? {}
        : { validations: withMessages(cel['expressions'], validate) }),
      ...(cel['auditAnnotations'] === undefined
        ? {}
        : { auditAnnotations: cel['auditAnnotations'] }),
    },
  };
}

// The rule's message stands for those that the expressions lack; a message is one line.
function withMessages(expressions: unknown, validate: unknown): unknown {
  const message = isObject(validate) ? validate['message'] : undefined;
  if (!Array.isArray(expressions)) return expressions;
  return expressions.map((each) => {
    if (!isObject(each)) return each;
    const own = each['message'] ?? (each['messageExpression'] === undefined ? message : undefined);
    return typeof own === 'string' ? { ...each, message: oneLine(own) } : each;
  });
}
