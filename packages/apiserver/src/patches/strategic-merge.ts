import { isPlainObject, setKey } from '@kubeadmit/base';
import type { Schemas } from '@kubeadmit/schemas';
import { type Field, type Shape, type StructType, structNamed } from '@kubeadmit/schemas/types';
import { badRequest, plainFailure } from '../errors/failures.ts';
import { goMapText } from './go-map-text.ts';
import { KeyedList, keyText, orderedItems } from './keyed-list.ts';
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
      if (own === undefined && isPlainObject(value) && value['$patch'] !== undefined) continue;
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
    if (isPlainObject(value)) return this.maps(isPlainObject(own) ? own : {}, value, inner);
    if (!Array.isArray(value)) return value;
    const strategy = patchStrategyOf(place.struct, place.field);
    if (strategy === undefined || !Array.isArray(own)) return this.#replaced(value);
    return this.#lists(own, value, { strategy, struct: inner });
  }

  // Directives are removed from the replacement.
  #replaced(list: readonly unknown[]): readonly unknown[] {
    return list.map((item) => (isPlainObject(item) ? this.maps({}, item, undefined) : item));
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
      const known = new Set(order.before);
      return orderedItems([...original, ...patch.filter((item) => !known.has(keyOf(item)))], order);
    }
    if (patch.some((item) => isPlainObject(item) && item['$patch'] === 'replace')) {
      return patch.filter((item) => !(isPlainObject(item) && item['$patch'] === 'replace'));
    }
    const list = new KeyedList(original, keyOf);
    for (const item of patch) {
      if (!isPlainObject(item)) throw plainFailure('invalid patch format of primitive list');
      if (!Object.hasOwn(item, mergeKey)) {
        throw plainFailure(
          `map: ${goMapText(item)} does not contain declared merge key: ${mergeKey}`,
        );
      }
      if (item['$patch'] === 'delete') list.delete(keyOf(item));
      else if (item['$patch'] !== undefined && item['$patch'] !== 'merge') {
        this.#directed(item['$patch'], item);
      } else list.merge(keyOf(item), (own) => this.maps((own ?? {}) as JsonMap, item, struct));
    }
    return orderedItems(list.items, order);
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
      const keyOf = keyReader(strategy ?? { mergeKey: undefined });
      const before = Array.isArray(original[name]) ? (original[name] as unknown[]) : [];
      result[name] = orderedItems(list, {
        order: order.map(keyOf),
        before: before.map(keyOf),
        keyOf,
      });
    }
  }

  #structOf(shape: Shape | undefined): StructType | undefined {
    let own = shape;
    while (own?.element !== undefined) own = own.element;
    return own?.struct === undefined ? undefined : structNamed(this.#schemas, own.struct);
  }
}

function keyReader({ mergeKey }: PatchStrategy): (item: unknown) => string {
  return (item) => keyText(mergeKey !== undefined && isPlainObject(item) ? item[mergeKey] : item);
}

function retainKeys(result: Record<string, unknown>, patch: JsonMap): void {
  const kept = patch['$retainKeys'];
  if (kept === undefined) return;
  if (!Array.isArray(kept)) throw badRequest('invalid patch format of retainKeys');
  const names = new Set<unknown>(kept);
  for (const name of Object.keys(result)) if (!names.has(name)) delete result[name];
}

function deletePrimitives(result: Record<string, unknown>, name: string, values: unknown): void {
  if (!Array.isArray(values)) throw badRequest('invalid patch format of primitive list');
  const own = result[name];
  if (!Array.isArray(own)) return;
  const deleted = new Set(values.map(keyText));
  result[name] = own.filter((item) => !deleted.has(keyText(item)));
}
