import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { call } from './junk.ts';
import { instances, methodCalls } from './methods.ts';
import { wrongAnswers } from './misuse.ts';
import { argumentsOf } from './right-call.ts';
import { rightCalls } from './right-calls.ts';

interface Exceptions {
  readonly [title: string]: {
    /** Phrases that its errors contain instead of its name. */
    readonly says?: readonly string[];
    /** Correct answers and sufficient errors, as beginnings of the problems that the test finds. */
    readonly except?: readonly string[];
    readonly why: string;
  };
}

const file = new URL('exceptions.json', import.meta.url);
const exceptions = JSON.parse(readFileSync(file, 'utf8')) as Exceptions;

/** The export with a title such as `@kubeadmit/cel parse`, or the static method `@kubeadmit/testing TestCluster.load`. */
async function exportOf(title: string): Promise<unknown> {
  const [entry = '', path = ''] = title.split(' ');
  const module: unknown = await import(entry);
  const [name = '', method] = path.split('.');
  const exported: unknown = Reflect.get(module as object, name);
  if (method === undefined) return exported;
  return (Reflect.get(exported as object, method) as () => unknown).bind(exported);
}

/** A method such as `Environment.plan`, called on an instance of its class. */
function methodOf(title: string): unknown {
  const [owner = '', name = ''] = title.split('.');
  return (...given: readonly unknown[]): unknown => {
    const instance = instances[owner]?.() as object;
    return Reflect.apply(Reflect.get(instance, name) as () => unknown, instance, given);
  };
}

test.each([...Object.entries(rightCalls), ...Object.entries(methodCalls)])(
  '%s rejects each wrong argument',
  async (title, right) => {
    const callee = title in rightCalls ? await exportOf(title) : methodOf(title);
    const values = argumentsOf(right).map(({ value }) => value);
    expect(await call(callee, values)).toEqual({ outcome: 'answer' });
    const { says = [], except = [] } = exceptions[title] ?? {};
    const name = title.split(/[ .]/).at(-1) ?? '';
    const wrong = await wrongAnswers(callee, [name, ...says], right);
    expect(wrong.filter((problem) => !except.some((known) => problem.startsWith(known)))).toEqual(
      [],
    );
    const unused = except.filter((known) => !wrong.some((problem) => problem.startsWith(known)));
    expect(unused, 'remove it from the list').toEqual([]);
  },
);

test('each exception belongs to a call of the table', () => {
  const titles = new Set([...Object.keys(rightCalls), ...Object.keys(methodCalls)]);
  expect(Object.keys(exceptions).filter((title) => !titles.has(title))).toEqual([]);
});
