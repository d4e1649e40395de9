import { formatGroupVersion, type GroupVersionKind } from '@kubeadmit/apimachinery';
import { phrases, type Random, words } from '@kubeadmit/random';
import type { Schemas } from '@kubeadmit/schemas';
import { type Field, type Shape, structNamed, structOf } from '@kubeadmit/schemas/types';
import type { DecodeCase } from './oracle.ts';

/** How an object is filled. */
export interface Recipe {
  /** How many of the optional fields are there, from 0 to 1. */
  readonly density: number;
  /** How often a value is something else than it should be. */
  readonly mistakes: number;
  readonly depth: number;
}

/** The three objects that every kind is tried with. */
export const recipes: Readonly<Record<'minimal' | 'typical' | 'full', Recipe>> = {
  minimal: { density: 0, mistakes: 0, depth: 9 },
  typical: { density: 0.5, mistakes: 0, depth: 9 },
  full: { density: 1, mistakes: 0, depth: 7 },
};

/** An object of a kind. */
export function makeObject(
  schemas: Schemas,
  kind: GroupVersionKind,
  recipe: Recipe,
  random: Random,
): Record<string, unknown> {
  const maker = new Maker(schemas, recipe, random);
  const type = structOf(schemas, kind);
  const object = maker.struct(type?.name ?? '', 0) as Record<string, unknown>;
  return {
    apiVersion: formatGroupVersion(kind),
    kind: kind.kind,
    ...Object.fromEntries(
      Object.entries(object).filter(([key]) => key !== 'apiVersion' && key !== 'kind'),
    ),
  };
}

/** A case of `decode` with an object of a kind. */
export function decodeCase(
  schemas: Schemas,
  {
    kind,
    name,
    recipe,
    random,
  }: {
    readonly kind: GroupVersionKind;
    readonly name: string;
    readonly recipe: Recipe;
    readonly random: Random;
  },
): DecodeCase {
  const parts = [kind.group, kind.version, kind.kind, name];
  return {
    id: parts.filter((part) => part !== '').join('/'),
    resources: [makeObject(schemas, kind, recipe, random)],
  };
}

const texts = [
  ...words('a b x-y cpu memory'),
  '',
  ...phrases`
    ClusterIP  LoadBalancer  NodePort  ExternalName  ClientIP  None  RollingUpdate  Recreate
    OnDelete  Container  Pod  User  Group  ServiceAccount  Resource  Pods  ExactCount  All  nginx
    nginx:latest  nginx:1.27  registry.example.com:5000/a/b  Localhost  TCP  Ingress  Fail  Always
    10.0.0.1  ä"\<&>  7  UDP  Limited  Exempt  Queue  Block
  `,
];
const quantities: readonly unknown[] = [
  ...words(
    '1 100m 0.5 1.5Gi 1Ki 1024 1500Mi 1e3 1E 5n 0 -1 +2 007 1.500 0.0001 1024Ki',
    '123456789012345678901234567890 12Ei 9Ei .5 5. 1.1Mi 1000E 3000000 0.1u 1023Mi',
  ),
  ...[2, 1.5, 0, -3, 1000000, 0.001],
];
const badQuantities: readonly unknown[] = [
  '',
  ...phrases`x  1x  1.2.3  1 Gi  Gi  1ki  --1`,
  ...[true, {}, [], '1e', '0x10', '1_000'],
];
const times = words(
  '2024-02-29T12:34:56Z 2024-01-01T00:00:00+01:00 2024-01-01T00:00:00.123456789Z',
  '0001-01-01T00:00:00Z 2024-12-31T23:59:59-11:30 2024-01-01T5:00:00Z',
);
const microTimes = [
  '2024-02-29T12:34:56.000000Z',
  '2024-01-01T00:00:00.123456+01:00',
  '0001-01-01T00:00:00.000000Z',
];
const badTimes: readonly unknown[] = [
  'now',
  '',
  '2024-02-30T00:00:00Z',
  '2024-13-01T00:00:00Z',
  '2024-01-01',
  '2024-01-01T25:00:00Z',
  '2024-01-01T00:00:00',
  '2024-01-01T00:00:00Zx',
  5,
  true,
  {},
  '2024-01-01t00:00:00Z',
  '2024-01-01T00:00:00+25:00',
  '2024-01-01T00:00:00.5Z',
];
const binaries = ['', 'YQ==', 'aGVsbG8=', 'YR==', 'aGVs\nbG8='];
const badBinaries: readonly unknown[] = ['a', '===', 'YQ=', 'YQ==x', 'ä', 'YQ=!', 5, {}];
const wrongs: readonly unknown[] = [
  'text',
  5,
  -1,
  1.5,
  true,
  false,
  [],
  {},
  [1],
  { a: 1 },
  99999999999,
  ['a', null],
];

class Maker {
  readonly #schemas: Schemas;
  readonly #recipe: Recipe;
  readonly #random: Random;

  constructor(schemas: Schemas, recipe: Recipe, random: Random) {
    this.#schemas = schemas;
    this.#recipe = recipe;
    this.#random = random;
  }

  struct(name: string, depth: number): unknown {
    const object: Record<string, unknown> = {};
    for (const field of structNamed(this.#schemas, name)?.fields ?? []) {
      if (this.#isThere(field, depth)) object[field.name] = this.#value(field.shape, depth + 1);
    }
    if (this.#random.chance(this.#recipe.mistakes))
      object['unknownField'] = this.#random.pick(wrongs);
    return object;
  }

  #isThere(field: Field, depth: number): boolean {
    const { density, depth: limit } = this.#recipe;
    const nested = field.shape.kind === 'struct' || field.shape.element !== undefined;
    if (nested && depth >= limit) return false;
    if (field.name === 'managedFields' || field.name === 'selfLink')
      return this.#random.chance(density / 8);
    if (density >= 1) return true;
    const isMain = depth === 0 && field.name !== 'metadata' && field.name !== 'status';
    const chance = isMain && density > 0 ? Math.max(density, 0.9) : density;
    return this.#random.chance(depth > 2 && nested ? chance * 0.7 : chance);
  }

  #value(shape: Shape, depth: number): unknown {
    const { mistakes, density } = this.#recipe;
    if (this.#random.chance(mistakes)) return this.#random.chance(0.5) ? null : this.#wrong(shape);
    const random = this.#random;
    switch (shape.kind) {
      case 'string':
        return random.pick(texts);
      case 'bool':
        return random.chance(0.6);
      case 'int32':
        return random.pick([0, 1, 2, 80, 443, -1, 2147483647]);
      case 'int64':
        return random.pick([0, 1, 30, -5, 4294967296]);
      case 'float64':
        return random.pick([0, 1, 2.5]);
      case 'list': {
        const length = density >= 1 ? 1 + random.below(2) : random.below(3);
        return Array.from({ length }, () => this.#value(shape.element as Shape, depth));
      }
      case 'map':
        return Object.fromEntries(
          Array.from({ length: density >= 1 ? 2 : random.below(3) }, () => [
            random.pick(['a', 'cpu', 'memory', 'kubernetes.io/b', 'constructor']),
            this.#value(shape.element as Shape, depth),
          ]),
        );
      case 'struct':
        return this.struct(shape.struct as string, depth);
      default:
        return this.#leaf(shape);
    }
  }

  #leaf(shape: Shape): unknown {
    const random = this.#random;
    switch (shape.kind) {
      case 'quantity':
        return random.pick(quantities);
      case 'time':
        return random.pick(times);
      case 'microtime':
        return random.pick(microTimes);
      case 'bytes':
        return random.pick(binaries);
      case 'intorstring':
        return random.pick([0, 1, 8080, '25%', 'http', '']);
      default:
        return random.pick([{}, { a: [1, null, { b: 'c' }] }]);
    }
  }

  #wrong(shape: Shape): unknown {
    const random = this.#random;
    if (shape.kind === 'quantity') return random.pick(badQuantities);
    if (shape.kind === 'time' || shape.kind === 'microtime') return random.pick(badTimes);
    if (shape.kind === 'bytes') return random.pick(badBinaries);
    return random.pick(wrongs);
  }
}
