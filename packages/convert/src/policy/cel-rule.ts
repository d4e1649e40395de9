import { isObject, type JsonObject } from '@kubeadmit/apimachinery';
import { truth } from '../cel/term.ts';
import { conditionsHold, readConditions } from '../conditions/conditions.ts';
import {
  type ConstraintOptions,
  matchConstraints,
  objectPath,
  readConstraints,
} from '../match/constraints.ts';
import { Unsupported } from '../unsupported.ts';

/** The parts of a policy's `spec` that a rule in CEL gives as they are. */
export interface CelRule {
  readonly spec: JsonObject;
  readonly paramRef: unknown;
}

/**
 * What a rule with `validate.cel` is as the spec of a ValidatingAdmissionPolicy: its expressions are those
 * of admission policies already.
 */
export function convertCelRule(rule: JsonObject, options: ConstraintOptions): CelRule {
  const { schemas } = options;
  const validate = rule['validate'];
  const cel = isObject(validate) ? validate['cel'] : undefined;
  if (!isObject(cel)) throw new Unsupported('a rule without CEL');
  const constraints = readConstraints(rule['match'], rule['exclude'], options);
  const object = objectPath(schemas, 'object', []);
  const variables = {
    known: { schemas, shape: undefined },
    object,
    oldObject: objectPath(schemas, 'oldObject', []),
    named: new Map(),
  };
  const preconditions = conditionsHold(readConditions(rule['preconditions'], variables));
  const own = Array.isArray(rule['celPreconditions']) ? rule['celPreconditions'] : [];
  const conditions = [
    ...constraints.conditions.map(({ name, test }) => ({ name, expression: truth(test).text })),
    ...(preconditions.text === 'true'
      ? []
      : [{ name: 'preconditions', expression: preconditions.text }]),
    ...own,
  ];
  return {
    paramRef: cel['paramRef'],
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

// The rule's message stands for those that the expressions lack.
function withMessages(expressions: unknown, validate: unknown): unknown {
  const message = isObject(validate) ? validate['message'] : undefined;
  if (!Array.isArray(expressions) || typeof message !== 'string') return expressions;
  return expressions.map((each) =>
    isObject(each) && each['message'] === undefined && each['messageExpression'] === undefined
      ? { ...each, message: message.trim().replace(/\s*\n\s*/g, ' ') }
      : each,
  );
}
