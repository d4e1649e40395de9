// Admission policies of Kubernetes as Kyverno evaluates them.

export {
  askNativePolicy,
  findNamespace,
  isNativeKind,
  type NativeObjects,
  type NativePolicy,
  readNativePolicy,
} from './cel-policies/native.ts';
