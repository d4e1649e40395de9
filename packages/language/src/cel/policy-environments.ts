import type { GroupVersionKind } from '@kubeadmit/apimachinery';
import type { Type } from '@kubeadmit/cel';
import { dynType, optionalOf } from '@kubeadmit/cel/types';
import type { Schemas } from '@kubeadmit/schemas';
import type { FieldTypes } from '../fields/field-types.ts';
import { matchedKinds } from '../policy/matched-kinds.ts';
import { groupVersionOf } from '../policy/object-view.ts';
import type { PolicyView } from '../policy/policy-view.ts';
import type { Dialect } from './dialect.ts';
import { KindEnvironment } from './kind-environment.ts';

/** The facts that environments are built from. */
export interface Known {
  readonly schemas: Schemas;
  readonly types: FieldTypes;
  readonly dialect: Dialect;
}

/** The environments of a policy: one for each kind that it matches, or one that knows nothing of the objects. */
export function environmentsOf(policy: PolicyView, known: Known): readonly KindEnvironment[] {
  const { schemas, types, dialect } = known;
  if (policy.rule !== undefined) return [environmentOfRule(policy.rule, known)];
  const kinds = matchedKinds(policy, schemas).filter((kind) => types.rootOf(kind) !== undefined);
  const paramKind = paramKindOf(policy);
  const params: Readonly<Record<string, Type>> =
    paramKind === undefined ? {} : { params: types.rootOf(paramKind) ?? dynType };
  const wanted: readonly (GroupVersionKind | undefined)[] =
    kinds.length === 0 ? [undefined] : kinds;
  return wanted.map((kind) => {
    const object = (kind && types.rootOf(kind)) ?? dynType;
    const variables = { object, oldObject: object, ...params };
    const environment = new KindEnvironment({ dialect, types, kind, variables });
    for (const { name, expression } of policy.variables) {
      const text = policy.object.part.textOf(expression) ?? '';
      environment.declare(name, text === '' ? dynType : environment.typeOf(text));
    }
    return environment;
  });
}

/** The environment of a rule of a definition: of the value that its schema is about, now and before. */
function environmentOfRule(
  { kind, path, hasOptionalOldSelf }: NonNullable<PolicyView['rule']>,
  { types, dialect }: Known,
): KindEnvironment {
  const self = types.selfAt(kind, path) ?? dynType;
  const oldSelf = hasOptionalOldSelf ? optionalOf(self) : self;
  return new KindEnvironment({ dialect, types, kind, variables: { self, oldSelf } });
}

/** The kind of a policy's parameters. */
export function paramKindOf({ paramKind }: PolicyView): GroupVersionKind | undefined {
  if (paramKind === undefined) return undefined;
  const { apiVersion, kind } = paramKind;
  return { ...groupVersionOf(apiVersion), kind };
}
