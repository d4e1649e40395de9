import { member } from '@kubeadmit/apimachinery';
import { CelError, formatLiteral, type Value } from '@kubeadmit/cel';
import { isList } from '@kubeadmit/cel/values';
import { JsonPatchValue, ObjectValue } from '@kubeadmit/engine/environment';

/** A value as a CEL literal, cut where it gets longer than a limit, in UTF-16 units. */
export function valueText(value: Value, longest: number): string {
  if (value instanceof CelError) return `error: ${value.message}`;
  const text = wholeText(value);
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

function wholeText(value: Value): string {
  if (isList(value)) return `[${value.map(wholeText).join(', ')}]`;
  if (value instanceof ObjectValue) return structText(value.typeName, [...value.fields]);
  if (!(value instanceof JsonPatchValue)) return formatLiteral(value);
  const { op, path, from, value: given } = value;
  const fields: [string, Value | undefined][] = [
    ['op', op],
    ['path', path],
    ['from', from === '' ? undefined : from],
    ['value', given],
  ];
  return structText('JSONPatch', fields);
}

function structText(name: string, fields: readonly [string, Value | undefined][]): string {
  const set = fields.flatMap(([field, value]) =>
    value === undefined ? [] : [`${field}: ${wholeText(value)}`],
  );
  return `${name}{${set.join(', ')}}`;
}

/** How people call an element of a list: `containers[1] "web"`; `noun` is for a list that lies nowhere. */
export function elementText(
  list: readonly (string | number)[] | undefined,
  index: number,
  element: unknown,
  noun = '',
): string {
  const called = list?.findLast((step) => typeof step === 'string') ?? noun;
  const name = typeof element === 'string' ? element : member(element, 'name');
  return `${called}[${index}]${typeof name === 'string' ? ` ${JSON.stringify(name)}` : ''}`;
}
