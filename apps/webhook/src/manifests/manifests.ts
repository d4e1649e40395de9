import { readAuthorities } from '../certificates/pair.ts';
import { configurationKinds } from '../certificates/webhook-configurations.ts';
import { systemNamespaces } from '../configuration/configuration.ts';
import { reachOf } from '../configuration/options.ts';
import { configurationObject } from '../registration/configuration-object.ts';
import { computeRegistration, exemptionText } from '../registration/webhooks.ts';
import { readPolicies } from './read-policies.ts';

/** The Service that is registered by default: that of a release `kubeadmit` of the chart in a namespace of that name. */
export const defaultService = 'kubeadmit/kubeadmit';

/** The options of `kubeadmit webhook manifests`. */
export interface ManifestsOptions {
  readonly policies: readonly string[];
  readonly name: string;
  readonly service?: string;
  readonly webhookUrl?: string;
  readonly caBundle?: string;
  readonly webhookTimeout: number;
  readonly includeControlPlane: readonly string[];
  readonly excludeNamespace: readonly string[];
  readonly systemNamespaces: boolean;
  readonly kubernetesVersion?: string;
}

/** Returns the webhook configurations for the policies of files, and warnings about policies that exemptions affect. */
export async function manifestsFor(options: ManifestsOptions): Promise<{
  readonly objects: readonly object[];
  readonly exemptions: readonly string[];
}> {
  const { service, webhookUrl } = options;
  const reach = reachOf(
    webhookUrl === undefined ? { service: service ?? defaultService } : { service, webhookUrl },
  );
  const { chain } = await readPolicies(options.policies, options.kubernetesVersion);
  const registration = await computeRegistration(chain, {
    included: options.includeControlPlane,
    timeoutSeconds: options.webhookTimeout,
    excludedNamespaces: [
      ...(options.systemNamespaces ? systemNamespaces : []),
      ...(reach.kind === 'service' ? [reach.namespace] : []),
      ...options.excludeNamespace,
    ],
    checksOwnPolicies: false,
    checksKyvernoPolicies: false,
    // A manifest does not follow the actions of bindings.
    split: 'failurePolicy',
  });
  const authorities = options.caBundle === undefined ? '' : readAuthorities(options.caBundle);
  const { name } = options;
  const objects = configurationKinds.flatMap(({ kind, step }) => {
    const webhooks = registration[step];
    return webhooks.length === 0
      ? []
      : [configurationObject(kind, webhooks, { name, reach, authorities })];
  });
  return { objects, exemptions: registration.affected.map(exemptionText) };
}
