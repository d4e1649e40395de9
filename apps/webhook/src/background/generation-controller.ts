import { type JsonObject, type KubernetesObject, metadataString } from '@kubeadmit/apimachinery';
import { errorText } from '@kubeadmit/base';
import type { Chain } from '@kubeadmit/chain';
import { jsonOf } from '@kubeadmit/chain/kyverno';
import type { Generator } from '@kubeadmit/chain/kyverno-background';
import type { Discovery, ServedResource } from '../cluster/discovery.ts';
import { chainProblem, nothingKnown, wantedByActing } from './acting-rules.ts';
import { Claims } from './claims.ts';
import { GeneratedIndex, type GeneratedObject, objectKey } from './generated-index.ts';
import { GeneratedWriter, isDeletedWithPolicy, type Wanted } from './generated-writer.ts';
import { generationCollections } from './generation-collections.ts';
import { type GenerationState, isFinished, stateOf } from './generation-state.ts';
import { clonesOfLostSources } from './lost-sources.ts';
import type { ObjectWriter } from './object-writer.ts';
import { type Owner, ownerOf, parseWorkKey, workKey } from './owner.ts';
import type { Problems } from './problems.ts';
import { mayTrigger, subjectName, type Trigger, Triggers } from './triggers.ts';
import type { Watched, WatchedChange, Watches } from './watches.ts';
import { WorkQueue } from './work-queue.ts';

const workers = 8;
const namespaceMilliseconds = 1_000;
const deletedMilliseconds = 1_000;
const deletionAttempts = 10;

type Kyverno = NonNullable<Chain['kyverno']>['background'];

/** The dependencies of the controller. */
export interface GenerationOptions {
  readonly writer: ObjectWriter;
  readonly discovery: Discovery;
  readonly watches: Watches;
  readonly problems: Problems;
  readonly excludedNamespaces: ReadonlySet<string>;
  /** Whether a policy was deleted from the cluster. */
  readonly isPolicyDeleted: (key: string) => Promise<boolean>;
  /** Called when other collections have to be watched. */
  readonly needsWatches: () => void;
}

/**
 * Creates, updates and deletes generated objects until the cluster contains exactly those that its policies and
 * triggers require.
 *
 * The labels of the objects are the controller's only state: for each policy and trigger, it compares the existing
 * objects with the required ones, regardless of earlier events.
 */
export class GenerationController {
  readonly #options: GenerationOptions;
  readonly #queue: WorkQueue;
  readonly #writer: GeneratedWriter;
  readonly #triggers: Triggers;
  readonly #generated: GeneratedIndex = new GeneratedIndex();
  readonly #claims: Claims = new Claims();
  /** Triggers whose deletion generates objects. */
  readonly #deleted: Map<string, { readonly trigger: Trigger; attempts: number }> = new Map();
  /** The state of the trigger for which a policy has generated its objects. */
  readonly #finished: Map<string, GenerationState> = new Map();
  /** The policies and triggers with problems. */
  readonly #failing: Set<string> = new Set();
  readonly #terminating: Set<string> = new Set();
  /** The paths of the resources that were generated. */
  readonly #paths: Set<string> = new Set();
  #kyverno: Kyverno | undefined;
  #generators: ReadonlyMap<string, Generator> = new Map();
  #clones: readonly JsonObject[] | undefined;

  constructor(options: GenerationOptions) {
    this.#options = options;
    this.#triggers = new Triggers(options.excludedNamespaces);
    this.#queue = new WorkQueue({
      workers,
      work: (key) => this.#reconcile(key),
      failed: (key, error) => this.#report(key, errorText(error)),
    });
    this.#writer = new GeneratedWriter({
      ...options,
      generated: this.#generated,
      hasPolicy: (key) => this.#generators.has(key),
      isWantedBy: (owner, object) => this.#isWantedBy(owner, object),
      isOpen: (namespace) => !this.#terminating.has(namespace),
      generates: (path) => this.#watchGenerated(path),
    });
  }

  /** The number of policies and triggers that wait for their turn. */
  get length(): number {
    return this.#queue.length;
  }

  /** Uses other policies; all objects are compared after the next read of the collections. */
  use(kyverno: Kyverno | undefined): void {
    this.#kyverno = kyverno;
    this.#generators = new Map((kyverno?.generators ?? []).map((each) => [each.key, each]));
    this.#generated.renew((key) => this.#generators.has(key));
    const served = new Set(this.#options.discovery.resources.map(({ path }) => path));
    const generators = [...this.#generators.values()];
    this.#triggers.retain(
      (resource) =>
        served.has(resource.path) && generators.some((each) => mayTrigger(each, resource)),
    );
    for (const key of this.#generated.retain(served)) this.#writer.forget(key);
    for (const path of this.#paths) if (!served.has(path)) this.#paths.delete(path);
  }

  /** The collections that the policies need, and those with objects that policies generated before. */
  collections(labelled: ReadonlySet<string>): readonly Watched[] {
    return generationCollections(
      [...this.#generators.values()],
      this.#options.discovery.resources,
      (path) => labelled.has(path) || this.#paths.has(path),
    );
  }

  #watchGenerated(path: string): void {
    if (this.#paths.has(path)) return;
    this.#paths.add(path);
    this.#options.needsWatches();
  }

  /** Takes over a change in the cluster. */
  changed(object: KubernetesObject, { isDeleted, watched }: WatchedChange): void {
    const { role, resource } = watched;
    if (role === 'trigger') this.#changedTrigger({ object, resource }, isDeleted);
    else if (role === 'source') this.#changedSource(resource);
    else if (role === 'namespace') this.#changedNamespace(object, isDeleted);
    else if (role === 'generated') this.#changedGenerated(object, isDeleted, resource);
  }

  #changedTrigger(trigger: Trigger, isDeleted: boolean): void {
    if (!this.#triggers.change(trigger, isDeleted)) return;
    for (const generator of this.#generators.values()) {
      if (!mayTrigger(generator, trigger.resource)) continue;
      const key = workKey(generator.key, metadataString(trigger.object, 'uid'));
      const generates = [...generator.rules.values()].some((rule) => rule.generatesOnDelete);
      if (isDeleted && generates) this.#deleted.set(key, { trigger, attempts: 0 });
      this.#queue.add(key);
    }
  }

  #changedSource(resource: ServedResource): void {
    this.#clones = undefined;
    for (const generator of this.#generators.values()) {
      if (generator.sources.some(({ matches }) => matches(resource))) this.#addAllOf(generator);
    }
  }

  // Selectors read the labels of namespaces, which the policies see a little later.
  #changedNamespace(namespace: KubernetesObject, isDeleted: boolean): void {
    const name = metadataString(namespace, 'name');
    const isTerminating = metadataString(namespace, 'deletionTimestamp') !== '';
    if (isTerminating && !isDeleted) this.#terminating.add(name);
    else this.#terminating.delete(name);
    for (const [uid, { resource }] of this.#triggers.within(name)) {
      for (const generator of this.#generators.values()) {
        if (!mayTrigger(generator, resource)) continue;
        this.#queue.addAfter(workKey(generator.key, uid), namespaceMilliseconds);
      }
    }
  }

  #changedGenerated(object: KubernetesObject, isDeleted: boolean, resource: ServedResource): void {
    this.#paths.add(resource.path);
    const works = this.#generated.change({ object, resource }, isDeleted, (key) =>
      this.#generators.has(key),
    );
    const key = objectKey(object);
    if (isDeleted) this.#writer.forget(key);
    const affected = [...works, ...this.#claims.of(key)];
    // A client that waits for the end of the object has to see it gone.
    if (isDeleted) for (const work of affected) this.#queue.addAfter(work, deletedMilliseconds);
    else for (const work of affected) this.#queue.add(work);
  }

  /** Compares all existing objects with the required ones. */
  addAll(): void {
    const works = [...this.#generated.works, ...this.#deleted.keys(), ...this.#failing];
    for (const work of works) this.#queue.add(work);
    for (const generator of this.#generators.values()) this.#addAllOf(generator);
  }

  #addAllOf(generator: Generator): void {
    for (const uid of this.#triggers.of(generator)) this.#queue.add(workKey(generator.key, uid));
  }

  async stop(): Promise<void> {
    await this.#queue.stop();
  }

  async #reconcile(work: string): Promise<void> {
    // Everything is compared once all readable collections were read.
    if (!this.#options.watches.isSynced) return;
    const { policy, uid } = parseWorkKey(work);
    const generator = this.#generators.get(policy);
    const present = this.#generated.of(work);
    if (generator === undefined) return this.#removeOfDeletedPolicy(work, policy, present);
    this.#requireSources(generator);
    const trigger = this.#triggers.get(uid);
    if (this.#isLeftAlone(uid, trigger, present)) return this.#report(work, '');
    const deleted = this.#deleted.get(work);
    if (deleted !== undefined) deleted.attempts++;
    const depth = trigger === undefined ? 0 : await this.#depthOf(trigger);
    const acting = { trigger, present, depth };
    const wanted = wantedByActing(
      generator,
      this.#wantedOf(generator, trigger, deleted?.trigger),
      acting,
    );
    const endless = chainProblem(acting, wanted);
    if (endless !== '') return this.#report(work, endless);
    const objects = wanted.flatMap((one) => one.objects);
    this.#claims.set(work, objects.map(objectKey));
    const state = trigger && stateOf(generator.policy, trigger);
    const before = this.#finished.get(work);
    const isTriggerChanged = before !== undefined && before.trigger !== state?.trigger;
    const progress = { trigger, now: state, before };
    const written = wanted.map((one) =>
      isFinished(generator, one.rule, progress) ? { ...one, ...nothingKnown } : one,
    );
    const problems = await this.#writer.apply({
      ...{ generator, work, depth, isTriggerChanged },
      wanted: written,
    });
    const problem = problems.join('; ');
    if (state === undefined || problem !== '') this.#finished.delete(work);
    else this.#finished.set(work, state);
    const lost = await clonesOfLostSources(present, wanted, {
      ...this.#options,
      hasSource: (uid) => this.#kyverno?.hasObject(uid) === true,
    });
    await this.#writer.removeOf(generator.key, lost);
    const isUnknown = wanted.some((one) => one.extent === 'unknown' && one.problem !== '');
    // A source may be read later, so the work for a deletion is repeated a few times.
    if (!isUnknown || (deleted?.attempts ?? 0) >= deletionAttempts) this.#deleted.delete(work);
    if (isUnknown) throw new Error(problem);
    this.#report(work, problem);
  }

  async #removeOfDeletedPolicy(
    work: string,
    policy: string,
    present: readonly GeneratedObject[],
  ): Promise<void> {
    const removed = present.filter(isDeletedWithPolicy);
    this.#claims.set(work, []);
    if (removed.length > 0 && (await this.#options.isPolicyDeleted(policy))) {
      await this.#writer.removeOf(policy, removed);
    }
    this.#report(work, '');
  }

  // Without its sources, a rule would seem to want nothing.
  #requireSources({ sources }: Generator): void {
    const unread = this.#options.watches
      .unread('source')
      .filter(({ resource }) => sources.some(({ matches }) => matches(resource)));
    if (unread.length === 0) return;
    const paths = unread.map(({ resource }) => resource.path).join(', ');
    throw new Error(`cannot read the sources in ${paths}`);
  }

  #isLeftAlone(
    uid: string,
    trigger: Trigger | undefined,
    present: readonly GeneratedObject[],
  ): boolean {
    if (this.#triggers.isExcluded(uid)) return true;
    if (trigger === undefined) return !present.every(({ owner }) => this.#isTriggerKnown(owner));
    return metadataString(trigger.object, 'deletionTimestamp') !== '';
  }

  // A trigger of a kind that is not read may exist.
  #isTriggerKnown({ triggerGroup, triggerKind }: Owner): boolean {
    return [...this.#options.watches.read('trigger')].some(
      ({ watched: { resource } }) =>
        resource.group === triggerGroup && resource.kind === triggerKind,
    );
  }

  #wantedOf(
    generator: Generator,
    trigger: Trigger | undefined,
    deleted: Trigger | undefined,
  ): readonly Wanted[] {
    const kyverno = this.#kyverno;
    if (kyverno === undefined) return [];
    const clones = (): readonly JsonObject[] => this.#sources();
    if (trigger !== undefined) return kyverno.wanted(generator, trigger, clones);
    const onDelete = deleted && kyverno.wanted(generator, deleted, clones, true);
    return [...generator.rules].map(([rule, { generatesOnDelete }]): Wanted => {
      if (!generatesOnDelete) return { rule, extent: 'none', objects: [], problem: '' };
      // The objects of a deletion have no trigger from the beginning.
      const found = onDelete?.find((one) => one.rule === rule && one.extent !== 'none');
      return found ?? { rule, ...nothingKnown };
    });
  }

  #sources(): readonly JsonObject[] {
    this.#clones ??= [...this.#options.watches.read('source')].flatMap(({ objects }) =>
      [...objects].map((object) => jsonOf(object)),
    );
    return this.#clones;
  }

  #isWantedBy(owner: Owner, object: KubernetesObject): boolean {
    const { policy, rule, triggerUid } = owner;
    const generator = this.#generators.get(policy);
    const trigger = this.#triggers.get(triggerUid);
    if (generator === undefined) return false;
    // A trigger of a kind that is not read may exist.
    if (trigger === undefined) return !this.#isTriggerKnown(owner);
    const wanted = this.#wantedOf(generator, trigger, undefined).find((one) => one.rule === rule);
    if (wanted === undefined) return false;
    const key = objectKey(object);
    return wanted.extent === 'unknown' || wanted.objects.some((each) => objectKey(each) === key);
  }

  /** Returns how many changes of background work led to a trigger. The process forgets them; the labels stay. */
  async #depthOf(trigger: Trigger): Promise<number> {
    const depth = await this.#options.writer.depthOf(trigger);
    return depth > 0 || !this.#isGenerated(trigger.object) ? depth : 1;
  }

  // Users may write the labels of generated objects, so that the policy has to want the object.
  #isGenerated(object: KubernetesObject): boolean {
    const owner = ownerOf(object, (key) => this.#generators.has(key));
    const generator = owner && this.#generators.get(owner.policy);
    const trigger = owner && this.#triggers.get(owner.triggerUid);
    if (generator === undefined || trigger === undefined) return false;
    const key = objectKey(object);
    return this.#wantedOf(generator, trigger, undefined).some(
      ({ rule, objects }) =>
        rule === owner?.rule && objects.some((each) => objectKey(each) === key),
    );
  }

  #report(work: string, problem: string): void {
    const { policy, uid } = parseWorkKey(work);
    const trigger = this.#triggers.get(uid)?.object;
    const subject = trigger === undefined ? '' : `${subjectName(trigger)}: `;
    const found =
      problem === ''
        ? undefined
        : { policy, message: subject + problem, task: 'generate' as const };
    this.#options.problems.set(work, found);
    if (found === undefined) this.#failing.delete(work);
    else this.#failing.add(work);
  }
}
