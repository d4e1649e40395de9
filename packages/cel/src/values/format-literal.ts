import { compareText, encodeBase64, formatFloat64, formatRfc3339 } from '@kubeadmit/go';
import { withinStack } from '@kubeadmit/go/unstable-internal';
import { formatCelValue } from './format-cel-value.ts';
import { doubleValue, isList, isMap, typeOf } from './kind.ts';
import { mapGet, mapKeys } from './maps.ts';
import {
  CelError,
  Duration,
  OpaqueValue,
  Optional,
  Timestamp,
  TypeValue,
  Uint,
  type Value,
} from './value.ts';

/**
 * Writes a value as a CEL expression that evaluates to it, as far as there is one: `1u`, `[1, "a"]`, `timestamp("…")`.
 * The entries of maps are sorted by their texts.
 *
 * Throws a `TypeError` for a value that is nested too deeply or contains itself.
 */
export function formatLiteral(value: Value): string {
  return withinStack(() => textOf(value));
}

function textOf(value: Value): string {
  if (typeof value === 'string') return quoted(value);
  const double = doubleValue(value);
  if (double !== undefined) return doubleLiteral(double);
  if (value === null || typeof value !== 'object') return String(value);
  if (isList(value)) return `[${value.map(textOf).join(', ')}]`;
  if (isMap(value)) {
    // A key that is not a number equals none, and so has no value.
    const entries = mapKeys(value).map((key) => {
      const entry = Number.isNaN(key) ? undefined : mapGet(value, key);
      return `${textOf(key)}: ${textOf(entry === undefined ? missingKey(key) : entry)}`;
    });
    return `{${entries.sort(compareText).join(', ')}}`;
  }
  return specialText(value);
}

function specialText(value: Value): string {
  if (value instanceof Uint) return `${value.value}u`;
  if (value instanceof Uint8Array) return `b64"${encodeBase64(value)}"`;
  if (value instanceof Timestamp) return `timestamp("${formatRfc3339({ ...value, offset: 0 })}")`;
  if (value instanceof Duration) return `duration("${value.nanoseconds}ns")`;
  if (value instanceof Optional) {
    return value.value === undefined ? 'optional.none()' : `optional.of(${textOf(value.value)})`;
  }
  if (value instanceof TypeValue) return `type(${value})`;
  if (value instanceof CelError) return `error(${value.message})`;
  const text = value instanceof OpaqueValue ? value.text() : undefined;
  const inner = text === undefined ? opaqueText(value) : quoted(text);
  return `${typeOf(value).name}(${inner})`;
}

// Values without a string form are formatted as Go's `%v` does.
function opaqueText(value: Value): string {
  return value instanceof OpaqueValue ? String(value) : '';
}

function doubleLiteral(value: number): string {
  if (Number.isNaN(value)) return 'double("NaN")';
  if (!Number.isFinite(value)) return value > 0 ? 'double("Infinity")' : 'double("-Infinity")';
  const text = formatFloat64(value);
  return /[.e]/.test(text) ? text : `${text}.0`;
}

const escapes: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
};

/** Quotes as Go's JSON encoder without escaping for HTML. */
function quoted(text: string): string {
  const escaped = text.replace(/["\\\u0000-\u001f\u2028\u2029]/g, (character) => {
    const code = character.charCodeAt(0).toString(16).padStart(4, '0');
    return escapes[character] ?? `\\u${code}`;
  });
  return `"${escaped}"`;
}

function missingKey(key: Value): CelError {
  return new CelError(`no such key: ${formatCelValue(key)}`);
}
