import { loadSchemas } from '@kubeadmit/schemas';
import { isSameStruct } from '@kubeadmit/schemas/types';
import { expect, test } from 'vitest';

const schemas = await loadSchemas();

const quota = 'core.v1.ResourceQuotaSpec';
const limits = 'core.v1.LimitRangeSpec';
const role = 'rbac.v1.Role';
const revision = 'apps.v1.ControllerRevision';
const container = 'core.v1.Container';

// conformance/admit/struct-equality.ndjson contains kube-apiserver's answers.
test.each<readonly [string, string, object, object, boolean]>([
  ['the same amount', quota, { hard: { memory: '1Ki' } }, { hard: { memory: '1024' } }, true],
  ['another amount', quota, { hard: { memory: '1Ki' } }, { hard: { memory: '1025' } }, false],
  ['another resource', quota, { hard: { memory: '1' } }, { hard: { cpu: '1' } }, false],
  ['no list and an empty one', limits, { limits: null }, { limits: [] }, true],
  ['no list and one of something', limits, { limits: null }, { limits: [{}] }, false],
  ['deep inside', role, { rules: [{ verbs: null }] }, { rules: [{ verbs: [] }] }, true],
  ['lists of other length', role, { rules: [{}] }, { rules: [{}, {}] }, false],
  ['a map that is absent', quota, { hard: {} }, {}, true],
  ['a struct that is absent', container, { securityContext: {} }, {}, false],
  ['free data', revision, { data: { a: 1 } }, { data: { a: 1 } }, true],
  [
    'free data in another order',
    revision,
    { data: { a: 1, b: 2 } },
    { data: { b: 2, a: 1 } },
    false,
  ],
  ['free data that is empty', revision, { data: { a: [] } }, { data: { a: null } }, false],
  ['fields that no kind has', '', { groups: [] }, {}, true],
  ['names of all objects', '', { constructor: 'a' }, {}, false],
])('%s', (_, name, left, right, isSame) => {
  expect(isSameStruct(schemas, name, left, right)).toBe(isSame);
  expect(isSameStruct(schemas, name, right, left)).toBe(isSame);
});
