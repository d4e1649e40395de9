import { loadCluster } from '@kubeadmit/admission';
import { groupBy, type OptionKind, requireOptions } from '@kubeadmit/base';
import { timeToLiveOf } from '@kubeadmit/chain/unstable-internal';
import type { InputProblem, Manifest } from '@kubeadmit/manifest';
import type { Schemas } from '@kubeadmit/schemas';
import { requireSchemas } from '@kubeadmit/schemas/unstable-internal';
import {
  byTitleOf,
  issuesOfCluster,
  policyAdvice,
  policyFindings,
  type Versions,
  withoutNamesakes,
} from './cluster-issues.ts';
import { withForeignWords } from './expressions/foreign-word-issues.ts';
import { boundPolicy, checkConfiguration } from './inputs/configuration.ts';
import { definitionProblems } from './inputs/definitions.ts';
import { type GivenManifest, type Inputs, requireGiven, sortInputs } from './inputs/inputs.ts';
import type { PolicyProblem } from './inputs/refusal-problems.ts';
import { refusedObjects, unservedBefore } from './inputs/refused-objects.ts';
import { readStatics } from './inputs/static-manifests.ts';
import { findUnknownFields } from './inputs/unknown-fields.ts';
import { type LintIssue, unreadable } from './issue/issue.ts';
import { deprecatedKindCode } from './kyverno/deprecated-kinds.ts';
import { neverMatchesPolicy } from './policies/never-matches.ts';
import { strayParameters } from './policies/parameters.ts';
import { type SpecOf, specReader } from './policies/policy-spec.ts';
import { unknownKinds } from './policies/unknown-kinds.ts';
import { type RuleSettings, withSettings } from './settings.ts';
import { withoutSilenced } from './silenced.ts';

/** The options of linting policies. */
export interface LintOptions {
  /** The kinds of the server and of the definitions among the manifests; see `schemasOf`. */
  readonly schemas: Schemas;
  /** The server's version; default the newest. */
  readonly kubernetesVersion?: string | undefined;
  /** The oldest version of servers that are to take the policies; default only the one above. */
  readonly minKubernetesVersion?: string | undefined;
  /** Problems of the files that contain the manifests; they become issues, too. */
  readonly unreadable?: readonly InputProblem[];
  /**
   * Issues of single manifests from an earlier call, for callers such as editors: these manifests are not inspected
   * again. Valid only for the same schemas and version.
   */
  readonly known?: KnownIssues | undefined;
  /**
   * Awaited after every few manifests to give way to other work. A rejection ends the search; the findings so far stay
   * in `known`.
   */
  readonly pause?: (() => Promise<void>) | undefined;
  /** Returns the time in milliseconds since 1970; without it, expired exceptions are not reported. */
  readonly clock?: (() => number) | undefined;
  /** Severities by rule code (default: those of the rules). */
  readonly settings?: RuleSettings;
}

/** The issues of single manifests; see `LintOptions.known`. */
export type KnownIssues = WeakMap<Manifest, readonly LintIssue[]>;

/**
 * Finds the issues of policies and bindings before any request, in the order of the manifests: objects that
 * kube-apiserver or Kyverno would reject, their warnings, and parts without effect.
 *
 * Rejects with a `TypeError` for invalid manifests or options.
 */
export async function findIssues(
  given: readonly GivenManifest[],
  lintOptions: LintOptions,
): Promise<readonly LintIssue[]> {
  requireGiven('findIssues', given);
  requireOptions('findIssues', lintOptions, optionKinds);
  requireSchemas('findIssues', lintOptions.schemas);
  const { unreadable: problems = [], settings = new Map(), ...options } = lintOptions;
  const found = await issuesOf(given, sortInputs(given), { ...options, unreadable: problems });
  const sources = new Set(given.map(({ manifest }) => manifest.origin.source));
  const heard = withoutSilenced([...problems.map(unreadable), ...found], sources);
  return firstOfRun(inReadingOrder(withSettings(heard, settings), given));
}

/** The issues with one of the warnings that are reported once per run: that about a policy, if there is one. */
function firstOfRun(issues: readonly LintIssue[]): readonly LintIssue[] {
  const repeated = issues.filter(({ code }) => code === deprecatedKindCode);
  const first = repeated.find(({ manifest }) => manifest?.kind !== 'PolicyException');
  const kept = first ?? repeated[0];
  return issues.filter((issue) => issue.code !== deprecatedKindCode || issue === kept);
}

const optionKinds: Readonly<Record<keyof LintOptions, OptionKind>> = {
  schemas: 'any',
  kubernetesVersion: 'string',
  minKubernetesVersion: 'string',
  unreadable: 'list',
  known: 'object',
  pause: 'function',
  clock: 'function',
  settings: 'object',
};

/** How many manifests are looked at between two pauses: about ten milliseconds' worth. */
const betweenPauses = 8;

async function issuesOf(
  given: readonly GivenManifest[],
  inputs: Inputs,
  {
    known = new WeakMap(),
    pause,
    clock,
    unreadable: broken,
    ...options
  }: Omit<LintOptions, 'settings'>,
): Promise<readonly LintIssue[]> {
  const manifests = [...new Set(given.map(({ manifest }) => manifest))];
  const fresh = manifests.filter((manifest) => !known.has(manifest));
  const specOf = specReader(options.schemas);
  // Without pauses all at once: a cluster of many policies is loaded faster than many clusters.
  const portion = pause === undefined ? fresh.length : betweenPauses;
  for (let start = 0; start < fresh.length; start += portion) {
    if (start > 0) await pause?.();
    const some = fresh.slice(start, start + portion);
    const found = await issuesInManifests(new Set(some), inputs, { ...options, specOf });
    for (const manifest of some) known.set(manifest, found.get(manifest) ?? []);
  }
  const context = inputs.context.filter((manifest) => !isSurroundings(manifest));
  const { problems, notes } = checkConfiguration({ ...inputs, context, subjects: [] }, broken);
  return [
    ...manifests.flatMap((manifest) => known.get(manifest) ?? []),
    ...staticIssues(inputs.statics, options),
    ...problems.map((problem) => ({ ...problem, severity: 'error' as const, refused: false })),
    ...notes.map((problem) => ({ ...problem, severity: 'warning' as const, refused: false })),
    ...agreementAdvice(inputs, options.schemas, specOf),
    ...(clock === undefined ? [] : await expiredIssues(inputs.kyverno, clock)),
  ];
}

/** Whether an object only matters to requests: overlays of a repository often repeat namespaces and roles. */
function isSurroundings({ group, kind }: Manifest): boolean {
  return group === 'rbac.authorization.k8s.io' || (group === '' && kind === 'Namespace');
}

async function expiredIssues(
  kyverno: readonly Manifest[],
  clock: () => number,
): Promise<readonly LintIssue[]> {
  if (kyverno.length === 0) return [];
  const { expiredExceptions } = await import('./kyverno/expired-exceptions.ts');
  return expiredExceptions(kyverno, clock());
}

/** Returns the issues of manifests that a server reads from its own disk. */
function staticIssues(
  statics: readonly Manifest[],
  { schemas, kubernetesVersion }: Pick<LintOptions, 'schemas' | 'kubernetesVersion'>,
): readonly LintIssue[] {
  if (statics.length === 0) return [];
  const read = readStatics(statics, { schemas, kubernetesVersion });
  const cluster = loadCluster({
    resources: [],
    staticPolicies: read.policies,
    schemas,
    kubernetesVersion,
    onErrors: 'report',
  });
  const specOf = specReader(schemas);
  const inputs = sortInputs(statics.map((manifest) => ({ manifest, role: 'policies' })));
  return [
    ...read.problems.map((each) => ({ ...each, severity: 'error' as const, refused: true })),
    ...policyFindings(cluster, byTitleOf(statics), schemas),
    ...policyAdvice(schemas, [...inputs.policies, ...inputs.bindings], { specOf, isStatic: true }),
    ...agreementAdvice(inputs, schemas, specOf),
  ];
}

/** Returns the issues of single manifests; those that depend on others are found by `issuesOf`. */
async function issuesInManifests(
  fresh: ReadonlySet<Manifest>,
  inputs: Inputs,
  {
    schemas,
    specOf,
    ...versions
  }: Pick<LintOptions, 'schemas'> & Versions & { readonly specOf: SpecOf },
): Promise<ReadonlyMap<Manifest | undefined, readonly LintIssue[]>> {
  const isFresh = (manifest: Manifest): boolean => fresh.has(manifest);
  const [policies, bindings, context, kyverno] = [
    inputs.policies.filter(isFresh),
    inputs.bindings.filter(isFresh),
    inputs.context.filter(isFresh),
    inputs.kyverno.filter(isFresh),
  ];
  const needed = [...policies, ...bindings, ...context];
  const refused = refusedObjects(needed, schemas);
  const isHeld = new Set(needed);
  const others = [...fresh].filter((manifest) => !isHeld.has(manifest));
  const unknown = unknownKinds(others, schemas);
  const unserved = new Set(
    [...refused, ...unknown].flatMap(({ code, manifest }) =>
      code === 'unknown-kind' ? [manifest] : [],
    ),
  );
  const held = needed.filter((manifest) => !unserved.has(manifest));
  const served = [...needed, ...others].filter((manifest) => !unserved.has(manifest));
  const oldest = versions.minKubernetesVersion;
  const found = [
    ...refused,
    ...(oldest === undefined ? [] : unservedBefore(served, schemas, oldest)),
    ...withoutNamesakes(held).flatMap((part) => issuesOfCluster(part, schemas, versions, specOf)),
    ...unknown,
    ...held.flatMap((each) => findUnknownFields(each, schemas)),
    ...(await definitionProblems({ ...inputs, context }, schemas)).map(definitionIssue),
    ...(await issuesOfKyverno(kyverno, schemas)),
    ...(await issuesOfLabels([...fresh])),
  ];
  return groupBy(withForeignWords(found), ({ manifest }) => manifest);
}

function definitionIssue(problem: PolicyProblem): LintIssue {
  return { ...problem, code: 'invalid-definition', severity: 'error', refused: true };
}

/** Kyverno's engine is loaded only where there are policies of its kinds. */
async function issuesOfKyverno(
  manifests: readonly Manifest[],
  schemas: Schemas,
): Promise<readonly LintIssue[]> {
  if (manifests.length === 0) return [];
  const { kyvernoIssues } = await import('./kyverno/issues.ts');
  return kyvernoIssues(manifests, schemas);
}

/** Returns the warnings about labels that Kyverno reads, of any object. */
async function issuesOfLabels(manifests: readonly Manifest[]): Promise<readonly LintIssue[]> {
  const labelled = manifests.filter((manifest) => timeToLiveOf(manifest) !== undefined);
  if (labelled.length === 0) return [];
  const { timeToLiveIssues } = await import('./kyverno/time-to-live.ts');
  return labelled.flatMap(timeToLiveIssues);
}

/** Returns the disagreements between bindings and their policies. */
function agreementAdvice(
  { policies, bindings }: Inputs,
  schemas: Schemas,
  specOf: SpecOf,
): LintIssue[] {
  return bindings.flatMap((binding) => {
    const policy = policies.find((each) => `${each.kind}/${each.name}` === boundPolicy(binding));
    if (policy === undefined) return [];
    const match = specOf(binding)?.matchResources;
    const constraints = specOf(policy)?.matchConstraints;
    return [
      ...strayParameters(binding, policy),
      ...(match == null || constraints == null
        ? []
        : neverMatchesPolicy(binding, { match, policy: constraints }, schemas)),
    ];
  });
}

/** Sorted by place, files in the order in which they were read; those without objects come last. */
function inReadingOrder(
  issues: readonly LintIssue[],
  given: readonly GivenManifest[],
): readonly LintIssue[] {
  const files = new Map<string, number>();
  for (const { manifest } of given) {
    if (!files.has(manifest.file)) files.set(manifest.file, files.size);
  }
  return issues.toSorted(
    (a, b) =>
      (files.get(a.file) ?? files.size) - (files.get(b.file) ?? files.size) ||
      (a.place?.line ?? 0) - (b.place?.line ?? 0) ||
      (a.place?.column ?? 0) - (b.place?.column ?? 0),
  );
}
