import { type FieldError, type KubernetesObject, member } from '@kubeadmit/apimachinery';
import { invalid, notSupported } from '@kubeadmit/apimachinery/field-errors';
import { invalidObject } from '../errors/failures.ts';
import { booleanOf, integerOf } from './query-values.ts';
import { dryRunErrors } from './write-options.ts';

/** The options of a deletion (meta/v1 DeleteOptions). */
export interface DeleteOptions {
  readonly isDryRun: boolean;
  readonly gracePeriodSeconds: number | undefined;
  readonly propagationPolicy: string | undefined;
  readonly orphanDependents: boolean | undefined;
  readonly uid: string | undefined;
  readonly resourceVersion: string | undefined;
  /** The options as admission sees them. */
  readonly object: KubernetesObject;
}

const policies = ['Foreground', 'Background', 'Orphan', 'nil'];

/** Options from a query, which count where there is no body. */
export function deleteOptionsOfQuery(query: URLSearchParams): KubernetesObject {
  const grace = integerOf(query, 'gracePeriodSeconds');
  const orphan = booleanOf(query, 'orphanDependents');
  const policy = query.get('propagationPolicy');
  const dryRun = query.getAll('dryRun');
  return {
    ...(grace === undefined ? {} : { gracePeriodSeconds: grace }),
    ...(orphan === undefined ? {} : { orphanDependents: orphan }),
    ...(policy === null ? {} : { propagationPolicy: policy }),
    ...(dryRun.length === 0 ? {} : { dryRun }),
  };
}

/** Reads decoded options, or throws their errors (meta/v1/validation.ValidateDeleteOptions). */
export function readDeleteOptions(given: KubernetesObject): DeleteOptions {
  const policy = member(given, 'propagationPolicy') as string | null | undefined;
  const orphanDependents = member(given, 'orphanDependents') as boolean | null | undefined;
  const dryRun = (member(given, 'dryRun') as readonly string[] | null | undefined) ?? [];
  const grace = member(given, 'gracePeriodSeconds') as number | null | undefined;
  const preconditions = member(given, 'preconditions');
  const errors: FieldError[] = [];
  if (policy != null && orphanDependents != null) {
    const why = 'orphanDependents and deletionPropagation cannot be both set';
    errors.push(invalid('propagationPolicy', policy, why));
  }
  if (policy != null && !policies.slice(0, 3).includes(policy)) {
    errors.push(notSupported('propagationPolicy', policy, policies));
  }
  errors.push(...dryRunErrors(dryRun));
  if (errors.length > 0) {
    throw invalidObject({ group: 'meta.k8s.io', name: 'DeleteOptions' }, '', errors);
  }
  const { kind: _, apiVersion: __, ...fields } = given;
  return {
    isDryRun: dryRun.length > 0,
    gracePeriodSeconds: grace == null ? undefined : Math.max(Number(grace), grace < 0 ? 1 : 0),
    propagationPolicy: policy ?? undefined,
    orphanDependents: orphanDependents ?? undefined,
    uid: (member(preconditions, 'uid') as string | null | undefined) ?? undefined,
    resourceVersion:
      (member(preconditions, 'resourceVersion') as string | null | undefined) ?? undefined,
    object: { kind: 'DeleteOptions', apiVersion: 'meta.k8s.io/v1', ...fields },
  };
}
