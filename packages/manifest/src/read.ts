import { requireOptions } from '@kubeadmit/base';
import type { Value } from '@kubeadmit/cel';
import {
  type DocumentOrigin,
  type InputProblem,
  problemAt,
  type ReadOptions,
  readDocuments,
} from './documents.ts';
import type { Path } from './locate.ts';
import { isRecord, itemOf, Manifest, type ManifestObject } from './manifest.ts';
import type { Source } from './source.ts';

/** The objects of a source, and its problems. */
export interface ReadManifests {
  readonly manifests: readonly Manifest[];
  readonly problems: readonly InputProblem[];
}

/**
 * Reads the Kubernetes objects of a source; lists (`kind: List`, `PodList`) are replaced by their items.
 *
 * Every document that is not a Kubernetes object is reported as a problem: nothing is skipped.
 */
export function readManifests(source: Source, options: ReadOptions = {}): ReadManifests {
  requireOptions('readManifests', options, { allowsDuplicates: 'boolean' });
  const { documents, problems } = readDocuments(source, options);
  const collector = new Collector(problems);
  for (const { value, origin, path } of documents) collector.add(value, origin, path);
  return collector;
}

class Collector implements ReadManifests {
  readonly manifests: Manifest[] = [];
  readonly problems: InputProblem[];

  constructor(problems: readonly InputProblem[]) {
    this.problems = [...problems];
  }

  add(value: Value, origin: DocumentOrigin, path: Path): void {
    if (!isRecord(value)) {
      const message = `expected a Kubernetes object, found ${describe(value)}`;
      this.#reject(origin, path, message, true);
      return;
    }
    const { apiVersion, kind, items, metadata, spec } = value;
    if (typeof kind !== 'string' || kind === '') {
      const isForeign = kind === undefined && (!apiVersion || (!metadata && !spec));
      this.#reject(origin, path, 'not a Kubernetes object: `kind` is missing', isForeign);
    } else if (typeof apiVersion !== 'string' || apiVersion === '') {
      this.#reject(
        origin,
        path,
        `not a Kubernetes object: \`apiVersion\` of this ${kind} is missing`,
      );
    } else if (kind === 'List' && !Array.isArray(items)) {
      // Go writes `null` for a list of nothing.
      if (items !== null)
        this.#reject(origin, path, 'the `items` of this List are not a list of objects');
    } else if (kind.endsWith('List') && Array.isArray(items)) {
      for (const index of items.keys()) {
        this.add(itemOf(value, index), origin, [...path, 'items', index]);
      }
    } else if (Array.isArray(items)) {
      // apimachinery `Unstructured.IsList`: kubectl applies the items, whatever the kind is.
      const message = `Kubernetes clients read this ${kind} as a list, because \`items\` is a list; rename the field, or use the kind \`List\` for a list of objects`;
      this.#reject(origin, path, message);
    } else {
      this.manifests.push(new Manifest(value as unknown as ManifestObject, origin, path));
    }
  }

  #reject(origin: DocumentOrigin, path: Path, message: string, isForeign = false): void {
    const inList = path.length > 0 ? ` (${pathText(path)})` : '';
    const text = message + inList;
    const problem = { ...problemAt(origin.source, origin.contentStart, text), isNoObject: true };
    this.problems.push(isForeign && path.length === 0 ? { ...problem, isForeign } : problem);
  }
}

function pathText(path: Path): string {
  const steps = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`));
  return steps.join('').slice(1);
}

function describe(value: Value): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'string') return 'a string';
  return typeof value === 'boolean' ? 'a boolean' : 'a number';
}
