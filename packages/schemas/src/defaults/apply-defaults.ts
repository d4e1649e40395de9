import type { JsonObject } from '@kubeadmit/apimachinery';
import { formatQuantity, parseQuantity, roundUpQuantity } from '@kubeadmit/apimachinery/quantity';
import type { Shape } from '../types/shape.ts';
import type { Field, StructType, TypeStore } from '../types/type-store.ts';
import { coreDefaults } from './core.ts';
import { type Defaulter, type DefaultingContext, struct } from './defaulting.ts';
import { otherDefaults } from './other.ts';
import { policyDefaults } from './policies.ts';
import { workloadDefaults } from './workloads.ts';

/** Packages whose kinds kube-apiserver has no defaults for at all, not even those of nested structs. */
const packagesWithout: readonly string[] = ['node.v1.'];

const defaulters: ReadonlyMap<string, Defaulter> = new Map(
  Object.entries({ ...coreDefaults, ...workloadDefaults, ...policyDefaults, ...otherDefaults }),
);

/** A struct's own defaulter and the fields below which there may be more. */
interface Plan {
  readonly defaulter: Defaulter | undefined;
  readonly shapes: ReadonlyMap<string, Shape>;
  /** Structs that are not pointers, and therefore exist even if they were not given. */
  readonly structs: readonly Field[];
}

const plans = new WeakMap<StructType, Plan>();

/**
 * Sets the defaults in place that kube-apiserver sets in code when it decodes an object, from the outside in. Fields
 * that the version does not have are not set, since the encoder only knows its own.
 *
 * @param live what decoding gave earlier: members that are the same values have their defaults, and stay as they are
 */
export function applyDefaults(
  types: TypeStore,
  type: StructType,
  object: JsonObject,
  context: DefaultingContext,
  live?: JsonObject,
): void {
  const { defaulter, shapes, structs } = planOf(type);
  defaulter?.(object, context);
  for (const key of Object.keys(object)) {
    const value = object[key];
    if (typeof value !== 'object' || value === null) continue;
    const before = live?.[key];
    const shape = value === before ? undefined : shapes.get(key);
    if (shape !== undefined) visit(types, shape, value, context, before as JsonObject | undefined);
  }
  for (const { name, shape } of structs) {
    if (object[name] !== undefined) continue;
    const inner = absentStruct(types, shape);
    if (inner) applyDefaults(types, inner, struct(object, name), context);
  }
}

function visit(
  types: TypeStore,
  shape: Shape,
  value: object,
  context: DefaultingContext,
  live: JsonObject | undefined,
): void {
  if (shape.kind === 'struct') {
    applyDefaults(types, structIn(types, shape), value as JsonObject, context, live);
  } else if (shape.kind === 'list') {
    const element = structIn(types, shape.element as Shape);
    for (const item of value as JsonObject[]) {
      if (item === undefined) continue;
      const before = context.origins?.get(item);
      if (before !== item) applyDefaults(types, element, item, context, before as JsonObject);
    }
  } else {
    roundQuantities(value as JsonObject);
  }
}

/** The exponent of thousandths, finer than which the server holds no resource. */
const milli = -3;

/** Kubernetes, `SetDefaults_ResourceList`. */
function roundQuantities(list: JsonObject): void {
  for (const key of Object.keys(list)) {
    const quantity = parseQuantity(list[key] as string);
    if (!('error' in quantity)) list[key] = formatQuantity(roundUpQuantity(quantity, milli));
  }
}

function planOf(type: StructType): Plan {
  const known = plans.get(type);
  if (known) return known;
  const isWithout = packagesWithout.some((prefix) => type.name.startsWith(prefix));
  const fields = isWithout ? [] : type.fields.filter(({ shape }) => mayHaveDefaults(shape));
  const plan: Plan = {
    defaulter: defaulters.get(type.name),
    shapes: new Map(fields.map(({ name, shape }) => [name, shape])),
    structs: fields.filter(({ shape }) => shape.kind === 'struct' && !shape.pointer),
  };
  plans.set(type, plan);
  return plan;
}

function mayHaveDefaults(shape: Shape): boolean {
  if (shape.kind === 'map') return shape.go === 'v1.ResourceList';
  return (shape.kind === 'list' ? shape.element : shape)?.struct !== undefined;
}

/** Returns the type of a struct that was not given, if it or its fields have defaults. */
function absentStruct(types: TypeStore, shape: Shape): StructType | undefined {
  const type = structIn(types, shape);
  return hasDefaultsWhenEmpty(types, type) ? type : undefined;
}

const emptyDefaults = new WeakMap<StructType, boolean>();

function hasDefaultsWhenEmpty(types: TypeStore, type: StructType): boolean {
  const known = emptyDefaults.get(type);
  if (known !== undefined) return known;
  const { defaulter, structs } = planOf(type);
  const has =
    defaulter !== undefined ||
    structs.some(({ shape }) => absentStruct(types, shape) !== undefined);
  emptyDefaults.set(type, has);
  return has;
}

function structIn(types: TypeStore, shape: Shape): StructType {
  return types.get(shape.struct as string) as StructType;
}
