import type { GroupVersionKind } from '@kubeadmit/apimachinery';
import { dynType, type Type } from '@kubeadmit/cel';
import type { Schemas } from '@kubeadmit/schemas';
import type { FieldTypes } from '../fields/field-types.ts';
import { matchedKinds } from '../policy/matched-kinds.ts';
import type { PolicyView } from '../policy/policy-view.ts';
import { KindEnvironment } from './kind-environment.ts';

/** Names that expressions of Kyverno's own policies have besides. */
const kyvernoNames: Readonly<Record<string, Type>> = Object.fromEntries(
  [
    'resource',
    'http',
    'globalContext',
    'image',
    'images',
    'user',
    'exceptions',
    'json',
    'yaml',
    'math',
    'random',
    'time',
    'hash',
  ].map((name) => [name, dynType]),
);

/** The environments of a policy: one for each kind that it matches, or one that knows nothing of the objects. */
export function environmentsOf(
  policy: PolicyView,
  schemas: Schemas,
  types: FieldTypes,
): readonly KindEnvironment[] {
  const kinds = matchedKinds(policy, schemas).filter((kind) => types.rootOf(kind) !== undefined);
  const paramKind = paramKindOf(policy);
  const wanted: readonly (GroupVersionKind | undefined)[] =
    kinds.length === 0 ? [undefined] : kinds;
  return wanted.map((kind) => {
    const environment = new KindEnvironment({
      schemas,
      types,
      kind,
      paramKind,
      isMutating: policy.isMutating,
      more: policy.language === 'kyverno' ? kyvernoNames : {},
    });
    for (const { name, expression } of policy.variables) {
      const text = policy.object.part.textOf(expression) ?? '';
      environment.declare(name, text === '' ? dynType : environment.typeOf(text));
    }
    return environment;
  });
}

/** The kind of a policy's parameters. */
export function paramKindOf({ paramKind }: PolicyView): GroupVersionKind | undefined {
  if (paramKind === undefined) return undefined;
  const { apiVersion, kind } = paramKind;
  const slash = apiVersion.indexOf('/');
  return {
    group: slash === -1 ? '' : apiVersion.slice(0, slash),
    version: apiVersion.slice(slash + 1),
    kind,
  };
}
