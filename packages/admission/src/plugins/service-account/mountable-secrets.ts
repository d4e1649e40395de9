import {
  type KubernetesObject,
  member,
  memberList,
  memberText,
  metadataString,
} from '@kubeadmit/apimachinery';

/** Returns why a pod uses a secret that its account does not list; undefined if it uses none (`limitSecretReferences`). */
export function secretProblem(
  pod: KubernetesObject,
  account: KubernetesObject,
): string | undefined {
  const spec = member(pod, 'spec');
  const name = metadataString(account, 'name');
  const mountable = namesIn(account, 'secrets');
  for (const volume of memberList(spec, 'volumes')) {
    const source = member(volume, 'secret') ?? undefined;
    const secret = memberText(source, 'secretName');
    if (source === undefined || mountable.has(secret)) continue;
    return `volume with secret.secretName="${secret}" is not allowed because service account ${name} does not reference that secret`;
  }
  const problem =
    containersProblem(memberList(spec, 'initContainers'), 'init container', account) ??
    containersProblem(memberList(spec, 'containers'), 'container', account);
  if (problem !== undefined) return problem;
  const pulls = namesIn(account, 'imagePullSecrets');
  for (const [index, secret] of memberList(spec, 'imagePullSecrets').entries()) {
    const own = memberText(secret, 'name');
    if (pulls.has(own)) continue;
    return `imagePullSecrets[${index}].name="${own}" is not allowed because service account ${name} does not reference that imagePullSecret`;
  }
  return undefined;
}

/** As {@link secretProblem} for ephemeral containers (`limitEphemeralContainerSecretReferences`). */
export function ephemeralSecretProblem(
  pod: KubernetesObject,
  account: KubernetesObject,
): string | undefined {
  const containers = memberList(member(pod, 'spec'), 'ephemeralContainers');
  return containersProblem(containers, 'ephemeral container', account);
}

function containersProblem(
  containers: readonly unknown[],
  kind: string,
  account: KubernetesObject,
): string | undefined {
  const mountable = namesIn(account, 'secrets');
  const reason = (secret: string): string =>
    `referencing secret.secretName="${secret}" is not allowed because service account ${metadataString(account, 'name')} does not reference that secret`;
  for (const container of containers) {
    const head = `${kind} ${memberText(container, 'name')} with`;
    for (const variable of memberList(container, 'env')) {
      const source = member(member(variable, 'valueFrom'), 'secretKeyRef') ?? undefined;
      const secret = memberText(source, 'name');
      if (source === undefined || mountable.has(secret)) continue;
      return `${head} envVar ${memberText(variable, 'name')} ${reason(secret)}`;
    }
    for (const variables of memberList(container, 'envFrom')) {
      const source = member(variables, 'secretRef') ?? undefined;
      const secret = memberText(source, 'name');
      if (source !== undefined && !mountable.has(secret))
        return `${head} envFrom ${reason(secret)}`;
    }
  }
  return undefined;
}

function namesIn(account: KubernetesObject, list: string): ReadonlySet<string> {
  return new Set(memberList(account, list).map((secret) => memberText(secret, 'name')));
}
