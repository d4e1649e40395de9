import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  exemptLifelines,
  isLifelineName,
  lifelineExpression,
  lifelineName,
  lifelines,
} from '../src/registration/lifelines.ts';
import { mayReach, mergeRules } from '../src/registration/merge-rules.ts';
import { onAll, onPods, policy, register } from './harness/registration.ts';

test('a policy about everything skips all lifelines and is reported', async () => {
  const { validate, affected } = await register(policy({ name: 'all', rules: [onAll] }));
  expect(validate[0]?.['matchConditions']).toEqual([
    { name: 'not-a-lifeline', expression: lifelineExpression(lifelines) },
  ]);
  expect(affected).toEqual([
    { policy: 'ValidatingAdmissionPolicy/all', exempt: lifelines.map(lifelineName) },
  ]);
});

test('a rule that names a lifeline is left out, unless it is included', async () => {
  const rules = [{ ...onPods, resources: ['pods', 'nodes', 'nodes/status'] }];
  const text = policy({ name: 'nodes', rules });
  const without = await register(text);
  expect(without.validate[0]?.['rules']).toEqual([{ ...onPods, scope: '*' }]);
  expect(without.validate[0]).not.toHaveProperty('matchConditions');
  expect(without.affected).toEqual([
    { policy: 'ValidatingAdmissionPolicy/nodes', exempt: ['nodes'] },
  ]);
  const within = await register(text, { included: ['nodes'] });
  expect(within.validate[0]?.['rules']).toEqual([
    { ...onPods, resources: ['nodes', 'nodes/status', 'pods'], scope: '*' },
  ]);
  expect(within.affected).toEqual([]);
});

test('a policy about lifelines alone registers nothing', async () => {
  const { validate } = await register(policy({ rules: [{ ...onPods, resources: ['nodes'] }] }));
  expect(validate).toEqual([]);
});

test.each([
  ['', 'nodes'],
  ['', 'nodes/status'],
  ['networking.k8s.io', 'ipaddresses'],
  ['networking.k8s.io', 'servicecidrs'],
  ['storage.k8s.io', 'csinodes'],
  ['certificates.k8s.io', 'certificatesigningrequests'],
  ['apiregistration.k8s.io', 'apiservices'],
  ['flowcontrol.apiserver.k8s.io', 'flowschemas'],
  ['apiextensions.k8s.io', 'customresourcedefinitions'],
  ['admissionregistration.k8s.io', 'validatingwebhookconfigurations'],
  ['authentication.k8s.io', 'tokenreviews'],
  ['authorization.k8s.io', 'subjectaccessreviews'],
  ['coordination.k8s.io', 'leases'],
  ['', 'serviceaccounts/token'],
  ['', 'endpoints'],
  ['discovery.k8s.io', 'endpointslices'],
  ['', 'events'],
  ['events.k8s.io', 'events'],
  ['scheduling.k8s.io', 'priorityclasses'],
])('%s %s is a lifeline', (group, resource) => {
  const rule = { ...onPods, apiGroups: [group], resources: [resource], scope: '*' };
  expect(mergeRules([rule], lifelines)).toEqual([]);
  expect(lifelines.some((lifeline) => mayReach([rule], lifeline))).toBe(true);
});

test('lifelines are included by their names, with or without their groups', () => {
  for (const lifeline of lifelines) {
    expect(isLifelineName(lifelineName(lifeline))).toBe(true);
    expect(exemptLifelines([lifelineName(lifeline)])).not.toContain(lifeline);
  }
  expect(isLifelineName('leases.coordination.k8s.io')).toBe(true);
  expect(isLifelineName('pods')).toBe(false);
});

const chart = new URL('../', import.meta.url);

test.each(['chart/templates/webhooks.yaml', '../../tooling/webhook/renderings/least.yaml'])(
  'the static configurations of %s exempt the same lifelines',
  (file) => {
    const text = readFileSync(new URL(file, chart), 'utf8').replaceAll(/\s+/g, ' ');
    expect(text).toContain(lifelineExpression(lifelines));
  },
);
