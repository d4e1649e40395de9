import {
  type GroupVersionKind,
  isObject,
  type JsonObject,
  kindOfObject,
} from '@kubeadmit/apimachinery';
import { describeValue, type OptionKind, requireOptions } from '@kubeadmit/base';
import { applyDefaults } from '../defaults/apply-defaults.ts';
import type { Shape } from '../types/shape.ts';
import type { StructType, TypeStore } from '../types/type-store.ts';
import { findDefinition } from '../version/custom-kinds.ts';
import { requireSchemas } from '../version/require-schemas.ts';
import type { Schemas } from '../version/schemas.ts';
import { structOf } from '../version/structs.ts';
import { decodeCustom } from './custom.ts';
import type { Decoded, DecodeOptions } from './decoded.ts';
import { findingsOf, unknownFieldWarning } from './field-validation.ts';
import { internalForm, keepInternalForm } from './internal-form.ts';
import { jsonProblem } from './json-problem.ts';
import { readObject } from './read.ts';
import { canShare, forbidSharing } from './sharing.ts';
import { asTyped, fullForm, mayChangeInternally, roundTrip, typedForm } from './storage-form.ts';
import { writeObject } from './write.ts';

const optionKinds: Readonly<Record<keyof DecodeOptions, OptionKind>> = {
  fieldValidation: 'string',
  now: 'string',
  kind: 'object',
  live: 'any',
  internal: 'boolean',
};

/**
 * A manifest as kube-apiserver holds it before admission: unknown fields gone, values canonical, defaults set.
 *
 * Objects of kinds that the schemas do not know are given back as they are. The argument is never changed.
 */
export function decode(schemas: Schemas, manifest: unknown, options: DecodeOptions = {}): Decoded {
  requireSchemas('decode', schemas);
  requireOptions('decode', options, optionKinds);
  if (manifest === null) return { known: false };
  const kind = kindOfObject(manifest);
  if (kind && !isObject(manifest)) {
    return { known: false, error: `it is ${describeValue(manifest)}` };
  }
  if (!kind || !isObject(manifest)) {
    return { known: false, error: `Object 'Kind' is missing in '${JSON.stringify(manifest)}'` };
  }
  const named = options.kind ?? kind;
  const type = structOf(schemas, named);
  if (type && keptGroups.has(named.group)) return checkKept(schemas, type, manifest, options);
  if (type) return decodeBuiltin(schemas, type, manifest, options);
  const problem = jsonProblem(manifest);
  if (problem !== undefined) return { known: false, error: problem };
  const custom = findDefinition(schemas, kind);
  if (custom?.version?.schema) {
    return decodeCustom(schemas, custom.version.schema, manifest, options);
  }
  return { known: custom !== undefined, object: manifest };
}

/**
 * The server's warnings about fields that the kind of a manifest does not have, such as `unknown field "spec.foo"`: those
 * that {@link decode} gives with `fieldValidation: 'Warn'`, without making the object.
 */
export function unknownFieldWarnings(schemas: Schemas, manifest: unknown): readonly string[] {
  const kind = kindOfObject(manifest);
  const type = kind && structOf(schemas, kind);
  if (type === undefined || !isObject(manifest)) {
    return decode(schemas, manifest, { fieldValidation: 'Warn' }).warnings ?? [];
  }
  if (hasKnownFields(schemas.types, type, manifest)) return [];
  const { object, unknownFields } = readObject(schemas.types, type, manifest);
  return object === undefined ? [] : unknownFields.map(unknownFieldWarning);
}

/** Groups whose objects kube-apiserver stores unchanged unless a separate API server serves them. */
const keptGroups: ReadonlySet<string> = new Set(['apiextensions.k8s.io', 'apiregistration.k8s.io']);

/** Whether decoding gives the objects of a kind the form of a Go type. */
export function hasGoForm(schemas: Schemas, kind: GroupVersionKind): boolean {
  return !keptGroups.has(kind.group) && structOf(schemas, kind) !== undefined;
}

/** Keeps an object unchanged; on request, with the errors that its own API server reports about its fields. */
function checkKept(
  schemas: Schemas,
  type: StructType,
  manifest: JsonObject,
  { fieldValidation = 'Ignore' }: DecodeOptions,
): Decoded {
  if (fieldValidation === 'Ignore') return { known: false, object: manifest };
  const read = readObject(schemas.types, type, manifest);
  if (!read.object) return { known: false, error: read.error ?? '' };
  const findings = findingsOf(read.unknownFields, fieldValidation);
  return {
    known: false,
    ...(findings.error === undefined ? { object: manifest } : {}),
    ...findings,
  };
}

function decodeBuiltin(
  schemas: Schemas,
  type: StructType,
  manifest: JsonObject,
  { fieldValidation, now = '1970-01-01T00:00:00Z', live, internal = true }: DecodeOptions,
): Decoded {
  const { types, minor } = schemas;
  const sharing =
    live && canShare(type.name, live) ? { live, origins: new Map<object, object>() } : undefined;
  const read = readObject(types, type, manifest, { sharing });
  if (!read.object) return { known: true, error: read.error ?? '' };
  const findings = findingsOf(read.unknownFields, fieldValidation);
  if (findings.error !== undefined) return { known: true, error: findings.error };
  const context = { minor, now, origins: sharing?.origins };
  applyDefaults(types, type, read.object, context, sharing?.live);
  const full = internal ? fullForm(type, read.object, minor) : typedForm(type, read.object);
  const refusal = internal ? roundTrip(type, read.object, minor) : undefined;
  if (refusal !== undefined) return { known: true, error: refusal };
  const object = writeObject(types, type, read.object, sharing);
  if (read.hasZeroTime) forbidSharing(object);
  if (full !== undefined) keepInternalForm(object, full);
  return { known: true, object, ...findings };
}

/**
 * Returns an object that was decoded without the internal form, after the server has written it over the internal form
 * of `before` and read it again (apimachinery `runtime.ObjectConvertor.Convert`). Values that its version cannot
 * represent, such as some metrics of an `autoscaling/v1` autoscaler, stay as they were.
 */
export function convertBack(schemas: Schemas, object: JsonObject, before: JsonObject): Decoded {
  const kind = kindOfObject(object);
  const type = kind && structOf(schemas, kind);
  if (!type || !mayChangeInternally(type, object)) return { known: type !== undefined, object };
  const { types, minor } = schemas;
  const sharing = canShare(type.name, object)
    ? { live: object, origins: new Map<object, object>() }
    : undefined;
  const read = readObject(types, type, asTyped(type, object), { sharing });
  if (!read.object) return { known: true, error: read.error ?? '' };
  const full = fullForm(type, read.object, minor, internalForm(before));
  const refusal = roundTrip(type, read.object, minor, internalForm(before));
  if (refusal !== undefined) return { known: true, error: refusal };
  const converted = writeObject(types, type, read.object, sharing);
  if (full !== undefined) keepInternalForm(converted, full);
  return { known: true, object: converted };
}

/**
 * Whether reading a manifest into a struct would find no field that the struct does not have, whatever else may be wrong
 * with it. It makes nothing, and takes a fraction of the time of reading.
 */
function hasKnownFields(types: TypeStore, type: StructType, manifest: JsonObject): boolean {
  const { byName } = type;
  for (const key of Object.keys(manifest)) {
    const shape = byName.get(key)?.shape;
    if (shape === undefined) return false;
    const value = manifest[key];
    if (typeof value === 'object' && !isKnown(types, shape, value)) return false;
  }
  return true;
}

// Fields that types read by custom methods (`any`, `own`) are not reported, and values of the wrong kind have none.
function isKnown(types: TypeStore, shape: Shape, value: unknown): boolean {
  switch (shape.kind) {
    case 'struct':
      if (!isObject(value)) return true;
      return hasKnownFields(types, types.get(shape.struct as string) as StructType, value);
    case 'list': {
      const element = shape.element as Shape;
      if (!Array.isArray(value) || !isContainer(element)) return true;
      for (const item of value) if (!isKnown(types, element, item)) return false;
      return true;
    }
    case 'map': {
      const element = shape.element as Shape;
      if (!isObject(value) || !isContainer(element)) return true;
      for (const key of Object.keys(value)) if (!isKnown(types, element, value[key])) return false;
      return true;
    }
    default:
      return true;
  }
}

function isContainer({ kind }: Shape): boolean {
  return kind === 'struct' || kind === 'list' || kind === 'map';
}
