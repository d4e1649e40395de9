import { type JsonObject, type KubernetesObject, metadataString } from '@kubeadmit/apimachinery';
import { errorText, getOrMake } from '@kubeadmit/base';
import { parseJson } from '@kubeadmit/cel';
import type { Chain } from '@kubeadmit/chain';
import type { Mutator } from '@kubeadmit/chain/kyverno-background';
import { deepEqual, stringifyJson } from '@kubeadmit/go';
import type { TargetOutcome } from '@kubeadmit/kyverno/background';
import type { Json } from '@kubeadmit/mutator';
import type { ApiClient } from '../cluster/api-client.ts';
import { ApiError } from '../cluster/api-error.ts';
import type { Discovery } from '../cluster/discovery.ts';
import { changeSince, MutationTriggers, type ObservedChange } from './mutation-triggers.ts';
import { type ObjectWriter, withMetadata } from './object-writer.ts';
import { parseWorkKey, workKey } from './owner.ts';
import type { Problems } from './problems.ts';
import { TargetReader } from './target-reader.ts';
import { isInExcludedNamespace, mayTrigger, subjectName } from './triggers.ts';
import type { Watched, WatchedChange } from './watches.ts';
import { WorkQueue } from './work-queue.ts';

const workers = 4;
const attempts = 5;
const longestChain = 10;
const conflict = 409;
const notFound = 404;

type Kyverno = NonNullable<Chain['kyverno']>['background'];

/** The dependencies of the controller. */
export interface MutationOptions {
  readonly client: Pick<ApiClient, 'find' | 'pages'>;
  readonly writer: ObjectWriter;
  readonly discovery: Discovery;
  readonly problems: Problems;
  readonly excludedNamespaces: ReadonlySet<string>;
  /** The time in RFC 3339 since which changes of triggers may have been missed. */
  readonly since: string;
}

interface Work {
  /** Changes of the trigger in their order; undefined for a change of a policy that needs no trigger. */
  readonly changes: (ObservedChange | undefined)[];
  /** Of the first change. */
  attempts: number;
  /** When the oldest change was seen, in milliseconds since 1970. */
  readonly time: number;
}

/**
 * Mutates existing objects when a trigger or the policy changes, as the rules with `mutate.targets` and the
 * MutatingPolicies with `mutateExisting` say.
 *
 * A mutation answers a change and does not keep a state: an object that users change afterwards is not mutated again
 * until the next change, as in Kyverno.
 */
export class MutationController {
  readonly #options: MutationOptions;
  readonly #queue: WorkQueue;
  readonly #triggers: MutationTriggers = new MutationTriggers();
  readonly #work: Map<string, Work> = new Map();
  #kyverno: Kyverno | undefined;
  #mutators: ReadonlyMap<string, Mutator> = new Map();

  constructor(options: MutationOptions) {
    this.#options = options;
    this.#queue = new WorkQueue({
      workers,
      work: (key) => this.#mutate(key),
      failed: (key, error) => {
        if (!isConflict(error)) this.#report(key, errorText(error));
      },
    });
  }

  /** The number of changes that wait for their turn. */
  get length(): number {
    return this.#queue.length;
  }

  /** The time before which every change was handled, in milliseconds since 1970. */
  get doneUntil(): number {
    let oldest = Date.now();
    // A call with as many arguments as a large cluster has changes would overflow the stack.
    for (const { time } of this.#work.values()) oldest = Math.min(oldest, time);
    return oldest;
  }

  /** Uses other policies. Those that changed mutate the objects of their triggers if they say so. */
  use(kyverno: Kyverno | undefined): void {
    const before = this.#mutators;
    this.#kyverno = kyverno;
    this.#mutators = new Map((kyverno?.mutators ?? []).map((each) => [each.key, each]));
    const { resources } = this.#options.discovery;
    const mutators = [...this.#mutators.values()];
    this.#triggers.retain(
      (resource) =>
        resources.some(({ path }) => path === resource.path) &&
        mutators.some((each) => mayTrigger(each, resource)),
    );
    for (const key of before.keys()) if (!this.#mutators.has(key)) this.#forget(key);
    for (const mutator of mutators) {
      const known = before.get(mutator.key);
      if (known === undefined || specOf(known) !== specOf(mutator)) this.#changedPolicy(mutator);
    }
  }

  /** The collections of triggers. */
  collections(): readonly Watched[] {
    return this.#options.discovery.resources
      .filter(
        (resource) =>
          resource.verbs.has('list') &&
          resource.verbs.has('watch') &&
          [...this.#mutators.values()].some((each) => mayTrigger(each, resource)),
      )
      .map((resource) => ({
        role: 'mutation-trigger',
        resource,
        namespace: '',
        labelSelector: '',
      }));
  }

  /** Mutates the objects of all triggers of the policies that act without a change of a trigger. */
  addAll(): void {
    for (const mutator of this.#mutators.values()) this.#addPolicyUpdate(mutator);
  }

  /** Takes over a change in the cluster. */
  changed(object: KubernetesObject, change: WatchedChange): void {
    const { role, resource } = change.watched;
    if (role !== 'mutation-trigger') return;
    if (isInExcludedNamespace({ object, resource }, this.#options.excludedNamespaces)) return;
    const observed = this.#triggers.change(object, change);
    for (const mutator of this.#mutators.values()) {
      if (!mayTrigger(mutator, resource)) continue;
      if (observed !== undefined) this.#add(mutator, observed);
      else if (change.isFirst) this.#addFirst(mutator, { object, resource });
    }
  }

  async stop(): Promise<void> {
    await this.#queue.stop();
  }

  #changedPolicy(mutator: Mutator): void {
    const { key, invisibleTriggers } = mutator;
    const kinds = [...new Set(invisibleTriggers)].join(', ');
    const message = `requests for ${kinds} trigger no mutation: background work watches objects, not requests`;
    const found = kinds === '' ? undefined : { policy: key, message, task: 'mutate' as const };
    this.#options.problems.set(`mutate ${key} triggers`, found);
    this.#addPolicyUpdate(mutator);
    for (const trigger of this.#triggers.of(mutator)) {
      const change = changeSince(trigger, mutator.policy.object, this.#options.since);
      if (change !== undefined) this.#add(mutator, change);
    }
  }

  // A trigger may have been created between its policy and the beginning of the watch.
  #addFirst(mutator: Mutator, trigger: Pick<ObservedChange, 'object' | 'resource'>): void {
    if (actsOnUpdate(mutator) && !mutator.actsWithoutTrigger) {
      this.#add(mutator, { ...trigger, operation: '' });
    }
    const change = changeSince(trigger, mutator.policy.object, this.#options.since);
    if (change !== undefined) this.#add(mutator, change);
  }

  #addPolicyUpdate(mutator: Mutator): void {
    if (mutator.actsWithoutTrigger) this.#addWork(workKey(mutator.key, ''), undefined);
    else if (actsOnUpdate(mutator)) {
      for (const { object, resource } of this.#triggers.of(mutator)) {
        this.#add(mutator, { object, resource, operation: '' });
      }
    }
  }

  #add(mutator: Mutator, change: ObservedChange): void {
    const key = workKey(mutator.key, metadataString(change.object, 'uid'));
    this.#addWork(key, change);
  }

  #addWork(key: string, change: ObservedChange | undefined): void {
    const work = getOrMake(this.#work, key, () => ({ changes: [], attempts: 0, time: Date.now() }));
    work.changes.push(change);
    this.#queue.add(key);
  }

  #forget(policy: string): void {
    this.#options.problems.set(`mutate ${policy} triggers`, undefined);
    for (const key of this.#work.keys()) {
      if (parseWorkKey(key).policy !== policy) continue;
      this.#work.delete(key);
      this.#report(key, '');
    }
  }

  async #mutate(key: string): Promise<void> {
    const work = this.#work.get(key);
    if (work === undefined) return;
    let problems: readonly string[] = [];
    while (work.changes.length > 0) {
      const mutator = this.#mutators.get(parseWorkKey(key).policy);
      if (mutator === undefined) return;
      const [change] = work.changes;
      problems = await this.#problemsOf(mutator, change);
      // The policy may have been deleted meanwhile, and created again.
      if (this.#work.get(key) !== work) return;
      work.attempts++;
      // A later change takes the place of a failed one.
      const isRepeated = work.changes.length === 1 && work.attempts < attempts;
      if (problems.length > 0 && isRepeated) throw new Error(problems.join('; '));
      work.changes.shift();
      work.attempts = 0;
    }
    this.#work.delete(key);
    this.#report(key, problems.join('; '));
  }

  async #problemsOf(
    mutator: Mutator,
    change: ObservedChange | undefined,
  ): Promise<readonly string[]> {
    try {
      return change === undefined
        ? await this.#mutateAll(mutator)
        : await this.#mutateBecause(mutator, change);
    } catch (error) {
      if (isConflict(error)) throw error;
      return [errorText(error)];
    }
  }

  async #mutateAll(mutator: Mutator): Promise<readonly string[]> {
    const kyverno = this.#kyverno;
    if (kyverno === undefined) return [];
    const reader = new TargetReader(this.#options);
    const outcomes = await reader.during((find) => kyverno.mutateAllExisting(mutator, find));
    return this.#write(outcomes, { mutator, reader, depth: 0, trigger: undefined });
  }

  async #mutateBecause(mutator: Mutator, change: ObservedChange): Promise<readonly string[]> {
    const kyverno = this.#kyverno;
    if (kyverno === undefined) return [];
    const depth = change.operation === '' ? 0 : await this.#options.writer.depthOf(change);
    const trigger = subjectName(change.object);
    const asked = { ...change, isOfBackground: depth > 0 };
    const problems: string[] = [];
    for (const rule of mutator.rules.keys()) {
      // Each rule sees the objects as the former one left them.
      const reader = new TargetReader(this.#options);
      const outcomes = await reader.during((find) =>
        kyverno.mutateExisting({ mutator, rule }, asked, find),
      );
      problems.push(...(await this.#write(outcomes, { mutator, reader, depth, trigger })));
      if (mutator.appliesOneRule && outcomes.length > 0) break;
    }
    return problems;
  }

  async #write(
    outcomes: readonly TargetOutcome[],
    place: WritingPlace,
  ): Promise<readonly string[]> {
    const problems: string[] = [];
    for (const outcome of outcomes) {
      const problem = await this.#writeOne(outcome, place);
      if (problem === '') continue;
      problems.push(place.trigger === undefined ? problem : `${place.trigger}: ${problem}`);
    }
    return problems;
  }

  async #writeOne(
    { status, message, before, target }: TargetOutcome,
    { mutator, reader, depth }: WritingPlace,
  ): Promise<string> {
    const located = before && reader.locate(before);
    const subject = located === undefined ? '' : `${subjectName(located.object)}: `;
    if (status === 'error' || status === 'fail') return subject + message;
    if (located === undefined || target === undefined) return '';
    if (isInExcludedNamespace(located, this.#options.excludedNamespaces)) return '';
    if (hasLargeInteger(located.object)) {
      return `${subject}objects with integers beyond 2^53 are not mutated`;
    }
    if (identityOf(target) !== identityOf(located.object)) {
      // The author of a policy of a namespace could write any object of the cluster.
      return `${subject}not mutated, because the patch changes the identity of the object`;
    }
    const object = ofVersion(target, located.object);
    if (deepEqual(object as Json, located.object as Json)) return '';
    if (depth >= longestChain) {
      return `${subject}not mutated: this object results from ${depth} background changes in a row, and the limit prevents loops`;
    }
    try {
      const reason = { task: 'mutate', policy: mutator.key, depth } as const;
      await this.#options.writer.update({ ...located, object }, reason);
      return '';
    } catch (error) {
      // An object that changed meanwhile is read again.
      if (isConflict(error)) throw error;
      const isGone = error instanceof ApiError && error.code === notFound;
      return isGone ? '' : subject + errorText(error);
    }
  }

  #report(key: string, problem: string): void {
    const { policy } = parseWorkKey(key);
    const found =
      problem === '' ? undefined : { policy, message: problem, task: 'mutate' as const };
    this.#options.problems.set(`mutate ${key}`, found);
  }
}

function identityOf(object: KubernetesObject): string {
  const { apiVersion, kind } = object;
  const [namespace, name] = ['namespace', 'name'].map((field) => metadataString(object, field));
  return JSON.stringify([apiVersion, kind, namespace, name]);
}

/** Returns a mutated object as a replacement of the version that was read, whatever the patch did to the version. */
function ofVersion(target: KubernetesObject, read: KubernetesObject): KubernetesObject {
  const { uid, resourceVersion } = read['metadata'] as JsonObject;
  return parseJson(
    stringifyJson(withMetadata(target as JsonObject, { uid, resourceVersion })),
  ) as KubernetesObject;
}

interface WritingPlace {
  readonly mutator: Mutator;
  readonly reader: TargetReader;
  readonly depth: number;
  /** The name of the trigger. */
  readonly trigger: string | undefined;
}

function isConflict(error: unknown): boolean {
  return error instanceof ApiError && error.code === conflict;
}

function actsOnUpdate({ rules }: Mutator): boolean {
  return [...rules.values()].some((rule) => rule.actsOnPolicyUpdate);
}

function specOf({ policy }: Mutator): string {
  return stringifyJson(policy.object['spec'] as JsonObject);
}

// The mutated object has other numbers than the stored one.
function hasLargeInteger(value: unknown): boolean {
  if (typeof value === 'bigint') return true;
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some(hasLargeInteger);
}
