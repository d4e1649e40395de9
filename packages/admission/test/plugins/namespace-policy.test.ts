import { formatStandard } from '@kubeadmit/pod-security/standards';
import { describe, expect, test } from 'vitest';
import {
  modes,
  type NamespacePolicy,
  policyOfLabels,
} from '../../src/plugins/pod-security/namespace-policy.ts';

const privileged = { level: 'privileged', version: 'latest' } as const;
const defaults: NamespacePolicy = { enforce: privileged, audit: privileged, warn: privileged };
const prefix = 'pod-security.kubernetes.io/';

const cases: readonly {
  readonly labels: Readonly<Record<string, string>>;
  readonly policy: string;
  readonly problems?: readonly string[];
}[] = [
  { labels: {}, policy: 'privileged:latest privileged:latest privileged:latest' },
  {
    // `warn` follows a stricter level of `enforce`.
    labels: { enforce: 'baseline', 'enforce-version': 'v1.24' },
    policy: 'baseline:v1.24 privileged:latest baseline:v1.24',
  },
  {
    labels: { enforce: 'baseline', 'enforce-version': 'v1.24', 'warn-version': 'v1.30' },
    policy: 'baseline:v1.24 privileged:latest baseline:v1.30',
  },
  {
    labels: { enforce: 'restricted', warn: 'privileged' },
    policy: 'restricted:latest privileged:latest privileged:latest',
  },
  {
    labels: { enforce: 'wrong', audit: 'wrong', warn: 'wrong', 'warn-version': '1.24' },
    policy: 'restricted:latest privileged:latest privileged:latest',
    problems: ['enforce', 'audit', 'warn', 'warn-version'],
  },
];

describe('policyOfLabels', () => {
  test.each(cases)('reads $labels', ({ labels, policy, problems = [] }) => {
    const full = Object.fromEntries(
      Object.entries(labels).map(([key, value]) => [`${prefix}${key}`, value]),
    );
    const found = policyOfLabels(full, defaults);
    expect(modes.map((mode) => formatStandard(found.policy[mode])).join(' ')).toBe(policy);
    expect(found.problems.map(({ label }) => label)).toEqual(
      problems.map((name) => `${prefix}${name}`),
    );
  });
});
