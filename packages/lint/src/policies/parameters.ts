import { groupVersionKindOf, member } from '@kubeadmit/apimachinery';
import type { ParamKind } from '@kubeadmit/engine';
import type { Manifest } from '@kubeadmit/manifest';
import { findResourceOfKind, listResources, type Schemas } from '@kubeadmit/schemas';
import { issueAt, type LintIssue } from '../issue/issue.ts';

/** Parameters of a kind that is not known, because of which the policy fails on every request. */
export function unknownParameterKind(
  manifest: Manifest,
  paramKind: ParamKind | null | undefined,
  schemas: Schemas,
): LintIssue[] {
  if (paramKind == null) return [];
  const { apiVersion = '', kind = '' } = paramKind;
  const named = groupVersionKindOf(apiVersion, kind);
  if (findResourceOfKind(schemas, named) !== undefined) return [];
  const isKnownGroup = listResources(schemas).some(({ group }) => group === named.group);
  const advice = isKnownGroup
    ? `Kubernetes ${schemas.version} does not serve it, so every request fails`
    : 'add its CustomResourceDefinition to the inputs';
  return [
    issueAt(manifest, 'spec.paramKind.kind', {
      code: 'unknown-parameter-kind',
      severity: isKnownGroup ? 'warning' : 'info',
      message: `unknown parameter kind ${kind} in ${apiVersion}: ${advice}`,
    }),
  ];
}

/** A binding that gives parameters to a policy without them, or none to a policy with them. */
export function strayParameters(binding: Manifest, policy: Manifest): LintIssue[] {
  const given = member(member(binding.object, 'spec'), 'paramRef') ?? undefined;
  const wanted = member(member(policy.object, 'spec'), 'paramKind') ?? undefined;
  if (given !== undefined && wanted === undefined) {
    const message = `${policy.title} has no \`paramKind\`, so \`paramRef\` has no effect`;
    const text = { code: 'stray-parameters', severity: 'warning', message } as const;
    return [issueAt(binding, 'spec.paramRef', text)];
  }
  if (given !== undefined || wanted === undefined) return [];
  const message = `${policy.title} has a \`paramKind\`, but this binding has no \`paramRef\`, so \`params\` is null`;
  return [issueAt(binding, 'spec', { code: 'missing-parameters', severity: 'info', message })];
}
