import type { Type } from '@kubeadmit/cel';
import { stringType } from '@kubeadmit/cel/internal';
import { requestStructs } from '@kubeadmit/engine/internal';
import { typeLabel } from '../cel/type-label.ts';
import { deprecatedFieldWords } from '../words/deprecated-fields.ts';
import { kyvernoFieldWords } from '../words/kyverno-fields.ts';
import { policyFieldWords } from '../words/policy-fields.ts';
import { sharedFieldWords } from '../words/shared-fields.ts';
import { requestWords } from '../words/variables.ts';
import type { FieldInfo } from './field-info.ts';
import type { FieldTypes } from './field-types.ts';

/** The fields of an object type, those of `request` and `namespaceObject` included. */
export function fieldsOfType(type: Type, types: FieldTypes): readonly FieldInfo[] {
  if (type.kind !== 'struct') return [];
  const declared = types.fieldsOf(type.name);
  if (declared !== undefined) return [...declared.values()];
  const words = Object.hasOwn(requestWords, type.name) ? requestWords[type.name] : undefined;
  return Object.keys(words ?? {}).map((name) => {
    const field = requestStructs.fieldType(type.name, name) ?? stringType;
    return { name, escaped: name, type: field, about: typeLabel(field), owner: type.name };
  });
}

/** What a field is for: our words, or those of its definition. */
export function wordsOf({ owner, name, description }: FieldInfo): string | undefined {
  const key = `${owner}.${name}`;
  if (Object.hasOwn(policyFieldWords, key)) return policyFieldWords[key];
  if (Object.hasOwn(kyvernoFieldWords, key)) return kyvernoFieldWords[key];
  if (Object.hasOwn(deprecatedFieldWords, key)) return deprecatedFieldWords[key];
  const words = Object.hasOwn(requestWords, owner) ? requestWords[owner]?.[name] : undefined;
  return words ?? description ?? (isOurs(owner) ? sharedWords(name) : undefined);
}

const ourOwners: ReadonlySet<string> = new Set(
  [...Object.keys(policyFieldWords), ...Object.keys(kyvernoFieldWords)].map((key) =>
    key.slice(0, key.indexOf('.')),
  ),
);

/** Whether a struct is one of policies, bindings, Kyverno or tests. */
function isOurs(owner: string): boolean {
  return owner.startsWith('Kyverno') || owner.startsWith('suite') || ourOwners.has(owner);
}

function sharedWords(name: string): string | undefined {
  return Object.hasOwn(sharedFieldWords, name) ? sharedFieldWords[name] : undefined;
}

/** Whether a field had better not be written any more. */
export function isDeprecated(words: string | undefined): boolean {
  return words !== undefined && /\bDeprecated[:,]/.test(words);
}
