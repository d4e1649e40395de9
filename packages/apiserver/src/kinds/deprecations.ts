import { type KubernetesObject, member } from '@kubeadmit/apimachinery';
import { parseVersion } from '@kubeadmit/engine';
import type { Resource } from '@kubeadmit/schemas';
import { definitionVersion, versionsOf } from '../definitions/conditions.ts';
import { compareKubeVersions } from '../definitions/kube-version.ts';

/** Returns the warning about a deprecated version (apiserver deprecation.WarningMessage). */
export function deprecationOf(
  { group, version, kind }: Resource,
  kubernetesVersion: string,
): string | undefined {
  if (group === '' && kind === 'ComponentStatus')
    return 'v1 ComponentStatus is deprecated in v1.19+';
  if (group === '' && kind === 'Endpoints' && parseVersion(kubernetesVersion) >= 33) {
    return 'v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice';
  }
  if (group !== 'admissionregistration.k8s.io' || !kind.startsWith('Mutating')) return undefined;
  const named = `${group}/${version} ${kind} is deprecated`;
  if (version === 'v1beta1') {
    return `${named} in v1.37+, unavailable in v1.40+; use ${group}/v1 ${kind}`;
  }
  return version === 'v1alpha1' ? `${named} in v1.35+, unavailable in v1.38+` : undefined;
}

/** Returns the warning that a definition declares for a version (apiextensions `defaultDeprecationWarning`). */
export function customDeprecationOf(
  { group, version, kind }: Resource,
  definition: KubernetesObject | undefined,
): string | undefined {
  const own = definitionVersion(definition, version);
  if (member(own, 'deprecated') !== true) return undefined;
  const given = member(own, 'deprecationWarning');
  if (typeof given === 'string') return given;
  const [better] = versionsOf(definition)
    .filter((each) => member(each, 'served') === true && member(each, 'deprecated') !== true)
    .map((each) => String(member(each, 'name')))
    .filter((each) => compareKubeVersions(version, each) < 0)
    .sort((a, b) => compareKubeVersions(b, a));
  const text = `${group}/${version} ${kind} is deprecated`;
  return better === undefined ? text : `${text}; use ${group}/${better} ${kind}`;
}
