import type { ResourceProblem } from '@kubeadmit/admission';
import { refusalProblems } from '@kubeadmit/lint/inputs';
import type { InputProblem, Manifest } from '@kubeadmit/manifest';

/** Objects of the cluster that the servers would not have. */
export interface Refused {
  readonly problems: readonly InputProblem[];
  /** Whether policies or bindings are among them. */
  readonly policies: boolean;
}

/**
 * Returns the objects that kube-apiserver would not create, with positions; those from its own disk have them
 * already.
 */
export function refusalsOf(
  errors: readonly ResourceProblem[],
  held: readonly Manifest[],
  ofStatics: readonly InputProblem[] = [],
): Refused {
  const stored = errors.filter((refusal) => !('manifest' in refusal));
  const problems = stored.flatMap((refusal) => {
    const manifest = held.find(({ kind, name }) => `${kind}/${name}` === refusal.resource);
    return manifest === undefined
      ? [{ file: refusal.resource, message: refusal.message }]
      : refusalProblems(manifest, refusal);
  });
  const policies = stored.some(({ resource }) =>
    /^(?:Validating|Mutating)AdmissionPolicy/.test(resource),
  );
  return { problems: [...ofStatics, ...problems], policies: policies || ofStatics.length > 0 };
}
