import { type Cluster, type PreparedRequest, plainJson } from '@kubeadmit/admission';
import type { MutatedElsewhere } from '@kubeadmit/admission/unstable-internal';
import { plainObject, semanticallyEqual } from '@kubeadmit/admission/writes';
import {
  type GroupVersionKind,
  type KubernetesObject,
  member,
  sameKind,
} from '@kubeadmit/apimachinery';
import { kubernetesNumbers } from '@kubeadmit/cel/unstable-internal';
import { quote, readJson } from '@kubeadmit/go';
import { applyJsonPatch, type Json, type PatchOperation } from '@kubeadmit/mutator';
import { convertVersion, decode } from '@kubeadmit/schemas';
import { unmarshalProblem } from '../decoding/unmarshal-problem.ts';
import { ApiError } from '../errors/api-error.ts';
import { internalError } from '../errors/failures.ts';
import type { Exchange } from '../machinery/machinery.ts';
import { timeNow } from '../objects/metadata.ts';
import { type AdmissionAttributes, prepare } from './attributes.ts';
import { callWebhook, failedCall, ignoresFailures, WebhookFailure } from './call-webhook.ts';
import { matchWebhook, type WebhookMatch } from './match-webhook.ts';
import type { Webhook } from './webhooks.ts';

export interface MutatingWebhookRequest {
  readonly cluster: Cluster;
  readonly attributes: AdmissionAttributes;
  readonly webhooks: readonly Webhook[];
}

type Matched = Extract<WebhookMatch, { readonly outcome: 'match' }>;

/**
 * Calls the mutating webhooks one after another, each with the object that the previous one returned. A second pass
 * calls those with a reinvocation policy whose object changed later (plugin MutatingAdmissionWebhook).
 */
export class MutatingWebhooks {
  readonly #exchange: Exchange;
  readonly #request: MutatingWebhookRequest;
  /** Webhooks that have run, want to run again, and after which nothing has changed yet. */
  #previous: Webhook[] = [];
  readonly #due: Set<Webhook> = new Set();
  #lastOutput: KubernetesObject | null = null;

  constructor(exchange: Exchange, request: MutatingWebhookRequest) {
    this.#exchange = exchange;
    this.#request = request;
  }

  /** Calls all webhooks once; throws the first denial. */
  async run(object: KubernetesObject | null, pass: 1 | 2): Promise<MutatedElsewhere> {
    if (pass === 2 && !semanticallyEqual(this.#lastOutput, object)) this.#requireAll();
    let current = object;
    let prepared = this.#prepare(current);
    for (const [index, webhook] of this.#request.webhooks.entries()) {
      const match = matchWebhook(webhook.criteria, prepared);
      if (match.outcome === 'error') throw new ApiError(match.status);
      if (match.outcome === 'noMatch' || (pass === 2 && !this.#due.has(webhook))) continue;
      const changed = await this.#ask(webhook, match, `round_${pass - 1}_index_${index}`);
      if (changed !== undefined) {
        current = this.#backInRequestedVersion(changed);
        prepared = this.#prepare(current);
        this.#requireAll();
      }
      if (member(webhook.object, 'reinvocationPolicy') === 'IfNeeded') this.#previous.push(webhook);
    }
    this.#lastOutput = current;
    return { object: current, isChanged: current !== object };
  }

  // Earlier webhooks must run again.
  #requireAll(): void {
    for (const webhook of this.#previous) this.#due.add(webhook);
    this.#previous = [];
  }

  #prepare(object: KubernetesObject | null): PreparedRequest {
    const { cluster, attributes } = this.#request;
    return prepare(this.#exchange, cluster, { ...attributes, object });
  }

  // The object as a webhook changed it, in the version that the webhook saw; undefined when it did not.
  async #ask(
    webhook: Webhook,
    match: Matched,
    place: string,
  ): Promise<KubernetesObject | undefined> {
    const { annotations } = this.#exchange;
    const object = plainJson(match.object) as KubernetesObject | null;
    const oldObject = plainJson(match.oldObject) as KubernetesObject | null;
    let patched: KubernetesObject | undefined;
    try {
      const { kind, resource } = match;
      const attributes = { ...this.#request.attributes, object, oldObject };
      const review = { webhook, attributes, kind, resource, isMutating: true };
      const { patch, patchType } = await callWebhook(this.#exchange, review);
      const operations = readPatch(patch);
      if (operations.length > 0) {
        if (patchType !== 'JSONPatch') {
          throw new WebhookFailure(`unsupported patch type ${quote(patchType)}`);
        }
        patched = this.#patched(webhook, object, operations);
        const about = { configuration: webhook.configuration, webhook: webhook.name };
        annotations[`patch.webhook.admission.k8s.io/${place}`] = JSON.stringify({
          ...about,
          patch: operations,
          patchType: 'JSONPatch',
        });
      }
    } catch (error) {
      if (!(error instanceof WebhookFailure)) throw error;
      if (!ignoresFailures(webhook)) throw failedCall(webhook, error);
      annotations[`failed-open.mutation.webhook.admission.k8s.io/${place}`] = webhook.name;
    }
    const mutated = patched !== undefined && !semanticallyEqual(object, patched);
    annotations[`mutation.webhook.admission.k8s.io/${place}`] = JSON.stringify({
      configuration: webhook.configuration,
      webhook: webhook.name,
      mutated,
    });
    return mutated ? patched : undefined;
  }

  #patched(
    { name }: Webhook,
    object: KubernetesObject | null,
    operations: readonly PatchOperation[],
  ): KubernetesObject {
    if (object === null) {
      throw internalError(
        `admission webhook ${quote(name)} attempted to modify the object, which is not supported for this operation`,
      );
    }
    const result = applyJsonPatch(object as Json, operations);
    if (result.outcome === 'error') throw internalError(result.message);
    if (result.outcome === 'panic') throw internalError('the patch cannot be applied');
    if (result.outcome === 'testFailed') throw internalError(failedTest(object, operations));
    const { cluster, options } = this.#exchange.machinery;
    const now = timeNow(options.clock);
    const decoded = decode(cluster.schemas, result.document, { now });
    if (decoded.object === undefined) throw internalError(decoded.error ?? '');
    return plainObject(decoded.object as KubernetesObject);
  }

  #backInRequestedVersion(object: KubernetesObject): KubernetesObject {
    const { endpoint } = this.#request.attributes;
    const wanted: GroupVersionKind = endpoint.subresource ?? endpoint.kind;
    const own = { ...wanted, version: String(object['apiVersion']).split('/').at(-1) ?? '' };
    if (sameKind(own, wanted)) return object;
    const { schemas } = this.#exchange.machinery.cluster;
    const { object: converted, error } = convertVersion(schemas, object, wanted);
    if (converted === undefined) throw internalError(error ?? '');
    return plainObject(converted);
  }
}

function readPatch(patch: string): readonly PatchOperation[] {
  if (patch === '') return [];
  const fail = (why: string): Error =>
    new WebhookFailure(`received undecodable patch in webhook response: ${why}`);
  const read = readJson(patch, { numbers: kubernetesNumbers });
  if ('error' in read) throw fail(read.error);
  const operations = read.value;
  if (!Array.isArray(operations)) {
    throw fail(unmarshalProblem(operations, 'jsonpatch.Patch'));
  }
  return operations as readonly PatchOperation[];
}

// The first test that fails.
function failedTest(object: KubernetesObject, operations: readonly PatchOperation[]): string {
  const place = operations.findIndex(
    (_, i) => applyJsonPatch(object as Json, operations.slice(0, i + 1)).outcome === 'testFailed',
  );
  return `testing value ${operations[place]?.path ?? ''} failed: test failed`;
}
