import { readFileSync } from 'node:fs';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BackgroundMetrics } from '../src/background/background-metrics.ts';
import { mutatingPolicy, validatingPolicy } from './harness/policies.ts';
import { configMapReview } from './harness/reviews.ts';
import { startWebhook, type TestWebhook } from './harness/webhook.ts';

const read = (name: string): string => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8');

let webhook: TestWebhook;

beforeAll(async () => {
  webhook = await startWebhook({
    'validating.yaml': validatingPolicy('policy', 'false'),
    'mutating.yaml': mutatingPolicy(
      'mutation',
      "Object{metadata: Object.metadata{labels: {'a': 'b'}}}",
    ),
  });
});

afterAll(() => webhook.stop());

test('the dashboard uses existing metrics', async () => {
  for (const path of ['/validate', '/mutate']) await webhook.ask(path, configMapReview());
  const { text: ofReviews } = await webhook.read('/metrics');
  const registry = new Registry();
  new BackgroundMetrics(registry, () => undefined);
  const text = `${ofReviews}\n${await registry.metrics()}`;
  const asked = new Set(
    read('chart/dashboards/webhook.json').match(/\b(?:apiserver|kubeadmit|nodejs)_[a-z0-9_]+/g),
  );
  expect(asked.size).toBeGreaterThan(8);
  const missing = [...asked].filter(
    (name) => !new RegExp(`^(?:# TYPE )?${name}[{ ]`, 'm').test(text),
  );
  expect(missing).toEqual([]);
});

test('the chart brings the definitions of the manifests', () => {
  expect(read('chart/crds/definitions.yaml')).toBe(read('manifests/definitions.yaml'));
});
