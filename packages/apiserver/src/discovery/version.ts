import type { KubernetesObject } from '@kubeadmit/apimachinery';

/** Returns the answer of `/version` (version.Info). */
export function versionInfo(kubernetesVersion: string): KubernetesObject {
  const [major = '1', minor = '0'] = kubernetesVersion.replace(/^v/, '').split('.');
  const patch = kubernetesVersion.split('.')[2] ?? '0';
  return {
    major,
    minor,
    emulationMajor: major,
    emulationMinor: minor,
    minCompatibilityMajor: major,
    minCompatibilityMinor: String(Number(minor) - 1),
    gitVersion: `v${major}.${minor}.${patch}+kubeadmit`,
    gitCommit: '',
    gitTreeState: '',
    buildDate: '1970-01-01T00:00:00Z',
    goVersion: '',
    compiler: '',
    platform: '',
  };
}
