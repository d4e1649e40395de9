import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { publicExports } from './entries.ts';
import { call, isClass } from './junk.ts';
import { instances, methodCalls } from './methods.ts';
import { wrongAnswers } from './misuse.ts';
import { argumentsOf } from './right-call.ts';
import { rightCalls } from './right-calls.ts';

interface Exceptions {
  readonly [title: string]: {
    /** The words that its errors contain instead of its name. */
    readonly says?: readonly string[];
    /** Answers that are as they should be, and errors that say enough; the beginnings of what the test says. */
    readonly except?: readonly string[];
    readonly why: string;
  };
}

const file = new URL('arguments.json', import.meta.url);
const exceptions = JSON.parse(readFileSync(file, 'utf8')) as Exceptions;
const functions = (await publicExports()).filter(({ callee }) => !isClass(callee));
const methods = Object.keys(methodCalls).map((title) => {
  const [owner = '', name = ''] = title.split('.');
  return { title, name, callee: methodOf(instances[owner] as () => object, name) };
});

function methodOf(make: () => object, name: string) {
  return (...given: readonly unknown[]): unknown => {
    const instance = make();
    return Reflect.apply(Reflect.get(instance, name) as () => unknown, instance, given);
  };
}

test.each([...functions, ...methods])('$title', async ({ title, name, callee }) => {
  const right = rightCalls[title] ?? methodCalls[title];
  if (right === undefined) throw new Error('right-calls.ts has no call of it');
  expect(
    await call(
      callee,
      argumentsOf(right).map(({ value }) => value),
    ),
  ).toEqual({
    outcome: 'answer',
  });
  const { says = [], except = [] } = exceptions[title] ?? {};
  const wrong = await wrongAnswers(callee, [name, ...says], right);
  expect(wrong.filter((problem) => !except.some((known) => problem.startsWith(known)))).toEqual([]);
  const unused = except.filter((known) => !wrong.some((problem) => problem.startsWith(known)));
  expect(unused, 'take it off the list').toEqual([]);
});

test('the exceptions are of what there is', () => {
  const titles = [...functions, ...methods].map(({ title }) => title);
  expect(Object.keys(exceptions).filter((title) => !titles.includes(title))).toEqual([]);
  const calls = [...Object.keys(rightCalls), ...Object.keys(methodCalls)];
  expect(calls.filter((title) => !titles.includes(title))).toEqual([]);
});
