import { expect, test } from 'vitest';
import { specStatus } from '../src/internal.ts';

const pods = {
  resourceRules: [
    { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] },
  ],
};

function policy(kind: string, spec: object, status?: object): Record<string, unknown> {
  return { kind, metadata: { name: 'p' }, spec, ...(status && { status }) };
}

const podRule = {
  name: 'tag',
  match: { any: [{ resources: { kinds: ['Pod'] } }] },
  validate: { message: 'm', pattern: { spec: { containers: [{ image: '*:*' }] } } },
};

test('the status of a ClusterPolicy has its generated rules and counts the written ones', () => {
  const mutate = { ...podRule, name: 'm', match: { any: [{ resources: { kinds: ['Secret'] } }] } };
  const rules = [
    podRule,
    { ...mutate, validate: undefined, mutate: { patchStrategicMerge: { a: 'b' } } },
  ];
  const status = specStatus(policy('ClusterPolicy', { rules }));
  expect(status).toMatchObject({
    autogen: { rules: [{ name: 'autogen-tag' }, { name: 'autogen-cronjob-tag' }] },
    rulecount: { validate: 1, generate: 0, mutate: 1, verifyimages: 0 },
    validatingadmissionpolicy: { generated: false, message: '' },
  });
});

test('the status of a policy without generated rules says so', () => {
  const rule = { ...podRule, match: { any: [{ resources: { kinds: ['Secret'] } }] } };
  expect(specStatus(policy('Policy', { rules: [rule] }))['autogen']).toEqual({});
});

test('the status of a policy in CEL has the specs for pod controllers, with their kinds', () => {
  const autogen = { podControllers: { controllers: ['jobs', 'deployments', 'cronjobs'] } };
  const spec = { autogen, matchConstraints: pods, validations: [{ expression: 'object.spec.a' }] };
  expect(specStatus(policy('ValidatingPolicy', spec))).toMatchObject({
    autogen: {
      configs: {
        cronjobs: {
          targets: [{ group: 'batch', version: 'v1', resource: 'cronjobs', kind: 'CronJob' }],
          spec: { validations: [{ expression: 'object.spec.jobTemplate.spec.template.spec.a' }] },
        },
        defaults: {
          targets: [
            { group: 'apps', version: 'v1', resource: 'deployments', kind: 'Deployment' },
            { group: 'batch', version: 'v1', resource: 'jobs', kind: 'Job' },
          ],
        },
      },
    },
    generated: false,
  });
});

test('a note that a native policy was generated stays', () => {
  const spec = { matchConstraints: {} };
  const status = { generated: true };
  expect(specStatus(policy('NamespacedMutatingPolicy', spec, status))).toEqual({
    autogen: {},
    generated: true,
  });
});

test('a GeneratingPolicy has no such fields', () => {
  expect(specStatus(policy('GeneratingPolicy', { matchConstraints: pods }))).toEqual({});
});
