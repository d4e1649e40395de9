import { formatGroupVersion, isObject, type JsonObject } from '@kubeadmit/apimachinery';
import { getOrMake } from '@kubeadmit/base';
import type { Resource, Schemas } from '@kubeadmit/schemas';
import type { Shape } from '@kubeadmit/schemas/types';
import { isOpen, memberShape, shapeOf } from './custom-shape.ts';
import { elements, type NotedPlace, type Place, type Places } from './places.ts';
import { requiredFields } from './plausible.ts';
import type { Random } from './random.ts';

/** Makes objects of kinds by chance, steered by the places and values that matter to policies. */
export class Grower {
  readonly #schemas: Schemas;
  readonly #random: Random;
  readonly #places: readonly NotedPlace[];
  readonly #byKind: Map<string, readonly NotedPlace[]> = new Map();
  readonly #holders: Map<string, boolean> = new Map();

  constructor(schemas: Schemas, random: Random, places: Places) {
    this.#schemas = schemas;
    this.#random = random;
    this.#places = places.list();
  }

  /** An object with a few places changed. */
  change(resource: Resource, base: JsonObject): JsonObject {
    const object = structuredClone(base);
    const places = this.#placesOf(resource);
    const root = this.#rootOf(resource);
    const count = 1 + Math.floor(this.#random.next() * 3);
    for (let made = 0; made < count; made++) {
      const noted = this.#random.pick(places);
      if (noted !== undefined) this.#set(object, root, noted.place, noted.values);
    }
    return object;
  }

  #rootOf(resource: Resource): Shape | undefined {
    return shapeOf(this.#schemas, resource);
  }

  // The places that the kind has.
  #placesOf(resource: Resource): readonly NotedPlace[] {
    const key = `${resource.group}/${resource.version}/${resource.kind}`;
    return getOrMake(this.#byKind, key, () => {
      const root = this.#rootOf(resource);
      return this.#places.filter(({ place }) => root === undefined || this.#isKnown(root, place));
    });
  }

  /** An object of a kind, begun from another one where there is one. */
  grow(resource: Resource, base: JsonObject | undefined): JsonObject {
    const random = this.#random;
    const object = base === undefined ? this.#skeleton(resource) : structuredClone(base);
    const root = this.#rootOf(resource);
    const density = random.pick([0.15, 0.4, 0.8]) ?? 0.4;
    for (const { place, values } of this.#placesOf(resource)) {
      if (random.chance(density)) this.#set(object, root, place, values);
    }
    return object;
  }

  #skeleton({ group, version, kind, namespaced }: Resource): JsonObject {
    const metadata = { name: 'grown', ...(namespaced ? { namespace: 'default' } : {}) };
    const object: Record<string, unknown> = {
      apiVersion: formatGroupVersion({ group, version }),
      kind,
      metadata,
    };
    const pod = { containers: [{ name: 'main', image: 'registry.local/app:1' }] };
    const template = { metadata: { labels: { app: 'grown' } }, spec: pod };
    switch (kind) {
      case 'Pod':
        object['spec'] = pod;
        break;
      case 'Job':
        object['spec'] = { template: { spec: { ...pod, restartPolicy: 'Never' } } };
        break;
      case 'CronJob':
        object['spec'] = {
          schedule: '0 0 * * *',
          jobTemplate: { spec: { template: { spec: { ...pod, restartPolicy: 'Never' } } } },
        };
        break;
      case 'Deployment':
      case 'ReplicaSet':
      case 'StatefulSet':
      case 'DaemonSet':
        object['spec'] = { selector: { matchLabels: { app: 'grown' } }, template };
        break;
      case 'ReplicationController':
        object['spec'] = { selector: { app: 'grown' }, template };
        break;
      default:
        break;
    }
    return object;
  }

  #isKnown(root: Shape, place: Place): boolean {
    let shape: Shape | undefined = root;
    for (const step of place) {
      if (shape === undefined) return false;
      const next = this.#inner(shape, step);
      if (next === undefined && isOpen(shape)) return true;
      shape = next;
    }
    return shape !== undefined;
  }

  #inner(shape: Shape | undefined, step: string): Shape | undefined {
    if (shape === undefined) return undefined;
    if (step === elements) {
      return shape.kind === 'list' || shape.kind === 'map' ? shape.element : undefined;
    }
    if (shape.kind === 'map') return shape.element;
    return memberShape(this.#schemas, shape, step);
  }

  #set(
    object: JsonObject,
    root: Shape | undefined,
    place: Place,
    values: readonly unknown[],
  ): void {
    const random = this.#random;
    let holder: Record<string, unknown> | unknown[] = object as Record<string, unknown>;
    let shape = root;
    for (const [at, step] of place.entries()) {
      const isLast = at === place.length - 1;
      const isMap = step === elements && shape?.kind === 'map';
      shape = this.#inner(shape, step);
      // A place of the elements of a map means its keys.
      if (isMap && !Array.isArray(holder)) {
        const key = this.#text(values) || 'key';
        holder[key] = this.#value(shape, []);
        return;
      }
      const key = Array.isArray(holder) ? this.#index(holder, shape) : step;
      const members = holder as Record<string | number, unknown>;
      if (isLast) {
        if (random.chance(0.2) && !Array.isArray(holder)) delete members[key];
        else if (shape?.kind === 'string' && isFreeText(place) && random.chance(0.15)) {
          members[key] = random.pick(syntaxTexts);
        } else if (shape !== undefined || !this.#holdsOthers(place)) {
          members[key] = this.#value(shape, values);
        }
        return;
      }
      const isList = place[at + 1] === elements && shape?.kind !== 'map';
      const next = isList ? [] : {};
      const known = members[key];
      if (!isObject(known) && !Array.isArray(known)) members[key] = next;
      const inner = members[key];
      if (inner === next && shape?.kind === 'struct') Object.assign(next, this.#struct(shape));
      if (Array.isArray(inner) !== Array.isArray(next)) return;
      holder = inner as Record<string, unknown> | unknown[];
    }
  }

  // A place with places within it rarely has another type.
  #holdsOthers(place: Place): boolean {
    const key = JSON.stringify(place);
    return getOrMake(this.#holders, key, () =>
      this.#places.some(
        ({ place: other }) =>
          other.length > place.length && place.every((step, at) => other[at] === step),
      ),
    );
  }

  // An element that is there, or one more.
  #index(list: unknown[], shape: Shape | undefined): number {
    if (list.length > 0 && this.#random.chance(0.7)) {
      return Math.floor(this.#random.next() * list.length);
    }
    list.push(shape?.kind === 'struct' ? this.#element(shape, list.length, []) : shape ? '' : {});
    return list.length - 1;
  }

  // A text of those that matter, sometimes one after another.
  #text(values: readonly unknown[]): string {
    const random = this.#random;
    const one = String(random.pick([...values, 'a', '']));
    return values.length > 1 && random.chance(0.15) ? one + String(random.pick(values)) : one;
  }

  // As many elements as a policy may count.
  #list(shape: Shape, values: readonly unknown[]): readonly unknown[] {
    const random = this.#random;
    const counts = values.filter(
      (value): value is number => typeof value === 'number' && value >= 0 && value <= 20,
    );
    const count =
      random.pick(counts.length > 0 && random.chance(0.6) ? counts : [0, 1, 1, 1, 2]) ?? 1;
    const others = values.filter((value) => typeof value !== 'number');
    return Array.from({ length: count }, (_, at) => this.#element(shape.element, at, others));
  }

  #map(shape: Shape, values: readonly unknown[]): JsonObject {
    const made = this.#list({ ...shape, kind: 'list' }, values);
    const names = values.filter((value) => typeof value === 'string' && value !== '');
    const random = this.#random;
    return Object.fromEntries(
      made.map((value, at) => {
        const name = random.chance(0.5) ? random.pick(names) : undefined;
        return [String(name ?? `key${at}`), value];
      }),
    );
  }

  #element(shape: Shape | undefined, at: number, values: readonly unknown[]): unknown {
    if (shape?.kind !== 'struct') return this.#value(shape, values);
    const has = (name: string): boolean => {
      const kind = this.#inner(shape, name)?.kind;
      return kind === 'string' || kind === 'int32';
    };
    return {
      ...this.#struct(shape),
      ...(shape.struct === 'rbac.v1.PolicyRule' ? wholeRule : {}),
      ...(has('name') ? { name: `e${at}` } : {}),
      ...(has('image') && has('name') ? { image: 'registry.local/other:2' } : {}),
      ...(has('mountPath') ? { mountPath: `/m${at}` } : {}),
      ...(has('containerPort') ? { containerPort: 80 + at } : {}),
      ...(has('port') ? { port: 80 + at } : {}),
    };
  }

  // With the fields that every server requires.
  #struct(shape: Shape): JsonObject {
    const names = requiredFields[shape.struct ?? ''] ?? [];
    return Object.fromEntries(
      names.map((name) => {
        const inner = this.#inner(shape, name);
        if (inner?.kind === 'list') return [name, [this.#element(inner.element, 0, [])]];
        return [name, inner?.kind === 'struct' ? {} : `/${name}`];
      }),
    );
  }

  #value(shape: Shape | undefined, values: readonly unknown[]): unknown {
    const random = this.#random;
    switch (shape?.kind) {
      case 'bool':
        return random.chance(0.5);
      case 'int32':
      case 'int64':
      case 'float64': {
        const numbers = values.map(Number).filter(Number.isSafeInteger);
        return random.pick([...numbers, 0, 1, 2]);
      }
      case 'intorstring':
        return random.pick([...values.filter((each) => typeof each !== 'boolean'), 0, '10%']);
      case 'quantity':
        return random.pick([...quantitiesAround(values), '0', '100m', '64Mi', '1', '8Gi']);
      case 'list':
        return this.#list(shape, values);
      case 'map':
        return this.#map(shape, values);
      case 'struct':
        return this.#struct(shape);
      case 'string':
        return this.#text(values);
      default:
        return random.pick(valuesOfUnknown(values));
    }
  }
}

// Strings that are syntax to a program that writes values into a document or an expression.
const syntaxTexts = ["it's", 'say "a"', 'a\\b', 'a\nb', '{{ a }}', '*'] as const;

const freeFields: ReadonlySet<string> = new Set([
  'annotations',
  'data',
  'args',
  'command',
  'value',
]);

// Whether a server takes any string there.
function isFreeText(place: Place): boolean {
  return place.some((step) => freeFields.has(step));
}

// A rule of a role that a server takes.
const wholeRule = { apiGroups: [''], resources: ['pods'], verbs: ['get'] } as const;

// A field of which nothing is known has one type all the same: that of the values that policies compare it with.
function valuesOfUnknown(values: readonly unknown[]): readonly unknown[] {
  const types = new Set(values.map((value) => typeof value));
  const others = [
    ...(types.size === 0 || types.has('string') ? ['a', ''] : []),
    ...(types.has('number') ? [0, 1, 2] : []),
    ...(types.has('boolean') ? [true, false] : []),
  ];
  return [...values, ...others];
}

// Amounts, and those a little smaller and larger.
function quantitiesAround(values: readonly unknown[]): readonly string[] {
  return values.map(String).flatMap((text) => {
    const [, amount, unit = ''] = /^(\d+(?:\.\d+)?)((?:[KMGTPE]i?|m|k)?)$/.exec(text) ?? [];
    if (amount === undefined) return [];
    if (!/^[1-9]\d{0,14}$/.test(amount)) return [text];
    return [text, ...[-1, 1].map((step) => `${Number(amount) + step}${unit}`)];
  });
}
