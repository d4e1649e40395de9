import type { KubernetesObject } from '@kubeadmit/apimachinery';
import type { Value } from '@kubeadmit/cel';
import {
  type KyvernoPolicies,
  readAcceptedExceptions,
  readKyvernoPolicies,
} from '@kubeadmit/chain/kyverno';
import { type Manifest, parseFieldPath, valueAt } from '@kubeadmit/manifest';
import type { Schemas } from '@kubeadmit/schemas';
import { issueAt, type LintIssue } from '../issue/issue.ts';
import { repairString } from '../issue/repair.ts';
import { deprecatedKind } from './deprecated-kinds.ts';
import { unknownMatchKinds } from './match-kinds.ts';
import { neverTrueConditions } from './never-true.ts';
import { nullObjects } from './null-objects.ts';
import {
  type ManifestSource,
  manifestSource,
  refusedAuxiliaries,
  refusedPolicies,
} from './refused-policies.ts';
import { brokenExpressions } from './rule-expressions.ts';
import { findUnknownKyvernoFields, ignoredBySchema, oddBySchema } from './schema-issues.ts';
import { unresolvedVariables } from './unresolved-variables.ts';
import { brokenQueries, unclosedVariables, unknownFunctions } from './variables.ts';

/** Returns Kyverno's errors and warnings about its policies, and the rules that are not evaluated here. */
export function kyvernoIssues(
  manifests: readonly Manifest[],
  schemas: Schemas,
): readonly LintIssue[] {
  const objects = manifests.map(({ object }) => object);
  const exceptions = readAcceptedExceptions(objects).cel;
  const policies = readKyvernoPolicies(objects, { exceptions, clock: () => 0 });
  const manifestOf = manifestSource(manifests);
  const refused = refusedPolicies(policies, manifestOf);
  const isToldOf = ({ manifest, place }: LintIssue): boolean =>
    refused.some(
      (each) =>
        each.manifest === manifest &&
        each.place?.line === place?.line &&
        each.place?.column === place?.column,
    );
  return [
    ...refused,
    ...refusedAuxiliaries(manifests),
    ...manifests.flatMap((manifest) => [
      ...deprecatedKind(manifest),
      ...findUnknownKyvernoFields(manifest),
      ...ignoredBySchema(manifest),
      ...oddBySchema(manifest),
      ...brokenExpressions(manifest),
      ...unclosedVariables(manifest),
      ...brokenQueries(manifest).filter((issue) => !isToldOf(issue)),
      ...unknownFunctions(manifest),
      ...neverTrueConditions(manifest),
      ...nullObjects(manifest, schemas),
      ...unknownMatchKinds(manifest, schemas),
      ...unresolvedVariables(manifest, schemas),
    ]),
    ...kyvernoAdvice(policies, manifestOf),
  ];
}

function kyvernoAdvice(
  { classic, unsupported }: KyvernoPolicies,
  manifestOf: ManifestSource,
): readonly LintIssue[] {
  const warning = (object: KubernetesObject, code: string, message: string): LintIssue =>
    issueAt(manifestOf(object), '', { code, severity: 'warning', message });
  return [
    ...classic.flatMap(({ object, verdict }) =>
      verdict().warnings.map(
        (message) =>
          lowerCaseAction(manifestOf(object), message) ??
          warning(object, 'kyverno-warning', message),
      ),
    ),
    ...classic.flatMap(({ object, unsupportedRules }) =>
      [...unsupportedRules].map(([rule, reason]) =>
        warning(object, 'kyverno-not-evaluated', `rule ${rule}: ${reason}`),
      ),
    ),
    ...unsupported.map(({ object, reason }) => warning(object, 'kyverno-not-evaluated', reason)),
  ];
}

/** The warning about `enforce` and `audit`, which begins with the path of the field, at its place. */
function lowerCaseAction(manifest: Manifest, message: string): LintIssue | undefined {
  const field = /^(spec\.\S+): .*use Enforce\/Audit instead\.$/.exec(message)?.[1];
  if (field === undefined) return undefined;
  const path = parseFieldPath(field);
  const value = valueAt(manifest.object as Value, path);
  const meant = value === 'enforce' ? 'Enforce' : value === 'audit' ? 'Audit' : undefined;
  const fix = meant && repairString(manifest, path, { newText: meant });
  return issueAt(manifest, field, { code: 'kyverno-warning', severity: 'warning', message, fix });
}
