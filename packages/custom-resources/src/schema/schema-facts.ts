import { memberText } from '@kubeadmit/apimachinery';
import { deepEqual } from '@kubeadmit/go';
import { kindOf, numberOf } from '../values/json-value.ts';
import { isOn, type Schema } from './schema.ts';
import { stringFormat } from './string-formats.ts';

/** The types that a schema allows; none where it says nothing. */
export function typesOf(schema: Schema): readonly string[] {
  if (isOn(schema, 'x-kubernetes-int-or-string')) return ['integer', 'string'];
  const type = memberText(schema, 'type');
  return type === '' ? [] : [type];
}

/** The format of a schema, where its type has such a format and a version knows it; default the newest. */
export function formatOf(schema: Schema, types: readonly string[], minor?: number): string {
  const format = memberText(schema, 'format');
  switch (types.length === 1 ? types[0] : '') {
    case '':
    case 'string':
      return stringFormat(format, minor) ? format : '';
    case 'integer':
      return format === 'int32' || format === 'int64' ? format : '';
    case 'number':
      return format === 'float' || format === 'double' ? format : '';
    default:
      return '';
  }
}

export function hasDuplicates(list: readonly unknown[]): boolean {
  const texts = list.filter((item) => typeof item === 'string');
  if (new Set(texts).size < texts.length) return true;
  const others = list.filter((item) => typeof item !== 'string');
  return others.some((item, index) => {
    for (let before = 0; before < index; before++) if (deepEqual(others[before], item)) return true;
    return false;
  });
}

/** Whether a value is one of an enum once Go has converted it to the type of that. */
export function isConvertedSame(value: unknown, wanted: unknown): boolean {
  if (wanted === null || wanted === undefined) return false;
  const [kind, wantedKind] = [kindOf(value), kindOf(wanted)];
  if (kind === wantedKind) return deepEqual(value, wanted);
  const number = numberOf(value);
  if (number === undefined) return false;
  if (wantedKind === 'integer') return Math.trunc(number) === numberOf(wanted);
  if (wantedKind === 'number') return number === numberOf(wanted);
  if (wantedKind !== 'string' || kind !== 'integer') return false;
  const isCodePoint = number >= 0 && number <= 0x10ffff && (number < 0xd800 || number > 0xdfff);
  return (isCodePoint ? String.fromCodePoint(number) : '\ufffd') === wanted;
}
