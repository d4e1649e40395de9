import { fromUnstructured } from '@kubeadmit/admission/unstable-internal';
import type { GroupVersionKind, KubernetesObject } from '@kubeadmit/apimachinery';
import { Double, type Value } from '@kubeadmit/cel';
import { schemaFindings } from '@kubeadmit/custom-resources';
import type { Schemas } from '@kubeadmit/schemas';
import { findDefinition, type StructuralSchema } from '@kubeadmit/schemas/definitions';
import { type Shape, structNamed, structOf } from '@kubeadmit/schemas/types';
import { schemaBelow, valueIn } from '../expressions/type-below.ts';
import type { MutationCode } from './finding.ts';

/** The kind whose objects hold values. */
export interface LeafContext {
  readonly schemas: Schemas;
  readonly kind: GroupVersionKind;
  readonly apiVersion: string;
}

/** A problem of a value. */
export interface LeafFinding {
  readonly code: MutationCode;
  readonly message: string;
}

/**
 * Reports a constant that changes in the merge: an invalid quantity, a number out of range, a value that the schema
 * of a custom resource does not allow.
 *
 * @param path names of fields and keys, `[]` for an element of a list.
 */
export function checkLeaf(
  context: LeafContext,
  path: readonly string[],
  value: Value,
): LeafFinding | undefined {
  const { schemas, kind } = context;
  const version = findDefinition(schemas, kind)?.version;
  if (version !== undefined) {
    // Metadata has other rules.
    const schema = path[0] === 'metadata' ? undefined : schemaBelow(version.schema, path);
    return schema === undefined ? undefined : checkCustom(schema, path, value);
  }
  const shape = shapeAt(schemas, kind, path);
  return shape === undefined ? undefined : checkBuiltin(context, path, shape, value);
}

function checkCustom(
  schema: StructuralSchema,
  path: readonly string[],
  value: Value,
): LeafFinding | undefined {
  const given = value instanceof Double ? value.value : value;
  const name = path.join('.').replaceAll('.[]', '[]');
  const [message] = schemaFindings(schema, name, given);
  return message === undefined ? undefined : { code: 'mutation-invalid-value', message };
}

function checkBuiltin(
  { schemas, kind, apiVersion }: LeafContext,
  path: readonly string[],
  shape: Shape,
  value: Value,
): LeafFinding | undefined {
  const object = { apiVersion, kind: kind.kind, ...(valueIn(path, value) as KubernetesObject) };
  const converted = fromUnstructured(schemas, object, { kind, live: {}, patch: object });
  if (typeof converted === 'string') return { code: 'mutation-refused', message: converted };
  const message = overflow(shape, value);
  return message === undefined ? undefined : { code: 'mutation-no-effect', message };
}

function overflow(shape: Shape, value: Value): string | undefined {
  const given = value instanceof Double ? value.value : value;
  const bits = shape.kind === 'int32' ? 32 : shape.kind === 'int64' ? 64 : undefined;
  if (bits === undefined || (typeof given !== 'number' && typeof given !== 'bigint'))
    return undefined;
  const kept = BigInt.asIntN(bits, BigInt(given));
  if (kept === BigInt(given)) return undefined;
  return `${given} overflows ${shape.go}; the server stores ${kept}`;
}

function shapeAt(
  schemas: Schemas,
  kind: GroupVersionKind,
  path: readonly string[],
): Shape | undefined {
  let struct = structOf(schemas, kind);
  let shape: Shape | undefined;
  for (const name of path) {
    shape = struct === undefined ? shape?.element : struct.byName.get(name)?.shape;
    if (shape === undefined) return undefined;
    struct = shape.struct === undefined ? undefined : structNamed(schemas, shape.struct);
  }
  return shape;
}
