import type { Type } from '@kubeadmit/cel';
import { boolType, doubleType, intType, stringType } from '@kubeadmit/cel/internal';

/** The types of scalars by the names that JSON Schema and the tables of Kyverno's fields have for them. */
export const scalarTypes: ReadonlyMap<string, Type> = new Map([
  ['string', stringType],
  ['boolean', boolType],
  ['bool', boolType],
  ['integer', intType],
  ['int', intType],
  ['int32', intType],
  ['int64', intType],
  ['number', doubleType],
]);
