import { quote } from '@kubeadmit/go/internal';

/** The type into which Go reads the version and kind of an object. */
export const headType: string =
  'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

/** The error of decoding an object of a kind that the server does not know (apimachinery runtime.Scheme). */
export function unregisteredKind(kind: string, apiVersion: string): string {
  const names = `${quote(kind)} is registered for version ${quote(apiVersion)}`;
  return `no kind ${names} in scheme "pkg/runtime/scheme.go:111"`;
}
