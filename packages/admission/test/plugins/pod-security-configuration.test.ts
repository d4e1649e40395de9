import type { KubernetesObject } from '@kubeadmit/apimachinery';
import { describe, expect, test } from 'vitest';
import type { PluginOutcome, PluginRequest } from '../../src/plugins/plugin.ts';
import { podSecurity } from '../../src/plugins/pod-security/pod-security.ts';
import { clusterOf } from './cluster.ts';

const prefix = 'pod-security.kubernetes.io/';

const configuration: KubernetesObject = {
  apiVersion: 'pod-security.admission.config.k8s.io/v1',
  kind: 'PodSecurityConfiguration',
  defaults: { enforce: 'baseline', 'enforce-version': 'v1.29', audit: 'restricted' },
  exemptions: {
    namespaces: ['kube-system'],
    usernames: ['robot'],
    runtimeClasses: ['gvisor'],
  },
};

const spec = { hostNetwork: true, containers: [{ name: 'web', image: 'nginx' }] };

function answer(changes: Partial<PluginRequest>): PluginOutcome | undefined {
  const namespaces = ['shop', 'kube-system'].map((name) => ({
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name },
  }));
  const request: PluginRequest = {
    kind: { group: '', version: 'v1', kind: 'Pod' },
    resource: { group: '', version: 'v1', resource: 'pods' },
    subresource: '',
    name: 'web',
    namespace: 'shop',
    operation: 'CREATE',
    object: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web' }, spec },
    oldObject: null,
    options: null,
    dryRun: false,
    user: { username: 'alice' },
    ...changes,
  };
  return podSecurity.configure?.(configuration).validate?.(request, clusterOf({ namespaces }));
}

describe('a PodSecurityConfiguration', () => {
  test('has the defaults of namespaces without labels', () => {
    const { denial, auditAnnotations = {} } = answer({}) ?? {};
    expect(denial?.message).toBe(
      'pods "web" is forbidden: violates PodSecurity "baseline:v1.29": host namespaces (hostNetwork=true)',
    );
    expect(Object.keys(auditAnnotations)).toEqual([
      `${prefix}enforce-policy`,
      `${prefix}audit-violations`,
    ]);
  });

  test.each<[string, string, Partial<PluginRequest>]>([
    ['namespace', 'namespace', { namespace: 'kube-system' }],
    ['user', 'user', { user: { username: 'robot' } }],
    [
      'runtime class',
      'runtimeClass',
      { object: { kind: 'Pod', spec: { ...spec, runtimeClassName: 'gvisor' } } },
    ],
  ])('exempts a %s', (_, reason, changes) => {
    expect(answer(changes)).toEqual({ auditAnnotations: { [`${prefix}exempt`]: reason } });
  });

  test('warns about labels of an exempt namespace', () => {
    const labels = { [`${prefix}enforce`]: 'restricted' };
    const changes = {
      kind: { group: '', version: 'v1', kind: 'Namespace' },
      resource: { group: '', version: 'v1', resource: 'namespaces' },
      object: { kind: 'Namespace', metadata: { name: 'kube-system', labels } },
    };
    expect(answer(changes)?.warnings).toEqual([
      'namespace "kube-system" is exempt from Pod Security, and the policy (enforce=restricted:v1.29) will be ignored',
    ]);
  });

  test('is refused with the text of kube-apiserver', () => {
    const wrong = { defaults: { warn: 'strict' }, exemptions: { namespaces: ['a', 'a'] } };
    expect(() => podSecurity.configure?.(wrong)).toThrow(
      'PodSecurity invalid: [defaults.warn: Invalid value: "strict": must be one of privileged, baseline, restricted, exemptions.namespaces[1]: Duplicate value: "a"]',
    );
  });
});

test.each([
  [{ default: {} }, 'unknown field "default"'],
  [{ defaults: { enforced: 'restricted' } }, 'unknown field "defaults.enforced"'],
  [{ exemptions: { users: ['robot'] } }, 'unknown field "exemptions.users"'],
])('a PodSecurityConfiguration with %o is refused', (changes, problem) => {
  const { apiVersion, kind } = configuration;
  expect(() => podSecurity.configure?.({ apiVersion, kind, ...changes })).toThrow(
    `strict decoding error: ${problem}`,
  );
});
