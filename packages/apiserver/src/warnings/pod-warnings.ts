import { readResources } from '@kubeadmit/admission/pod-resources';
import { metadataOf } from '@kubeadmit/admission/writes';
import { type KubernetesObject, member, memberObjects, memberText } from '@kubeadmit/apimachinery';
import { quote } from '@kubeadmit/go';
import { containerWarnings, fractionWarning, seccompAnnotation } from './container-warnings.ts';
import { labelMessage, nodeAffinityWarnings, selectorWarnings } from './node-labels.ts';
import { portWarnings } from './port-warnings.ts';
import { volumeWarnings } from './volume-warnings.ts';

const annotations: Readonly<Record<string, string>> = {
  'scheduler.alpha.kubernetes.io/critical-pod':
    'non-functional in v1.16+; use the "priorityClassName" field instead',
  'security.alpha.kubernetes.io/sysctls':
    'non-functional in v1.11+; use the "sysctls" field instead',
  'security.alpha.kubernetes.io/unsafe-sysctls':
    'non-functional in v1.11+; use the "sysctls" field instead',
};

const seccompAnnotationKey = 'seccomp.security.alpha.kubernetes.io/pod';

/**
 * Returns warnings about a pod or a pod template (api/pod/warnings.go `warningsForPodSpecAndMeta`). Warnings about the
 * form of IP addresses are not among them.
 *
 * @param owner the pod or the template, with its metadata
 * @param root the path of a template with a dot, such as `spec.template.`; empty for a pod
 */
export function podWarnings(owner: KubernetesObject, root = ''): readonly string[] {
  const spec = member(owner, 'spec');
  const path = `${root}spec`;
  return [
    ...selectorWarnings(spec, path),
    ...nodeAffinityWarnings(spec, path),
    ...spreadWarnings(spec, path),
    ...annotationWarnings(owner, root),
    ...volumeWarnings(spec, path),
    ...repeatedWarnings(spec, path, { list: 'hostAliases', field: 'ip' }),
    ...repeatedWarnings(spec, path, { list: 'imagePullSecrets', field: 'name' }),
    ...emptyNameWarnings(spec, path),
    ...overheadWarnings(spec, path),
    ...podSeccompWarnings(owner, root),
    ...containerWarnings(owner, root),
    ...portWarnings(spec, path),
    ...graceWarnings(spec, path),
    ...affinityWarnings(spec, path),
  ];
}

function spreadWarnings(spec: unknown, path: string): readonly string[] {
  return memberObjects(spec, 'topologySpreadConstraints').flatMap((constraint, at) => {
    const place = `${path}.topologySpreadConstraints[${at}]`;
    const key = memberText(constraint, 'topologyKey');
    const message = labelMessage(key);
    return [
      ...(message === undefined ? [] : [`${place}.topologyKey: ${key} is ${message}`]),
      ...nullSelectorWarning(constraint, place),
    ];
  });
}

function nullSelectorWarning(term: unknown, path: string): readonly string[] {
  const selector = member(term, 'labelSelector') ?? undefined;
  if (selector !== undefined) return [];
  return [`${path}.labelSelector: a null labelSelector results in matching no pod`];
}

function annotationWarnings(owner: KubernetesObject, root: string): readonly string[] {
  const own = metadataOf(owner).annotations ?? {};
  return Object.entries(annotations)
    .filter(([key]) => Object.hasOwn(own, key))
    .map(([key, message]) => `${root}metadata.annotations[${key}]: ${message}`);
}

function repeatedWarnings(
  spec: unknown,
  path: string,
  { list, field }: { readonly list: string; readonly field: string },
): readonly string[] {
  const seen = new Set<string>();
  return memberObjects(spec, list).flatMap((item, at) => {
    const value = memberText(item, field);
    if (seen.has(value))
      return [`${path}.${list}[${at}].${field}: duplicate ${field} ${quote(value)}`];
    seen.add(value);
    return [];
  });
}

function emptyNameWarnings(spec: unknown, path: string): readonly string[] {
  return memberObjects(spec, 'imagePullSecrets').flatMap((secret, at) =>
    memberText(secret, 'name') === ''
      ? [`${path}.imagePullSecrets[${at}].name: invalid empty name ""`]
      : [],
  );
}

function overheadWarnings(spec: unknown, path: string): readonly string[] {
  const overhead = readResources(member(spec, 'overhead'));
  return ['memory', 'ephemeral-storage'].flatMap((name) =>
    fractionWarning(overhead, name, `${path}.overhead`),
  );
}

function podSeccompWarnings(owner: KubernetesObject, root: string): readonly string[] {
  const context = member(member(owner, 'spec'), 'securityContext');
  const profile = member(context, 'seccompProfile') ?? undefined;
  return profile === undefined ? seccompAnnotation(owner, seccompAnnotationKey, root) : [];
}

function graceWarnings(spec: unknown, path: string): readonly string[] {
  const seconds = member(spec, 'terminationGracePeriodSeconds') ?? undefined;
  if (seconds === undefined || Number(seconds) >= 0) return [];
  return [
    `${path}.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1`,
  ];
}

function affinityWarnings(spec: unknown, path: string): readonly string[] {
  return ['podAffinity', 'podAntiAffinity'].flatMap((name) => {
    const affinity = member(member(spec, 'affinity'), name);
    const base = `${path}.affinity.${name}`;
    const preferred = 'preferredDuringSchedulingIgnoredDuringExecution';
    const required = 'requiredDuringSchedulingIgnoredDuringExecution';
    return [
      ...memberObjects(affinity, required).flatMap((term, at) =>
        nullSelectorWarning(term, `${base}.${required}[${at}]`),
      ),
      ...memberObjects(affinity, preferred).flatMap((weighted, at) =>
        nullSelectorWarning(
          member(weighted, 'podAffinityTerm'),
          `${base}.${preferred}[${at}].podAffinityTerm`,
        ),
      ),
    ];
  });
}
