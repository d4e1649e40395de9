import { formatGroupVersion, type GroupVersionKind } from '@kubeadmit/apimachinery';
import { quote } from '@kubeadmit/go';

/** The type into which Go reads the version and kind of an object. */
export const headType: string =
  'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

/** The error of decoding an object of a kind that the server does not know (apimachinery runtime.Scheme). */
export function unregisteredKind(kind: GroupVersionKind): string {
  const names = `${quote(kind.kind)} is registered for version ${quote(formatGroupVersion(kind))}`;
  return `no kind ${names} in scheme "pkg/runtime/scheme.go:111"`;
}
