import type { StructType, TypeStore } from '@kubeadmit/schemas/types';
import { programTypes } from '@kubeadmit/schemas/workloads';
import { goTypesMinor } from '../rule/go-types-minor.ts';
import { celPolicyTypes } from './policy-schema.data.ts';
import { policyTypes } from './policy-types.data.ts';

/** The Go structs of Kyverno's policies, by names such as `v1.Rule`, and the Kubernetes structs in them. */
export const policyStructs: TypeStore = programTypes(goTypesMinor, {
  ...policyTypes,
  cel: celPolicyTypes,
  // A struct without a name, which distinguishes the kinds of policies.
  '': ' {"fields":[["kind","string"]]}',
});

/** A struct that policies have. */
export function policyStruct(name: string): StructType {
  const type = policyStructs.get(name);
  if (type === undefined) throw new TypeError(`no type \`${name}\``);
  return type;
}
