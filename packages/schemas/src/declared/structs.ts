import type { StructProvider, Type } from '@kubeadmit/cel';
import { isReservedWord } from '@kubeadmit/cel/syntax';
import {
  boolType,
  bytesType,
  doubleType,
  durationType,
  dynType,
  intType,
  listOf,
  mapOf,
  stringType,
  structType,
  timestampType,
} from '@kubeadmit/cel/types';
import type { DeclaredType } from './declared-type.ts';
import { escapedKeyword } from './escape.ts';

/** A declared type in the terms of the CEL checker. */
export interface DeclaredStructs extends StructProvider {
  /** The type of the value itself. */
  readonly type: Type;
}

/** How fields may be written. */
export interface StructsOptions {
  /**
   * Whether a field that is called like a word of CEL can be written so, as in `self.if`, and not only escaped, as in
   * `self.__if__`: with the libraries of 1.31 (apiserver, `SetRecognizeKeywordAsFieldName`). Default true.
   */
  readonly plainKeywords?: boolean;
}

/**
 * The CEL type of a declared type and of all that is inside, named as kube-apiserver names them: the root by the given
 * name, then `Pod.spec`, `Pod.spec.containers.@idx`, `Thing.spec.m.@elem`.
 */
export function declaredStructs(
  declared: DeclaredType,
  name: string,
  options: StructsOptions = {},
): DeclaredStructs {
  const { plainKeywords = true } = options;
  const objects = new Map<string, DeclaredType>();
  const types = new Map<string, Type | undefined>();
  const find = (struct: string): DeclaredType | undefined => objects.get(struct);
  const toType = (of: DeclaredType, path: string): Type => {
    switch (of.kind) {
      case 'object':
        objects.set(path, of);
        return structType(path);
      case 'list':
        return listOf(toType(of.element as DeclaredType, `${path}.@idx`));
      case 'map':
        return mapOf(stringType, toType(of.element as DeclaredType, `${path}.@elem`));
      default:
        return scalarType(of);
    }
  };
  return {
    type: toType(declared, name),
    has: (struct) => find(struct) !== undefined,
    fieldType: (struct, field) => {
      const fields = find(struct)?.fields;
      const isPlain = plainKeywords && isReservedWord(field) && fields?.has(field) === false;
      const known = isPlain ? escapedKeyword(field) : field;
      const path = `${struct}.${known}`;
      if (!types.has(path)) {
        const inner = fields?.get(known)?.type;
        types.set(path, inner && toType(inner, path));
      }
      return types.get(path);
    },
  };
}

/** The type of a declared value that holds no others; `dyn` for lists, maps and objects. */
export function scalarType(declared: DeclaredType): Type {
  const { kind } = declared;
  return kind === 'list' || kind === 'map' || kind === 'object' ? dynType : simple[kind];
}

const simple = {
  dyn: dynType,
  bool: boolType,
  int: intType,
  double: doubleType,
  string: stringType,
  bytes: bytesType,
  duration: durationType,
  timestamp: timestampType,
} as const;
