import {
  type Decision,
  mutateRequest,
  type PreparedRequest,
  validateRequest,
} from '@kubeadmit/admission';
import { type ChangingCluster, mutateBeside, plainObject } from '@kubeadmit/admission/internal';
import type { KubernetesObject } from '@kubeadmit/apimachinery';
import { isExempt, isSeenByStaticPolicies } from '@kubeadmit/matcher';
import { ApiError } from '../errors/api-error.ts';
import type { Exchange, ResourceExchange } from '../machinery.ts';
import type { WriteOptions } from '../options/write-options.ts';
import { type AdmissionAttributes, prepareHeld } from './attributes.ts';
import { MutatingWebhooks } from './mutating-webhooks.ts';
import { checkNamespace } from './namespace-lifecycle.ts';
import { checkSignerPermissions } from './signer-permissions.ts';
import { callValidatingWebhooks } from './validating-webhooks.ts';
import { concernsStoredWebhooks, type Webhook, webhooksOf } from './webhooks.ts';

/**
 * Everything that admits or changes an object before it is validated, in the order of kube-apiserver's plugins:
 * namespaces, mutating policies, mutating webhooks. Gives the object as they leave it, or throws the refusal.
 */
export async function mutate(
  exchange: Exchange,
  attributes: AdmissionAttributes,
): Promise<KubernetesObject | null> {
  checkNamespace(exchange, attributes);
  const cluster = await policiesFor(exchange, attributes);
  if (cluster === undefined) return attributes.object;
  const webhooks = webhooksFor(exchange, attributes, {
    kind: 'MutatingWebhookConfiguration',
    cluster,
  });
  if (webhooks.length === 0) return runMutatingPolicies(cluster, exchange, attributes);
  const prepared = prepareHeld(exchange, cluster, attributes);
  const asked = new MutatingWebhooks(exchange, { cluster, attributes, webhooks });
  const decision = await mutateBeside(prepared, (object, pass) => asked.run(object, pass));
  return mutatedObject(decision, prepared, attributes);
}

/** Everything that admits an object as it will be stored: signers, validating policies, then validating webhooks. */
export async function validate(exchange: Exchange, attributes: AdmissionAttributes): Promise<void> {
  checkSignerPermissions(exchange, attributes);
  const cluster = await policiesFor(exchange, attributes);
  if (cluster === undefined) return;
  runValidatingPolicies(cluster, exchange, attributes);
  const webhooks = webhooksFor(exchange, attributes, {
    kind: 'ValidatingWebhookConfiguration',
    cluster,
  });
  if (webhooks.length === 0) return;
  await callValidatingWebhooks(exchange, attributes, { cluster, webhooks });
}

/**
 * Runs mutating and validating admission for an object that is created and never stored, such as a review. Returns the
 * mutated object, or throws the refusal.
 */
export async function admitUnstored(
  exchange: ResourceExchange,
  object: KubernetesObject,
  { name, options }: { readonly name: string; readonly options: WriteOptions },
): Promise<KubernetesObject> {
  const attributes = {
    endpoint: exchange.endpoint,
    operation: 'CREATE',
    namespace: exchange.info.namespace,
    name,
    object,
    oldObject: null,
    options: options.object,
    isDryRun: options.isDryRun,
  } as const;
  const mutated = (await mutate(exchange, attributes)) ?? object;
  await validate(exchange, { ...attributes, object: mutated });
  return mutated;
}

/**
 * Returns the webhooks to call, those from the server's own disk first: only they receive requests for policies and
 * webhooks.
 */
function webhooksFor(
  { machinery }: Exchange,
  { endpoint }: AdmissionAttributes,
  { kind, cluster }: { readonly kind: string; readonly cluster: ChangingCluster },
): readonly Webhook[] {
  const configurations = [
    ...machinery.cluster.staticWebhookConfigurations(kind),
    ...(concernsStoredWebhooks(endpoint)
      ? machinery.cluster.webhookConfigurations(`${kind.toLowerCase()}s`)
      : []),
  ];
  return webhooksOf(configurations, cluster.loaded.compilers);
}

/**
 * Returns the policies that may match a request; undefined for resources that no policy or webhook ever sees. Requests
 * for policies and webhooks are seen only by those on the server's own disk.
 */
async function policiesFor(
  { machinery: { cluster, registry } }: Exchange,
  { endpoint }: AdmissionAttributes,
): Promise<ChangingCluster | undefined> {
  const isForStored = !isExempt(endpoint);
  if (!isForStored && !isSeenByStaticPolicies(endpoint)) return undefined;
  if (!isForStored && cluster.staticCluster === undefined) return undefined;
  await cluster.caughtUp(registry.lastWrite);
  return isForStored ? cluster.cluster() : cluster.staticCluster;
}

function runMutatingPolicies(
  cluster: ChangingCluster,
  exchange: Exchange,
  attributes: AdmissionAttributes,
): KubernetesObject | null {
  const { object } = attributes;
  if (object === null || attributes.operation === 'DELETE' || isWithout(cluster, 'mutating')) {
    return object;
  }
  const prepared = prepareHeld(exchange, cluster, attributes);
  return mutatedObject(mutateRequest(prepared), prepared, attributes);
}

function mutatedObject(
  decision: Decision,
  prepared: PreparedRequest,
  { object }: AdmissionAttributes,
): KubernetesObject | null {
  if (decision.denial !== undefined) throw new ApiError(decision.denial);
  return decision.object === prepared.attributes.object
    ? object
    : decision.object && plainObject(decision.object);
}

function isWithout(
  { policies, staticPolicies }: ChangingCluster,
  type: 'mutating' | 'validating',
): boolean {
  return [policies, staticPolicies].every((set) => set === undefined || set[type].index.isEmpty);
}

function runValidatingPolicies(
  cluster: ChangingCluster,
  exchange: Exchange,
  attributes: AdmissionAttributes,
): void {
  if (isWithout(cluster, 'validating')) return;
  const prepared = prepareHeld(exchange, cluster, attributes);
  const { denial, warnings, auditAnnotations } = validateRequest(
    prepared,
    prepared.attributes.object,
  );
  exchange.warnings.push(...warnings);
  Object.assign(exchange.annotations, auditAnnotations);
  if (denial !== undefined) throw new ApiError(denial);
}
