import { type Cluster, loadCluster } from '@kubeadmit/admission';
import { didYouMean } from '@kubeadmit/base';
import { checkTypes, isPolicyKind, type PolicySpec } from '@kubeadmit/engine';
import type { Manifest } from '@kubeadmit/manifest';
import type { Schemas } from '@kubeadmit/schemas';
import { expressionsOf } from './expressions/policy-expressions.ts';
import { isFieldThere, nearestField } from './expressions/undefined-fields.ts';
import { refusalProblems, typeWarningProblems } from './inputs/refusal-problems.ts';
import type { LintIssue } from './issue/issue.ts';
import { expressionAdvice, seenRequests } from './policies/expressions.ts';
import { hiddenVariables } from './policies/hidden-variables.ts';
import { matchAdvice } from './policies/match-advice.ts';
import { mutationIssues } from './policies/mutations.ts';
import { unknownParameterKind } from './policies/parameters.ts';
import type { SpecOf } from './policies/policy-spec.ts';
import { unusedParameters } from './policies/unused-parameters.ts';
import { unusedVariables } from './policies/unused-variables.ts';

/** The version of the server, and the oldest of those that are to take the policies. */
export interface Versions {
  readonly kubernetesVersion?: string | undefined;
  readonly minKubernetesVersion?: string | undefined;
}

/** Parts of objects in which none has the kind and name of another, by which a cluster calls them. */
export function withoutNamesakes(held: readonly Manifest[]): readonly (readonly Manifest[])[] {
  const parts: Manifest[][] = [];
  const counts = new Map<string, number>();
  for (const manifest of held) {
    const title = `${manifest.kind}/${manifest.name}`;
    const before = counts.get(title) ?? 0;
    counts.set(title, before + 1);
    const part = parts[before];
    if (part === undefined) parts.push([manifest]);
    else part.push(manifest);
  }
  return parts;
}

/** Returns the issues that a cluster of these objects reports. */
export function issuesOfCluster(
  held: readonly Manifest[],
  schemas: Schemas,
  { kubernetesVersion, minKubernetesVersion }: Versions,
  specOf: SpecOf,
): readonly LintIssue[] {
  const manifestOf = byTitleOf(held);
  const resources = held.map(({ object }) => object);
  const cluster = loadCluster({ resources, schemas, kubernetesVersion, onErrors: 'report' });
  const refused = cluster.errors.flatMap((refusal) => {
    const manifest = manifestOf(refusal.resource);
    return manifest === undefined ? [] : refusalProblems(manifest, refusal);
  });
  return [
    ...refused.map((problem) => ({ ...problem, severity: 'error' as const, refused: true })),
    ...olderRefusals(held, cluster.errors, { schemas, minKubernetesVersion }),
    ...policyFindings(cluster, manifestOf, schemas),
    ...policyAdvice(cluster.schemas, held, { specOf }),
  ];
}

type ManifestByTitle = (title: string) => Manifest | undefined;

/** Finds manifests by `Kind/name`. */
export function byTitleOf(manifests: readonly Manifest[]): ManifestByTitle {
  const byTitle = new Map(
    manifests.map((manifest) => [`${manifest.kind}/${manifest.name}`, manifest]),
  );
  return (title) => byTitle.get(title);
}

/** Returns the warnings of the type checker about a cluster's policies, and the problems of their mutations. */
export function policyFindings(
  cluster: Cluster,
  manifestOf: ManifestByTitle,
  schemas: Schemas,
): readonly LintIssue[] {
  const typed = cluster.validatingPolicies.flatMap((policy) => {
    const manifest = manifestOf(`ValidatingAdmissionPolicy/${policy.metadata?.name}`);
    if (manifest === undefined) return [];
    const told = typeWarnings(policy.spec ?? {}, schemas);
    return checkTypes(policy, schemas).flatMap(({ fieldRef, warning }) =>
      typeWarningProblems(manifest, fieldRef, warning).map(told),
    );
  });
  const mutations = cluster.mutatingPolicies.flatMap((policy) => {
    const manifest = manifestOf(`MutatingAdmissionPolicy/${policy.metadata?.name}`);
    return manifest === undefined ? [] : mutationIssues(manifest, policy, schemas);
  });
  return [...typed, ...mutations];
}

/**
 * Converts warnings of the type checker to issues. Warnings about existing fields are kept; those about unknown
 * fields name the likely field.
 */
function typeWarnings(
  spec: PolicySpec,
  schemas: Schemas,
): (problem: ReturnType<typeof typeWarningProblems>[number]) => LintIssue {
  // Once for all warnings, of which one expression can have thousands.
  let expressions: ReturnType<typeof expressionsOf> | undefined;
  return (problem) => {
    const { cause } = problem;
    const issue = { ...problem, severity: 'warning' as const, refused: false };
    if (cause?.kind !== 'unknown-field') return issue;
    const { name: field = '' } = cause;
    expressions ??= expressionsOf(spec);
    const tree = expressions.find((each) => each.field === problem.field)?.tree;
    const { kinds } = seenRequests(spec, schemas);
    if (tree === undefined) return issue;
    if (!isFieldThere(tree, field, { kinds, schemas })) {
      const meant = nearestField(tree, field, { kinds, schemas });
      if (meant === undefined) return issue;
      const said = `${cause.message}${didYouMean(meant)}`;
      return { ...issue, message: issue.message.replace(cause.message, () => said) };
    }
    const message = `${problem.message}: a false positive of the server; the field exists`;
    return { ...issue, message, code: 'server-false-alarm', severity: 'info' };
  };
}

/** Returns the errors of the oldest supported server that the newer one does not report. */
function olderRefusals(
  held: readonly Manifest[],
  known: ReturnType<typeof loadCluster>['errors'],
  {
    schemas,
    minKubernetesVersion: oldest,
  }: { readonly schemas: Schemas; readonly minKubernetesVersion: string | undefined },
): readonly LintIssue[] {
  if (oldest === undefined) return [];
  const policies = held.filter(({ kind }) => isPolicyKind(kind));
  const { errors } = loadCluster({
    resources: policies.map(({ object }) => object),
    schemas,
    kubernetesVersion: oldest,
    onErrors: 'report',
  });
  return errors.flatMap((refusal) => {
    if (known.some(({ resource }) => resource === refusal.resource)) return [];
    const manifest = policies.find(({ kind, name }) => `${kind}/${name}` === refusal.resource);
    if (manifest === undefined) return [];
    return refusalProblems(manifest, refusal).map((problem) => ({
      ...problem,
      code: 'needs-newer-version',
      severity: 'warning' as const,
      message: `Kubernetes ${oldest} rejects this: ${problem.message}`,
      refused: false,
    }));
  });
}

/** Returns the issues of policies and bindings that a server accepts. */
export function policyAdvice(
  schemas: Schemas,
  held: readonly Manifest[],
  { specOf, isStatic = false }: { readonly specOf: SpecOf; readonly isStatic?: boolean },
): LintIssue[] {
  return held.flatMap((manifest) => {
    // Objects that cannot be decoded are reported elsewhere.
    const spec = isPolicyKind(manifest.kind) ? specOf(manifest) : undefined;
    if (spec === undefined) return [];
    const expressions = expressionsOf(spec);
    return [
      ...matchAdvice(manifest, spec, { schemas, isStatic }),
      ...unknownParameterKind(manifest, spec.paramKind, schemas),
      ...hiddenVariables(manifest, spec),
      ...unusedVariables(manifest, spec, expressions),
      ...unusedParameters(manifest, spec, expressions),
      ...expressionAdvice(manifest, { spec, expressions }, schemas),
    ];
  });
}
