import { describeValue } from '@kubeadmit/base';
import { text as apps } from '../data/apps.v1.ts';
import { text as batch } from '../data/batch.v1.ts';
import { text as core } from '../data/core.v1.ts';
import { text as meta } from '../data/meta.v1.ts';
import { type StructType, TypeStore } from '../types/type-store.ts';
import { type ReadResult, readObject } from './read.ts';

/**
 * The Go structs of a program built with `k8s.io/api`: those of pods, of kinds that create pods and of metadata, and
 * the program's own.
 *
 * @param minor the second part of the version of `k8s.io/api`: 36 of 0.36
 * @param own Go package to the lines of its types, in the form of the data of this package
 */
export function programTypes(minor: number, own: Readonly<Record<string, string>> = {}): TypeStore {
  const texts = { ...own, 'apps.v1': apps, 'batch.v1': batch, 'core.v1': core, 'meta.v1': meta };
  return new TypeStore(minor, new Map(Object.entries(texts)));
}

/** Reads a value into a struct as such a program does, with `encoding/json`: names of fields in any case. */
export function readStruct(types: TypeStore, type: StructType, value: unknown): ReadResult {
  if (!(types instanceof TypeStore)) {
    throw new TypeError(
      `readStruct: expected the result of programTypes, got ${describeValue(types)}`,
    );
  }
  return readObject(types, type, value, { anyCase: true });
}
