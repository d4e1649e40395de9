import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type JsonObject, kindOfObject } from '@kubeadmit/apimachinery';
import { decode, loadSchemas } from '@kubeadmit/schemas';
import { structOf } from '@kubeadmit/schemas/types';
import { readLines } from '@kubeadmit/test-support';
import { expect, test } from 'vitest';

const folder = fileURLToPath(new URL('../../../conformance/decode/', import.meta.url));

interface Decoded {
  readonly objects?: readonly (JsonObject | null)[];
  readonly kubernetesVersion?: string;
}

/** Every recorded object of a built-in kind, by API version and kind. */
function recordedObjects(): Map<string, JsonObject[]> {
  const byKind = new Map<string, JsonObject[]>();
  for (const file of readdirSync(folder)) {
    for (const { objects = [], kubernetesVersion } of readLines<Decoded>(folder + file)) {
      for (const object of kubernetesVersion === undefined ? objects : []) {
        if (object === null) continue;
        const key = `${object['apiVersion']} ${object['kind']}`;
        byKind.set(key, [...(byKind.get(key) ?? []), object]);
      }
    }
  }
  return byKind;
}

let state = 7;

function below(limit: number): number {
  state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
  return (state >>> 8) % limit;
}

function freeze<Thing>(value: Thing): Thing {
  if (typeof value === 'object' && value !== null) {
    for (const inner of Object.values(value)) freeze(inner);
    Object.freeze(value);
  }
  return value;
}

const oddities: readonly unknown[] = [null, '', 0, false, 'x', -1, true, {}, [], '1500m', 'Always'];

/** Changes a value somewhere; the other parts stay the same objects. */
function changed(value: unknown, donor: unknown): unknown {
  if (below(6) === 0 && below(3) > 0 && donor !== undefined) return donor;
  if (Array.isArray(value) && value.length > 0) return changedList(value, donor);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return donor ?? oddities[below(oddities.length)];
  }
  const other = (typeof donor === 'object' && donor !== null ? donor : {}) as JsonObject;
  const keys = [...new Set([...Object.keys(value), ...Object.keys(other)])];
  const key = keys[below(keys.length || 1)];
  if (key === undefined) return { name: 'x' };
  const { [key]: member, ...rest } = value as JsonObject;
  if (below(5) === 0) return rest;
  return { ...value, [key]: changed(member, Object.hasOwn(other, key) ? other[key] : undefined) };
}

function changedList(list: readonly unknown[], donor: unknown): unknown[] {
  const at = below(list.length);
  const others = Array.isArray(donor) ? donor : [];
  switch (below(5)) {
    case 0:
      return list.filter((_, index) => index !== at);
    case 1:
      return [...list, list[at]];
    case 2:
      return [...others.slice(0, 1), ...list];
    case 3:
      return [...list].reverse();
    default:
      return list.map((item, index) => (index === at ? changed(item, others[0]) : item));
  }
}

test('an object decodes as on its own when it shares parts with one that is decoded', async () => {
  const rounds = Number(process.env['SHARING_ROUNDS'] ?? 6);
  let compared = 0;
  for (const version of ['1.37', '1.35', '1.30']) {
    const schemas = await loadSchemas({ version });
    for (const objects of recordedObjects().values()) {
      const kind = kindOfObject(objects[0]);
      if (kind === undefined || structOf(schemas, kind) === undefined) continue;
      for (const object of objects.slice(0, rounds)) {
        const live = decode(schemas, object, { kind }).object;
        if (live === undefined) continue;
        // Shared objects must not be changed.
        freeze(live);
        for (let round = 0; round < rounds; round++) {
          let manifest: unknown = live;
          for (let i = below(3); i >= 0; i--) {
            manifest = changed(manifest, objects[below(objects.length)]);
          }
          const options = { kind, fieldValidation: 'Strict' } as const;
          const shared = decode(schemas, manifest, { ...options, live });
          expect({ manifest, ...shared }).toEqual({
            manifest,
            ...decode(schemas, manifest, options),
          });
          expect(JSON.stringify(shared)).toBe(JSON.stringify(decode(schemas, manifest, options)));
          compared++;
        }
      }
    }
  }
  expect(compared).toBeGreaterThan(3000);
}, 3_600_000);
