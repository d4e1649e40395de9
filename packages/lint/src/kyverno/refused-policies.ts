import type { KubernetesObject } from '@kubeadmit/apimachinery';
import type { Manifest } from '@kubeadmit/manifest';
import { issueAt, type LintIssue } from '../issue.ts';
import type { KyvernoPolicies } from './policies.ts';

/** Gives the manifest that an object is from; both have to be among the same inputs. */
export type ManifestSource = (object: KubernetesObject) => Manifest;

/** Makes the way back from objects to where they stand. */
export function manifestSource(manifests: readonly Manifest[]): ManifestSource {
  const byObject = new Map<KubernetesObject, Manifest>(
    manifests.map((manifest) => [manifest.object, manifest]),
  );
  return (object) => {
    const manifest = byObject.get(object);
    if (manifest === undefined) throw new Error('the object is not among the manifests');
    return manifest;
  };
}

/** What is wrong with policies that Kyverno would refuse. */
export function refusedPolicies(
  { classic, cel }: KyvernoPolicies,
  manifestOf: ManifestSource,
): readonly LintIssue[] {
  const refusal = (object: KubernetesObject, path: string, message: string): LintIssue => ({
    ...issueAt(manifestOf(object), path, { code: 'kyverno-refused', severity: 'error', message }),
    refused: true,
  });
  return [
    ...classic.flatMap(({ object, verdict }) =>
      verdict().problems.map(({ message, path }) => refusal(object, pathText(path), message)),
    ),
    ...cel.flatMap(({ object, policy }) =>
      policy.problems.map(({ path, message }) => refusal(object, path, message)),
    ),
  ];
}

function pathText(path: readonly (string | number)[]): string {
  const steps = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`));
  return steps.join('').replace(/^\./, '');
}
