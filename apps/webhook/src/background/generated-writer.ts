import { type JsonObject, type KubernetesObject, metadataString } from '@kubeadmit/apimachinery';
import type { Chain } from '@kubeadmit/chain';
import type { Generator, GeneratorRule } from '@kubeadmit/chain/kyverno-background';
import type { Discovery } from '../cluster/discovery.ts';
import { desiredObject, isAsDesired } from './desired-object.ts';
import { type GeneratedIndex, type GeneratedObject, objectKey } from './generated-index.ts';
import { type Located, type ObjectWriter, type Reason, withMetadata } from './object-writer.ts';
import { deletedWithPolicyLabel, type Owner, ownerOf, workKey } from './owner.ts';
import { isInExcludedNamespace, subjectName } from './triggers.ts';

/** The objects that a rule wants. */
export type Wanted = ReturnType<NonNullable<Chain['kyverno']>['background']['wanted']>[number];

/** The dependencies of a writer of generated objects. */
export interface GeneratedWriterOptions {
  readonly writer: ObjectWriter;
  readonly discovery: Discovery;
  readonly generated: GeneratedIndex;
  readonly excludedNamespaces: ReadonlySet<string>;
  readonly hasPolicy: (key: string) => boolean;
  /** Whether another policy or trigger wants an object that is labelled as its own. */
  readonly isWantedBy: (owner: Owner, object: KubernetesObject) => boolean;
  /** Whether objects can be created in a namespace, which is not the case while it is deleted. */
  readonly isOpen: (namespace: string) => boolean;
  /** Called with the path of each resource that is generated. */
  readonly generates: (path: string) => void;
}

/** The wants of a policy because of a trigger. */
export interface WantedWork {
  readonly generator: Generator;
  /** The key of the policy and trigger. */
  readonly work: string;
  readonly wanted: readonly Wanted[];
  /** How many changes of background work led to the trigger. */
  readonly depth: number;
  /** Whether the trigger differs from the one that the objects were written for. */
  readonly isTriggerChanged: boolean;
}

/** Makes the objects of a cluster those that a policy wants. */
export class GeneratedWriter {
  readonly #options: GeneratedWriterOptions;
  /** The version of each object that was replaced, with the wanted object. */
  readonly #settled: Map<string, string> = new Map();

  constructor(options: GeneratedWriterOptions) {
    this.#options = options;
  }

  /**
   * Creates and replaces the wanted objects, and deletes the obsolete ones; returns the problems.
   *
   * @throws ApiError if the server rejects a change
   */
  async apply(given: WantedWork): Promise<readonly string[]> {
    const { generator, work, wanted } = given;
    const problems: string[] = [];
    const kept = new Set<string>();
    for (const { rule, objects, problem } of wanted) {
      if (problem !== '') problems.push(problem);
      for (const object of objects) {
        const written = await this.#write(given, rule, object);
        if ('problem' in written) problems.push(written.problem);
        else kept.add(written.key);
      }
    }
    const obsolete = this.#options.generated
      .of(work)
      .filter((one) => !kept.has(one.key) && isObsolete(generator, one, wanted));
    await this.removeOf(generator.key, obsolete);
    return problems;
  }

  /** Deletes objects of a policy, except those in excluded namespaces. */
  async removeOf(policy: string, objects: readonly GeneratedObject[]): Promise<void> {
    const { writer, excludedNamespaces } = this.#options;
    for (const one of objects) {
      if (isInExcludedNamespace(one, excludedNamespaces)) continue;
      await writer.delete(one, reasonOf(policy));
    }
  }

  /** Forgets an object that was deleted. */
  forget(key: string): void {
    this.#settled.delete(key);
  }

  async #write(
    { generator, work, depth, isTriggerChanged }: WantedWork,
    rule: string,
    wanted: JsonObject,
  ): Promise<{ readonly key: string } | { readonly problem: string }> {
    const { discovery, writer, generated, isOpen, generates } = this.#options;
    const settings = generator.rules.get(rule);
    const { apiVersion, kind } = wanted;
    const resource = await discovery.find(String(apiVersion), String(kind));
    if (settings === undefined || resource === undefined) {
      return { problem: `the cluster does not serve ${apiVersion} ${kind}` };
    }
    const object = desiredObject(wanted, resource, settings);
    const key = objectKey(object);
    const place = metadataString(object, 'namespace');
    // The content of an object may name another kind than the rule.
    if (generator.namespace !== '' && place !== generator.namespace) {
      return { problem: `a policy of the namespace ${generator.namespace} cannot generate ${key}` };
    }
    generates(resource.path);
    if (isInExcludedNamespace({ object, resource }, this.#options.excludedNamespaces)) {
      return { problem: `${subjectName(object)} is in an excluded namespace` };
    }
    if (!isOpen(metadataString(object, 'namespace'))) return { key };
    const reason = { ...reasonOf(generator.key), depth };
    const located = { resource, object };
    const known = generated.get(key)?.object;
    if (known === undefined && (await this.#create(located, settings, reason))) return { key };
    const follows = settings.isSynchronized || (settings.followsTrigger && isTriggerChanged);
    if (!follows) return { key };
    const stored = known ?? (await writer.read(located));
    if (stored === undefined) throw new Error(`${key} was deleted meanwhile`);
    const owner = ownerOf(stored, this.#options.hasPolicy);
    // A GeneratingPolicy leaves objects alone that no policy generated.
    if (owner === undefined && rule === '') return { key };
    if (owner !== undefined && this.#isOfOther(owner, stored, work)) {
      // Two owners would replace each other's object for ever.
      return { problem: `${key} is generated by ${owner.policy} for another trigger` };
    }
    await this.#replace(stored, located, settings, reason);
    return { key };
  }

  /** Creates an object; returns whether no object with its name existed. */
  async #create(located: Located, rule: GeneratorRule, reason: Reason): Promise<boolean> {
    const { writer } = this.#options;
    if (!rule.appliesServerSide) return (await writer.create(located, reason)) !== undefined;
    // Server-side apply would take over an object of others.
    if ((await writer.read(located)) !== undefined) return false;
    await writer.apply(located, reason);
    return true;
  }

  #isOfOther(owner: Owner, stored: KubernetesObject, work: string): boolean {
    const isOwn = workKey(owner.policy, owner.triggerUid) === work;
    return !isOwn && this.#options.isWantedBy(owner, stored);
  }

  async #replace(
    stored: KubernetesObject,
    { resource, object }: Located,
    { appliesServerSide }: GeneratorRule,
    reason: Reason,
  ): Promise<void> {
    const { writer } = this.#options;
    const key = objectKey(object);
    const settled = (version: string): string => JSON.stringify([version, object]);
    const resourceVersion = metadataString(stored, 'resourceVersion');
    if (this.#settled.get(key) === settled(resourceVersion)) return;
    if (isAsDesired(stored, object)) return;
    const replacement = withMetadata(object as JsonObject, { resourceVersion });
    const located = { resource, object: replacement };
    const written = await (appliesServerSide
      ? writer.apply(located, reason)
      : writer.update(located, reason));
    // The server may add fields, so that the object never equals the wanted one.
    this.#settled.set(key, settled(metadataString(written, 'resourceVersion')));
  }
}

/** Whether an object is deleted together with its policy or rule. */
export function isDeletedWithPolicy({ object }: GeneratedObject): boolean {
  const { labels } = (object['metadata'] ?? {}) as { readonly labels?: Record<string, string> };
  return labels?.[deletedWithPolicyLabel] === 'true';
}

function isObsolete(
  { rules }: Generator,
  generated: GeneratedObject,
  wanted: readonly Wanted[],
): boolean {
  const { rule: name } = generated.owner;
  const rule = rules.get(name);
  if (rule === undefined) return isDeletedWithPolicy(generated);
  const extent = wanted.find((one) => one.rule === name)?.extent ?? 'unknown';
  return rule.isSynchronized && extent !== 'unknown';
}

function reasonOf(policy: string): Reason {
  return { task: 'generate', policy };
}
