import { readFileSync } from 'node:fs';
import { withComments } from '@kubeadmit/convert';
import { templateOf } from '@kubeadmit/gatekeeper';
import { parseTime } from '@kubeadmit/go';
import { valueAt } from '@kubeadmit/manifest';
import { suiteText } from '@kubeadmit/testing';
import { expect, test } from 'vitest';
import { publicExports } from './entries.ts';
import { call, foreignWords, junk, type Kind, kinds, type Result } from './junk.ts';

/** An export that accepts more than one kind of junk, or reports it in different words. */
interface Exception {
  /** The kinds to which it may answer; `all` where every value has an answer. */
  readonly answers?: 'all' | readonly Kind[];
  /** The words that its errors contain instead of its name. */
  readonly says?: string;
  /** It ends with JavaScript's own words where it is given junk. */
  readonly isUnchecked?: true;
  readonly why: string;
}

const file = new URL('exceptions.json', import.meta.url);
const exceptions = JSON.parse(readFileSync(file, 'utf8')) as Readonly<Record<string, Exception>>;
const exports = await publicExports();

// A list, a text, an object, …: a function takes one of them. A number may be none.
function takenKinds(answered: readonly Kind[], parameters: number): number {
  const optional = parameters === 0 ? ['undefined'] : [];
  return answered.filter((kind) => kind !== 'NaN' && !optional.includes(kind)).length;
}

test.each(exports)('$title', async ({ title, name, callee, parameters }) => {
  const exception = exceptions[title];
  const results: [Kind, Result][] = [];
  for (const kind of kinds) {
    const given = Array.from({ length: Math.max(1, parameters) }, () => junk[kind]());
    results.push([kind, await call(callee, given)]);
  }
  const problems = results.flatMap(([kind, result]) =>
    problemOf(kind, result, exception?.says ?? name),
  );
  if (exception?.isUnchecked === true) {
    expect(problems, 'it checks what it is given: take it off the list').not.toEqual([]);
    return;
  }
  expect(problems).toEqual([]);
  const answered = results.flatMap(([kind, { outcome }]) => (outcome === 'answer' ? [kind] : []));
  const { answers = [] } = exception ?? {};
  if (answers === 'all') return;
  const unexpected = answered.filter((kind) => !answers.includes(kind));
  const most = answers.length === 0 ? 1 : 0;
  expect(takenKinds(unexpected, parameters), `it answers to ${unexpected}`).toBeLessThanOrEqual(
    most,
  );
});

function problemOf(kind: Kind, result: Result, name: string): readonly string[] {
  if (result.outcome === 'answer') return [];
  const { outcome, message } = result;
  const isTold = outcome === 'error' || message.includes(name);
  return isTold && !foreignWords.test(message) ? [] : [`${kind}: ${message}`];
}

// Tests the arguments after a valid first argument.
test.each<[call: string, callee: unknown, right: readonly unknown[]]>([
  ['parseTime', parseTime, ['2006-01-02', '2026-11-26']],
  ['templateOf', templateOf, ['Kind', []]],
  ['withComments', withComments, ['spec:', new Map()]],
  ['suiteText', suiteText, [{}, 'policies.yaml']],
  ['valueAt', valueAt, [{}, []]],
])('%s after what is right', async (name, callee, right) => {
  expect(await call(callee, right)).toEqual({ outcome: 'answer' });
  for (const [position, argument] of right.entries()) {
    if (position === 0) continue;
    for (const kind of kinds.filter((each) => kindOf(argument) !== each)) {
      const result = await call(callee, right.with(position, junk[kind]()));
      expect(result, kind).toMatchObject({
        outcome: 'mistake',
        message: expect.stringContaining(name),
      });
      expect(result).not.toMatchObject({ message: expect.stringMatching(foreignWords) });
    }
  }
});

function kindOf(argument: unknown): Kind | undefined {
  if (Array.isArray(argument)) return 'list';
  if (typeof argument === 'string') return 'text';
  return Object.getPrototypeOf(argument) === Object.prototype &&
    Object.keys(argument as object).length === 0
    ? 'object'
    : undefined;
}

test('the exceptions are of what there is', () => {
  const titles = exports.map(({ title }) => title);
  expect(Object.keys(exceptions).filter((title) => !titles.includes(title))).toEqual([]);
});
