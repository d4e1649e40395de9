import type { WebhookPart } from '@kubeadmit/admission/unstable-internal';
import {
  type JsonObject,
  type KubernetesObject,
  member,
  metadataString,
} from '@kubeadmit/apimachinery';
import { getOrMake, groupBy } from '@kubeadmit/base';
import type { AdmissionRequest } from '@kubeadmit/engine';
import { allSteps, type Steps } from '@kubeadmit/engine/unstable-internal';
import type { CelPolicy, ImageVerifier, RuleType } from '@kubeadmit/kyverno';
import {
  type FindTargets,
  type PolicyTrace,
  RuleTracer,
  type TargetOutcome,
  type WantedObjects,
} from '@kubeadmit/kyverno/unstable-internal';
import { jsonOf } from '../readers/json.ts';
import {
  type KyvernoExceptions,
  type KyvernoPolicies,
  readAcceptedExceptions,
  readKyvernoPolicies,
} from '../readers/policies.ts';
import { answerOf, type WebhookAnswer } from './answer.ts';
import { RequestReader } from './asked-request.ts';
import { KyvernoNamespaceAssumptions } from './assumed-kyverno-namespaces.ts';
import {
  applyDeleting,
  applyDigests,
  applyGenerating,
  applyImageValidating,
  applyMutating,
  applyValidating,
  type ImageSetting,
} from './cel.ts';
import { applyClassicInSteps } from './classic.ts';
import { type Cleaner, findCleaners } from './cleaners.ts';
import { applyCleanup } from './cleanup.ts';
import { clusterSources } from './cluster-sources.ts';
import {
  type AskedMutator,
  mutateAllFor,
  mutateExistingFor,
  type TriggerChange,
} from './existing-targets.ts';
import { findGenerators, type Generator } from './generators.ts';
import { isNamespaced } from './identity.ts';
import { type IdleException, idleExceptions } from './idle-exceptions.ts';
import { imageSources } from './image-sources.ts';
import { type KyvernoCluster, lookedUp } from './kyverno-cluster.ts';
import { findMutators, hasOwnTargets, type Mutator } from './mutators.ts';
import { withOutsideData } from './outside-data.ts';
import {
  findBackgroundProblems,
  findKyvernoNotes,
  findKyvernoProblems,
  type IsStored,
  type KyvernoNote,
  type KyvernoProblem,
} from './policy-problems.ts';
import type { Response } from './response.ts';
import { scannedResponses, withoutImageNotes } from './scan-images.ts';
import { requestOf, type StoredObject, wantedFor } from './wanted.ts';
import { kyvernoWebhookFailurePolicy } from './webhook-failure-policy.ts';

/** The result of Kyverno's mutating webhook for the object of a request. */
export interface MutatedObject extends WebhookAnswer {
  readonly object: JsonObject;
}

/** The parts of `KyvernoWebhooks` that another one of the same objects shares. */
interface KnownPolicies {
  readonly policies: KyvernoPolicies;
  readonly exceptions: KyvernoExceptions;
  readonly requests: RequestReader;
}

/**
 * Kyverno in a cluster: evaluates its policies for requests as its webhooks do; other objects are the content of
 * the cluster.
 */
export class KyvernoWebhooks {
  readonly #objects: readonly KubernetesObject[];
  readonly #policies: KyvernoPolicies;
  readonly #cluster: KyvernoCluster;
  #ofRequests: KyvernoWebhooks | undefined;
  readonly #ofWebhook: Map<string, KyvernoWebhooks> = new Map();
  readonly #exceptions: KyvernoExceptions;
  readonly #requests: RequestReader;
  #assumptions: KyvernoNamespaceAssumptions | undefined;
  #trace: RuleTracer | undefined;
  #generators: readonly Generator[] | undefined;
  #mutators: readonly Mutator[] | undefined;
  #celByType: ReadonlyMap<RuleType, readonly CelPolicy[]> | undefined;
  #mutating: readonly CelPolicy[] | undefined;

  /** @param known a part of what another one has read of the same objects */
  constructor(
    policies: readonly KubernetesObject[],
    cluster: KyvernoCluster,
    known?: KnownPolicies,
  ) {
    const { held, schemas, clock, observe, outside, images } = cluster;
    this.#objects = policies;
    this.#cluster = cluster;
    this.#exceptions = known?.exceptions ?? readAcceptedExceptions(policies);
    const exceptions = this.#exceptions.cel;
    this.#policies =
      known?.policies ??
      readKyvernoPolicies(policies, {
        exceptions,
        clock,
        observe,
        verifiesImages: images !== undefined,
      });
    if (known !== undefined) {
      this.#requests = known.requests;
      return;
    }
    const objects = held.map((object) => jsonOf(object));
    const found = (): JsonObject[] => [...objects, ...lookedUp(policies, cluster)];
    const ofCluster = { ...clusterSources(found, schemas), ...imageSources(images) };
    const sources = withOutsideData(ofCluster, outside);
    this.#requests = new RequestReader({
      objects: [...(outside?.namespaces ?? []), ...objects],
      sources,
      exceptions: this.#exceptions,
      schemas,
      clock,
      outside,
    });
  }

  /** The policies as they were read: which Kyverno would refuse, and which are not evaluated. */
  get policies(): KyvernoPolicies {
    return this.#policies;
  }

  /**
   * The same without the policies that are for scans alone: those with `spec.admission: false`
   * (`spec.evaluation.admission.enabled: false` of policies in CEL), which Kyverno does not ask about requests.
   */
  get ofRequests(): KyvernoWebhooks {
    this.#ofRequests ??= this.#withoutScans();
    return this.#ofRequests;
  }

  /** The same with the policies of one webhook of a step alone. */
  ofWebhook(step: 'mutate' | 'validate', { failurePolicy, split }: WebhookPart): KyvernoWebhooks {
    return getOrMake(this.#ofWebhook, `${step}/${failurePolicy}/${split}`, () => {
      const { classic, cel } = this.#policies;
      return this.#with({
        classic: classic.filter(
          ({ object }) => kyvernoWebhookFailurePolicy(step, split, { object }) === failurePolicy,
        ),
        cel: cel.filter((each) => kyvernoWebhookFailurePolicy(step, split, each) === failurePolicy),
      });
    });
  }

  /** The same with another verifier of images, such as one with the images of one request. */
  withImages(images: ImageVerifier): KyvernoWebhooks {
    const { outside } = this.#cluster;
    const sources = { ...this.#requests.sources, ...imageSources(images), ...outside?.sources };
    return new KyvernoWebhooks(
      this.#objects,
      { ...this.#cluster, images },
      {
        policies: this.#policies,
        exceptions: this.#exceptions,
        requests: this.#requests.withSources(sources),
      },
    );
  }

  #withoutScans(): KyvernoWebhooks {
    const all = this.#policies;
    const classic = all.classic.filter(
      ({ object }) => member(member(object, 'spec'), 'admission') !== false,
    );
    const cel = all.cel.filter(({ object }) => {
      const evaluation = member(member(object, 'spec'), 'evaluation');
      return member(member(evaluation, 'admission'), 'enabled') !== false;
    });
    const isSame = classic.length === all.classic.length && cel.length === all.cel.length;
    return isSame ? this : this.#with({ classic, cel });
  }

  #with(policies: Partial<KyvernoPolicies>): KyvernoWebhooks {
    return new KyvernoWebhooks(this.#objects, this.#cluster, {
      policies: { ...this.#policies, ...policies },
      exceptions: this.#exceptions,
      requests: this.#requests,
    });
  }

  /**
   * Returns the problems that prevent policies, some of their rules, or exceptions from acting. Objects that a
   * server has stored (`isStored`) are not validated against the definitions known here, which may be older.
   */
  problems(isStored: IsStored = () => false): readonly KyvernoProblem[] {
    return findKyvernoProblems(this.#objects, this.#policies, isStored);
  }

  /** Returns the rules that a webhook alone does not evaluate, because they act in the background. */
  get backgroundProblems(): readonly KyvernoProblem[] {
    return findBackgroundProblems(this.#policies);
  }

  /** Returns valid but probably unintended parts of policies and exceptions. */
  notes(isStored: IsStored = () => false): readonly KyvernoNote[] {
    const now = this.#cluster.clock();
    const given = { policies: this.#policies, exceptions: this.#exceptions, now };
    return findKyvernoNotes(this.#objects, given, isStored);
  }

  /** The exceptions that name policies or rules which do not exist. */
  get idleExceptions(): readonly IdleException[] {
    return idleExceptions(this.#objects, this.#policies, this.#exceptions);
  }

  /** Records the questions of selectors about namespaces that the cluster does not contain. */
  get assumptions(): KyvernoNamespaceAssumptions {
    this.#assumptions ??= new KyvernoNamespaceAssumptions(
      this.#policies,
      this.#requests.namespaces,
    );
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
    const { classic, cel } = this.#policies;
    return (
      classic.some(({ policy }) => policy.hasMutate || (this.verifiesImages && policy.hasImages)) ||
      cel.some(({ policy: { type } }) => type === 'Mutation' || type === 'ImageVerify')
    );
  }

  /** Whether any policy may generate objects. */
  get generates(): boolean {
    const { classic, cel } = this.#policies;
    return (
      classic.some(({ policy }) => policy.hasGenerate) ||
      cel.some(({ policy }) => policy.type === 'Generation')
    );
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
    return { ...answerOf(responses, this.#policies), object: jsonOf(current) };
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
    const classic = scannedResponses(this.#policies.classic, validated, verified);
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
    return answerOf([...classic, ...cel, ...images], this.#policies);
  }

  get #imageSetting(): ImageSetting {
    return { verifier: this.#cluster.images };
  }

  /** Returns the objects that the background controller generates for an admitted request. */
  generate(request: AdmissionRequest, object: KubernetesObject): WebhookAnswer {
    const given = jsonOf(object);
    const classic = allSteps(this.#applyClassic(request, given, 'generate'));
    const policies = this.#celPolicies('Generation');
    if (policies.length === 0) return answerOf(classic, this.#policies);
    const cel = applyGenerating(policies, this.#requests.cel(request, given, this.#trace), {
      form: 'cluster',
      isNamespaced: (apiVersion, kind) => isNamespaced(apiVersion, kind, this.#cluster.schemas),
      find: (identity) => this.#requests.findObject(identity),
    });
    return answerOf([...classic, ...cel], this.#policies);
  }

  /** The policies that generate objects in the background. */
  get generators(): readonly Generator[] {
    this.#generators ??= findGenerators(this.#policies);
    return this.#generators;
  }

  /**
   * Returns the objects that the rules of a policy want because of a trigger, whatever objects exist.
   *
   * @param clones returns the objects that may be cloned
   */
  wanted(
    generator: Generator,
    trigger: StoredObject,
    clones: () => readonly JsonObject[],
    isDeleted: boolean = false,
  ): readonly WantedObjects[] {
    const { schemas } = this.#cluster;
    return wantedFor(generator, trigger, { requests: this.#requests, schemas, clones, isDeleted });
  }

  /** The policies that mutate existing objects in the background. */
  get mutators(): readonly Mutator[] {
    this.#mutators ??= findMutators(this.#policies);
    return this.#mutators;
  }

  /**
   * Returns the existing objects as a rule of a policy mutates them because of a change of an object.
   *
   * @param find reads the existing objects
   */
  mutateExisting(
    asked: AskedMutator,
    change: TriggerChange,
    find: FindTargets,
  ): readonly TargetOutcome[] {
    const { schemas } = this.#cluster;
    return mutateExistingFor(asked, change, { requests: this.#requests, schemas, find });
  }

  /** Returns the existing objects as a MutatingPolicy mutates them because it was changed itself. */
  mutateAllExisting(mutator: Mutator, find: FindTargets): readonly TargetOutcome[] {
    const { schemas } = this.#cluster;
    return mutateAllFor(mutator, { requests: this.#requests, schemas, find });
  }

  /** Returns which policies would delete an object that was admitted, on their schedules. */
  delete(request: AdmissionRequest, object: KubernetesObject): WebhookAnswer {
    const given = jsonOf(object);
    return answerOf(this.#deletions(request, given), this.#policies);
  }

  /** The policies that delete objects on a schedule. */
  get cleaners(): readonly Cleaner[] {
    return findCleaners(this.#policies);
  }

  /** Whether a policy deletes an object on its schedule, or why this cannot be decided. */
  deletes({ object: policy }: Cleaner, stored: StoredObject): boolean | { readonly error: string } {
    const of = this.#with({
      classic: [],
      cel: this.#policies.cel.filter(({ object }) => object === policy),
      cleanup: this.#policies.cleanup.filter(({ object }) => object === policy),
    });
    const responses = of.#deletions(requestOf(stored, 'CREATE'), jsonOf(stored.object));
    const [result] = responses.flatMap(({ results }) => results);
    return result?.status === 'error' ? { error: result.message } : result?.status === 'pass';
  }

  #deletions(request: AdmissionRequest, given: JsonObject): readonly Response[] {
    const { cleanup } = this.#policies;
    const within = metadataString(given, 'namespace');
    // The controller lists the objects of a namespaced policy in its namespace; Kyverno's CLI does not look at it.
    const policies = this.#celPolicies('Deletion').filter(
      ({ namespace }) => namespace === '' || namespace === within,
    );
    if (policies.length + cleanup.length === 0) return [];
    const { facts } = this.#requests.classic(request, given, undefined);
    const asked = this.#requests.cel(request, given, this.#trace);
    const { namespaceLabels, now } = facts;
    return [
      ...applyDeleting(policies, asked),
      ...applyCleanup(cleanup, given, { namespaceLabels, now, sources: this.#requests.sources }),
    ];
  }

  #celPolicies(type: RuleType): readonly CelPolicy[] {
    this.#celByType ??= groupBy(
      this.#policies.cel.map(({ policy }) => policy),
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
    const { classic } = this.#policies;
    if (classic.length === 0) return [];
    const { object, facts, givens, oldObject } = this.#requests.classic(
      request,
      given,
      this.#trace,
    );
    return yield* applyClassicInSteps(classic, object, facts, givens, { oldObject, only });
  }
}
