import { readFileSync } from 'node:fs';
import { admit, type Cluster, loadCluster } from '@kubeadmit/admission';
import type { KubernetesObject } from '@kubeadmit/apimachinery';
import { parseJson, type Value } from '@kubeadmit/cel';
import type { AdmissionRequest, MutatingPolicy } from '@kubeadmit/engine';
import { stringifyJson } from '@kubeadmit/go/internal';
import { checkMutations, type MutationProblem } from '@kubeadmit/lint';
import type { Schemas } from '@kubeadmit/schemas';
import { describe, expect, test } from 'vitest';
import { readRecorded, recordedFiles } from '../src/cases.ts';
import { newestSchemas } from '../src/schemas.ts';

interface Recorded {
  readonly id: string;
  readonly resources: readonly KubernetesObject[];
  readonly request: AdmissionRequest;
  readonly response: {
    readonly allowed: boolean;
    readonly status?: { readonly message?: string };
  };
}

const table = 'mutation-checks.ndjson';
const expected: Readonly<Record<string, readonly string[]>> = JSON.parse(
  readFileSync(new URL('mutation-checks.json', import.meta.url), 'utf8'),
);

function read(file: string): Recorded[] {
  return readRecorded('admit', file)
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
  test.each(read(table))('$id', ({ id, resources, response }) => {
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
      read(table)
        .map(({ id }) => id)
        .sort(),
    );
  });
});

describe('mutations that the server made', async () => {
  const schemas = await newestSchemas();
  test.each(recordedFiles('admit'))('no error about one of %s', (file) => {
    const alarms: string[] = [];
    for (const { id, resources, request } of read(file)) {
      const { cluster, problemsOf } = checkedCluster(resources, schemas);
      const outcome = admit(cluster, request);
      if (outcome.failure !== undefined) continue;
      const { kind, version } = request.requestKind ?? request.kind ?? {};
      for (const { policy, mutation } of madeMutations(outcome.trace)) {
        const problems = problemsOf(policy).filter(
          ({ fieldRef, severity, kinds }) =>
            severity === 'error' &&
            fieldRef.startsWith(`spec.mutations[${mutation}].`) &&
            kinds.some((each) => each.kind === kind && each.version === version),
        );
        alarms.push(...problems.map(({ message }) => `${id}: ${message}`));
      }
    }
    expect(alarms).toEqual([]);
  });
});

interface CheckedCluster {
  readonly cluster: Cluster;
  readonly problemsOf: (policy: string) => readonly MutationProblem[];
}

let last: { readonly key: string; readonly checked: CheckedCluster } | undefined;

/** Cases in a row often share their resources. */
function checkedCluster(resources: Recorded['resources'], schemas: Schemas): CheckedCluster {
  const key = stringifyJson(resources as unknown as Value);
  if (last?.key !== key) {
    const cluster = loadCluster({ resources, schemas, onErrors: 'report' });
    const known = new Map<string, readonly MutationProblem[]>();
    const problemsOf = (policy: string): readonly MutationProblem[] => {
      const found = cluster.mutatingPolicies.find(({ metadata }) => metadata?.name === policy);
      const problems = known.get(policy) ?? checkMutations(found ?? {}, cluster.schemas);
      known.set(policy, problems);
      return problems;
    };
    last = { key, checked: { cluster, problemsOf } };
  }
  return last.checked;
}

type Trace = Extract<ReturnType<typeof admit>, { readonly trace: unknown }>['trace'];

function madeMutations(trace: Trace): { policy: string; mutation: number }[] {
  return trace.flatMap(({ policy, bindings }) =>
    bindings
      .flatMap(({ evaluations }) => evaluations)
      .flatMap(({ mutations = [] }) => mutations)
      .filter(({ outcome }) => outcome !== 'error')
      .map(({ mutation }) => ({ policy, mutation })),
  );
}
