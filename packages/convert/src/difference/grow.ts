import { isObject, type JsonObject } from '@kubeadmit/apimachinery';
import type { Resource, Schemas } from '@kubeadmit/schemas';
import { type Shape, structNamed, structOf } from '@kubeadmit/schemas/internal';
import { elements, type Place } from './places.ts';
import type { Random } from './random.ts';

/** Makes objects of kinds by chance, steered by the places and values that matter to policies. */
export class Grower {
  private readonly schemas: Schemas;
  private readonly random: Random;
  private readonly places: readonly {
    readonly place: Place;
    readonly values: readonly unknown[];
  }[];

  constructor(
    schemas: Schemas,
    random: Random,
    places: readonly { readonly place: Place; readonly values: readonly unknown[] }[],
  ) {
    this.schemas = schemas;
    this.random = random;
    this.places = places;
  }

  /** An object of a kind, begun from another one where there is one. */
  grow(resource: Resource, base: JsonObject | undefined): JsonObject {
    const { random } = this;
    const object = base === undefined ? this.skeleton(resource) : structuredClone(base);
    const struct = structOf(this.schemas, resource)?.name;
    const root: Shape | undefined =
      struct === undefined ? undefined : { kind: 'struct', pointer: false, go: struct, struct };
    const density = random.pick([0.15, 0.4, 0.8]) ?? 0.4;
    for (const { place, values } of this.places) {
      if (!random.chance(density)) continue;
      if (root === undefined || this.isKnown(root, place)) this.set(object, root, place, values);
    }
    return object;
  }

  private skeleton({ group, version, kind, namespaced }: Resource): JsonObject {
    const metadata = { name: 'grown', ...(namespaced ? { namespace: 'default' } : {}) };
    const object: Record<string, unknown> = {
      apiVersion: group === '' ? version : `${group}/${version}`,
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

  private isKnown(root: Shape, place: Place): boolean {
    let shape: Shape | undefined = root;
    for (const step of place) shape = this.inner(shape, step);
    return shape !== undefined;
  }

  private inner(shape: Shape | undefined, step: string): Shape | undefined {
    if (shape === undefined) return undefined;
    if (step === elements) return shape.kind === 'list' ? shape.element : undefined;
    if (shape.kind === 'map') return shape.element;
    if (shape.struct === undefined) return undefined;
    return structNamed(this.schemas, shape.struct)?.byName.get(step)?.shape;
  }

  private set(
    object: JsonObject,
    root: Shape | undefined,
    place: Place,
    values: readonly unknown[],
  ): void {
    const { random } = this;
    let holder: Record<string, unknown> | unknown[] = object as Record<string, unknown>;
    let shape = root;
    for (const [at, step] of place.entries()) {
      const isLast = at === place.length - 1;
      shape = this.inner(shape, step);
      const key = Array.isArray(holder) ? this.index(holder, shape) : step;
      const members = holder as Record<string | number, unknown>;
      if (isLast) {
        if (random.chance(0.2) && !Array.isArray(holder)) delete members[key];
        else members[key] = this.value(shape, values);
        return;
      }
      const next = place[at + 1] === elements ? [] : {};
      const known = members[key];
      if (!isObject(known) && !Array.isArray(known)) members[key] = next;
      const inner = members[key];
      if (Array.isArray(inner) !== Array.isArray(next)) return;
      holder = inner as Record<string, unknown> | unknown[];
    }
  }

  // An element that is there, or one more.
  private index(list: unknown[], shape: Shape | undefined): number {
    if (list.length > 0 && this.random.chance(0.7)) {
      return Math.floor(this.random.next() * list.length);
    }
    const has = (name: string): boolean => this.inner(shape, name) !== undefined;
    const element = {
      ...(has('name') ? { name: `e${list.length}` } : {}),
      ...(has('image') && has('name') ? { image: 'registry.local/other:2' } : {}),
    };
    list.push(shape?.kind === 'struct' ? element : '');
    return list.length - 1;
  }

  private value(shape: Shape | undefined, values: readonly unknown[]): unknown {
    const { random } = this;
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
        return random.chance(0.3) ? [] : [this.value(shape.element, values)];
      case 'map':
        return random.chance(0.3)
          ? {}
          : { [String(random.pick(values) ?? 'key')]: this.value(shape.element, values) };
      case 'struct':
        return {};
      case 'string':
        return String(random.pick([...values, 'a', '']));
      default:
        return random.pick([...values, 'a', '', true, 0, null]);
    }
  }
}

function quantitiesAround(values: readonly unknown[]): readonly string[] {
  return values.map(String).filter((text) => /^\d+(?:\.\d+)?(?:[KMGTPE]i?|m|k)?$/.test(text));
}
