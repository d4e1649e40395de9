import { isObject, type JsonObject, listOf, memberObject, objectOf } from '@kubeadmit/apimachinery';
import type { Schemas } from '@kubeadmit/schemas';
import { Path } from '../cel/path.ts';
import { member, type Term, truth } from '../cel/term.ts';
import { type Conditions, conditionsHold, readConditions } from '../conditions/conditions.ts';
import type { Variables } from '../jmespath/variables.ts';
import { matchConstraints, objectPath, readConstraints, structsOf } from '../match/constraints.ts';
import type { Note } from '../notes/difference-notes.ts';
import { Unsupported } from '../notes/unsupported.ts';
import { withContext, withoutMarks } from '../policy/context.ts';
import { describing } from '../policy/output.ts';
import { withoutRequest } from './schedule-terms.ts';

/** A DeletingPolicy and what its readers should know. */
export interface ConvertedCleanup {
  readonly object: JsonObject;
  readonly notes: readonly Note[];
}

/**
 * Converts a CleanupPolicy or ClusterCleanupPolicy to a NamespacedDeletingPolicy or DeletingPolicy.
 *
 * @throws Unsupported for parts that have no equivalent.
 */
export function convertCleanup(policy: JsonObject, schemas: Schemas): ConvertedCleanup {
  const spec = objectOf(policy['spec']);
  const { name, namespace } = memberObject(policy, 'metadata');
  const isNamespaced = policy['kind'] === 'CleanupPolicy';
  const constraints = readConstraints(filtersOf(spec['match']), filtersOf(spec['exclude']), {
    schemas,
  });
  const { resourceRules, conditions: selected, kinds, notes } = constraints;
  if (kinds.some((kind) => kind.includes('/status') || kind.endsWith('/*'))) {
    throw new Unsupported('a subresource, which cannot be deleted');
  }
  const conditions = [
    ...selected,
    ...conditionsOf(spec, objectPath(schemas, 'object', structsOf(kinds, schemas))),
  ].map((each) => ({
    name: each.name,
    expression: withoutRequest(withoutMarks(truth(each.test).text)),
  }));
  const { schedule, deletionPropagationPolicy } = spec;
  const rules = resourceRules.map((rule) => ({ ...rule, operations: ['*'] }));
  const object = {
    apiVersion: 'policies.kyverno.io/v1',
    kind: isNamespaced ? 'NamespacedDeletingPolicy' : 'DeletingPolicy',
    metadata: {
      name,
      ...(isNamespaced && { namespace: namespace ?? 'default' }),
      ...describing(policy),
    },
    spec: {
      schedule,
      ...(deletionPropagationPolicy !== undefined && { deletionPropagationPolicy }),
      matchConstraints: matchConstraints({ ...constraints, resourceRules: rules }),
      ...(conditions.length > 0 && { conditions }),
    },
  };
  return { object, notes };
}

/** The filters of a schedule, which has no operations. */
function filtersOf(source: unknown): unknown {
  if (!isObject(source)) return source;
  const lists = (['any', 'all'] as const).filter((name) => listOf(source[name]).length > 0);
  if (lists.length === 0) {
    throw new Unsupported(
      'filters without `any` and `all`, which select every object',
      'write the filter below `any`',
    );
  }
  const entries = lists.map((name) => [
    name,
    listOf(source[name]).filter(isObject).map(withoutOperations),
  ]);
  return Object.fromEntries(entries);
}

function withoutOperations(filter: JsonObject): JsonObject {
  const { operations: _, ...resources } = objectOf(filter['resources']);
  return { ...filter, resources };
}

function conditionsOf(
  spec: JsonObject,
  object: Path,
): readonly { readonly name: string; readonly test: Term }[] {
  if (spec['conditions'] === undefined) return [];
  const variables = withContext(spec['context'], variablesOf(object));
  const read = readConditions(spec['conditions'], variables);
  // Kyverno ignores an empty `any`.
  const conditions: Conditions = read.any?.length === 0 ? { any: undefined, all: read.all } : read;
  return [{ name: 'conditions', test: conditionsHold(conditions) }];
}

/** The object is `target`; there is no `request.object`. */
function variablesOf(object: Path): Variables {
  const { schemas } = object.known;
  const absent = new Path(member('request.object'), { schemas, shape: undefined });
  return {
    known: { schemas, shape: undefined },
    object: absent,
    oldObject: absent,
    named: new Map([['target', { kind: 'path', path: object }]]),
    hasClock: true,
    notes: new Set(),
    failing: new Set(),
  };
}
