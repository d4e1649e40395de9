import { stringifyJson } from '@kubeadmit/go';
import { readLines } from '@kubeadmit/test-support';
import { describe, expect, test } from 'vitest';
import {
  answerAutogen,
  answerConditions,
  answerJmesPath,
  answerRules,
  answerSubstitute,
} from '../src/internal.ts';

interface Recorded {
  readonly case: unknown;
  readonly answer: unknown;
}

const answers: Readonly<Record<string, (item: never) => object>> = {
  autogen: answerAutogen,
  certificates: answerJmesPath,
  conditions: answerConditions,
  jmespath: answerJmesPath,
  mutate: answerRules,
  patches: answerRules,
  'pod-security': answerRules,
  substitute: answerSubstitute,
  surroundings: answerRules,
  sections: answerRules,
  validate: answerRules,
};

function casesOf(name: string): readonly Recorded[] {
  return readLines(new URL(`../../../conformance/kyverno/${name}.ndjson`, import.meta.url));
}

function plain(value: unknown): unknown {
  return JSON.parse(stringifyJson(value));
}

describe.each(Object.entries(answers))('recorded answers of Kyverno: %s', (name, answer) => {
  test('are ours too', () => {
    for (const recorded of casesOf(name)) {
      expect(plain(answer(recorded.case as never)), JSON.stringify(recorded.case)).toEqual(
        recorded.answer,
      );
    }
  });
});
