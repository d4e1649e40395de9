import type { JsonObject } from '@kubeadmit/apimachinery';
import { sortMembers } from '@kubeadmit/go';
import type { TypeStore } from '../types/type-store.ts';
import { programTypes, readStruct } from './program.ts';
import { type ReadResult, readObject } from './read.ts';

/** The structs that pods are made of, by the minor version of `k8s.io/api` that has them. */
const stores = new Map<number, TypeStore>();

function storeOf(minor: number): TypeStore {
  const known = stores.get(minor);
  if (known) return known;
  const store = programTypes(minor);
  stores.set(minor, store);
  return store;
}

/** The Go structs of pods and of workloads that create them. */
export type WorkloadStruct = 'core.v1.Pod' | 'apps.v1.Deployment' | 'batch.v1.CronJob';

/**
 * Reads an object as a Go program that is built with `k8s.io/api` reads it into a struct with `encoding/json`, after
 * the same program has written it: names of fields in any case, members in sorted order.
 *
 * @param minor the second part of the version of `k8s.io/api`: 36 of 0.36
 */
export function readWorkload(
  minor: number,
  struct: WorkloadStruct,
  object: JsonObject,
): Pick<ReadResult, 'object' | 'error'> {
  const types = storeOf(minor);
  const type = types.get(struct);
  if (type === undefined) throw new TypeError(`readWorkload knows no struct \`${struct}\``);
  const read = readObject(types, type, object);
  // Only errors depend on the order, and only unknown fields on other names.
  if (read.error === undefined && read.unknownFields.length === 0) return read;
  return readStruct(types, type, sortMembers(object));
}
