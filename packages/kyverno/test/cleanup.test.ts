import { readFileSync } from 'node:fs';
import type { JsonObject } from '@kubeadmit/apimachinery';
import { readLines } from '@kubeadmit/test-support';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { cleansObject, compileCleanupPolicy, deletionTime } from '../src/background.ts';
import { isStandardSchedule } from '../src/cleanup/standard-schedule.ts';
import { timeToLiveProblem, validateCleanup } from '../src/validation.ts';

interface CleanupCase {
  readonly name: string;
  readonly namespace?: string;
  readonly spec: JsonObject;
  readonly namespaceLabels?: Readonly<Record<string, string>>;
  /** The object and the texts of the CLI: `resource matched` for one that would be deleted. */
  readonly objects?: readonly { readonly object: JsonObject; readonly message: string }[];
  /** The problems of the webhook. */
  readonly problems?: readonly string[];
}

const cases = parse(
  readFileSync(new URL('cases/cleanup.yaml', import.meta.url), 'utf8'),
) as readonly CleanupCase[];

test.each(cases)('$name', ({ namespace, spec, namespaceLabels = {}, objects = [], problems }) => {
  const kind = namespace === undefined ? 'ClusterCleanupPolicy' : 'CleanupPolicy';
  const policy = {
    apiVersion: 'kyverno.io/v2',
    kind,
    metadata: { name: 'old', namespace },
    spec: { schedule: '0 3 * * *', ...spec },
  };
  expect(validateCleanup(policy).map(({ message }) => message)).toEqual(problems ?? []);
  const compiled = compileCleanupPolicy(policy);
  const setting = { namespaceLabels, sources: {}, now: Date.parse('2026-01-02T00:00:00Z') };
  for (const { object, message } of objects) {
    expect(cleansObject(compiled, object, setting).message).toBe(message);
  }
});

const recorded = readLines<{
  schedule?: string;
  isValid?: boolean;
  ttl?: string;
  problem?: string;
}>(new URL('cases/cleanup-formats.ndjson', import.meta.url));

test('schedules and labels are valid where the libraries of Kyverno accept them', () => {
  for (const { schedule, isValid, ttl, problem = '' } of recorded) {
    if (schedule !== undefined) {
      expect([schedule, isStandardSchedule(schedule)]).toEqual([schedule, isValid]);
    }
    if (ttl !== undefined) expect([ttl, timeToLiveProblem(ttl) ?? '']).toEqual([ttl, problem]);
  }
});

test.each([
  ['90m', '2026-01-01T01:30:00Z'],
  ['1h30m', '2026-01-01T01:30:00Z'],
  ['2d', '2026-01-03T00:00:00Z'],
  ['1 week', '2026-01-08T00:00:00Z'],
  ['1d 2hours', '2026-01-02T02:00:00Z'],
  ['2027-02-03', '2027-02-03T00:00:00Z'],
  ['2027-02-03T150405Z', '2027-02-03T15:04:05Z'],
  ['soon', undefined],
  ['', undefined],
])('an object with the time to live %s is deleted at %s', (value, expected) => {
  const created = Date.parse('2026-01-01T00:00:00Z');
  expect(deletionTime(value, created)).toBe(expected && Date.parse(expected));
});
