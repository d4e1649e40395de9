import type { FieldInfo } from '../fields/field-info.ts';
import type { ServiceContext } from '../service/service-context.ts';

const reinvocation: ReadonlySet<string> = new Set(['reinvocationPolicy']);

/** The values that a field may have, each with its meaning; `undefined` where they are not known. */
export function fieldValueWords(
  { words: { enumValues, valueWords, kyvernoValueWords = {} } }: ServiceContext,
  field: FieldInfo | undefined,
): Readonly<Record<string, string>> | undefined {
  if (field === undefined) return undefined;
  if (field.values !== undefined) return withoutWords(field.values);
  if (reinvocation.has(field.name)) return valueWords['v1.ReinvocationPolicyType'];
  const go = (field.go ?? '').replace(/^v2\./, 'v1.');
  if (Object.hasOwn(kyvernoValueWords, go)) return kyvernoValueWords[go];
  if (field.owner === 'LabelSelectorRequirement' && field.name === 'operator') {
    return valueWords['v1.LabelSelectorOperator'];
  }
  if (Object.hasOwn(valueWords, go)) return valueWords[go];
  return Object.hasOwn(enumValues, go) ? withoutWords(enumValues[go] ?? []) : undefined;
}

function withoutWords(values: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(values.map((value) => [value, '']));
}
