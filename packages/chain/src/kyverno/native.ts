import type { CelRequest } from '@kubeadmit/kyverno';
import {
  askNativePolicy,
  isNativeKind,
  type NativeObjects,
  type NativePolicy,
  readNativePolicy,
} from '@kubeadmit/kyverno/native';
import type { Manifest } from '@kubeadmit/manifest';
import type { Schemas } from '@kubeadmit/schemas';
import { policyJson } from '../readers/json.ts';
import type { Response } from './response.ts';

/** Reads the native policies among manifests, with their bindings. */
export function readNativePolicies(manifests: readonly Manifest[]): readonly NativePolicy[] {
  const ofGroup = manifests.filter(({ group }) => group === 'admissionregistration.k8s.io');
  const bindings = ofGroup
    .filter(({ kind }) => kind.endsWith('Binding'))
    .map(({ object }) => policyJson(object));
  return ofGroup
    .filter(({ kind }) => isNativeKind(kind))
    .map(({ object }) => readNativePolicy(policyJson(object), bindings));
}

/** Evaluates a native policy for a request as the Kyverno CLI does. */
export function applyNative(
  policy: NativePolicy,
  request: CelRequest,
  objects: NativeObjects,
  schemas: Schemas,
): Response {
  const { result, object } = askNativePolicy(policy, request, objects, schemas);
  const { type } = policy.compiled;
  const results = result === undefined ? [] : [{ ...result, rule: policy.name, type }];
  return { policy: policy.name, kind: policy.kind, namespace: '', results, object };
}
