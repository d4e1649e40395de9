import type { GroupVersionKind } from '@kubeadmit/apimachinery';
import { findDefinition } from '../version/custom-kinds.ts';
import type { Schemas } from '../version/schemas.ts';
import { structOf } from '../version/structs.ts';
import { BuiltinDeclaredTypes } from './builtin-types.ts';
import { declareSchema } from './custom-types.ts';
import { type DeclaredType, emptyDeclared } from './declared-type.ts';

const builtins = new WeakMap<Schemas['types'], BuiltinDeclaredTypes>();

/**
 * Returns the type of a kind that kube-apiserver's type checker uses for policies, from the schema that the server
 * publishes (apiserver, `policy/validating/typechecking.go`).
 *
 * Fields without a type, such as quantities, are not declared; int-or-string is `dyn`. Returns `undefined` for a
 * kind without a schema.
 */
export function declaredType(schemas: Schemas, kind: GroupVersionKind): DeclaredType | undefined {
  const types = builtinTypes(schemas);
  const builtin = structOf(schemas, kind);
  if (builtin) return types.root(builtin.name);
  const version = findDefinition(schemas, kind)?.version;
  if (!version?.served) return undefined;
  if (!version.schema) return types.withMetadata(emptyDeclared);
  const metadata = types.struct('meta.v1.ObjectMeta');
  return declareSchema(version.schema, { isResource: true, metadata });
}

function builtinTypes({ types }: Schemas): BuiltinDeclaredTypes {
  const made = builtins.get(types) ?? new BuiltinDeclaredTypes(types);
  builtins.set(types, made);
  return made;
}
