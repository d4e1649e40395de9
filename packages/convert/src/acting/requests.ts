import type { JsonObject } from '@kubeadmit/apimachinery';
import { Path } from '../cel/path.ts';
import { always, member, truth } from '../cel/term.ts';
import { conditionsHold, readConditions } from '../conditions/conditions.ts';
import type { Variables } from '../jmespath/variables.ts';
import {
  type ConstraintOptions,
  type Constraints,
  objectPath,
  operationsIn,
  readConstraints,
  structsOf,
} from '../match/constraints.ts';
import { Unsupported } from '../notes/unsupported.ts';
import { withContext, withoutMarks } from '../policy/context.ts';

/** The requests that a rule is about, and the variables of its parts. */
export interface RuleRequests {
  readonly constraints: Constraints;
  readonly variables: Variables;
  /** The conditions of `match`, `exclude` and `preconditions`. */
  readonly matchConditions: readonly JsonObject[];
}

/**
 * Reads `match`, `exclude`, `context` and `preconditions` of a rule that a policy of Kyverno in CEL replaces.
 *
 * @throws Unsupported for parts that have no equivalent.
 */
export function requestsOf(rule: JsonObject, options: ConstraintOptions): RuleRequests {
  const { schemas } = options;
  const constraints = readConstraints(rule['match'], rule['exclude'], options);
  const object = objectPath(schemas, 'object', structsOf(constraints.kinds, schemas));
  const variables = withContext(rule['context'], {
    known: { schemas, shape: undefined },
    object,
    oldObject: new Path(member('oldObject'), object.known),
    named: new Map(),
    operations: operationsIn(constraints),
    notes: new Set(),
    failing: new Set(),
  });
  if (variables.parameter !== undefined) {
    throw new Unsupported('a ConfigMap of the context: a policy of Kyverno has no parameter');
  }
  const preconditions = conditionsHold(readConditions(rule['preconditions'], variables));
  const matchConditions = [
    ...constraints.conditions,
    { name: 'preconditions', test: preconditions },
  ]
    .filter(({ test }) => test.text !== always.text)
    .map(({ name, test }) => ({ name, expression: withoutMarks(truth(test).text) }));
  return { constraints, variables, matchConditions };
}
