import type { KubernetesObject } from '@kubeadmit/apimachinery';
import { getOrMake } from '@kubeadmit/base';
import type { Schemas } from '@kubeadmit/schemas';
import {
  type ReadDefinition,
  readDefinition,
  withReadDefinitions,
} from '@kubeadmit/schemas/definitions';
import { groupOfDefinition, isEstablished } from '../definitions/conditions.ts';

const none: ReadonlyMap<string, KubernetesObject> = new Map();

/**
 * The CustomResourceDefinitions of a cluster, each read once. The table of all kinds' names is built on demand
 * after a change.
 */
export class KnownDefinitions {
  readonly #builtIn: Schemas;
  readonly #byGroup: Map<string, Map<string, KubernetesObject>> = new Map();
  /** Those that are served, by their keys. */
  readonly #served: Map<string, ReadDefinition> = new Map();
  #schemas: Schemas;
  #isStale = false;

  /** @param builtIn what is known about built-in kinds */
  constructor(builtIn: Schemas) {
    this.#builtIn = builtIn;
    this.#schemas = builtIn;
  }

  /** All kinds that are served, the built-in ones too; the same object until a definition changes. */
  get schemas(): Schemas {
    if (this.#isStale) {
      this.#isStale = false;
      this.#schemas = withReadDefinitions(this.#builtIn, [...this.#served.values()]);
    }
    return this.#schemas;
  }

  /** The definitions of a group by their keys, those that are not served too. */
  of(group: string): ReadonlyMap<string, KubernetesObject> {
    return this.#byGroup.get(group) ?? none;
  }

  /** Takes in a change of the definition with a key; `undefined` on either side stands for none. */
  change(
    key: string,
    before: KubernetesObject | undefined,
    after: KubernetesObject | undefined,
  ): void {
    const group = groupOfDefinition(after ?? before);
    const own = getOrMake(this.#byGroup, group, () => new Map<string, KubernetesObject>());
    if (after === undefined) own.delete(key);
    else own.set(key, after);
    if (own.size === 0) this.#byGroup.delete(group);
    const wasServed = this.#served.has(key);
    const isServed = after !== undefined && isEstablished(after);
    if (isServed) this.#served.set(key, readDefinition(after));
    else this.#served.delete(key);
    if (wasServed || isServed) this.#isStale = true;
  }
}
