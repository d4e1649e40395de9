import { type KubernetesObject, member, memberList, memberObject } from '@kubeadmit/apimachinery';
import { deepEqual } from '@kubeadmit/go';
import type { Schemas } from '@kubeadmit/schemas';
import { withDataSources } from './data-source.ts';
import type { Endpoint } from './endpoint.ts';
import { metadataOf, nameOf, withMember, withMetadata, withoutMember } from './metadata.ts';
import { preparePod } from './prepare-pod.ts';
import { withTemplateGeneration } from './template-generation.ts';
import { storedVersions } from './to-version.ts';
import { withoutDisabledFields } from './without-disabled-fields.ts';
import { zeroStatus } from './zero-object.ts';

/** Facts about the creation of an object. */
interface Creation {
  readonly schemas: Schemas;
  /** Whether a Job without labels has those of its template in one map, as Go decodes it; default true. */
  readonly sharesLabels?: boolean;
}

/** A new object as its strategy prepares it: no status but the first, the first generation (`PrepareForCreate`). */
export function prepareNew(
  endpoint: Endpoint,
  object: KubernetesObject,
  { schemas, sharesLabels = true }: Creation,
): KubernetesObject {
  const { strategy, isCustom } = endpoint;
  let prepared = object;
  if (strategy.hasGeneration) prepared = withMetadata(prepared, { generation: 1 });
  if (strategy.resetsStatus) prepared = withFirstStatus(endpoint, prepared, schemas);
  prepared = withoutDisabledFields(schemas, endpoint, prepared, undefined);
  const own = isCustom ? undefined : byResource[endpoint.name.name];
  return own === undefined ? prepared : own(prepared, { sharesLabels, minor: schemas.minor });
}

function withFirstStatus(
  { isCustom, kind, name }: Endpoint,
  object: KubernetesObject,
  schemas: Schemas,
): KubernetesObject {
  if (keepsStatus.has(name.name)) return object;
  const zero = isCustom ? undefined : zeroStatus(schemas, kind);
  return zero === undefined ? withoutMember(object, 'status') : withMember(object, 'status', zero);
}

/** Resources whose status a client may give at once. */
const keepsStatus: ReadonlySet<string> = new Set(['nodes']);

type Prepare = (
  object: KubernetesObject,
  facts: { readonly sharesLabels: boolean; readonly minor: number },
) => KubernetesObject;

const byResource: Readonly<Record<string, Prepare>> = {
  namespaces: (object) => {
    const labels = metadataOf(object).labels ?? {};
    const named = withMetadata(object, {
      labels: { ...labels, 'kubernetes.io/metadata.name': nameOf(object) },
    });
    const spec = memberObject(object, 'spec');
    const others = memberList(spec, 'finalizers').filter((name) => name !== 'kubernetes');
    const held = withMember(named, 'spec', { ...spec, finalizers: [...others, 'kubernetes'] });
    return withMember(held, 'status', { phase: 'Active' });
  },
  pods: (object, { minor }) => preparePod(object, minor),
  customresourcedefinitions: (object) =>
    withMember(object, 'status', {
      conditions: null,
      acceptedNames: { plural: '', kind: '' },
      storedVersions: [...new Set(storedVersions(object))],
    }),
  jobs: withJobLabels,
  persistentvolumeclaims: (object) => withDataSources(withMember(object, 'status', {}), undefined),
  persistentvolumes: (object) =>
    withMember(object, 'status', {
      phase: 'Pending',
      lastPhaseTransitionTime: metadataOf(object).creationTimestamp,
    }),
  daemonsets: (object) => withTemplateGeneration(object, 1),
  apiservices: withLocalCondition,
};

// The server itself serves the API of an APIService without a service (`NewLocalAvailableAPIServiceCondition`).
function withLocalCondition(object: KubernetesObject): KubernetesObject {
  const isRemote = member(memberObject(object, 'spec'), 'service') != null;
  if (isRemote) return withMember(object, 'status', {});
  const condition = {
    type: 'Available',
    status: 'True',
    lastTransitionTime: metadataOf(object).creationTimestamp,
    reason: 'Local',
    message: 'Local APIServices are always available',
  };
  return withMember(object, 'status', { conditions: [condition] });
}

// Jobs find their pods by a label that no other object has (batch strategy `generateSelector`).
function withJobLabels(
  job: KubernetesObject,
  { sharesLabels }: { readonly sharesLabels: boolean },
): KubernetesObject {
  const spec = (member(job, 'spec') ?? {}) as KubernetesObject;
  if (member(spec, 'manualSelector') === true) return job;
  const { uid = '', labels: own = {} } = metadataOf(job);
  const template = (member(spec, 'template') ?? {}) as KubernetesObject;
  const before = metadataOf(template).labels ?? {};
  const uidLabel = 'batch.kubernetes.io/controller-uid';
  const labels = {
    ...before,
    [uidLabel]: uid,
    'controller-uid': uid,
    'batch.kubernetes.io/job-name': nameOf(job),
    'job-name': nameOf(job),
  };
  const selector = (member(spec, 'selector') ?? {}) as KubernetesObject;
  const matchLabels = { ...(member(selector, 'matchLabels') as object), [uidLabel]: uid };
  // A job without labels gets those of its template when it is decoded: Go keeps both in one map.
  const isShared = sharesLabels && deepEqual(own, before);
  const labelled = isShared ? withMetadata(job, { labels }) : job;
  return withMember(labelled, 'spec', {
    ...spec,
    selector: { ...selector, matchLabels },
    template: withMetadata(template, { labels }),
  });
}
