import type { WebhookPart } from '@kubeadmit/admission/unstable-internal';
import type { JsonObject, KubernetesObject } from '@kubeadmit/apimachinery';
import { getOrMake, groupBy } from '@kubeadmit/base';
import type { AdmissionRequest } from '@kubeadmit/engine';
import { allSteps, type Steps } from '@kubeadmit/engine/unstable-internal';
import type { CelPolicy, ImageVerifier, RuleType } from '@kubeadmit/kyverno';
import { type PolicyTrace, RuleTracer } from '@kubeadmit/kyverno/traces';
import { jsonOf } from '../readers/json.ts';
import type { KyvernoPolicies } from '../readers/policies.ts';
import { answerOf, type WebhookAnswer } from './answer.ts';
import type { RequestReader } from './asked-request.ts';
import { KyvernoNamespaceAssumptions } from './assumed-kyverno-namespaces.ts';
import { KyvernoBackground } from './background.ts';
import {
  applyDigests,
  applyGenerating,
  applyImageValidating,
  applyMutating,
  applyValidating,
  type ImageSetting,
} from './cel.ts';
import { applyClassicInSteps } from './classic.ts';
import { deletionsBy } from './deletions.ts';
import { KyvernoDiagnostics } from './diagnostics.ts';
import { isNamespaced } from './identity.ts';
import { imageSources } from './image-sources.ts';
import { type KnownPolicies, readKnownPolicies } from './known-policies.ts';
import type { KyvernoCluster } from './kyverno-cluster.ts';
import { hasOwnTargets } from './mutators.ts';
import { hasGenerations, hasMutations, ofRequests, ofWebhook } from './policy-choice.ts';
import type { Response } from './response.ts';
import { scannedResponses, withoutImageNotes } from './scan-images.ts';

/** The result of Kyverno's mutating webhook for the object of a request. */
export interface MutatedObject extends WebhookAnswer {
  readonly object: JsonObject;
}

/**
 * Kyverno in a cluster: evaluates its policies for requests as its webhooks do; other objects are the content of
 * the cluster.
 */
export class KyvernoWebhooks {
  readonly #objects: readonly KubernetesObject[];
  readonly #cluster: KyvernoCluster;
  readonly #known: KnownPolicies;
  #ofRequests: KyvernoWebhooks | undefined;
  readonly #ofWebhook: Map<string, KyvernoWebhooks> = new Map();
  #assumptions: KyvernoNamespaceAssumptions | undefined;
  #trace: RuleTracer | undefined;
  #background: KyvernoBackground | undefined;
  #celByType: ReadonlyMap<RuleType, readonly CelPolicy[]> | undefined;
  #mutating: readonly CelPolicy[] | undefined;

  /** @param known the policies and exceptions, if they were read before */
  constructor(
    objects: readonly KubernetesObject[],
    cluster: KyvernoCluster,
    known: KnownPolicies = readKnownPolicies(objects, cluster),
  ) {
    this.#objects = objects;
    this.#cluster = cluster;
    this.#known = known;
  }

  /** The policies as they were read: which Kyverno would refuse, and which are not evaluated. */
  get policies(): KyvernoPolicies {
    return this.#known.policies;
  }

  /**
   * The same without the policies that are for scans alone: those with `spec.admission: false`
   * (`spec.evaluation.admission.enabled: false` of policies in CEL), which Kyverno does not ask about requests.
   */
  get ofRequests(): KyvernoWebhooks {
    if (this.#ofRequests === undefined) {
      const policies = ofRequests(this.policies);
      this.#ofRequests = policies === undefined ? this : this.#with(policies);
    }
    return this.#ofRequests;
  }

  /** The same with the policies of one webhook of a step alone. */
  ofWebhook(step: 'mutate' | 'validate', part: WebhookPart): KyvernoWebhooks {
    return getOrMake(this.#ofWebhook, `${step}/${part.failurePolicy}/${part.split}`, () =>
      this.#with(ofWebhook(this.policies, step, part)),
    );
  }

  /** The same with another verifier of images, such as one with the images of one request. */
  withImages(images: ImageVerifier): KyvernoWebhooks {
    const { outside } = this.#cluster;
    const sources = { ...this.#requests.sources, ...imageSources(images), ...outside?.sources };
    const requests = this.#requests.withSources(sources);
    const cluster = { ...this.#cluster, images };
    return new KyvernoWebhooks(this.#objects, cluster, { ...this.#known, requests });
  }

  #with(policies: Partial<KyvernoPolicies>): KyvernoWebhooks {
    return new KyvernoWebhooks(this.#objects, this.#cluster, {
      ...this.#known,
      policies: { ...this.policies, ...policies },
    });
  }

  get #requests(): RequestReader {
    return this.#known.requests;
  }

  /** The problems of its policies and exceptions. */
  get diagnostics(): KyvernoDiagnostics {
    return new KyvernoDiagnostics(this.#objects, this.#known, this.#cluster.clock);
  }

  /** Records the questions of selectors about namespaces that the cluster does not contain. */
  get assumptions(): KyvernoNamespaceAssumptions {
    this.#assumptions ??= new KyvernoNamespaceAssumptions(this.policies, this.#requests.namespaces);
    return this.#assumptions;
  }

  /** Replaces a namespace that the cluster has, or removes it; requests from now on see it. */
  setNamespace(name: string, namespace: KubernetesObject | undefined): void {
    this.#requests.setNamespace(name, namespace && jsonOf(namespace));
  }

  /** Whether rules about images are evaluated. */
  get verifiesImages(): boolean {
    return this.#cluster.images !== undefined;
  }

  /** Whether any policy may change objects; verified images are noted in annotations. */
  get mutates(): boolean {
    return hasMutations(this.policies, this.verifiesImages);
  }

  /** Whether any policy may generate objects. */
  get generates(): boolean {
    return hasGenerations(this.policies);
  }

  /** Runs `work`, and returns the evaluated policies in order. */
  traced<Result>(work: () => Result): {
    readonly result: Result;
    readonly policies: readonly PolicyTrace[];
  } {
    const trace = new RuleTracer();
    this.#trace = trace;
    try {
      return { result: work(), policies: trace.policies };
    } finally {
      this.#trace = undefined;
    }
  }

  /** Lets the mutating policies change an object, which is that of the request or made of it. */
  mutate(request: AdmissionRequest, object: KubernetesObject): MutatedObject {
    return allSteps(this.mutateInSteps(request, object));
  }

  /** The same as {@link KyvernoWebhooks.mutate}, as a generator that yields before each rule. */
  *mutateInSteps(request: AdmissionRequest, object: KubernetesObject): Steps<MutatedObject> {
    const given = jsonOf(object);
    const classic = yield* this.#applyClassic(request, given, 'mutate');
    const mutated = classic.at(-1)?.object ?? given;
    const images = yield* this.#applyClassic(request, mutated, 'images');
    let current = images.at(-1)?.object ?? mutated;
    const cel = yield* applyMutating(
      this.#mutatingPolicies(),
      this.#requests.cel(request, current, this.#trace),
      this.#cluster.schemas,
    );
    current = cel.at(-1)?.object ?? current;
    const verifying = this.#celPolicies('ImageVerify');
    const pinned =
      verifying.length === 0
        ? { responses: [], object: current }
        : applyDigests(
            verifying,
            this.#requests.cel(request, current, this.#trace),
            this.#imageSetting,
          );
    current = pinned.object;
    const responses = [...classic, ...images, ...cel, ...pinned.responses];
    return { ...answerOf(responses, this.policies), object: jsonOf(current) };
  }

  /** Asks the validating policies about a request whose object is the one given. */
  validate(request: AdmissionRequest, object: KubernetesObject | null): WebhookAnswer {
    return allSteps(this.validateInSteps(request, object));
  }

  /** The same as {@link KyvernoWebhooks.validate}, as a generator that yields before each rule. */
  *validateInSteps(
    request: AdmissionRequest,
    object: KubernetesObject | null,
  ): Steps<WebhookAnswer> {
    const given = object === null ? null : jsonOf(object);
    const classic = yield* this.#applyClassic(request, given ?? {}, 'validate');
    return yield* this.#withCel(classic, request, given);
  }

  /**
   * The same for an existing object, as in Kyverno's background scans: rules with `verifyImages` verify the images again
   * in the place of checking whether they were verified.
   */
  *scanInSteps(request: AdmissionRequest, object: KubernetesObject): Steps<WebhookAnswer> {
    const given = jsonOf(object);
    const validated = yield* this.#applyClassic(request, given, 'validate');
    if (!this.verifiesImages) return yield* this.#withCel(validated, request, given);
    const verified = yield* this.#applyClassic(request, withoutImageNotes(given), 'images');
    const classic = scannedResponses(this.policies.classic, validated, verified);
    return yield* this.#withCel(classic, request, given);
  }

  *#withCel(
    classic: readonly Response[],
    request: AdmissionRequest,
    given: JsonObject | null,
  ): Steps<WebhookAnswer> {
    const asked = this.#requests.cel(request, given, this.#trace);
    const cel = yield* applyValidating(this.#celPolicies('Validation'), asked);
    const images = yield* applyImageValidating(
      this.#celPolicies('ImageVerify'),
      asked,
      this.#imageSetting,
    );
    return answerOf([...classic, ...cel, ...images], this.policies);
  }

  get #imageSetting(): ImageSetting {
    return { verifier: this.#cluster.images };
  }

  /** Returns the objects that the background controller generates for an admitted request. */
  generate(request: AdmissionRequest, object: KubernetesObject): WebhookAnswer {
    const given = jsonOf(object);
    const classic = allSteps(this.#applyClassic(request, given, 'generate'));
    const policies = this.#celPolicies('Generation');
    if (policies.length === 0) return answerOf(classic, this.policies);
    const cel = applyGenerating(policies, this.#requests.cel(request, given, this.#trace), {
      form: 'cluster',
      isNamespaced: (apiVersion, kind) => isNamespaced(apiVersion, kind, this.#cluster.schemas),
      find: (identity) => this.#requests.findObject(identity),
    });
    return answerOf([...classic, ...cel], this.policies);
  }

  /** Returns which policies would delete an object that was admitted, on their schedules. */
  delete(request: AdmissionRequest, object: KubernetesObject): WebhookAnswer {
    const asked = { request, object, trace: this.#trace };
    return answerOf(deletionsBy(this.policies, this.#requests, asked), this.policies);
  }

  /** The work that its policies do outside of requests. */
  get background(): KyvernoBackground {
    this.#background ??= new KyvernoBackground(
      this.policies,
      this.#requests,
      this.#cluster.schemas,
    );
    return this.#background;
  }

  #celPolicies(type: RuleType): readonly CelPolicy[] {
    this.#celByType ??= groupBy(
      this.policies.cel.map(({ policy }) => policy),
      (policy) => policy.type,
    );
    return this.#celByType.get(type) ?? [];
  }

  /** The policies in CEL that change the objects of requests. */
  #mutatingPolicies(): readonly CelPolicy[] {
    this.#mutating ??= this.#celPolicies('Mutation').filter((policy) => !hasOwnTargets(policy));
    return this.#mutating;
  }

  *#applyClassic(
    request: AdmissionRequest,
    given: JsonObject,
    only: 'mutate' | 'images' | 'validate' | 'generate',
  ): Steps<readonly Response[]> {
    const { classic } = this.policies;
    if (classic.length === 0) return [];
    const { object, facts, givens, oldObject } = this.#requests.classic(
      request,
      given,
      this.#trace,
    );
    return yield* applyClassicInSteps(classic, object, facts, givens, { oldObject, only });
  }
}
