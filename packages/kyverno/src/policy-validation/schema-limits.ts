import { isObject, member } from '@kubeadmit/apimachinery';
import { formatFieldPath } from '@kubeadmit/apimachinery/field-errors';
import { parseDuration, parseRfc3339, quote } from '@kubeadmit/go';
import {
  durationFields,
  longestTexts,
  smallestNumbers,
  timeFields,
  uniqueItems,
} from './policy-schema.data.ts';

type Path = readonly (string | number)[];

/** A value that its definition refuses: its place and the text of kube-apiserver. */
interface Refusal {
  readonly path: Path;
  readonly message: string;
}

/**
 * Checks the restrictions of a field beyond its type: formats, lengths, duplicates.
 *
 * @param name the type and the field, such as `v1.Rule.name`
 */
export function limitProblems(value: unknown, name: string, path: Path): readonly Refusal[] {
  const messages = [
    ...formatTexts(value, name, path),
    ...lengthTexts(value, name, path),
    ...numberTexts(value, name, path),
  ];
  const by = uniqueItems[name];
  return [
    ...messages.map((message) => ({ path, message })),
    ...(Array.isArray(value) && by !== undefined ? duplicates(value, by, path) : []),
  ];
}

function formatTexts(value: unknown, name: string, path: Path): readonly string[] {
  if (durationFields.has(name) && value != null) return durationTexts(value, path);
  if (!timeFields.has(name) || typeof value !== 'string') return [];
  return parseRfc3339(value) === undefined ? [formatText(value, 'date-time', path)] : [];
}

function durationTexts(value: unknown, path: Path): readonly string[] {
  if (typeof value === 'string') {
    return typeof parseDuration(value) === 'bigint' ? [] : [formatText(value, 'duration', path)];
  }
  const given = typeof value === 'number' ? numberType(value) : undefined;
  return [
    given === undefined
      ? wrongTypeText(value, 'string', path)
      : typeText(given, 'duration', given, path),
  ];
}

/** The name that the server's check of formats has for a number. */
function numberType(value: number): string {
  return Number.isInteger(value) ? 'int64' : 'float64';
}

function formatText(value: string, format: string, path: Path): string {
  return typeText(value, format, value, path);
}

function typeText(value: string, wanted: string, given: string, path: Path): string {
  const at = formatFieldPath(path);
  return `${at}: Invalid value: ${quote(value)}: ${at} in body must be of type ${wanted}: ${quote(given)}`;
}

function lengthTexts(value: unknown, name: string, path: Path): readonly string[] {
  const longest = longestTexts[name] ?? Number.POSITIVE_INFINITY;
  if (typeof value !== 'string' || [...value].length <= longest) return [];
  return [`${formatFieldPath(path)}: Too long: may not be more than ${longest} bytes`];
}

function numberTexts(value: unknown, name: string, path: Path): readonly string[] {
  const smallest = smallestNumbers[name];
  if (smallest === undefined || typeof value !== 'number') return [];
  const at = formatFieldPath(path);
  if (!Number.isInteger(value)) {
    const text = `Checked value must be of type integer (default format) in ${at}`;
    return [`<nil>: Invalid value: "": ${text}`];
  }
  if (value >= smallest) return [];
  const text = `${at} in body should be greater than or equal to ${smallest}`;
  return [`${at}: Invalid value: ${value}: ${text}`];
}

function duplicates(list: readonly unknown[], by: 'name' | 'item', path: Path): Refusal[] {
  const seen = new Set<unknown>();
  return list.flatMap((item, i) => {
    const key = by === 'item' ? item : member(item, 'name');
    if (typeof key !== 'string') return [];
    if (!seen.has(key)) {
      seen.add(key);
      return [];
    }
    const text = by === 'item' ? quote(key) : `{"name":${quote(key)}}`;
    const at = [...path, i];
    return [{ path: at, message: `${formatFieldPath(at)}: Duplicate value: ${text}` }];
  });
}

/** The text of kube-apiserver for a value of another type. */
export function wrongTypeText(value: unknown, wanted: string, path: Path): string {
  const given = jsonTypeOf(value);
  return typeText(given, wanted, given, path);
}

/** The text of kube-apiserver for a value that fits none of its alternatives, or several. */
export function oneOfText(path: Path, count: number): string {
  const found = count === 0 ? ' Found none valid' : ` Found ${count} valid alternatives`;
  return unfit(path, `must validate one and only one schema (oneOf).${found}`);
}

/** The text of kube-apiserver for a value that a combination of schemas refuses; it names no field. */
export function unfit(path: Path, problem: string): string {
  return `<nil>: Invalid value: "": "${formatFieldPath(path)}" ${problem}`;
}

/** The JSON type of a value, as schemas name it. */
export function jsonTypeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'bigint') return 'integer';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return isObject(value) ? 'object' : typeof value;
}
