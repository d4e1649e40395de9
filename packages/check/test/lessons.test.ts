import { readdirSync } from 'node:fs';
import { EvaluationObserver } from '@kubeadmit/chain/expressions';
import { policyReportResult } from '@kubeadmit/chain/findings';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { Checker, Explainer, loadCheck, outcomeOf } from '../src/index.ts';
import { inInputOrder } from '../src/internal.ts';
import { type Lesson, prepareLesson, readLessons, taught } from './lesson.ts';

// Explains each folder of the sources with small checks: the inputs, the result, and a name that gives the reason.
// `chain` and `scan` have separate tables.

const clock = (): number => 0;
const sources = new URL('../src/', import.meta.url);
const folders = readdirSync(sources, { withFileTypes: true }).filter((each) => each.isDirectory());
const answers: Readonly<Record<string, (lesson: Lesson) => object>> = {
  mutate: orderOf,
};

test('every source folder has a lesson', () => {
  expect(folders.map(({ name }) => name).filter((name) => !taught.includes(name))).toEqual([]);
});

describe.each(taught)('%s', (folder) => {
  test.each(readLessons(folder))('$name', async (lesson: Lesson) => {
    const answer = await (answers[folder] ?? checkOf)(lesson);
    expect(answer).toMatchObject(lesson.answer);
  });
});

/** Returns the details of a check and of its first object. */
async function checkOf(lesson: Lesson): Promise<object> {
  const said: string[] = [];
  const check = await prepareLesson(lesson, (text) => said.push(text));
  const observer = new EvaluationObserver();
  const loaded = await loadCheck(check, { clock, observe: observer.observe });
  for (const { message } of [...loaded.refused.problems, ...loaded.unsupported]) said.push(message);
  const checker = new Checker(loaded);
  const [request] = check.requests;
  if (request === undefined) return { said };
  const object = checker.check(request);
  const { chain } = loaded;
  const { policies } = check.inputs;
  const explainer = new Explainer({ check, cluster: chain.cluster, observer, policies, chain });
  return {
    said,
    request: request.request,
    object,
    outcome: outcomeOf(object),
    results: object.findings.map((finding) => policyReportResult(finding)),
    report: checker.report(check, loaded),
    explanation: explainer.explain(request),
  };
}

/** Returns the text of an object with its fields in the order of the input. */
function orderOf({ given }: Lesson): object {
  const { written, value } = parse(given);
  return { ordered: JSON.stringify(inInputOrder(value, written)) };
}
