import { readdirSync, readFileSync } from 'node:fs';
import type { JsonObject } from '@kubeadmit/apimachinery';
import { stringifyJson } from '@kubeadmit/go/internal';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import {
  answerAutogen,
  answerConditions,
  answerJmesPath,
  answerRules,
  answerSubstitute,
} from '../src/internal.ts';

// Explains each folder of the sources with cases: Kyverno's recorded answers, with a name that gives the reason.

interface Lesson extends JsonObject {
  readonly name: string;
  readonly answer: unknown;
}

const answers: Readonly<Record<string, (lesson: never) => object>> = {
  autogen: answerAutogen,
  certificates: answerJmesPath,
  conditions: answerConditions,
  functions: answerJmesPath,
  jmespath: answerJmesPath,
  variables: answerSubstitute,
};

const folder = new URL('lessons/', import.meta.url);

describe.each(readdirSync(folder).map((file) => file.replace('.yaml', '')))('%s', (subject) => {
  const lessons = parse(readFileSync(new URL(`${subject}.yaml`, folder), 'utf8')) as Lesson[];
  test.each(lessons)('$name', ({ name: _, answer, ...input }) => {
    const found = answers[subject]?.(input as never) ?? answerRule(input);
    expect(JSON.parse(stringifyJson(found))).toEqual(answer);
  });
});

/** Returns the result of one rule for an object; the rule matches pods by default. */
function answerRule({ rule, object, ...more }: JsonObject): object {
  const match = { any: [{ resources: { kinds: ['Pod'] } }] };
  const policy = {
    apiVersion: 'kyverno.io/v1',
    kind: 'ClusterPolicy',
    metadata: { name: 'p' },
    spec: { rules: [{ name: 'r', match, ...(rule as JsonObject) }] },
  };
  const answer = answerRules({ policies: [policy], resource: object as JsonObject, ...more });
  const results = 'results' in answer ? answer.results : [];
  const shown = results.map(({ policy: _policy, rule: _rule, type: _type, ...rest }) => rest);
  return { ...answer, results: shown };
}
