import { type KubernetesObject, member } from '@kubeadmit/apimachinery';
import { getOrMake } from '@kubeadmit/base';
import type { PolicyCompilers } from '@kubeadmit/engine/unstable-internal';
import { isExempt } from '@kubeadmit/matcher';
import type { Endpoint } from '../kinds/endpoint.ts';
import { nameOf } from '../objects/metadata.ts';
import { type CompiledCriteria, compileCriteria, type WebhookCriteria } from './match-webhook.ts';

export interface Webhook {
  readonly configuration: string;
  readonly name: string;
  readonly object: KubernetesObject;
  readonly criteria: CompiledCriteria;
}

const compiled = new WeakMap<KubernetesObject, readonly Webhook[]>();

/** The webhooks of configurations in their order; each configuration is compiled once. */
export function webhooksOf(
  configurations: readonly KubernetesObject[],
  compilers: PolicyCompilers,
): readonly Webhook[] {
  return configurations.flatMap((configuration) => {
    return getOrMake(compiled, configuration, () => {
      const list = member(configuration, 'webhooks');
      return (Array.isArray(list) ? (list as KubernetesObject[]) : []).map((object) => ({
        configuration: nameOf(configuration),
        name: String(member(object, 'name') ?? ''),
        object,
        criteria: compileCriteria(object as WebhookCriteria, compilers),
      }));
    });
  });
}

/** In addition to resources that are exempt from policies. */
const exempt: ReadonlySet<string> = new Set([
  'validatingwebhookconfigurations.admissionregistration.k8s.io',
  'mutatingwebhookconfigurations.admissionregistration.k8s.io',
]);

/**
 * Whether stored webhooks receive requests for a resource: for some resources they could lock the cluster
 * (apiserver webhook/generic `Dispatch`).
 */
export function concernsStoredWebhooks(endpoint: Endpoint): boolean {
  const { group, name } = endpoint.name;
  return !exempt.has(`${name}.${group}`) && !isExempt(endpoint);
}
