import { hasMembers } from '@kubeadmit/base';
import { jsonTypeOf, quote } from '@kubeadmit/go';

/** The type into which Go reads the version and kind of an object. */
const headType =
  'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

/** Why Go cannot read the version and kind of a value, if it cannot (apimachinery serializer/json `Interpret`). */
export function headProblem(value: unknown): string | undefined {
  const problem = (why: string): string => unreadableHead(`json: cannot unmarshal ${why}`);
  if (value === null) return undefined;
  if (!hasMembers(value)) return problem(`${jsonTypeOf(value)} into Go value of type ${headType}`);
  for (const [name, own] of Object.entries(value)) {
    if (name !== 'apiVersion' && name !== 'kind') continue;
    if (own == null || typeof own === 'string') continue;
    return problem(`${jsonTypeOf(own)} into Go struct field .${name} of type string`);
  }
  return undefined;
}

/** The error of a text in which no version and kind can be read. */
export function unreadableHead(why: string): string {
  return `couldn't get version/kind; json parse error: ${why}`;
}

/** The error of decoding an object of a kind that the server does not know (apimachinery runtime.Scheme). */
export function unregisteredKind(kind: string, apiVersion: string): string {
  const names = `${quote(kind)} is registered for version ${quote(apiVersion)}`;
  return `no kind ${names} in scheme "pkg/runtime/scheme.go:111"`;
}
