import { type KubernetesObject, member } from '@kubeadmit/apimachinery';
import { setKey } from '@kubeadmit/go/internal';
import type { Endpoint } from '../kinds/endpoint.ts';
import type { Machinery } from '../machinery.ts';

/** Where an object keeps what its scale shows, such as `.spec.replicas`. */
export interface ScalePaths {
  readonly specReplicas: string;
  readonly statusReplicas: string;
  /** Empty where there is none. */
  readonly selector: string;
}

/** The paths of a workload, or those of a definition (`spec.versions[*].subresources.scale`). */
export function scalePaths({ cluster }: Machinery, { resource, isCustom }: Endpoint): ScalePaths {
  const usual = {
    specReplicas: '.spec.replicas',
    statusReplicas: '.status.replicas',
    selector: '.spec.selector',
  };
  if (!isCustom) return usual;
  const versions = member(
    member(cluster.definition(resource.definition ?? ''), 'spec'),
    'versions',
  );
  const version = (Array.isArray(versions) ? (versions as KubernetesObject[]) : []).find(
    (each) => member(each, 'name') === resource.version,
  );
  const scale = member(member(version, 'subresources'), 'scale');
  return {
    specReplicas: String(member(scale, 'specReplicasPath') ?? usual.specReplicas),
    statusReplicas: String(member(scale, 'statusReplicasPath') ?? usual.statusReplicas),
    selector: String(member(scale, 'labelSelectorPath') ?? ''),
  };
}

/** The value at a path; undefined where nothing is. */
export function valueAt(object: KubernetesObject, path: string): unknown {
  let value: unknown = object;
  for (const name of path.replace(/^\./, '').split('.')) value = member(value, name);
  return value;
}

/** An object with another value at a path. */
export function setAt(object: KubernetesObject, path: string, value: unknown): KubernetesObject {
  const [name = '', ...rest] = path.replace(/^\./, '').split('.');
  const own = member(object, name);
  const inner = typeof own === 'object' && own !== null ? (own as KubernetesObject) : {};
  const copy = { ...object };
  setKey(
    copy as never,
    name,
    (rest.length === 0 ? value : setAt(inner, rest.join('.'), value)) as never,
  );
  return copy;
}
