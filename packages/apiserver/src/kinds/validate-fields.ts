import type { FieldError, GroupVersionKind, KubernetesObject } from '@kubeadmit/apimachinery';
import { notSupported } from '@kubeadmit/apimachinery/field-errors';
import { getOrMake, isPlainObject } from '@kubeadmit/base';
import { quote } from '@kubeadmit/go';
import type { Schemas } from '@kubeadmit/schemas';
import { type Field, type Shape, structNamed, structOf } from '@kubeadmit/schemas/types';
import { type FieldRule, fieldRules } from './field-rules.ts';

/** Validates the fields of a built-in object by the rules of its OpenAPI document, in the order of the fields. */
export function validateFields(
  schemas: Schemas,
  object: KubernetesObject,
  kind: GroupVersionKind,
): FieldError[] {
  const struct = structOf(schemas, kind);
  return struct === undefined ? [] : structErrors(schemas, struct.name, object, '');
}

function structErrors(schemas: Schemas, name: string, value: unknown, at: string): FieldError[] {
  const plan = planOf(schemas, name);
  if (plan.length === 0 || !isPlainObject(value)) return [];
  return plan.flatMap(({ field, rule, below }) => {
    const own = Object.hasOwn(value, field.name) ? value[field.name] : undefined;
    const place = at === '' ? field.name : `${at}.${field.name}`;
    return [
      ...(rule === undefined ? [] : ruleErrors(rule, field, own, place)),
      ...(below === undefined ? [] : shapeErrors(schemas, below, own, place)),
    ];
  });
}

function shapeErrors(schemas: Schemas, shape: Shape, value: unknown, at: string): FieldError[] {
  if (value === undefined || value === null) return [];
  if (shape.kind === 'struct') return structErrors(schemas, shape.struct ?? '', value, at);
  const { element } = shape;
  if (shape.kind !== 'list' || element === undefined || !Array.isArray(value)) return [];
  return value.flatMap((item, i) => shapeErrors(schemas, element, item, `${at}[${i}]`));
}

function ruleErrors(
  { absent, values, refusal, isOfItems, told }: FieldRule,
  { shape }: Field,
  value: unknown,
  field: string,
): FieldError[] {
  const at = told === undefined ? field : field.replace(told.from, told.to);
  if (isAbsent(value, shape)) return (absent ?? []).map((body) => errorOf(at, body));
  if (values === undefined) return [];
  const given = Array.isArray(value) ? (value as readonly unknown[]) : [value];
  return given.flatMap((each, i) => {
    if (typeof each !== 'string' || values.includes(each)) return [];
    const place = isOfItems === true ? `${at}[${i}]` : at;
    return refusal === undefined
      ? [notSupported(place, each, values)]
      : [errorOf(place, `Invalid value: ${quote(each)}: ${refusal}`)];
  });
}

// For types other than pointers, Go cannot distinguish empty from absent.
function isAbsent(value: unknown, { pointer }: Shape): boolean {
  if (value === undefined || value === null) return true;
  if (Array.isArray(value)) return value.length === 0;
  if (isPlainObject(value)) return !pointer && Object.keys(value).length === 0;
  return !pointer && (value === '' || value === 0);
}

const types: Readonly<Record<string, FieldError['type']>> = {
  Required: 'FieldValueRequired',
  Invalid: 'FieldValueInvalid',
  Unsupported: 'FieldValueNotSupported',
};

function errorOf(field: string, body: string): FieldError {
  const [word = ''] = body.split(' ');
  return { type: types[word] ?? 'FieldValueInvalid', field, body };
}

/** A field with a rule, or with rules below it. */
interface Planned {
  readonly field: Field;
  readonly rule: FieldRule | undefined;
  readonly below: Shape | undefined;
}

const plans: WeakMap<Schemas['types'], Map<string, readonly Planned[]>> = new WeakMap();

// The fields of a struct that are to be looked at.
function planOf(schemas: Schemas, name: string): readonly Planned[] {
  const known = getOrMake(plans, schemas.types, () => new Map<string, readonly Planned[]>());
  const plan = known.get(name);
  if (plan !== undefined) return plan;
  // A struct that holds itself finds nothing below.
  known.set(name, []);
  const rules = fieldRules[name] ?? {};
  const made = (structNamed(schemas, name)?.fields ?? []).flatMap((field): readonly Planned[] => {
    if (field.name === 'metadata' || field.name === 'status') return [];
    const rule = rules[field.name];
    const struct = structIn(field.shape);
    const below =
      struct !== undefined && planOf(schemas, struct).length > 0 ? field.shape : undefined;
    return rule === undefined && below === undefined ? [] : [{ field, rule, below }];
  });
  known.set(name, made);
  return made;
}

function structIn({ kind, struct, element }: Shape): string | undefined {
  if (kind === 'struct') return struct;
  return kind === 'list' && element !== undefined ? structIn(element) : undefined;
}
