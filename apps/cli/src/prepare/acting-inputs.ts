import type { GivenManifest } from '@kubeadmit/lint';
import type { Manifest } from '@kubeadmit/manifest';
import { isActing, isNative } from '../input/is-acting.ts';
import { realPath } from '../input/local/paths.ts';
import type { ProblemListener } from '../input/read-inputs.ts';

/** Where the policies of a check come from. */
interface PolicySources {
  /** Whether they are given apart from the objects: with `-p`, or by a cluster. */
  readonly hasTrustedPolicies: boolean;
  /** Whether native policies under `-r` are checked, by policies from the server's own disk. */
  readonly checksPolicies: boolean;
}

/**
 * Returns the inputs without policies, bindings and exceptions under `-r`, if policies are given apart: a pull request
 * could change its own verdict by an exception or a mutation among the manifests. They are reported as skipped.
 */
export function actingInputs(
  given: readonly GivenManifest[],
  { hasTrustedPolicies, checksPolicies }: PolicySources,
  { skip }: ProblemListener,
): readonly GivenManifest[] {
  if (!hasTrustedPolicies) return given;
  const isInert = ({ manifest, role }: GivenManifest): boolean =>
    role === 'resources' && isActing(manifest) && !(checksPolicies && isNative(manifest));
  const acting = given.filter((each) => !isInert(each));
  const places = new Set(acting.map(({ manifest }) => placeOf(manifest)));
  // A folder of manifests may contain the folder of policies.
  const inert = given.filter((each) => isInert(each) && !places.has(placeOf(each.manifest)));
  skip(
    inert.map(({ manifest: { file, kind, name } }) => {
      return { file, message: `skipped: ${kind} ${name} has no effect under -r; pass it with -p` };
    }),
  );
  return acting;
}

function placeOf({ file, line }: Manifest): string {
  return `${realPath(file) ?? file}:${line}`;
}
