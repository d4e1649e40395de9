import { compareText } from '@kubeadmit/go';

const stages: readonly string[] = ['alpha', 'beta', ''];

/** Orders versions as Kubernetes does: `v1` before none, betas before alphas, others by their text (apimachinery version.CompareKubeAwareVersionStrings). */
export function compareKubeVersions(a: string, b: string): number {
  const [one, two] = [partsOf(a), partsOf(b)];
  if (one === undefined && two === undefined) return compareText(b, a);
  if (one === undefined) return -1;
  if (two === undefined) return 1;
  for (let i = 0; i < one.length; i++) {
    const difference = (one[i] ?? 0) - (two[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

// Stage, major and the number within the stage.
function partsOf(version: string): readonly number[] | undefined {
  const match = /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(version);
  if (match === null) return undefined;
  const [, major = '', stage = '', minor = '0'] = match;
  return [stages.indexOf(stage), Number(major), Number(minor)];
}
