import { compareText, decodeBase64, formatFloat64, stringifyJson } from '@kubeadmit/go';
import type { Shape } from './shape.ts';
import type { Field, TypeStore } from './type-store.ts';

/**
 * Formats a value as Go's `%v` prints kube-apiserver's representation: structs with all fields in order, unset ones
 * included, quantities and times with their internals.
 *
 * Go prints pointers as addresses, and pointers to structs in the form of Protocol Buffers: here a set pointer is
 * `0x…` or `&Name{…}`.
 */
export function structText(types: TypeStore, shape: Shape, value: unknown): string {
  const { kind, element } = shape;
  const print = (inner: unknown): string => structText(types, element as Shape, inner);
  if (shape.pointer) return pointerText(types, shape, value ?? undefined);
  switch (kind) {
    case 'string':
      return (value as string | undefined) ?? '';
    case 'float64':
      return formatFloat64(Number(value ?? 0));
    case 'bytes':
      return `[${bytesOf(value).join(' ')}]`;
    case 'list':
      return `[${((value ?? []) as unknown[]).map(print).join(' ')}]`;
    case 'map':
      return `map[${Object.entries(value ?? {})
        .sort(([a], [b]) => compareText(a, b))
        .map(([key, member]) => `${key}:${print(member)}`)
        .join(' ')}]`;
    case 'struct': {
      const fields = types.get(shape.struct as string)?.fields ?? [];
      return fieldsText(types, fields, (value ?? {}) as Members);
    }
    case 'time':
    case 'microtime':
      return timeText((value as string | null | undefined) ?? '0001-01-01T00:00:00Z');
    case 'quantity':
      return quantityText(value as string | undefined);
    case 'intorstring':
      return typeof value === 'string' ? `{1 0 ${value}}` : `{0 ${value ?? 0} }`;
    case 'any':
      return `{[${value === undefined ? '' : new TextEncoder().encode(stringifyJson(value)).join(' ')}] <nil>}`;
    default:
      return String(value ?? (kind === 'bool' ? false : 0));
  }
}

/** Fields by name. */
export interface Members {
  readonly [name: string]: unknown;
}

function fieldsText(
  types: TypeStore,
  fields: readonly Field[],
  value: Members,
  depth: number = 0,
): string {
  const texts = goFields(fields, depth).map(([field, inner]) =>
    inner === undefined
      ? structText(types, field.shape, value[field.name] ?? undefined)
      : fieldsText(types, inner, value, depth + 1),
  );
  return `{${texts.join(' ')}}`;
}

/**
 * The fields that a struct has to Go: each with those of the struct that it is the first of, where they are written as
 * parts of another.
 */
export function goFields(
  fields: readonly Field[],
  depth: number,
): (readonly [first: Field, inner?: readonly Field[]])[] {
  const found: [Field, Field[]?][] = [];
  for (const field of fields) {
    const group = inlined(field, depth);
    const last = found.at(-1);
    if (group === undefined) found.push([field]);
    else if (last?.[1] && inlined(last[0], depth) === group) last[1].push(field);
    else found.push([field, [field]]);
  }
  return found;
}

/** The name of the inlined struct that holds a field at a depth. */
export function inlined({ inside }: Field, depth: number): string | undefined {
  return inside?.split('.')[depth];
}

function pointerText(types: TypeStore, shape: Shape, value: unknown): string {
  const { kind, struct = '' } = shape;
  const isOfFields = shape.free === 'fields';
  const isMessage = !isOfFields && (kind === 'struct' || kind === 'any');
  if (value === undefined) return isMessage ? 'nil' : '<nil>';
  if (isOfFields) return stringifyJson(value);
  if (isMessage) return `&${(struct || shape.go).replace(/^.*\./, '')}{…}`;
  if (kind === 'quantity' || kind === 'intorstring') return String(value);
  return kind === 'time' || kind === 'microtime'
    ? structText(types, { ...shape, pointer: false }, value)
    : '0x…';
}

/** Decodes bytes in base64; returns none for an empty string. */
export function bytesOf(value: unknown): readonly number[] {
  const bytes = decodeBase64((value as string | undefined) ?? '');
  return 'error' in bytes ? [] : [...bytes];
}

function timeText(time: string): string {
  return `${time.replace('T', ' ').replace(/(?:\.?0*)?Z$/, (end) => (time.includes('.') ? '' : end.slice(0, -1)))} +0000 UTC`;
}

const binary = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];
const decimal = ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E'];

function quantityText(text: string = ''): string {
  const [number, scale, form] = text === '' ? [0, 0, ''] : quantityParts(text);
  return `{{${number} ${scale}} {<nil>} ${text} ${form}}`;
}

/** The parts of a quantity whose text is canonical. */
export function quantityParts(
  text: string,
): readonly [number: bigint, scale: number, form: string] {
  const [, digits = '', fraction = '', suffix = ''] = /^(-?\d*)\.?(\d*)(.*)$/.exec(text) ?? [];
  const number = BigInt(digits + fraction);
  const power = binary.indexOf(suffix);
  if (power > 0) return [number << BigInt(10 * power), 0, 'BinarySI'];
  const isWritten = /^[eE]\d/.test(suffix);
  const exponent = isWritten ? Number(suffix.slice(1)) : 3 * decimal.indexOf(suffix) - 9;
  return [number, exponent - fraction.length, isWritten ? 'DecimalExponent' : 'DecimalSI'];
}
