import { type JsonObject, memberObject } from '@kubeadmit/apimachinery';
import { requireKind } from '@kubeadmit/apimachinery/unstable-internal';
import { type Conditions, compileConditions } from '../conditions/compile.ts';
import { field, objectField, objectsField, stringField } from '../fields/fields.ts';
import type { Failure } from '../jmespath/steps/failure.ts';
import { compileFilters, type Filters } from '../match/match.ts';

/** A compiled CleanupPolicy or ClusterCleanupPolicy: it deletes the objects that it selects on a schedule. */
export interface CleanupPolicy {
  /** `CleanupPolicy` or `ClusterCleanupPolicy`. */
  readonly kind: string;
  /** Its `metadata.name`. */
  readonly name: string;
  /** Empty for a ClusterCleanupPolicy. */
  readonly namespace: string;
  /** The objects that are deleted. */
  readonly match: Filters;
  /** The objects that are kept. */
  readonly exclude: Filters | undefined;
  /** The entries of its context. */
  readonly context: readonly JsonObject[];
  /** Conditions over `target`; `undefined` if there are none. */
  readonly conditions: Conditions | Failure | undefined;
}

/**
 * Compiles a CleanupPolicy or ClusterCleanupPolicy.
 *
 * @throws TypeError for any other object
 */
export function compileCleanupPolicy(source: JsonObject): CleanupPolicy {
  requireKind('compileCleanupPolicy', source, ['CleanupPolicy', 'ClusterCleanupPolicy']);
  const metadata = memberObject(source, 'metadata');
  const kind = stringField(source, 'kind');
  const spec = objectField(source, 'spec') ?? {};
  const exclude = objectField(spec, 'exclude');
  const conditions = field(spec, 'conditions');
  return {
    kind,
    name: stringField(metadata, 'name'),
    namespace: kind === 'CleanupPolicy' ? stringField(metadata, 'namespace') : '',
    match: compileFilters(objectField(spec, 'match') ?? {}),
    exclude: exclude && compileFilters(exclude),
    context: objectsField(spec, 'context'),
    conditions: conditions === undefined ? undefined : compileConditions(conditions),
  };
}
