import {
  CelMap,
  Duration,
  goText,
  isList,
  isPlainObject,
  Timestamp,
  Uint,
  type Value,
} from '@kubeadmit/cel';
import { goQuote } from '@kubeadmit/engine';

/** A value of an expression as Go's `%v` prints it where it stands in a list or map (cel-go `String`). */
export function referenceText(value: Value, isData: (list: object) => boolean): string {
  if (value instanceof Uint8Array) return `[${value.join(' ')}]`;
  if (isList(value)) {
    const nothing = isData(value) ? '<nil>' : '0';
    const texts = value.map((each) => (each === null ? nothing : referenceText(each, isData)));
    return `[${texts.join(', ')}]`;
  }
  if (value instanceof CelMap) {
    const texts = value.keys.map((key, index) => {
      const member = value.values[index] ?? null;
      return `${referenceText(key, isData)}: ${referenceText(member, isData)}`;
    });
    return `{${texts.join(', ')}}`;
  }
  if (isPlainObject(value)) {
    const texts = Object.entries(value).map(
      ([key, member]) => `${key}: ${member === null ? '<nil>' : referenceText(member, isData)}`,
    );
    return `{${texts.join(', ')}}`;
  }
  return goText(value);
}

const months = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September'],
  ...['October', 'November', 'December'],
];

/** A value of an expression as Go's `%#v` prints it where it stands in a list or map. */
export function referenceSyntax(value: Value, isData: (list: object) => boolean): string {
  if (typeof value === 'string') return goQuote(value);
  if (value instanceof Uint) return `0x${value.value.toString(16)}`;
  if (value instanceof Uint8Array) {
    return `types.Bytes{${[...value].map((byte) => `0x${byte.toString(16)}`).join(', ')}}`;
  }
  if (value instanceof Duration) return `types.Duration{Duration:${value.nanoseconds}}`;
  if (value instanceof Timestamp) {
    const time = new Date(value.seconds * 1000);
    const parts = [
      time.getUTCFullYear(),
      `time.${months[time.getUTCMonth()]}`,
      time.getUTCDate(),
      time.getUTCHours(),
      time.getUTCMinutes(),
      time.getUTCSeconds(),
      value.nanoseconds,
    ];
    return `time.Date(${parts.join(', ')}, time.UTC)`;
  }
  return referenceText(value, isData);
}
