import type { Type } from '@kubeadmit/cel';
import { stringType } from '@kubeadmit/cel/types';
import { requestStructs } from '@kubeadmit/engine/environment';
import type { FieldInfo } from '../fields/field-info.ts';
import { typeLabel } from '../fields/type-label.ts';
import type { ServiceContext } from '../service/service-context.ts';

/** The fields of an object type, those of `request` and `namespaceObject` included. */
export function fieldsOfType(
  type: Type,
  { types, words: { requestWords } }: Pick<ServiceContext, 'types' | 'words'>,
): readonly FieldInfo[] {
  if (type.kind !== 'struct') return [];
  const declared = types.fieldsOf(type.name);
  if (declared !== undefined) return [...declared.values()];
  const words = Object.hasOwn(requestWords, type.name) ? requestWords[type.name] : undefined;
  return Object.keys(words ?? {}).map((name) => {
    const field = requestStructs.fieldType(type.name, name) ?? stringType;
    return { name, escaped: name, type: field, about: typeLabel(field), owner: type.name };
  });
}

/** The field of an object type by its name in YAML or in expressions. */
export function fieldNamed(
  type: Type,
  name: string,
  context: Pick<ServiceContext, 'types' | 'words'>,
): FieldInfo | undefined {
  return fieldsOfType(type, context).find((info) => info.escaped === name || info.name === name);
}

/** Describes a field: our text, or that of its definition. */
export function wordsOf(
  { words }: Pick<ServiceContext, 'words'>,
  { owner, name, description }: FieldInfo,
): string | undefined {
  const { policyFieldWords, kyvernoFieldWords = {}, deprecatedFieldWords, requestWords } = words;
  const tables = [policyFieldWords, kyvernoFieldWords, deprecatedFieldWords, requestWords];
  for (const table of tables) {
    const found = ownOf(ownOf(table, owner), name);
    if (found !== undefined) return found;
  }
  if (description !== undefined) return description;
  // INVARIANT: owners of Kyverno stand in no file for which its words were not loaded.
  const isKyverno = owner.startsWith('Kyverno') || Object.hasOwn(kyvernoFieldWords, owner);
  const isOurs = isKyverno || owner.startsWith('suite') || Object.hasOwn(policyFieldWords, owner);
  if (!isOurs) return undefined;
  return (
    ownOf(words.sharedFieldWords, name) ??
    ownOf(isKyverno ? words.kyvernoSharedWords : undefined, name)
  );
}

function ownOf<Value>(
  table: Readonly<Record<string, Value>> | undefined,
  key: string,
): Value | undefined {
  return table !== undefined && Object.hasOwn(table, key) ? table[key] : undefined;
}

/** Whether a field had better not be written any more. */
export function isDeprecated(words: string | undefined): boolean {
  return words !== undefined && /\bDeprecated[:,]/.test(words);
}
