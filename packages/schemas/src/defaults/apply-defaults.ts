import { formatQuantity, parseQuantity, roundUpToMilli } from '../decode/quantity.ts';
import type { JsonObject } from '../json.ts';
import type { Shape } from '../types/shape.ts';
import type { StructType, TypeStore } from '../types/type-store.ts';
import { coreDefaults } from './core.ts';
import type { Defaulter, DefaultingContext } from './defaulting.ts';
import { otherDefaults } from './other.ts';
import { policyDefaults } from './policies.ts';
import { workloadDefaults } from './workloads.ts';

/** Packages whose kinds kube-apiserver has no defaults for at all, not even those of nested structs. */
const packagesWithout: readonly string[] = ['node.v1.'];

const defaulters: ReadonlyMap<string, Defaulter> = new Map(
  Object.entries({ ...coreDefaults, ...workloadDefaults, ...policyDefaults, ...otherDefaults }),
);

/** A struct's own defaulter and the fields below which there are more. */
interface Plan {
  readonly defaulter?: Defaulter;
  readonly fields: readonly (readonly [name: string, shape: Shape])[];
}

const plans = new WeakMap<StructType, Plan>();

/**
 * Sets in place what kube-apiserver sets in code when it decodes an object: defaults from the outside in. Fields that
 * the version does not have stay out, since writing knows only its own.
 */
export function applyDefaults(
  types: TypeStore,
  type: StructType,
  object: JsonObject,
  context: DefaultingContext,
): void {
  const plan = planOf(types, type, new Set());
  plan.defaulter?.(object, context);
  for (const [name, shape] of plan.fields) visit(types, object, name, shape, context);
}

function visit(
  types: TypeStore,
  object: JsonObject,
  name: string,
  shape: Shape,
  context: DefaultingContext,
): void {
  const value = object[name];
  if (context.shared?.has(value as object)) return;
  if (shape.kind === 'struct') {
    if (value === undefined && shape.pointer) return;
    const inner = types.get(shape.struct as string) as StructType;
    object[name] = value ?? {};
    applyDefaults(types, inner, object[name] as JsonObject, context);
  } else if (shape.kind === 'list') {
    const element = types.get(shape.element?.struct as string) as StructType;
    for (const item of (value as JsonObject[] | undefined) ?? []) {
      if (item !== undefined && !context.shared?.has(item)) {
        applyDefaults(types, element, item, context);
      }
    }
  } else if (value !== undefined) {
    roundQuantities(value as JsonObject);
  }
}

/** Kubernetes, `SetDefaults_ResourceList`. */
function roundQuantities(list: JsonObject): void {
  for (const key of Object.keys(list)) {
    const quantity = parseQuantity(list[key] as string);
    if (typeof quantity !== 'string') list[key] = formatQuantity(roundUpToMilli(quantity));
  }
}

function planOf(types: TypeStore, type: StructType, open: Set<string>): Plan {
  const known = plans.get(type);
  if (known) return known;
  if (packagesWithout.some((prefix) => type.name.startsWith(prefix))) return { fields: [] };
  open.add(type.name);
  const fields = type.fields.filter(({ shape }) => leadsToDefaults(types, shape, open));
  open.delete(type.name);
  const defaulter = defaulters.get(type.name);
  const plan: Plan = {
    ...(defaulter ? { defaulter } : {}),
    fields: fields.map(({ name, shape }) => [name, shape]),
  };
  plans.set(type, plan);
  return plan;
}

function leadsToDefaults(types: TypeStore, shape: Shape, open: Set<string>): boolean {
  if (shape.kind === 'map') return shape.go === 'v1.ResourceList';
  const struct = shape.kind === 'list' ? shape.element?.struct : shape.struct;
  const type = struct === undefined || open.has(struct) ? undefined : types.get(struct);
  if (!type) return false;
  const plan = planOf(types, type, open);
  return plan.defaulter !== undefined || plan.fields.length > 0;
}
