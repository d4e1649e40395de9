import { type KubernetesObject, metadataString } from '@kubeadmit/apimachinery';

const remembered = 10_000;

/** The versions of objects that background work wrote, and how many changes led to each of them. */
export class OwnWrites {
  readonly #depths: Map<string, number> = new Map();
  readonly #pending: Map<string, Promise<unknown>> = new Map();

  /** Does a write of an object at a path; `depth` is the number of changes that led to it. */
  async during<Written extends KubernetesObject>(
    path: string,
    depth: number,
    write: () => Promise<Written>,
  ): Promise<Written> {
    const writing = write().then((written) => {
      this.#depths.set(versionKey(written), depth);
      const [oldest] = this.#depths.keys();
      if (this.#depths.size > remembered && oldest !== undefined) this.#depths.delete(oldest);
      return written;
    });
    this.#pending.set(path, writing);
    try {
      return await writing;
    } finally {
      if (this.#pending.get(path) === writing) this.#pending.delete(path);
    }
  }

  /** Returns how many changes of background work led to a version of an object; zero for a change by others. */
  async depthOf(path: string, object: KubernetesObject): Promise<number> {
    // A watch may report a version before the answer to its write arrives.
    await this.#pending.get(path)?.catch(() => undefined);
    return this.#depths.get(versionKey(object)) ?? 0;
  }
}

function versionKey(object: KubernetesObject): string {
  return `${metadataString(object, 'uid')} ${metadataString(object, 'resourceVersion')}`;
}
