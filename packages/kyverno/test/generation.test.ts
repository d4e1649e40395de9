import { readLines } from '@kubeadmit/test-support';
import { describe, expect, test } from 'vitest';
import { answerGenerate, type GenerateCase } from '../src/internal.ts';

interface Recorded {
  readonly case: GenerateCase;
  readonly answer: object;
}

describe('rules that generate objects', () => {
  test('generate the objects that the Kyverno CLI generates', () => {
    const recorded: readonly Recorded[] = readLines(
      new URL('cases/generation.ndjson', import.meta.url),
    );
    for (const { case: given, answer } of recorded) {
      expect(JSON.parse(JSON.stringify(answerGenerate(given))), JSON.stringify(given)).toEqual(
        answer,
      );
    }
  });

  test('a list of clones with an empty selector is a rule that generates', () => {
    const rule = { name: 'r', generate: { cloneList: { selector: {} } } };
    const policy = {
      apiVersion: 'kyverno.io/v1',
      kind: 'ClusterPolicy',
      metadata: { name: 'p' },
      spec: { rules: [{ ...rule, match: { any: [{ resources: { kinds: ['Namespace'] } }] } }] },
    };
    const resource = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'n' } };
    expect(answerGenerate({ policies: [policy], resource }).results).toHaveLength(1);
  });

  test('a deleted object generates nothing', () => {
    const rule = {
      name: 'r',
      match: { any: [{ resources: { kinds: ['Namespace'] } }] },
      generate: { apiVersion: 'v1', kind: 'ConfigMap', name: 'c', namespace: 'n', data: {} },
    };
    const policy = {
      apiVersion: 'kyverno.io/v1',
      kind: 'ClusterPolicy',
      metadata: { name: 'p' },
      spec: { rules: [rule] },
    };
    const resource = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'n' } };
    expect(answerGenerate({ policies: [policy], resource, operation: 'DELETE' })).toEqual({
      results: [{ policy: 'p', rule: 'r', type: 'Generation', status: 'fail', message: '' }],
      problems: { p: 'a deleted object generates nothing' },
    });
  });
});
