import { kyvernoRole } from '@kubeadmit/chain/kyverno';
import { isReadByPlugins } from '@kubeadmit/chain/plugins';
import { isReview } from '@kubeadmit/chain/requests';
import { type GivenManifest, type Inputs, sortInputs } from '@kubeadmit/lint';
import { automaticBinding, type BindingAction, withoutBinding } from '@kubeadmit/lint/inputs';
import type { Manifest } from '@kubeadmit/manifest';
import type { PrepareOptions } from './prepare-options.ts';

/** Says that a check makes no sense: there is no policy, or nothing to check. */
export class NothingToCheckError extends Error {}

/** Returns the objects given with `-p` that no policy and no plugin uses. */
export function unusedObjects(
  given: readonly GivenManifest[],
  options: Pick<PrepareOptions, 'withPlugins' | 'operation'>,
): ReadonlySet<Manifest> {
  const inputs = sortInputs(given);
  const { withPlugins = false } = options;
  if (withPlugins && readsEveryObject(inputs, options.operation)) return new Set();
  return new Set(inputs.leftovers.filter((each) => !withPlugins || !isReadByPlugins(each)));
}

/** Whether plugins read any object: quotas count it, and PodSecurity warns about those of a changed namespace. */
function readsEveryObject(
  { leftovers, subjects }: Inputs,
  operation: PrepareOptions['operation'],
): boolean {
  const hasQuota = [...leftovers, ...subjects].some(({ kind }) => kind === 'ResourceQuota');
  const changesNamespaces = subjects.some(
    (subject) => isReview(subject) || (operation === 'UPDATE' && subject.kind === 'Namespace'),
  );
  return hasQuota || changesNamespaces;
}

/** The inputs by their roles; without any policy, whatever was not given with `-p` is checked, whatever its kind. */
export function sortedInputs(
  given: readonly GivenManifest[],
  { withoutPolicies = false, unreadable = [] }: PrepareOptions,
): { readonly all: Inputs; readonly isSchemaCheck: boolean } {
  const all = sortInputs(given);
  const isSchemaCheck = withoutPolicies && unreadable.length === 0 && !hasPolicies(all);
  if (!isSchemaCheck) return { all, isSchemaCheck };
  const checked = given.map((one) =>
    one.role === 'any' ? { ...one, role: 'resources' as const } : one,
  );
  return { all: sortInputs(checked), isSchemaCheck };
}

/** The inputs with a binding for each policy that has none, if there is an action for these. */
export function withBindings(
  given: readonly GivenManifest[],
  action: BindingAction | undefined,
): readonly GivenManifest[] {
  if (action === undefined) return given;
  const { policies, bindings } = sortInputs(given);
  const made = withoutBinding(policies, bindings).map((policy) => ({
    manifest: automaticBinding(policy, action),
    role: 'policies' as const,
  }));
  return [...given, ...made];
}

function hasPolicies({ policies, statics, kyverno }: Inputs): boolean {
  const acting = kyverno.filter((manifest) => kyvernoRole(manifest) !== 'data');
  return policies.length + statics.length + acting.length > 0;
}

/** Requires policies, and objects of known kinds to check. */
export function requireSomething(
  inputs: Inputs,
  {
    subjects,
    isSchemaCheck,
  }: { readonly subjects: readonly Manifest[]; readonly isSchemaCheck: boolean },
): void {
  if (inputs.subjects.length > 0 && subjects.length === 0) {
    throw new NothingToCheckError('no objects to check: every object has an unknown kind');
  }
  if (!isSchemaCheck && !hasPolicies(inputs)) {
    throw new NothingToCheckError(
      "no policy among the inputs (ValidatingAdmissionPolicy, MutatingAdmissionPolicy, or one of Kyverno's kinds)",
    );
  }
  if (subjects.length > 0) return;
  throw new NothingToCheckError(
    isSchemaCheck
      ? 'no objects to check: the inputs contain no Kubernetes object'
      : 'no objects to check: the inputs contain only policies and their dependencies (use -r to check any kind)',
  );
}
