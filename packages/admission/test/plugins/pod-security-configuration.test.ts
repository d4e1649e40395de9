import type { KubernetesObject } from '@kubeadmit/apimachinery';
import { describe, expect, test } from 'vitest';
import type { AdmissionPlugin, PluginOutcome, PluginRequest } from '../../src/plugins/plugin.ts';
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

function configure(object: KubernetesObject): AdmissionPlugin {
  const warn = (): void => expect.unreachable();
  return podSecurity.configure?.(JSON.stringify(object), warn) ?? podSecurity;
}

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
  return configure(configuration).validate?.(request, clusterOf({ namespaces }));
}

/** The count of an exempt creation in the metrics. */
function exemptionOf(resource: 'pod' | 'controller'): object {
  const labels = { request_operation: 'create', resource, subresource: '' };
  return { metric: 'pod_security_exemptions_total', labels };
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
    expect(answer(changes)).toEqual({
      auditAnnotations: { [`${prefix}exempt`]: reason },
      counts: [exemptionOf('pod')],
    });
  });

  const controller: Partial<PluginRequest> = {
    kind: { group: 'apps', version: 'v1', kind: 'Deployment' },
    resource: { group: 'apps', version: 'v1', resource: 'deployments' },
  };
  const podWith = (fields: object): Partial<PluginRequest> => ({
    object: { kind: 'Pod', metadata: { name: 'web' }, spec, ...fields } as KubernetesObject,
  });
  test.each<[string, Partial<PluginRequest>]>([
    ['the name of an exempt user in capitals', { user: { username: 'Robot' } }],
    ['the name of an exempt user with a blank', { user: { username: 'robot ' } }],
    ['a user whose group has the name of an exempt user', { user: { groups: ['robot'] } }],
    ['a user without a name', { user: {} }],
    ['a user with a name of JavaScript', { user: { username: '__proto__' } }],
    ['a pod with the name of an exempt namespace', { name: 'kube-system' }],
    ['a runtime class in capitals', podWith({ spec: { ...spec, runtimeClassName: 'gVisor' } })],
    ['a runtime class in another field', podWith({ spec: { ...spec, schedulerName: 'gvisor' } })],
    ['a runtime class beside the spec', podWith({ runtimeClassName: 'gvisor' })],
    ['an empty runtime class', podWith({ spec: { ...spec, runtimeClassName: '' } })],
    [
      'labels of the pod',
      podWith({ metadata: { labels: { [`${prefix}enforce`]: 'privileged' } } }),
    ],
  ])('does not exempt %s', (_, changes) => {
    expect(answer(changes)?.denial?.message).toContain('violates PodSecurity "baseline:v1.29"');
  });

  test('exempts a controller by the runtime class of its template, and by no other', () => {
    const template = { spec: { ...spec, runtimeClassName: 'gvisor' } };
    const exempt = { [`${prefix}exempt`]: 'runtimeClass' };
    expect(answer({ ...controller, object: { spec: { template } } })).toEqual({
      auditAnnotations: exempt,
      counts: [exemptionOf('controller')],
    });
    const outside = { runtimeClassName: 'gvisor', template: { spec } };
    expect(
      Object.keys(answer({ ...controller, object: { spec: outside } })?.auditAnnotations ?? {}),
    ).toEqual([`${prefix}audit-violations`]);
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
    const exemptions = { namespaces: ['a', 'a'], usernames: [''] };
    const defaults = { warn: 'strict', 'audit-version': '1.30' };
    expect(() => configured({ defaults, exemptions })).toThrow(
      'PodSecurity configuration error: [audit-version: must be "latest" or "v1.x", warn: must be one of privileged, baseline, restricted]',
    );
    expect(() => configured({ exemptions })).toThrow(
      'PodSecurity invalid: [exemptions.namespaces[1]: Duplicate value: "a", exemptions.usernames[0]: Invalid value: "": username must not be empty]',
    );
  });
});

const { apiVersion, kind } = configuration;
const configured = (changes: object) => configure({ apiVersion, kind, ...changes });

test.each([
  [{ default: {} }, 'unknown field "default"'],
  [{ defaults: { enforced: 'restricted' } }, 'unknown field "defaults.enforced"'],
  [{ exemptions: { users: ['robot'] } }, 'unknown field "exemptions.users"'],
])('a PodSecurityConfiguration with %o is refused', (changes, problem) => {
  expect(() => configured(changes)).toThrow(`strict decoding error: ${problem}`);
});

test.each([
  [{ defaults: { enforce: ['restricted'] } }, 'array', 'PodSecurityDefaults.defaults.enforce'],
  [{ defaults: { enforced: [], audit: 5 } }, 'number', 'PodSecurityDefaults.defaults.audit'],
  [
    { defaults: { 'enforce-version': 1.29 } },
    'number',
    'PodSecurityDefaults.defaults.enforce-version',
  ],
  [{ exemptions: { usernames: [5] } }, 'number', 'PodSecurityExemptions.exemptions.usernames'],
  [{ exemptions: { namespaces: [['a']] } }, 'array', 'PodSecurityExemptions.exemptions.namespaces'],
  [
    { exemptions: { usernames: 'x' } },
    'string',
    'PodSecurityExemptions.exemptions.usernames',
    '[]string',
  ],
  [{ defaults: 'x' }, 'string', 'PodSecurityConfiguration.defaults', 'v1.PodSecurityDefaults'],
  [{ defaults: ['x'] }, 'array', 'PodSecurityConfiguration.defaults', 'v1.PodSecurityDefaults'],
  [
    { exemptions: 'x' },
    'string',
    'PodSecurityConfiguration.exemptions',
    'v1.PodSecurityExemptions',
  ],
])(
  'a PodSecurityConfiguration with a wrong type, %o, is refused',
  (changes, given, field, type = 'string') => {
    expect(() => configured(changes)).toThrow(
      `json: cannot unmarshal ${given} into Go struct field ${field} of type ${type}`,
    );
  },
);

test.each([
  [{}, "Object 'Kind' is missing in '{}'"],
  [
    { kind: 'PodSecurityConfiguration' },
    `Object 'apiVersion' is missing in '{"kind":"PodSecurityConfiguration"}'`,
  ],
  [
    { apiVersion: 'v1', kind: 'Pod' },
    'no kind "Pod" is registered for version "v1" in scheme "pkg/runtime/scheme.go:111"',
  ],
])('the configuration %o is refused for its kind', (object, problem) => {
  expect(() => configure(object)).toThrow(problem);
});

test('a PodSecurityConfiguration of an older version, with nulls, is read', () => {
  const older = 'pod-security.admission.config.k8s.io/v1beta1';
  const nulls = { defaults: { enforce: null }, exemptions: { usernames: null } };
  expect(configure({ apiVersion: older, kind, ...nulls })).toBeDefined();
});
