import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { checkPodSecurity, type Level } from '../src/index.ts';

interface Case {
  readonly level: Level;
  readonly version: string;
  readonly pod: Readonly<Record<string, unknown>>;
  readonly violations: readonly { readonly reason: string; readonly detail: string }[];
}

// Recorded by `record-pod-security` of tooling/admission from k8s.io/pod-security-admission of Kubernetes 1.37.
const recorded = new URL('violations.ndjson', import.meta.url);
const cases = readFileSync(recorded, 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as Case);

describe('random pods', () => {
  test('have the violations that kube-apiserver finds', () => {
    const wrong = cases.flatMap(({ level, version, pod, violations }) => {
      const found = checkPodSecurity({ kind: 'Pod', ...pod }, level, version);
      const actual = found.map(({ reason, detail }) => ({ reason, detail }));
      return JSON.stringify(actual) === JSON.stringify(violations)
        ? []
        : [{ level, version, pod, violations, actual }];
    });
    expect(wrong.slice(0, 3)).toEqual([]);
  });
});
