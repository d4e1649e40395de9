import { setKey } from '@kubeadmit/base';
import { formatFloat32, formatFloat64 } from '../number/format-float.ts';
import { maxInt64 } from '../number/parse-integer.ts';
import { quote } from '../quote/quote.ts';
import { compareText } from '../text/compare.ts';
import type { YamlScalar } from './resolve-scalar.ts';

/** The value that yaml.v2 decodes into an empty interface. Keys of maps are scalars. */
export type YamlValue = YamlScalar | readonly YamlValue[] | YamlMap;

/** A mapping that was decoded. */
export type YamlMap = Map<YamlScalar, YamlValue>;

/** A value that JSON cannot represent. Never leaves this file. */
class NoJson extends Error {}

function toJson(value: YamlValue, parse: (text: string) => unknown): unknown {
  if (value instanceof Map) {
    const object: Record<string, unknown> = {};
    for (const [key, item] of value) setKey(object, memberName(key, item), toJson(item, parse));
    return object;
  }
  if (Array.isArray(value)) return value.map((item) => toJson(item, parse));
  if (typeof value === 'bigint') return parse(value.toString());
  if (typeof value !== 'number') return value;
  if (!Number.isFinite(value)) {
    throw new NoJson(`json: unsupported value: ${formatFloat64(value)}`);
  }
  return parse(Object.is(value, -0) ? '-0' : String(value));
}

/**
 * Converts a value to JSON as sigs.k8s.io/yaml does; `parse` parses the texts of numbers. Returns an error for
 * values that JSON cannot represent.
 */
export function yamlJson(
  value: YamlValue,
  parse: (text: string) => unknown,
): { readonly value: unknown } | { readonly error: string } {
  try {
    return { value: toJson(value, parse) };
  } catch (error) {
    if (!(error instanceof NoJson)) throw error;
    return { error: error.message };
  }
}

function memberName(key: YamlScalar, value: YamlValue): string {
  const name = keyText(key);
  if (name !== undefined) return name;
  const type = key === null ? '%!s(<nil>)' : 'uint64';
  throw new NoJson(
    `unsupported map key of type: ${type}, key: ${formatGo(key)}, value: ${formatGo(value)}`,
  );
}

/** The name of a member that a key becomes; undefined where it cannot be one. */
export function keyText(key: YamlScalar): string | undefined {
  if (key === null) return undefined;
  if (typeof key === 'bigint') return key > maxInt64 ? undefined : key.toString();
  if (typeof key !== 'number') return String(key);
  if (Number.isNaN(key)) return '.nan';
  if (!Number.isFinite(Math.fround(key))) return key > 0 ? '.inf' : '-.inf';
  return formatFloat32(key);
}

/** A value as Go's `%#v` prints it. */
export function formatGo(value: YamlValue): string {
  if (value === null) return '<nil>';
  if (typeof value === 'string') return quote(value);
  if (typeof value === 'number') return formatFloat64(value);
  if (typeof value === 'bigint') return value > maxInt64 ? `0x${value.toString(16)}` : `${value}`;
  if (typeof value === 'boolean') return String(value);
  if (!(value instanceof Map)) return `[]interface {}{${value.map(formatElement).join(', ')}}`;
  const members = [...value].toSorted(([left], [right]) => compareKeys(left, right));
  const texts = members.map(([key, item]) => `${formatElement(key)}:${formatElement(item)}`);
  return `map[interface {}]interface {}{${texts.join(', ')}}`;
}

function formatElement(value: YamlValue): string {
  return value === null ? 'interface {}(nil)' : formatGo(value);
}

/** The order in which Go prints the keys of a map; keys of different types stand in any order. */
function compareKeys(left: YamlScalar, right: YamlScalar): number {
  if (typeof left === 'string' && typeof right === 'string') return compareText(left, right);
  if (left === null || right === null) return Number(right === null) - Number(left === null);
  if (typeof left !== typeof right) return typeof left < typeof right ? -1 : 1;
  return left < right ? -1 : Number(left > right);
}
