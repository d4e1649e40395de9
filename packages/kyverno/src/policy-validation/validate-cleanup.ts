import { type FieldError, formatFieldError, type JsonObject } from '@kubeadmit/apimachinery';
import { forbidden, invalid, tooLong } from '@kubeadmit/apimachinery/field-errors';
import { byteLength } from '@kubeadmit/go';
import { isStandardSchedule } from '../cleanup/standard-schedule.ts';
import { listField, objectField, objectsField, stringField } from '../fields/fields.ts';
import { excludesAll, validateFilter } from './match-exclude.ts';
import { type Problem, pathOf } from './problem.ts';
import { writeTyped } from './read-policy.ts';

const longestName = 63;

/**
 * Returns the problems for which Kyverno's webhook refuses a CleanupPolicy or ClusterCleanupPolicy
 * (`pkg/validation/cleanuppolicy`), apart from permissions, which only a cluster knows. `findSchemaProblems` finds
 * violations of the definition.
 */
export function validateCleanup(source: JsonObject): readonly Problem[] {
  const name = stringField(objectField(source, 'metadata') ?? {}, 'name');
  const spec = objectField(source, 'spec') ?? {};
  const isNamespaced = stringField(source, 'kind') === 'CleanupPolicy';
  const errors = [
    ...(byteLength(name) > longestName ? [tooLong('metadata.name', longestName)] : []),
    ...contextErrors(objectsField(spec, 'context')),
    ...scheduleErrors(stringField(spec, 'schedule')),
    ...filterErrors(objectField(spec, 'match') ?? {}, 'spec.match', isNamespaced),
    ...filterErrors(objectField(spec, 'exclude') ?? {}, 'spec.exclude', isNamespaced),
    ...conflictErrors(spec),
  ];
  return errors.map((error) => ({ message: formatFieldError(error), path: pathOf(error.field) }));
}

function contextErrors(context: readonly JsonObject[]): readonly FieldError[] {
  const written = context.map((entry) => writeTyped(entry, 'v1.ContextEntry'));
  return context.flatMap((entry) => {
    const source = ['imageRegistry', 'configMap'].find((name) => objectField(entry, name));
    if (source === undefined) return [];
    const name = source === 'configMap' ? 'ConfigMap' : 'ImageRegistry';
    return [invalid('spec.context', written, `${name} is not allowed in CleanUp Policy`)];
  });
}

function scheduleErrors(schedule: string): readonly FieldError[] {
  if (isStandardSchedule(schedule)) return [];
  const detail = 'schedule spec in the cleanupPolicy is not in proper cron format';
  return [invalid('spec.schedule', schedule, detail)];
}

/** A schedule has no user. */
function filterErrors(
  block: JsonObject,
  path: string,
  isNamespaced: boolean,
): readonly FieldError[] {
  const filters = ['any', 'all'].flatMap((list) =>
    objectsField(block, list).map((filter, at) => ({ filter, at: `${path}.${list}[${at}]` })),
  );
  const users = filters.flatMap(({ filter, at }) =>
    ['roles', 'clusterRoles', 'subjects']
      .filter((name) => listField(filter, name).length > 0)
      .map((name) => forbidden(`${at}.${name}`, 'Usage of user info is forbidden')),
  );
  if (users.length > 0) return users;
  return filters.flatMap(({ filter, at }) => validateFilter(filter, at, isNamespaced));
}

function conflictErrors(spec: JsonObject): readonly FieldError[] {
  const exclude = objectField(spec, 'exclude');
  if (exclude === undefined || !excludesAll(objectField(spec, 'match') ?? {}, exclude)) return [];
  const written = writeTyped(spec, 'v2.CleanupPolicySpec');
  return [invalid('spec', written, 'CleanupPolicy is matching an empty set')];
}
