import type {
  Expression,
  ListExpression,
  MapExpression,
  StructExpression,
} from '../syntax/expression.ts';
import { formatGoValue } from '../values/format-go-value.ts';
import { isList, isPlainObject } from '../values/kind.ts';
import { CelMap } from '../values/map.ts';
import { markLiteral } from '../values/origin.ts';
import { CelError, Optional, type Value } from '../values/value.ts';
import { type Evaluate, isError } from './frame.ts';
import { variableOf } from './names.ts';
import { constant, PlanFailure, type Planned, type Planning, refuse } from './planning.ts';

// Lists, maps and objects that an expression makes.

/** The cost of a list literal that is not constant. */
export const listCost = 10;
const mapCost = 30;
const structCost = 40;

/** Plans `[a, ?b]`. */
export function planListLiteral(
  planning: Planning,
  { elements, optional }: ListExpression,
): Planned {
  const planned = elements.map((element) => planning.plan(element));
  if (optional.length === 0 && planned.every((element) => element.constant !== undefined)) {
    return constant(markLiteral(planned.map((element) => element.constant ?? null)));
  }
  const values = planned.map((element) => element.evaluate);
  if (optional.length === 0) return { evaluate: planList(values) };
  const isOptional = values.map((_, index) => optional.includes(index));
  return {
    evaluate: (frame) => {
      const list: Value[] = [];
      for (let index = 0; index < values.length; index++) {
        const value = (values[index] as Evaluate)(frame);
        if (isError(value)) {
          frame.charge(listCost);
          return value;
        }
        if (isOptional[index] === true) {
          if (!(value instanceof Optional)) {
            frame.charge(listCost);
            return new CelError(
              `cannot initialize optional list element from non-optional value ${formatGoValue(value)}`,
            );
          }
          if (value.value !== undefined) list.push(value.value);
        } else {
          list.push(value);
        }
      }
      frame.charge(listCost);
      return markLiteral(list);
    },
  };
}

/** Plans `{a: b, ?c: d}`. */
export function planMapLiteral(planning: Planning, { entries }: MapExpression): Planned {
  const planned = entries.map((entry) => ({
    key: planning.plan(entry.key),
    value: planning.plan(entry.value),
    optional: entry.optional,
  }));
  const isConstant = planned.every(
    ({ key, value, optional }) =>
      !optional && key.constant !== undefined && value.constant !== undefined,
  );
  if (isConstant) {
    const map = new CelMap();
    for (const { key, value } of planned) {
      if (key.constant instanceof Uint8Array) {
        throw new PlanFailure('runtime error: hash of unhashable type types.Bytes');
      }
      map.set(key.constant ?? null, value.constant ?? null);
    }
    return constant(map);
  }
  const parts = planned.map(({ key, value, optional }, index) => ({
    key: planOwnKey(key, readsData(planning, entries[index]?.key)),
    value: value.evaluate,
    optional,
  }));
  return {
    evaluate: (frame) => {
      let map = new CelMap();
      for (const part of parts) {
        const key = part.key(frame);
        const value = isError(key) ? key : part.value(frame);
        const added = isError(value) ? value : addEntry(map, key, value, part.optional);
        if (isError(added)) {
          frame.charge(mapCost);
          return added;
        }
        map = added;
      }
      frame.charge(mapCost);
      return map;
    },
  };
}

/** Whether the value may be one that is read from data as it was given. */
function readsData(planning: Planning, expression: Expression | undefined): boolean {
  const reference = expression && planning.checked.references[expression.id];
  if (reference?.kind === 'variable') {
    const root = variableOf(planning, reference);
    return root.isData;
  }
  switch (expression?.kind) {
    case 'select':
      return readsData(planning, expression.operand);
    case 'call': {
      const { arguments: values, target } = expression;
      const parts = expression.function === '_?_:_' ? values.slice(1) : [target, ...values];
      return parts.some((part) => readsData(planning, part));
    }
    default:
      return false;
  }
}

/** Plans `Name{field: a, ?other: b}`. */
export function planStructLiteral(planning: Planning, { id, fields }: StructExpression): Planned {
  const reference = planning.checked.references[id];
  if (reference?.kind !== 'struct') return refuse();
  const { name } = reference;
  if (!planning.environment.hasStruct(name)) throw new PlanFailure(`unknown type: ${name}`);
  const make = planning.environment.structMaker(name);
  const parts = fields.map((field) => ({
    name: field.name,
    optional: field.optional,
    evaluate: planning.plan(field.value).evaluate,
  }));
  return {
    evaluate: (frame) => {
      const values = new Map<string, Value>();
      for (const part of parts) {
        const value = part.evaluate(frame);
        const failed = isError(value) ? value : addField(values, part, value);
        if (failed !== undefined) {
          frame.charge(structCost);
          return failed;
        }
      }
      const created = make(values);
      frame.charge(structCost);
      return created;
    },
  };
}

function planList(values: readonly Evaluate[]): Evaluate {
  return (frame) => {
    const list: Value[] = [];
    for (let index = 0; index < values.length; index++) {
      const value = (values[index] as Evaluate)(frame);
      if (isError(value)) {
        frame.charge(listCost);
        return value;
      }
      list.push(value);
    }
    frame.charge(listCost);
    return list;
  };
}

/**
 * Plans the key of an entry. As keys, lists, maps and optionals are pointers in Go: each reading of data creates a new
 * one, and so does an optional that has a name.
 */
function planOwnKey({ evaluate, attribute }: Planned, isFromData: boolean): Evaluate {
  if (!isFromData && attribute === undefined) return evaluate;
  return (frame) => {
    const key = evaluate(frame);
    if (key instanceof Optional) return key.value === undefined ? key : new Optional(key.value);
    if (!isFromData) return key;
    return isList(key) ? [...key] : isPlainObject(key) ? { ...key } : key;
  };
}

/** The map with the entry; an optional entry without a value takes away one of the same key. */
function addEntry(map: CelMap, key: Value, value: Value, optional: boolean): CelMap | CelError {
  if (!optional) {
    map.set(key, value);
    return map;
  }
  if (!(value instanceof Optional)) {
    return new CelError(
      `cannot initialize optional entry '${formatGoValue(key)}' from non-optional value ${formatGoValue(value)}`,
    );
  }
  if (value.value === undefined) return map.without(key);
  map.set(key, value.value);
  return map;
}

function addField(
  values: Map<string, Value>,
  { name, optional }: { readonly name: string; readonly optional: boolean },
  value: Value,
): CelError | undefined {
  if (!optional) {
    values.set(name, value);
    return undefined;
  }
  if (!(value instanceof Optional)) {
    return new CelError(
      `cannot initialize optional entry '${name}' from non-optional value ${formatGoValue(value)}`,
    );
  }
  if (value.value === undefined) {
    values.delete(name);
  } else {
    values.set(name, value.value);
  }
  return undefined;
}
