import {
  type FieldError,
  isObject,
  type KubernetesObject,
  member,
  memberText,
} from '@kubeadmit/apimachinery';
import { invalid, required } from '@kubeadmit/apimachinery/field-errors';
import { withMember } from './metadata.ts';

type Reference = Readonly<Record<string, unknown>>;

/**
 * Returns a claim of a volume with equal values in both references to its data source (api persistentvolumeclaim
 * `EnforceDataSourceBackwardsCompatibility`, `NormalizeDataSources`).
 *
 * @param old the claim before, `undefined` for a new one: what it refers to stays
 */
export function withDataSources(
  claim: KubernetesObject,
  old: KubernetesObject | undefined,
): KubernetesObject {
  const spec = member(claim, 'spec');
  if (!isObject(spec)) return claim;
  const before = member(old, 'spec');
  const named = referenceIn(spec, 'dataSourceRef');
  const reference = isOfOtherNamespace(named, before) ? undefined : named;
  const given = referenceIn(spec, 'dataSource');
  const isKept =
    referenceIn(before, 'dataSource') !== undefined ||
    reference !== undefined ||
    (given !== undefined && isOldSource(given));
  const source = isKept ? given : undefined;
  const { dataSource: _, dataSourceRef: __, ...rest } = spec;
  const sources = joined(source, reference);
  if (sources.dataSource === given && sources.dataSourceRef === named) return claim;
  const present = Object.entries(sources).filter(([, each]) => each !== undefined);
  return withMember(claim, 'spec', { ...rest, ...Object.fromEntries(present) });
}

/**
 * Whether a reference names another namespace and is therefore ignored: the feature gate CrossNamespaceVolumeDataSource is
 * off in every version.
 */
function isOfOtherNamespace(reference: Reference | undefined, before: unknown): boolean {
  if (referenceIn(before, 'dataSourceRef') !== undefined) return false;
  return memberText(reference, 'namespace') !== '';
}

function joined(
  dataSource: Reference | undefined,
  dataSourceRef: Reference | undefined,
): { readonly dataSource: Reference | undefined; readonly dataSourceRef: Reference | undefined } {
  if (dataSourceRef === undefined) return { dataSource, dataSourceRef: dataSource };
  if (dataSource !== undefined || memberText(dataSourceRef, 'namespace') !== '') {
    return { dataSource, dataSourceRef };
  }
  const { namespace: _, ...local } = dataSourceRef;
  return { dataSource: local, dataSourceRef };
}

/**
 * Returns the problems of a claim's data sources (core validation `validateDataSource`, `validateDataSourceRef`).
 */
export function validateDataSources(claim: KubernetesObject): FieldError[] {
  const spec = member(claim, 'spec');
  return ['dataSource', 'dataSourceRef'].flatMap((field) => {
    const reference = referenceIn(spec, field);
    const at = `spec.${field}`;
    if (reference === undefined) return [];
    const kind = memberText(reference, 'kind');
    const isOfNoGroup = memberText(reference, 'apiGroup') === '';
    const why = "must be 'PersistentVolumeClaim' when referencing the default apiGroup";
    return [
      ...(memberText(reference, 'name') === '' ? [required(`${at}.name`)] : []),
      ...(kind === '' ? [required(`${at}.kind`)] : []),
      ...(isOfNoGroup && kind !== 'PersistentVolumeClaim' ? [invalid(at, kind, why)] : []),
    ];
  });
}

function referenceIn(spec: unknown, field: string): Reference | undefined {
  const value = member(spec, field);
  return isObject(value) ? value : undefined;
}

// Everything else is ignored without a warning.
function isOldSource(source: Reference): boolean {
  const group = memberText(source, 'apiGroup');
  const kind = memberText(source, 'kind');
  return (
    (kind === 'PersistentVolumeClaim' && group === '') ||
    (kind === 'VolumeSnapshot' && group === 'snapshot.storage.k8s.io')
  );
}
