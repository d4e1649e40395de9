import { isObject, type JsonObject } from '@kubeadmit/apimachinery';
import { listOf } from '@kubeadmit/apimachinery/internal';
import { truth } from '../cel/term.ts';
import { conditionsHold, readConditions } from '../conditions/conditions.ts';
import type { Note } from '../difference-notes.ts';
import {
  type ConstraintOptions,
  matchConstraints,
  objectPath,
  readConstraints,
} from '../match/constraints.ts';
import { Unsupported } from '../unsupported.ts';
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
 * Converts a rule with `validate.cel` to the spec of a ValidatingAdmissionPolicy; the expressions stay the same.
 */
export function convertCelRule(rule: JsonObject, options: ConstraintOptions): CelRule {
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
  const conditions = [
    ...constraints.conditions.map(({ name, test }) => ({ name, expression: truth(test).text })),
    ...(preconditions.text === 'true'
      ? []
      : [{ name: 'preconditions', expression: preconditions.text }]),
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
