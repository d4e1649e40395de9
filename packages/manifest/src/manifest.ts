import { isPlainObject } from '@kubeadmit/base';
import type { Value } from '@kubeadmit/cel';
import { type DocumentOrigin, type InputProblem, readAgain } from './documents.ts';
import { Locator, type Path } from './locate.ts';
import type { Place, TextRange } from './source.ts';

/** A JSON object with the two fields that every Kubernetes object has. */
export interface ManifestObject {
  /** Such as `apps/v1`. */
  readonly apiVersion: string;
  /** Such as `Deployment`. */
  readonly kind: string;
  /** Not looked at yet. */
  readonly metadata?: unknown;
  /** Other fields of the object. */
  readonly [field: string]: unknown;
}

/** The fields that identify an object. */
interface ManifestHead {
  /** Such as `apps/v1`. */
  readonly apiVersion: string;
  /** Such as `Deployment`. */
  readonly kind: string;
  /** The identifying metadata. */
  readonly metadata: {
    readonly name?: string;
    readonly namespace?: string;
    readonly generateName?: string;
  };
}

/** A Kubernetes object and the place that it was read from. */
export class Manifest {
  /** The position of the document. */
  readonly origin: DocumentOrigin;
  /** The way from the document's root to the object: more than nothing for items of a list. */
  readonly path: Path;
  #object: ManifestObject | undefined;
  #head: ManifestHead | undefined;

  constructor(object: ManifestObject, origin: DocumentOrigin, path: Path) {
    this.#object = object;
    this.origin = origin;
    this.path = path;
  }

  /** The whole object. */
  get object(): ManifestObject {
    this.#object ??= objectAgain(this.origin, this.path);
    return this.#object;
  }

  /**
   * Releases the object to save memory; it is parsed again on its next use.
   *
   * INVARIANT: only for objects that stand in the source as they are, which is so for those of {@link readManifests}.
   */
  release(): void {
    this.#head ??= this.#identity();
    this.#object = undefined;
  }

  #identity(): ManifestHead {
    const { apiVersion, kind } = this.object;
    const texts = (['name', 'namespace', 'generateName'] as const).flatMap((field) => {
      const text = this.#metadata(field);
      return text === '' ? [] : [[field, text] as const];
    });
    return { apiVersion, kind, metadata: Object.fromEntries(texts) };
  }

  /** Such as `apps/v1`. */
  get apiVersion(): string {
    return this.#known.apiVersion;
  }

  /** Such as `Deployment`. */
  get kind(): string {
    return this.#known.kind;
  }

  /** Empty for the core group. */
  get group(): string {
    const slash = this.apiVersion.indexOf('/');
    return slash === -1 ? '' : this.apiVersion.slice(0, slash);
  }

  /** Such as `v1`. */
  get version(): string {
    return this.apiVersion.slice(this.apiVersion.indexOf('/') + 1);
  }

  /** Empty where it has none. */
  get name(): string {
    return this.#metadata('name');
  }

  /** The prefix of a name that the server generates; empty without one. */
  get generateName(): string {
    return this.#metadata('generateName');
  }

  /** Empty where it has none. */
  get namespace(): string {
    return this.#metadata('namespace');
  }

  /** How people call it: `Deployment shop/web`; `generateName` ends with `*`. */
  get title(): string {
    const generated = this.generateName;
    const name = this.name || (generated === '' ? '(no name)' : `${generated}*`);
    return `${this.kind} ${this.namespace === '' ? name : `${this.namespace}/${name}`}`;
  }

  /** The name of the source that it is from. */
  get file(): string {
    return this.origin.source.name;
  }

  /** The line in which it begins. */
  get line(): number {
    const { source, contentStart, itemStarts } = this.origin;
    const [list, index, ...rest] = this.path;
    // An item of a large list is parsed by itself, as a sequence of one.
    if (list === undefined || list === 0) return source.placeAt(contentStart).line;
    const start = list === 'items' && rest.length === 0 ? itemStarts[Number(index)] : undefined;
    return start === undefined ? this.place([]).line : source.placeAt(start).line;
  }

  /**
   * Returns the position of the value at a path of the object; with `within`, of a UTF-16 unit of a string value.
   *
   * The first call parses the document again; it happens for few objects.
   */
  place(path: Path, within?: number): Place {
    const { source, start, contentStart } = this.origin;
    if (this.path.length + path.length === 0 && within === undefined) {
      return source.placeAt(contentStart);
    }
    const offset = locatorOf(this.origin).offset([...this.path, ...path], within);
    return source.placeAt(start + offset);
  }

  /**
   * Returns the range of the value at a path, or of the last existing value on the path. The range of a collection
   * with several lines ends with its first line. With `within`, returns the range of a part of a string value.
   */
  range(path: Path, within?: TextRange): TextRange {
    return this.#inSource(locatorOf(this.origin).range([...this.path, ...path], within));
  }

  /** Returns the range of the key at the end of a path, or `undefined`. */
  keyRange(path: Path): TextRange | undefined {
    const range = locatorOf(this.origin).keyRange([...this.path, ...path]);
    return range && this.#inSource(range);
  }

  /** Returns a problem with the value at a path. */
  problem(path: Path, message: string): InputProblem {
    const { file } = this;
    const { source } = this.origin;
    const range = this.range(path);
    return { file, source, place: source.placeAt(range.start), range, message };
  }

  #inSource({ start, end }: TextRange): TextRange {
    return { start: this.origin.start + start, end: this.origin.start + end };
  }

  get #known(): ManifestHead | ManifestObject {
    return this.#object ?? this.#head ?? this.object;
  }

  #metadata(field: string): string {
    const { metadata } = this.#known;
    if (typeof metadata !== 'object' || metadata === null || !Object.hasOwn(metadata, field)) {
      return '';
    }
    const value = (metadata as Record<string, unknown>)[field];
    return typeof value === 'string' ? value : '';
  }
}

/** An item of a list such as `PodList`, which names the kind of its items. */
export function itemOf(list: Readonly<Record<string, Value>>, index: number): Value {
  const { apiVersion, kind, items } = list;
  const item = (items as readonly Value[])[index] ?? null;
  if (typeof kind !== 'string' || kind === 'List' || !isRecord(item)) return item;
  return { apiVersion: apiVersion ?? '', kind: kind.slice(0, -'List'.length), ...item };
}

let lastRead: { readonly origin: DocumentOrigin; readonly value: Value } | undefined;

/** The object at a path of a document; the value of the last document is kept, since lists have many objects. */
function objectAgain(origin: DocumentOrigin, path: Path): ManifestObject {
  if (path.length > 0 && lastRead?.origin !== origin) {
    lastRead = { origin, value: readAgain(origin) };
  }
  let value = path.length === 0 ? readAgain(origin) : (lastRead?.value ?? null);
  for (let at = 0; at < path.length; at++) {
    const step = path[at];
    if (step === 'items' && isRecord(value)) value = itemOf(value, Number(path[++at]));
    else value = (value as readonly Value[])[Number(step)] ?? null;
  }
  return value as unknown as ManifestObject;
}

let last: { readonly origin: DocumentOrigin; readonly locator: Locator } | undefined;

/** The tree of a document; only that of the last one is kept, because trees are large. */
function locatorOf(origin: DocumentOrigin): Locator {
  if (last?.origin !== origin) {
    const { source, start, end, index } = origin;
    last = { origin, locator: new Locator(source.text.slice(start, end), index) };
  }
  return last.locator;
}

/** Whether a value is a JSON object: no list, no null, no scalar. */
export function isRecord(value: unknown): value is Readonly<Record<string, Value>> {
  return isPlainObject(value);
}
