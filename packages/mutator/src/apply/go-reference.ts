import { Duration, Optional, Timestamp, TypeValue, Uint, type Value } from '@kubeadmit/cel';
import { formatGoData, formatGoValue, goTypeName } from '@kubeadmit/cel/unstable-internal';
import { CelMap, isList, isPlainObject } from '@kubeadmit/cel/values';
import { civilTime, quote, timeSyntax } from '@kubeadmit/go';
import type { DataForms } from './data-forms.ts';

/** Formats a value of an expression as Go's `%v` prints it inside a list or map (cel-go `String`). */
export function referenceText(value: Value, forms: DataForms): string {
  if (value instanceof Uint8Array) return `[${value.join(' ')}]`;
  // A pointer, which Go prints as its address.
  if (typeof value === 'object' && value !== null && forms.goType?.(value) !== undefined)
    return '0x…';
  if (isList(value)) {
    const isData = forms.isData(value);
    const texts = value.map((each) => (isData ? formatGoData(each) : referenceText(each, forms)));
    return `[${texts.join(', ')}]`;
  }
  if (value instanceof CelMap) {
    const texts = value.keys.map((key, index) => {
      const member = value.values[index] ?? null;
      return `${referenceText(key, forms)}: ${referenceText(member, forms)}`;
    });
    return `{${texts.join(', ')}}`;
  }
  if (isPlainObject(value)) {
    const texts = Object.entries(value).map(
      ([key, member]) => `${key}: ${referenceText(member, forms)}`,
    );
    return `{${texts.join(', ')}}`;
  }
  return formatGoValue(value);
}

/** Formats a value of an expression as Go's `%#v` prints it inside a list or map. */
export function referenceSyntax(value: Value, forms: DataForms): string {
  if (typeof value === 'string') return quote(value);
  if (value instanceof Uint) return `0x${value.value.toString(16)}`;
  if (value instanceof Uint8Array) {
    return `types.Bytes{${[...value].map((byte) => `0x${byte.toString(16)}`).join(', ')}}`;
  }
  if (value instanceof Duration) return `types.Duration{Duration:${value.nanoseconds}}`;
  if (value instanceof Timestamp) return timestampSyntax(value);
  if (value instanceof TypeValue) return '(*types.Type)(0x…)';
  if (value instanceof Optional) return '(*types.Optional)(0x…)';
  if (!isList(value) && !isPlainObject(value) && !(value instanceof CelMap))
    return referenceText(value, forms);
  // A pointer, which Go prints as its address.
  if (forms.goType?.(value) === undefined) return `(${goTypeName(value)})(0x…)`;
  const kind = isList(value) ? 'List' : forms.isStruct?.(value) ? 'Struct' : 'Map';
  return `(*common.reflectSchemalessTyped${kind})(0x…)`;
}

/** A timestamp as Go's `%#v` prints it. */
export function timestampSyntax({ seconds, nanoseconds, offset }: Timestamp): string {
  const zone = offset === 0 ? 'time.UTC' : 'time.Location("")';
  return timeSyntax(civilTime(seconds + offset), nanoseconds, zone);
}

/** A semantic version as Go's `%#v` prints it. */
export function semverSyntax(version: string): string {
  const [, numbers = '', before = '', build = ''] =
    /^([0-9.]+)(?:-([^+]*))?(?:\+(.*))?$/.exec(version) ?? [];
  const [major, minor, patch] = numbers.split('.').map(hexadecimal);
  const prerelease = listSyntax('semver.PRVersion', before, (part) =>
    /^[0-9]+$/.test(part)
      ? `semver.PRVersion{VersionStr:"", VersionNum:${hexadecimal(part)}, IsNum:true}`
      : `semver.PRVersion{VersionStr:${quote(part)}, VersionNum:0x0, IsNum:false}`,
  );
  const metadata = listSyntax('string', build, quote);
  return `semver.Version{Major:${major}, Minor:${minor}, Patch:${patch}, Pre:${prerelease}, Build:${metadata}}`;
}

function listSyntax(type: string, parts: string, print: (part: string) => string): string {
  return parts === '' ? `[]${type}(nil)` : `[]${type}{${parts.split('.').map(print).join(', ')}}`;
}

function hexadecimal(digits: string): string {
  return `0x${BigInt(digits).toString(16)}`;
}
