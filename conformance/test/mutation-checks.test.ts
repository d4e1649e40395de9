import { readFileSync } from 'node:fs';
import { loadCluster } from '@kubeadmit/admission';
import type { KubernetesObject } from '@kubeadmit/apimachinery';
import { parseJson } from '@kubeadmit/cel';
import type { MutatingPolicy } from '@kubeadmit/engine';
import { checkMutations, type MutationProblem } from '@kubeadmit/lint';
import { describe, expect, test } from 'vitest';
import { readRecorded } from '../src/cases.ts';
import { newestSchemas } from '../src/schemas.ts';

interface Recorded {
  readonly id: string;
  readonly resources: readonly KubernetesObject[];
  readonly response: {
    readonly allowed: boolean;
    readonly status?: { readonly message?: string };
  };
}

const expected: Readonly<Record<string, readonly string[]>> = JSON.parse(
  readFileSync(new URL('mutation-checks.json', import.meta.url), 'utf8'),
);

function read(): Recorded[] {
  return readRecorded('admit', 'mutation-checks.ndjson')
    .filter((line) => line.includes('"MutatingAdmissionPolicy"'))
    .map((line) => parseJson(line, { wholeDoubles: true }) as unknown as Recorded);
}

/** A problem in one line: how bad, of what kind, at which words, and why. */
function describeProblem(policy: MutatingPolicy, problem: MutationProblem): string {
  const { severity, code, position, message, fieldRef } = problem;
  const mutation = policy.spec?.mutations?.[Number(/mutations\[(\d+)\]/.exec(fieldRef)?.[1])];
  const text = (mutation?.applyConfiguration ?? mutation?.jsonPatch)?.expression ?? '';
  const words = text.slice(position, position + 20);
  return `${severity} ${code} at \`${words}\`: ${message}`;
}

/** Whether an answer has the parts of a message that are the server's, whatever the values are. */
function isIn(answer: string, message: string): boolean {
  const text = message.replace(/ \([^()]*`[^()]*\)$/, '').replace(/, got .*$/s, '');
  return text.split('…').every((part) => answer.includes(part));
}

describe('mistakes in mutations', async () => {
  const schemas = await newestSchemas();
  test.each(read())('$id', ({ id, resources, response }) => {
    const cluster = loadCluster({ resources, schemas, onErrors: 'report' });
    const [policy] = cluster.mutatingPolicies;
    if (policy === undefined) throw new Error('no policy');
    const problems = checkMutations(policy, cluster.schemas);
    expect(problems.map((problem) => describeProblem(policy, problem))).toEqual(expected[id]);
    const refused = problems.filter(({ code }) => code === 'mutation-refused');
    const answer = response.status?.message ?? '';
    if (refused.length > 0) {
      expect(refused.some(({ message }) => isIn(answer, message))).toBe(true);
    } else if (problems.every(({ code }) => code === 'mutation-no-effect')) {
      expect(response.allowed).toBe(true);
    }
  });
  test('every expectation is about a case', () => {
    expect(Object.keys(expected).sort()).toEqual(
      read()
        .map(({ id }) => id)
        .sort(),
    );
  });
});
