import { isMap } from '@kubeadmit/admission/unstable-internal';
import { setKey } from '@kubeadmit/base';
import { deepEqual } from '@kubeadmit/go';
import type { Schemas } from '@kubeadmit/schemas';
import { type Field, type Shape, type StructType, structNamed } from '@kubeadmit/schemas/types';
import { badRequest, plainFailure } from '../errors/failures.ts';
import { goMapText } from './go-map-text.ts';
import { type PatchStrategy, patchStrategyOf } from './patch-strategies.ts';

type JsonMap = Readonly<Record<string, unknown>>;

const deletePrefix = '$deleteFromPrimitiveList/';
const orderPrefix = '$setElementOrder/';

/**
 * Applies a strategic merge patch to an object of a built-in kind (apimachinery
 * `strategicpatch.StrategicMergeMapPatch`).
 */
export function applyStrategicMerge(
  schemas: Schemas,
  struct: StructType,
  { original, patch }: { readonly original: JsonMap; readonly patch: JsonMap },
): JsonMap {
  return new Merger(schemas).maps(original, patch, struct);
}

class Merger {
  readonly #schemas: Schemas;

  constructor(schemas: Schemas) {
    this.#schemas = schemas;
  }

  maps(original: JsonMap, patch: JsonMap, struct: StructType | undefined): JsonMap {
    const directive = patch['$patch'];
    if (directive !== undefined) return this.#directed(directive, patch);
    const result: Record<string, unknown> = { ...original };
    retainKeys(result, patch);
    for (const [name, value] of Object.entries(patch)) {
      if (name === '$retainKeys' || name.startsWith(orderPrefix)) continue;
      if (name.startsWith(deletePrefix)) {
        deletePrimitives(result, name.slice(deletePrefix.length), value);
        continue;
      }
      if (value === null) {
        delete result[name];
        continue;
      }
      const field = struct?.byName.get(name);
      const own = Object.hasOwn(result, name) ? result[name] : undefined;
      // Directives about a map that is not there mean nothing.
      if (own === undefined && isMap(value) && value['$patch'] !== undefined) continue;
      setKey(result as never, name, this.#member(own, value, { field, struct, name }) as never);
    }
    this.#setOrders(result, original, patch, struct);
    return result;
  }

  #directed(directive: unknown, patch: JsonMap): JsonMap {
    if (directive === 'replace') {
      const { $patch: _, ...rest } = patch;
      return rest;
    }
    if (directive === 'delete') return {};
    throw plainFailure(`unknown patch type: ${String(directive)} in map: ${goMapText(patch)}`);
  }

  #member(
    own: unknown,
    value: unknown,
    place: {
      readonly field: Field | undefined;
      readonly struct: StructType | undefined;
      readonly name: string;
    },
  ): unknown {
    const inner = this.#structOf(place.field?.shape);
    if (isMap(value)) return this.maps(isMap(own) ? own : {}, value, inner);
    if (!Array.isArray(value)) return value;
    const strategy = patchStrategyOf(place.struct, place.field);
    if (strategy === undefined || !Array.isArray(own)) return this.#replaced(value);
    return this.#lists(own, value, { strategy, struct: inner });
  }

  // Directives are removed from the replacement.
  #replaced(list: readonly unknown[]): readonly unknown[] {
    return list.map((item) => (isMap(item) ? this.maps({}, item, undefined) : item));
  }

  #lists(
    original: readonly unknown[],
    patch: readonly unknown[],
    {
      strategy,
      struct,
    }: { readonly strategy: PatchStrategy; readonly struct: StructType | undefined },
  ): readonly unknown[] {
    const { mergeKey } = strategy;
    const keyOf = keyReader(strategy);
    const order = { order: patch.map(keyOf), before: original.map(keyOf), keyOf };
    if (mergeKey === undefined) {
      const all = [
        ...original,
        ...patch.filter((item) => !original.some((own) => deepEqual(own, item))),
      ];
      return ordered(all, order);
    }
    if (patch.some((item) => isMap(item) && item['$patch'] === 'replace')) {
      return patch.filter((item) => !(isMap(item) && item['$patch'] === 'replace'));
    }
    let result = [...original];
    for (const item of patch) {
      if (!isMap(item)) throw plainFailure('invalid patch format of primitive list');
      if (!Object.hasOwn(item, mergeKey)) {
        throw plainFailure(
          `map: ${goMapText(item)} does not contain declared merge key: ${mergeKey}`,
        );
      }
      const key = item[mergeKey];
      const place = result.findIndex((own) => isMap(own) && deepEqual(own[mergeKey], key));
      if (item['$patch'] === 'delete') {
        result = result.filter((own) => !(isMap(own) && deepEqual(own[mergeKey], key)));
      } else if (item['$patch'] !== undefined && item['$patch'] !== 'merge') {
        this.#directed(item['$patch'], item);
      } else if (place < 0) result.push(this.maps({}, item, struct));
      else result[place] = this.maps(result[place] as JsonMap, item, struct);
    }
    return ordered(result, order);
  }

  #setOrders(
    result: Record<string, unknown>,
    original: JsonMap,
    patch: JsonMap,
    struct: StructType | undefined,
  ): void {
    for (const [directive, order] of Object.entries(patch)) {
      if (!directive.startsWith(orderPrefix)) continue;
      const name = directive.slice(orderPrefix.length);
      const list = result[name];
      if (!Array.isArray(order)) throw badRequest('invalid patch format of setElementOrder list');
      if (!Array.isArray(list)) continue;
      const strategy = patchStrategyOf(struct, struct?.byName.get(name));
      const keyOf = keyReader(strategy);
      const before = Array.isArray(original[name]) ? (original[name] as unknown[]) : [];
      result[name] = ordered(list, { order: order.map(keyOf), before: before.map(keyOf), keyOf });
    }
  }

  #structOf(shape: Shape | undefined): StructType | undefined {
    let own = shape;
    while (own?.element !== undefined) own = own.element;
    return own?.struct === undefined ? undefined : structNamed(this.#schemas, own.struct);
  }
}

function keyReader(strategy: PatchStrategy | undefined): (item: unknown) => string {
  const mergeKey = strategy?.mergeKey;
  return (item) =>
    JSON.stringify(mergeKey !== undefined && isMap(item) ? item[mergeKey] : item) ?? '';
}

function retainKeys(result: Record<string, unknown>, patch: JsonMap): void {
  const kept = patch['$retainKeys'];
  if (kept === undefined) return;
  if (!Array.isArray(kept)) throw badRequest('invalid patch format of retainKeys');
  for (const name of Object.keys(result)) if (!kept.includes(name)) delete result[name];
}

function deletePrimitives(result: Record<string, unknown>, name: string, values: unknown): void {
  if (!Array.isArray(values)) throw badRequest('invalid patch format of primitive list');
  const own = result[name];
  if (!Array.isArray(own)) return;
  result[name] = own.filter((item) => !values.some((value) => deepEqual(value, item)));
}

interface Ordering {
  /** The wanted order of keys. */
  readonly order: readonly string[];
  /** The order of keys before the patch. */
  readonly before: readonly string[];
  readonly keyOf: (item: unknown) => string;
}

// Listed items in the listed order; others keep their position relative to their neighbors (`normalizeElementOrder`).
function ordered(list: readonly unknown[], { order, before, keyOf }: Ordering): unknown[] {
  const listed = list
    .filter((item) => order.includes(keyOf(item)))
    .sort((a, b) => order.indexOf(keyOf(a)) - order.indexOf(keyOf(b)));
  const others = list.filter((item) => !order.includes(keyOf(item)));
  const result: unknown[] = [];
  let l = 0;
  let o = 0;
  while (l < listed.length || o < others.length) {
    if (o >= others.length) result.push(listed[l++]);
    else if (l >= listed.length) result.push(others[o++]);
    else {
      const listedPlace = before.indexOf(keyOf(listed[l]));
      const otherPlace = before.indexOf(keyOf(others[o]));
      const isOtherFirst = listedPlace >= 0 && otherPlace >= 0 && otherPlace < listedPlace;
      result.push(isOtherFirst ? others[o++] : listed[l++]);
    }
  }
  return result;
}
