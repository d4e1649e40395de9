import { readdirSync, readFileSync } from 'node:fs';
import type { JsonObject } from '@kubeadmit/apimachinery';
import { stringifyJson } from '@kubeadmit/go';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import {
  answerAutogen,
  answerConditions,
  answerGenerate,
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
  generate: answerGeneration,
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
  const policy = policyOf('Pod', rule);
  const answer = answerRules({ policies: [policy], resource: object as JsonObject, ...more });
  const results = 'results' in answer ? answer.results : [];
  const shown = results.map(({ policy: _policy, rule: _rule, type: _type, ...rest }) => rest);
  return { ...answer, results: shown };
}

/** Returns the objects that one rule generates because of a namespace; the objects that it clones are its sources. */
function answerGeneration({ rule, object, sources = [] }: JsonObject): object {
  const policies = [policyOf('Namespace', rule)];
  const resource = object as JsonObject;
  const given = { policies, resource, sources: { r: sources as JsonObject[] } };
  const { results, problems } = answerGenerate(given);
  const shown = results.map(({ policy: _policy, rule: _rule, type: _type, ...rest }) => rest);
  return { results: shown, ...(problems && { problem: problems['p'] }) };
}

function policyOf(kind: string, rule: unknown): JsonObject {
  const match = { any: [{ resources: { kinds: [kind] } }] };
  return {
    apiVersion: 'kyverno.io/v1',
    kind: 'ClusterPolicy',
    metadata: { name: 'p' },
    spec: { rules: [{ name: 'r', match, ...(rule as JsonObject) }] },
  };
}
