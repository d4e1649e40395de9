import { servedVersions } from '@kubeadmit/kyverno/validation';

/** A kind of Kyverno in one of its versions. */
export interface KyvernoKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

const policies = Object.entries(servedVersions).flatMap(([name, versions]) => {
  const [group = '', kind = ''] = name.split('/');
  return versions.map((version): KyvernoKind => ({ group, version, kind }));
});
const tests = ['Test', 'Values', 'UserInfo'].map(
  (kind): KyvernoKind => ({ group: 'cli.kyverno.io', version: 'v1alpha1', kind }),
);

/** The kinds of Kyverno's policies, exceptions and tests, the newest versions first. */
export const kyvernoKinds: readonly KyvernoKind[] = [...policies, ...tests];
