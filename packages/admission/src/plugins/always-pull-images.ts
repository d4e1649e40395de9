import {
  formatFieldError,
  type KubernetesObject,
  member,
  memberList,
  memberText,
} from '@kubeadmit/apimachinery';
import { notSupported } from '@kubeadmit/apimachinery/field-errors';
import { isPlainObject } from '@kubeadmit/base';
import type { AdmissionPlugin, PluginRequest } from './plugin.ts';
import { fail, forbid, isAbout } from './refusal.ts';
import { withSpec } from './with-spec.ts';

const lists = ['initContainers', 'containers', 'ephemeralContainers'];

/** Makes every container pull its image, so that only users with the credentials use private images. */
export const alwaysPullImages: AdmissionPlugin = {
  name: 'AlwaysPullImages',
  operations: ['CREATE', 'UPDATE'],
  mutate: (request) => {
    const { object } = request;
    if (object === null || isIgnored(request)) return undefined;
    const spec = member(object, 'spec');
    const changes: Record<string, unknown> = {};
    for (const name of lists) {
      const containers = memberList(spec, name);
      if (containers.length > 0)
        changes[name] = containers.map((each) => withMemberOf(each, 'imagePullPolicy', 'Always'));
    }
    const volumes = memberList(spec, 'volumes');
    if (volumes.some((volume) => isPlainObject(member(volume, 'image')))) {
      changes['volumes'] = volumes.map((volume) => {
        const image = member(volume, 'image');
        if (!isPlainObject(image)) return volume;
        return withMemberOf(volume, 'image', { ...image, pullPolicy: 'Always' });
      });
    }
    return { object: withSpec(object, changes) };
  },
  validate: (request) => {
    const { object } = request;
    if (object === null || isIgnored(request)) return undefined;
    const problems = otherPolicies(object).map(({ path, policy }) => {
      const error = formatFieldError(notSupported(path, policy, ['Always']));
      return forbid(request, error).denial?.message ?? '';
    });
    if (problems.length === 0) return undefined;
    const [first = ''] = problems;
    const text = problems.length === 1 ? first : `[${[...new Set(problems)].join(', ')}]`;
    return fail(text);
  },
};

function withMemberOf(value: unknown, name: string, member: unknown): unknown {
  return isPlainObject(value) ? { ...value, [name]: member } : value;
}

function isIgnored(request: PluginRequest): boolean {
  return !isAbout(request, 'pods') || isUpdateWithKnownImages(request);
}

function isUpdateWithKnownImages({ operation, object, oldObject }: PluginRequest): boolean {
  if (operation !== 'UPDATE') return false;
  const known = new Set(imagesOf(oldObject));
  return imagesOf(object).every((image) => known.has(image));
}

function imagesOf(pod: KubernetesObject | null): readonly string[] {
  const spec = member(pod, 'spec');
  return lists.flatMap((name) => memberList(spec, name).map((each) => memberText(each, 'image')));
}

function otherPolicies(
  pod: KubernetesObject,
): readonly { readonly path: string; readonly policy: string }[] {
  const spec = member(pod, 'spec');
  const policies = [
    ...lists.flatMap((name) =>
      memberList(spec, name).map((container, index) => ({
        path: `spec.${name}[${index}].imagePullPolicy`,
        policy: memberText(container, 'imagePullPolicy'),
      })),
    ),
    ...memberList(spec, 'volumes').flatMap((volume, index) => {
      const image = member(volume, 'image') ?? undefined;
      const path = `spec.volumes[${index}].image.pullPolicy`;
      return image === undefined ? [] : [{ path, policy: memberText(image, 'pullPolicy') }];
    }),
  ];
  return policies.filter(({ policy }) => policy !== 'Always');
}
