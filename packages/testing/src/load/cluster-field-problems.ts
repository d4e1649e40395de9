import type { InputProblem, Manifest } from '@kubeadmit/manifest';

const policyGroup = 'admissionregistration.k8s.io';

/** The objects that are allowed in fields for certain kinds only. */
const wanted: Readonly<
  Record<string, { readonly text: string; readonly fits: (manifest: Manifest) => boolean }>
> = {
  bindings: {
    text: 'bindings of policies',
    fits: ({ group, kind }) => group === policyGroup && kind.endsWith('Binding'),
  },
  namespaces: {
    text: 'namespaces',
    fits: ({ group, kind }) => group === '' && kind === 'Namespace',
  },
  rbac: {
    text: 'Roles and their bindings',
    fits: ({ group }) => group === 'rbac.authorization.k8s.io',
  },
  definitions: {
    text: 'CustomResourceDefinitions',
    fits: ({ kind }) => kind === 'CustomResourceDefinition',
  },
};

/** Objects that do not belong into a field of a suite. */
export function fieldProblems(
  field: string,
  manifests: readonly Manifest[],
): readonly InputProblem[] {
  const rule = wanted[field];
  if (rule === undefined) return [];
  return manifests
    .filter((manifest) => !rule.fits(manifest))
    .map((manifest) =>
      manifest.problem([], `\`${field}\` must be ${rule.text}, not a ${manifest.kind}`),
    );
}
