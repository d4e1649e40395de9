import { expect, test } from 'vitest';
import { creationWarnings } from '../src/warnings/object-warnings.ts';

const service = (spec: object) => ({ kind: 'Service', metadata: { name: 'a' }, spec });
const pod = (spec: object) => ({ kind: 'Pod', metadata: { name: 'a' }, spec });
const projected = { name: 'v', projected: { sources: [{}] } };
const containers = [{ name: 'c', image: 'i' }];

test.each([
  ['services', service({ trafficDistribution: 'PreferClose' }), 34, 35],
  ['services', service({ externalIPs: ['10.0.0.1'] }), 35, 36],
  [
    'services',
    service({ type: 'ClusterIP', clusterIP: 'None', sessionAffinity: 'ClientIP' }),
    33,
    34,
  ],
  ['pods', pod({ containers, volumes: [projected] }), 31, 32],
  ['pods', pod({ containers, nodeSelector: { 'node-role.kubernetes.io/master': '' } }), 30, 31],
  ['resourcequotas', { spec: { hard: { cpu: '2', 'limits.cpu': '1' } } }, 34, 35],
])(
  'a warning about %s %j is absent in Kubernetes 1.%d and present in 1.%d',
  (name, object, before, since) => {
    expect(creationWarnings({ group: '', name }, object, before)).toEqual([]);
    expect(creationWarnings({ group: '', name }, object, since)).toHaveLength(1);
  },
);

test('volumes of git repositories are deprecated in every version and disabled since 1.33', () => {
  const object = pod({ containers, volumes: [{ name: 'v', gitRepo: { repository: 'r' } }] });
  const warnings = (minor: number) => creationWarnings({ group: '', name: 'pods' }, object, minor);
  const text = 'spec.volumes[0].gitRepo: deprecated in v1.11';
  expect(warnings(32)).toEqual([text]);
  expect(warnings(33)).toEqual([`${text}, and disabled by default in v1.33+`]);
});
