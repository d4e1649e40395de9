import {
  type Cluster,
  mutateRequest,
  plainJson,
  prepareRequest,
  validateRequest,
} from '@kubeadmit/admission';
import type { KubernetesObject } from '@kubeadmit/apimachinery';
import { ApiError } from '../errors/api-error.ts';
import { badRequest } from '../errors/failures.ts';
import type { Exchange } from '../machinery.ts';
import { type AdmissionAttributes, admissionRequest } from './attributes.ts';
import { callMutatingWebhooks } from './mutating-webhooks.ts';
import { checkNamespace } from './namespace-lifecycle.ts';
import { checkPolicyPermissions } from './policy-permissions.ts';
import { callValidatingWebhooks } from './validating-webhooks.ts';

/**
 * Everything that admits or changes an object before it is validated, in the order of kube-apiserver's plugins:
 * namespaces, mutating policies, mutating webhooks. Gives the object as they leave it, or throws the refusal.
 */
export async function mutate(
  exchange: Exchange,
  attributes: AdmissionAttributes,
): Promise<KubernetesObject | null> {
  checkNamespace(exchange, attributes);
  const { cluster } = exchange.machinery;
  const policies = await currentPolicies(exchange);
  const afterPolicies = runMutatingPolicies(policies, exchange, attributes);
  const hooks = cluster.webhookConfigurations('mutatingwebhookconfigurations');
  if (hooks.length === 0) return afterPolicies;
  return callMutatingWebhooks(exchange, { ...attributes, object: afterPolicies }, hooks);
}

/** Everything that admits an object as it will be stored: validating policies, then validating webhooks. */
export async function validate(exchange: Exchange, attributes: AdmissionAttributes): Promise<void> {
  const { cluster } = exchange.machinery;
  const policies = await currentPolicies(exchange);
  checkPolicyPermissions(exchange, attributes);
  runValidatingPolicies(policies, exchange, attributes);
  const hooks = cluster.webhookConfigurations('validatingwebhookconfigurations');
  if (hooks.length > 0) await callValidatingWebhooks(exchange, attributes, hooks);
}

async function currentPolicies({ machinery }: Exchange): Promise<Cluster> {
  await machinery.cluster.caughtUp(machinery.registry.lastWrite);
  return machinery.cluster.cluster();
}

function runMutatingPolicies(
  cluster: Cluster,
  exchange: Exchange,
  attributes: AdmissionAttributes,
): KubernetesObject | null {
  const { object } = attributes;
  if (
    object === null ||
    attributes.operation === 'DELETE' ||
    cluster.mutatingPolicies.length === 0
  ) {
    return object;
  }
  const prepared = prepareRequest(cluster, admissionRequest(exchange, attributes));
  if (prepared.failure !== undefined) throw badRequest(prepared.failure);
  const decision = mutateRequest(prepared);
  if (decision.denial !== undefined) throw new ApiError(decision.denial);
  return decision.object === prepared.attributes.object
    ? object
    : (plainJson(decision.object) as KubernetesObject | null);
}

function runValidatingPolicies(
  cluster: Cluster,
  exchange: Exchange,
  attributes: AdmissionAttributes,
): void {
  if (cluster.validatingPolicies.length === 0) return;
  const prepared = prepareRequest(cluster, admissionRequest(exchange, attributes));
  if (prepared.failure !== undefined) throw badRequest(prepared.failure);
  const { denial, warnings, auditAnnotations } = validateRequest(
    prepared,
    prepared.attributes.object,
  );
  exchange.warnings.push(...warnings);
  Object.assign(exchange.annotations, auditAnnotations);
  if (denial !== undefined) throw new ApiError(denial);
}
