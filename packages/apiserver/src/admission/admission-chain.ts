import {
  type Decision,
  mutateRequest,
  type PreparedRequest,
  validateRequest,
} from '@kubeadmit/admission';
import { type ChangingCluster, mutateBeside } from '@kubeadmit/admission/unstable-internal';
import { plainObject } from '@kubeadmit/admission/writes';
import type { KubernetesObject } from '@kubeadmit/apimachinery';
import { isExempt, isSeenByStaticPolicies } from '@kubeadmit/matcher';
import { ApiError } from '../errors/api-error.ts';
import type { Exchange, ResourceExchange } from '../machinery/machinery.ts';
import type { WriteOptions } from '../options/write-options.ts';
import { type AdmissionAttributes, prepareHeld } from './attributes.ts';
import { checkDefinition } from './definition-lifecycle.ts';
import { MutatingWebhooks } from './mutating-webhooks.ts';
import {
  awaitDefaultAccount,
  provideNamespace,
  runMutatingPlugins,
  runPluginsAfter,
  runPluginsBefore,
} from './plugins.ts';
import { callValidatingWebhooks } from './validating-webhooks.ts';
import { concernsStoredWebhooks, type Webhook, webhooksOf } from './webhooks.ts';

/**
 * Runs all mutating admission in the order of kube-apiserver's plugins, policies and webhooks among them. Returns the
 * object as they leave it, or throws the refusal.
 */
export async function mutate(
  exchange: Exchange,
  attributes: AdmissionAttributes,
): Promise<KubernetesObject | null> {
  checkDefinition(exchange, attributes);
  await provideNamespace(exchange, attributes);
  await awaitDefaultAccount(exchange, attributes);
  const cluster = await policiesFor(exchange, attributes);
  const webhooks = webhooksFor(exchange, attributes, {
    kind: 'MutatingWebhookConfiguration',
    cluster,
  });
  if (cluster === undefined || (webhooks.length === 0 && !mayMutate(cluster, attributes))) {
    return runMutatingPlugins(exchange, attributes);
  }
  const { plugins } = exchange.machinery.cluster;
  const prepared = { ...prepareHeld(exchange, cluster, attributes), plugins };
  if (webhooks.length === 0)
    return mutatedObject(exchange, mutateRequest(prepared), prepared, attributes);
  const asked = new MutatingWebhooks(exchange, { cluster, attributes, webhooks });
  const decision = await mutateBeside(prepared, (object, pass) => asked.run(object, pass));
  return mutatedObject(exchange, decision, prepared, attributes);
}

/**
 * Runs all validating admission of an object as it will be stored, in the order of kube-apiserver's plugins, and stores
 * the changes of plugins, such as the usage of quotas. Throws the refusal.
 */
export async function validate(exchange: Exchange, attributes: AdmissionAttributes): Promise<void> {
  runPluginsBefore(exchange, attributes);
  const cluster = await policiesFor(exchange, attributes);
  if (cluster !== undefined) {
    runValidatingPolicies(cluster, exchange, attributes);
    const webhooks = webhooksFor(exchange, attributes, {
      kind: 'ValidatingWebhookConfiguration',
      cluster,
    });
    if (webhooks.length > 0)
      await callValidatingWebhooks(exchange, attributes, { cluster, webhooks });
  }
  await runPluginsAfter(exchange, attributes);
}

/**
 * Runs mutating and validating admission for an object that is created and never stored, such as a review. Returns the
 * mutated object, or throws the refusal.
 */
export async function admitUnstored(
  exchange: ResourceExchange,
  object: KubernetesObject,
  { name, options, complete }: UnstoredOptions,
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
  const completed = complete === undefined ? mutated : await complete(mutated);
  await validate(exchange, { ...attributes, object: completed });
  return completed;
}

/** The request for an object that is never stored. */
export interface UnstoredOptions {
  readonly name: string;
  readonly options: WriteOptions;
  /** Completes and checks the mutated object before validating admission; default nothing. */
  readonly complete?: (mutated: KubernetesObject) => Promise<KubernetesObject>;
}

/** The plugins that call the webhooks of each kind. */
const webhookPlugins = {
  MutatingWebhookConfiguration: 'MutatingAdmissionWebhook',
  ValidatingWebhookConfiguration: 'ValidatingAdmissionWebhook',
} as const;

type WebhookKind = keyof typeof webhookPlugins;

/**
 * Returns the webhooks to call, those from the server's own disk first: only they receive requests for policies and
 * webhooks.
 */
function webhooksFor(
  { machinery }: Exchange,
  { endpoint }: AdmissionAttributes,
  { kind, cluster }: { readonly kind: WebhookKind; readonly cluster: ChangingCluster | undefined },
): readonly Webhook[] {
  const { names } = machinery.cluster.plugins.set;
  if (cluster === undefined || !names.has(webhookPlugins[kind])) return [];
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

/** Whether a policy may change the object of a request. */
function mayMutate(cluster: ChangingCluster, { object, operation }: AdmissionAttributes): boolean {
  return object !== null && operation !== 'DELETE' && !isWithout(cluster, 'mutating');
}

function mutatedObject(
  exchange: Exchange,
  { denial, object: decided, warnings, auditAnnotations }: Decision,
  prepared: PreparedRequest,
  { object }: AdmissionAttributes,
): KubernetesObject | null {
  exchange.warnings.push(...warnings);
  Object.assign(exchange.annotations, auditAnnotations);
  if (denial !== undefined) throw new ApiError(denial);
  return decided === prepared.attributes.object ? object : decided && plainObject(decided);
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
  const { names } = exchange.machinery.cluster.plugins.set;
  if (isWithout(cluster, 'validating') || !names.has('ValidatingAdmissionPolicy')) return;
  const prepared = prepareHeld(exchange, cluster, attributes);
  const { denial, warnings, auditAnnotations } = validateRequest(
    prepared,
    prepared.attributes.object,
  );
  exchange.warnings.push(...warnings);
  Object.assign(exchange.annotations, auditAnnotations);
  if (denial !== undefined) throw new ApiError(denial);
}
