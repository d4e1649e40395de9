import { isObject, type KubernetesObject } from '@kubeadmit/apimachinery';
import { parseJson } from '@kubeadmit/cel';
import { withRevision } from '../objects/metadata.ts';
import type { StoredEntry } from './store.ts';
import { withStoredDefaults } from './stored-defaults.ts';

/** As many as a list of everything in a large cluster asks for; their texts lie in memory anyway. */
const capacity = 200_000;

/**
 * The objects of stored entries, parsed once.
 *
 * INVARIANT: objects of this cache are never modified.
 */
export class ObjectCache {
  readonly #objects: Map<string, { revision: number; object: KubernetesObject }> = new Map();
  /** Objects on their way to the store, by key. */
  readonly #expected: Map<string, Expected> = new Map();

  /**
   * Registers an object that is about to be stored as text, so that it need not be parsed; returns a function to call
   * when it is stored or has failed.
   */
  expect(key: string, value: string, object: KubernetesObject): () => void {
    if (value.includes('\\ufffd') || !isAsParsed(object)) return () => {};
    const expected = { value, object };
    this.#expected.set(key, expected);
    return () => {
      if (this.#expected.get(key) === expected) this.#expected.delete(key);
    };
  }

  /** The object of an entry, with the entry's revision as its resource version. */
  objectOf({ key, value, revision }: StoredEntry): KubernetesObject {
    const known = this.#objects.get(key);
    if (known?.revision === revision) return known.object;
    const expected = this.#expected.get(key);
    const parsed = expected?.value === value ? expected.object : parseEntry(value);
    const object = withStoredDefaults(withRevision(parsed, revision));
    if (known === undefined || known.revision < revision) this.#keep(key, revision, object);
    return object;
  }

  #keep(key: string, revision: number, object: KubernetesObject): void {
    this.#objects.delete(key);
    this.#objects.set(key, { revision, object });
    if (this.#objects.size <= capacity) return;
    const [oldest] = this.#objects.keys();
    if (oldest !== undefined) this.#objects.delete(oldest);
  }
}

interface Expected {
  readonly value: string;
  readonly object: KubernetesObject;
}

function parseEntry(value: string): KubernetesObject {
  return parseJson(value, { wholeDoubles: true }) as KubernetesObject;
}

/** Whether a value survives a round trip through JSON: no `undefined`, and no number that changes. */
function isAsParsed(value: unknown): boolean {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return true;
    case 'number':
      return Number.isInteger(value)
        ? Number.isSafeInteger(value) && !Object.is(value, -0)
        : Number.isFinite(value);
    case 'object':
      if (value === null) return true;
      if (Array.isArray(value)) return value.every(isAsParsed);
      if (!isObject(value)) return false;
      for (const key of Object.keys(value)) if (!isAsParsed(value[key])) return false;
      return true;
    default:
      return false;
  }
}
