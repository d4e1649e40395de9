import { memberAt } from '@kubeadmit/admission/writes';
import { type KubernetesObject, member, memberObject } from '@kubeadmit/apimachinery';
import { setKey } from '@kubeadmit/base';
import { definitionVersion } from '../definitions/conditions.ts';
import type { Endpoint } from '../kinds/endpoint.ts';
import type { Machinery } from '../machinery/machinery.ts';

/** The paths in an object of the fields of its scale, such as `.spec.replicas`. */
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
  const definition = cluster.definition(resource.definition ?? '');
  const version = definitionVersion(definition, resource.version);
  const scale = member(member(version, 'subresources'), 'scale');
  return {
    specReplicas: String(member(scale, 'specReplicasPath') ?? usual.specReplicas),
    statusReplicas: String(member(scale, 'statusReplicasPath') ?? usual.statusReplicas),
    selector: String(member(scale, 'labelSelectorPath') ?? ''),
  };
}

/** The value at a path; undefined if it is missing. */
export function valueAt(object: KubernetesObject, path: string): unknown {
  return memberAt(object, ...path.replace(/^\./, '').split('.'));
}

/** An object with another value at a path. */
export function setAt(object: KubernetesObject, path: string, value: unknown): KubernetesObject {
  const [name = '', ...rest] = path.replace(/^\./, '').split('.');
  const inner = memberObject(object, name);
  const copy: Record<string, unknown> = { ...object };
  setKey(copy, name, rest.length === 0 ? value : setAt(inner, rest.join('.'), value));
  return copy;
}
