import { afterAll, beforeAll, expect, test } from 'vitest';
import { configMapReview } from './harness/reviews.ts';
import { startWebhook, type TestWebhook } from './harness/webhook.ts';

const policy = (name: string, rule: string): string => `apiVersion: kyverno.io/v1
kind: ClusterPolicy
metadata: {name: ${name}}
spec:
  background: false
  rules:
  - name: rule
    match: {any: [{resources: {kinds: [ConfigMap]}}]}
${rule}`;

const validating = policy(
  'team',
  `    validate:
      failureAction: Enforce
      message: a team is required
      pattern: {metadata: {labels: {team: "?*"}}}
`,
);
const mutating = policy(
  'owner',
  `    mutate:
      patchStrategicMerge: {metadata: {annotations: {owner: "{{ request.userInfo.username }}"}}}
`,
);
const generating = policy(
  'generated',
  `    generate: {apiVersion: v1, kind: Secret, name: x, namespace: shop, data: {}}
`,
);

const scannedInCel = `apiVersion: policies.kyverno.io/v1
kind: ValidatingPolicy
metadata: {name: scanned}
spec:
  validationActions: [Deny]
  evaluation: {admission: {enabled: false}}
  matchConstraints:
    resourceRules: [{apiGroups: [''], apiVersions: [v1], operations: [CREATE], resources: [configmaps]}]
  validations: [{expression: "false"}]
`;

let webhook: TestWebhook;

beforeAll(async () => {
  webhook = await startWebhook({
    'validating.yaml': validating,
    'mutating.yaml': mutating,
    'generating.yaml': generating,
    // These are for scans alone, and deny nothing.
    'scanned.yaml': validating
      .replace('name: team', 'name: scanned')
      .replace('background: false', 'admission: false')
      .replace('labels: {team: "?*"}', 'labels: {nobody: "?*"}'),
    'scanned-cel.yaml': scannedInCel,
  });
});

afterAll(() => webhook.stop());

test('counts the loaded policies of Kyverno in the log', () => {
  const loaded = webhook.log.find(({ message }) => message === 'policies loaded');
  expect(loaded).toMatchObject({ validating: 0, mutating: 0, kyverno: 5 });
});

test('policies of Kyverno deny with the message of their rule', async () => {
  const { body } = await webhook.ask('/validate', configMapReview());
  expect(body['response']).toMatchObject({
    allowed: false,
    status: { code: 400, message: expect.stringContaining('a team is required') },
  });
});

test('policies of Kyverno allow conforming objects', async () => {
  const object = { metadata: { name: 'settings', namespace: 'shop', labels: { team: 'a' } } };
  const { body } = await webhook.ask('/validate', configMapReview({ object }));
  expect(body['response']).toMatchObject({ allowed: true });
});

test('policies of Kyverno mutate', async () => {
  const { body } = await webhook.ask('/mutate', configMapReview());
  const { patch } = body['response'] as { readonly patch: string };
  expect(JSON.parse(Buffer.from(patch, 'base64').toString())).toEqual([
    { op: 'add', path: '/metadata/annotations', value: { owner: 'alice' } },
  ]);
});

test('reports a rule that is not evaluated, and the others act', async () => {
  const { code, text } = await webhook.read('/readyz?verbose');
  expect(code).toBe(200);
  expect(text).toContain('need a background controller (`--background`)');
});
