import { getOrMake } from '@kubeadmit/base';
import { compareText, formatJson } from '@kubeadmit/go';
import type { Schemas } from '@kubeadmit/schemas';
import { type Shape, structNamed, zeroScalar } from '@kubeadmit/schemas/types';
import { internalNames } from './internal-names.data.ts';

/** The fields of a struct, such as the spec of a pod. */
export type Members = Readonly<Record<string, unknown>>;

/**
 * Formats a struct as field errors show kube-apiserver's internal types: with the names of Go, and with all fields,
 * those without a value included.
 *
 * @param struct the struct in version v1, such as `core.v1.PodSpec`
 */
export function internalJson(schemas: Schemas, struct: string, value: unknown): string {
  return formatJson(structForm(schemas, struct, value), { indent: 1 });
}

/** The value that `internalJson` formats, or a list of them. */
export function internalForm(schemas: Schemas, shape: Shape, value: unknown): unknown {
  const { kind, element, struct, pointer } = shape;
  if (value === undefined || value === null) {
    if (pointer || kind !== 'struct') return pointer ? null : (zeroScalar(shape) ?? null);
    return structForm(schemas, struct as string, {});
  }
  if (kind === 'struct') return structForm(schemas, struct as string, value);
  if (element === undefined) return value;
  const formOf = (item: unknown): unknown => internalForm(schemas, element, item);
  if (kind === 'list') return (value as readonly unknown[]).map(formOf);
  const entries = Object.entries(value).sort(([a], [b]) => compareText(a, b));
  return Object.fromEntries(entries.map(([key, item]) => [key, formOf(item)]));
}

function structForm(schemas: Schemas, struct: string, value: unknown): unknown {
  const names = namesOf(struct);
  if (names === undefined) return value;
  const fields = structNamed(schemas, struct)?.byName;
  const given = value as Members;
  const form: Record<string, unknown> = {};
  for (const { name, field, isEmbedded } of names) {
    const shape = fields?.get(field)?.shape;
    if (shape === undefined) continue;
    const member = Object.hasOwn(given, field) ? given[field] : undefined;
    if (isEmbedded) Object.assign(form, member);
    else form[name] = internalForm(schemas, shape, member);
  }
  return form;
}

interface InternalName {
  readonly name: string;
  /** The name of the field in version v1. */
  readonly field: string;
  /** Whether the fields of the struct are those of the one around it. */
  readonly isEmbedded: boolean;
}

const known = new Map<string, readonly InternalName[]>();

function namesOf(struct: string): readonly InternalName[] | undefined {
  const text = internalNames[struct.replace('core.v1.', '')];
  if (text === undefined) return undefined;
  return getOrMake(known, struct, () => text.split(' ').map(readName));
}

function readName(text: string): InternalName {
  if (text.startsWith('...')) return { name: text, field: text.slice(3), isEmbedded: true };
  const [name = '', field = name.charAt(0).toLowerCase() + name.slice(1)] = text.split('=');
  return { name, field, isEmbedded: false };
}
