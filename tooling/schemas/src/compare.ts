/**
 * Compares decoding with the oracle: every kind with its three objects, then random ones.
 *
 *   ORACLE=… pnpm --filter @kubeadmit/schemas-tooling compare [COUNT] [SEED] [VERSION]
 *
 * With a version, ORACLE is the output of old-servers/build for it, which knows no definitions.
 */

import type { GroupVersionKind } from '@kubeadmit/apimachinery';
import { Random } from '@kubeadmit/random';
import { decode, findResourceOfKind, loadSchemas, type Schemas } from '@kubeadmit/schemas';
import { decodeAll, listKinds } from '@kubeadmit/schemas/internal';
import { makeCustom } from './definitions.ts';
import { makeObject, recipes } from './objects.ts';
import { askOracle, comparable, type DecodeCase, today } from './oracle.ts';

const count = Number(process.argv[2] ?? 20_000);
const seed = Number(process.argv[3] ?? 1);
const version = process.argv[4];
const shown = Number(process.env['SHOWN'] ?? 20);

const schemas: Schemas = await loadSchemas(version ? { version } : {});
const everything = listKinds(schemas);
const kinds = everything.filter((kind) => !/List$/.test(kind.kind));
const creatable = kinds.filter((kind) =>
  findResourceOfKind(schemas, kind)?.verbs.includes('create'),
);
const random = new Random(seed);

function* cases(): Generator<DecodeCase> {
  for (const kind of listKinds(schemas)) {
    for (const [name, recipe] of Object.entries(recipes))
      yield one(`${kind.kind}-${name}`, kind, recipe);
  }
  for (let index = 0; !version && index < count / 4; index++) {
    yield { id: `custom-${index}`, resources: makeCustom(random) };
  }
  for (let index = 0; index < count; index++) {
    const kind = random.pick(random.pick([creatable, creatable, kinds, everything]));
    const density = random.pick([0.1, 0.25, 0.4, 0.6]);
    const mistakes = random.pick([0, 0, 0, 0.005, 0.02, 0.1, 0.3]);
    yield one(`${kind.kind}-${index}`, kind, { density, mistakes, depth: 8 });
  }
}

function one(name: string, kind: GroupVersionKind, recipe: (typeof recipes)[string]): DecodeCase {
  const id = [kind.group, kind.version, name].filter((part) => part !== '').join('/');
  return {
    id,
    resources: [makeObject(schemas, kind, recipe ?? { density: 0, mistakes: 0, depth: 9 }, random)],
  };
}

const all = [...cases()];
const differences = new Map<string, { count: number; text: string }>();
let same = 0;
let refused = 0;
for (let from = 0; from < all.length; from += 2000) {
  const batch = all.slice(from, from + 2000);
  for (const [index, theirs] of askOracle(batch).entries()) {
    const each = batch[index] as DecodeCase;
    const ours = { id: each.id, ...answer(each.resources) };
    if (theirs.errors || theirs.failure) refused++;
    if (comparable(ours) === comparable(theirs)) same++;
    else note(each, ours, theirs);
  }
}

/** Old servers say of each object what is wrong with it; the oracle first looks at all of them. */
function answer(resources: readonly unknown[]): object {
  const options = { now: `${today}T00:00:00Z` };
  if (!version) return decodeAll(schemas, resources, options);
  const decoded = resources.map((resource) => decode(schemas, resource, options));
  const errors = decoded.flatMap(({ error }, index) =>
    error === undefined
      ? []
      : [{ resource: (resources[index] as { kind: string }).kind, message: error }],
  );
  const objects = decoded.map(({ object }) => object ?? null);
  return errors.length > 0 ? { objects, errors } : { objects };
}

function note(each: DecodeCase, ours: unknown, theirs: unknown): void {
  const [path, left, right] = firstDifference(ours, theirs, '');
  const key = `${each.id.replace(/-\w+$/, '')} ${path.replaceAll(/\d+/g, 'N')}`;
  const known = differences.get(key);
  if (known) known.count++;
  else
    differences.set(key, {
      count: 1,
      text: `${each.id}${path}\n    ours   ${left}\n    theirs ${right}`,
    });
}

function firstDifference(a: unknown, b: unknown, path: string): [string, string, string] {
  const isNode = (value: unknown): value is object => typeof value === 'object' && value !== null;
  if (isNode(a) && isNode(b) && Array.isArray(a) === Array.isArray(b)) {
    const left = a as Record<string, unknown>;
    const right = b as Record<string, unknown>;
    for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
      if (comparable([left[key]]) !== comparable([right[key]]))
        return firstDifference(left[key], right[key], `${path}.${key}`);
    }
  }
  return [path, String(JSON.stringify(a)).slice(0, 300), String(JSON.stringify(b)).slice(0, 300)];
}

const sorted = [...differences.values()].sort((a, b) => b.count - a.count);
for (const { count: times, text } of sorted.slice(0, shown)) console.log(`${times}x ${text}`);
console.log(
  `${same} of ${all.length} equal (${refused} refused), ${differences.size} sorts of difference`,
);
