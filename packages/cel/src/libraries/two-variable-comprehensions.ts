import type { Library } from '../declarations/library.ts';
import { functionsOf } from '../standard/functions-of.ts';
import { twoVariableMacros } from '../syntax/two-variable-macros.ts';
import { formatGoValue } from '../values/format-go-value.ts';
import type { CelMap } from '../values/map.ts';
import { mapGet, mapKeys } from '../values/maps.ts';
import { MutableMap } from '../values/mutable.ts';
import { CelError, type PlainObject, type Value } from '../values/value.ts';

/** The map that is being built; another one is copied, since it is not the loop's alone. */
function growing(map: PlainObject | CelMap): CelMap {
  if (map instanceof MutableMap && map.isGrowing) return map;
  const copy = new MutableMap(-1);
  for (const key of mapKeys(map)) copy.set(key, mapGet(map, key) ?? null);
  return copy;
}

function insert(map: PlainObject | CelMap, key: Value, value: Value): Value {
  if (mapGet(map, key) !== undefined) {
    return new CelError(`insert failed: key ${formatGoValue(key)} already exists`);
  }
  const target = growing(map);
  target.set(key, value);
  return target;
}

function insertAll(map: PlainObject | CelMap, entries: PlainObject | CelMap): Value {
  let target: PlainObject | CelMap = map;
  for (const key of mapKeys(entries)) {
    const inserted = insert(target, key, mapGet(entries, key) ?? null);
    if (inserted instanceof CelError) return inserted;
    target = inserted as CelMap;
  }
  return target;
}

/**
 * Macros with a variable for the key and one for the value (cel-go's `ext.TwoVarComprehensions`):
 * `all`, `exists`, `existsOne`, `transformList`, `transformMap`, `transformMapEntry`.
 */
export const twoVariableComprehensionsLibrary: Library = {
  name: 'two-variable-comprehensions',
  functions: functionsOf([
    ['cel.@mapInsert', '@mapInsert_map_key_value', '(map<A, B>, A, B) -> map<A, B>', insert],
    ['cel.@mapInsert', '@mapInsert_map_map', '(map<A, B>, map<A, B>) -> map<A, B>', insertAll],
  ]),
  macros: twoVariableMacros,
};
