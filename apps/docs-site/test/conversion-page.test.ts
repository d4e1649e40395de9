import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { conversionPage } from '../src/worker/conversion-page.ts';

const written = new Set(readdirSync(new URL('../reference/conversion/', import.meta.url)));

test.each([
  [{ verifyImages: [] }, 'without-equal'],
  [{ generate: {} }, 'without-equal'],
  [{ validate: { podSecurity: {} } }, 'pod-security'],
  [{ validate: { anyPattern: [] } }, 'any-pattern'],
  [{ validate: { pattern: {} } }, 'patterns'],
  [{ validate: { foreach: [] } }, 'foreach'],
  [{ validate: { cel: {} } }, 'cel-rules'],
  [{ validate: { deny: {} } }, 'conditions'],
  [{ mutate: { foreach: [] } }, 'mutation-loops'],
  [{ mutate: { patchesJson6902: '' } }, 'json-patches'],
  [{ mutate: { patchStrategicMerge: {} } }, 'mutations'],
  [{}, 'matching'],
])('the page about a rule with %j is there', (rule, page) => {
  expect(conversionPage({ kind: 'ClusterPolicy', spec: { rules: [rule] } }, 0)).toBe(page);
  expect(written).toContain(`${page}.md`);
});

test.each([
  ['NamespacedValidatingPolicy', 'cel-policies'],
  ['K8sRequiredLabels', 'gatekeeper'],
])('the page about a %s is there', (kind, page) => {
  expect(conversionPage({ kind }, 0)).toBe(page);
  expect(written).toContain(`${page}.md`);
});
