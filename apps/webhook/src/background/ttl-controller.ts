import {
  type KubernetesObject,
  labelsOf,
  member,
  memberText,
  metadataString,
} from '@kubeadmit/apimachinery';
import { errorText } from '@kubeadmit/base';
import { expiryOf } from '@kubeadmit/chain/kyverno-background';
import { timeToLiveLabel } from '@kubeadmit/chain/unstable-internal';
import type { Discovery } from '../cluster/discovery.ts';
import { isExempt } from '../review/exempt.ts';
import type { Located, ObjectWriter } from './object-writer.ts';
import type { Problems } from './problems.ts';
import { isInExcludedNamespace, subjectName } from './triggers.ts';
import type { Watched, WatchedChange } from './watches.ts';
import { WorkQueue } from './work-queue.ts';

const workers = 4;
const propagationAnnotation = 'cleanup.kyverno.io/propagation-policy';
const propagations: ReadonlySet<string> = new Set(['Foreground', 'Background', 'Orphan']);

/** The dependencies of the controller. */
export interface TtlOptions {
  readonly writer: ObjectWriter;
  readonly discovery: Discovery;
  readonly problems: Problems;
  readonly excludedNamespaces: ReadonlySet<string>;
}

/** Deletes objects at the time that their label `cleanup.kyverno.io/ttl` says. */
export class TtlController {
  readonly #options: TtlOptions;
  readonly #queue: WorkQueue;
  readonly #objects: Map<string, Located> = new Map();

  constructor(options: TtlOptions) {
    this.#options = options;
    this.#queue = new WorkQueue({
      workers,
      work: (key) => this.#deleteIfDue(key),
      failed: (key, error) => this.#report(key, errorText(error)),
    });
  }

  /** The number of objects that are due. */
  get length(): number {
    return this.#queue.length;
  }

  /** The collections whose objects may have the label. */
  collections(listable: ReadonlySet<string>): readonly Watched[] {
    return this.#options.discovery.resources
      .filter(
        (resource) =>
          listable.has(resource.path) &&
          resource.verbs.has('watch') &&
          !isExempt({ resource, namespace: '' }, new Set()),
      )
      .map((resource) => ({
        role: 'expiring',
        resource,
        namespace: '',
        labelSelector: timeToLiveLabel,
      }));
  }

  /** Forgets the objects of resources that are not watched any more. */
  retain(watched: readonly Watched[]): void {
    const paths = new Set(watched.map(({ resource }) => resource.path));
    for (const [key, { resource }] of this.#objects) {
      if (paths.has(resource.path)) continue;
      this.#objects.delete(key);
      this.#queue.add(key);
    }
  }

  /** Takes over a change in the cluster. */
  changed(object: KubernetesObject, { isDeleted, watched }: WatchedChange): void {
    const { role, resource } = watched;
    if (role !== 'expiring') return;
    if (isInExcludedNamespace({ object, resource }, this.#options.excludedNamespaces)) return;
    const namespace = metadataString(object, 'namespace');
    const key = `${resource.path} ${namespace}/${metadataString(object, 'name')}`;
    if (isDeleted) this.#objects.delete(key);
    else this.#objects.set(key, { object, resource });
    this.#queue.add(key);
  }

  async stop(): Promise<void> {
    await this.#queue.stop();
  }

  async #deleteIfDue(key: string): Promise<void> {
    const located = this.#objects.get(key);
    if (located === undefined || metadataString(located.object, 'deletionTimestamp') !== '') {
      this.#report(key, '');
      return;
    }
    const { object } = located;
    const due = expiryOf(object);
    if (due === undefined) {
      const value = labelsOf(object)[timeToLiveLabel] ?? '';
      this.#report(key, `the label ${timeToLiveLabel} has the invalid value "${value}"`);
      return;
    }
    const wait = due - Date.now();
    if (wait > 0) this.#queue.addAfter(key, wait);
    else {
      const reason = { task: 'ttl', policy: '' } as const;
      await this.#options.writer.delete(located, reason, propagationOf(object));
    }
    this.#report(key, '');
  }

  #report(key: string, problem: string): void {
    const object = this.#objects.get(key)?.object;
    const subject = object === undefined ? '' : `${subjectName(object)}: `;
    const found = problem === '' ? undefined : { policy: 'ttl', message: subject + problem };
    this.#options.problems.set(`ttl ${key}`, found);
  }
}

function propagationOf(object: KubernetesObject): string | undefined {
  const annotations = member(member(object, 'metadata'), 'annotations');
  const propagation = memberText(annotations, propagationAnnotation);
  return propagations.has(propagation) ? propagation : undefined;
}
