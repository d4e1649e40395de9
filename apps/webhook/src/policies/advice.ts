import { setImmediate as turn } from 'node:timers/promises';
import { readManifests, Source } from '@kubeadmit/manifest';
import { problemOf } from './read-resources.ts';
import type { Problem, SourceText } from './snapshot.ts';

/**
 * The lint rules for policies that a server accepts but that do not work as intended.
 *
 * Missing bindings, missing policies and unknown fields are reported elsewhere.
 */
const told: ReadonlySet<string> = new Set([
  ...['unknown-kind', 'unknown-resource', 'never-matches', 'stray-parameters', 'foreign-word'],
  ...['type-warning', 'null-object', 'namespace-in-condition'],
  ...['mutation-refused', 'mutation-invalid-value', 'mutation-no-effect'],
  ...['kyverno-variable', 'kyverno-warning'],
]);

/** The context that the files do not contain. */
export interface AdviceOptions {
  /** The version of the server; default the newest. */
  readonly kubernetesVersion: string | undefined;
  /** Whether a cluster is followed, whose definitions the files do not have. */
  readonly hasCluster: boolean;
}

/**
 * Returns lint's warnings about the policies in files, such as unknown resources and misspelled fields.
 *
 * Yields to other work while it runs.
 */
export async function adviceOn(
  sources: readonly SourceText[],
  { kubernetesVersion, hasCluster }: AdviceOptions,
): Promise<readonly Problem[]> {
  const given = sources.flatMap(({ name, text }) =>
    readManifests(new Source(name, text)).manifests.map((manifest) => ({
      manifest,
      role: 'policies' as const,
    })),
  );
  if (given.length === 0) return [];
  const { findIssues, schemasOf, sortInputs } = await import('@kubeadmit/lint');
  const schemas = await schemasOf(sortInputs(given), kubernetesVersion);
  const issues = await findIssues(given, { schemas, kubernetesVersion, pause: () => turn() });
  return issues
    .filter(({ code, severity }) => told.has(code) && severity !== 'info')
    .filter(({ code }) => code !== 'unknown-kind' || !hasCluster)
    .map(problemOf);
}
