import {
  type KubernetesObject,
  member,
  metadataString,
  parseGroupVersion,
} from '@kubeadmit/apimachinery';
import type { Chain } from '@kubeadmit/chain';
import { objectName, type Resources } from './read-resources.ts';
import type { Problem } from './snapshot.ts';

/**
 * Returns warnings about bindings whose parameters are in no file and whose `parameterNotFoundAction` is `Allow`.
 *
 * The policies of such bindings are not evaluated. Call it only if no cluster is followed, since a cluster may have
 * the parameters.
 */
export function missingParameters(
  { bindings, cluster }: Chain,
  objects: readonly KubernetesObject[],
  note: Resources['problemAbout'],
): readonly Problem[] {
  const policies = [...cluster.validatingPolicies, ...cluster.mutatingPolicies];
  return bindings.flatMap((binding) => {
    const spec = member(binding, 'spec');
    const reference = member(spec, 'paramRef');
    const [name, namespace] = ['name', 'namespace'].map((field) => member(reference, field) ?? '');
    if (name === '' || member(reference, 'parameterNotFoundAction') !== 'Allow') return [];
    const policy = policies.find(
      ({ kind, metadata }) =>
        `${kind}Binding` === member(binding, 'kind') &&
        metadata?.name === member(spec, 'policyName'),
    );
    const { apiVersion = '', kind = '' } = policy?.spec?.paramKind ?? {};
    const isParameter = (object: KubernetesObject): boolean =>
      object['kind'] === kind &&
      groupOf(object['apiVersion']) === groupOf(apiVersion) &&
      metadataString(object, 'name') === name &&
      (namespace === '' || metadataString(object, 'namespace') === namespace);
    if (kind === '' || objects.some(isParameter)) return [];
    const message = `its parameters, ${kind} \`${[namespace, name].filter((each) => each !== '').join('/')}\`, are not in the files; because \`parameterNotFoundAction\` is Allow, requests are allowed without them`;
    return [note(objectName(binding), message)];
  });
}

function groupOf(apiVersion: unknown): string | undefined {
  return parseGroupVersion(String(apiVersion))?.group;
}
