import { expect, test } from 'vitest';
import { Checker, Explainer, loadCheck, prepareCheck } from '../src/index.ts';

// Intermediate results between manifests and a report are passed from function to function.

const clock = (): number => 0;
const options = { namespace: 'default', user: { name: 'kubernetes-admin' } };
const report = (): void => undefined;
const planned = { inputs: {}, held: [] };

test.each<[string, () => unknown, string]>([
  [
    'prepareCheck with one manifest',
    () => prepareCheck({ file: 'a.yaml' } as never, options, report),
    'prepareCheck: expected a list of manifests with their roles, as in `{ manifest, role: "any" }`, got an object',
  ],
  [
    'prepareCheck without options',
    () => prepareCheck([], undefined as never, report),
    'prepareCheck: expected options as an object, got undefined',
  ],
  [
    'prepareCheck with a slip in an option',
    () => prepareCheck([], { ...options, dryrun: true } as never, report),
    'prepareCheck: unknown option `dryrun` (did you mean `dryRun`?)',
  ],
  [
    'prepareCheck with another word',
    () => prepareCheck([], { ...options, validate: 'true' } as never, report),
    'prepareCheck: `validate` must be one of "strict", "warn", "ignore", got the string "true"',
  ],
  [
    'prepareCheck without a user',
    () => prepareCheck([], { namespace: 'default' } as never, report),
    'prepareCheck: `user`: expected options as an object, got undefined',
  ],
  [
    'prepareCheck without what is told of problems',
    () => prepareCheck([], options, undefined as never),
    'prepareCheck: expected a function that receives problems, got undefined',
  ],
  [
    'loadCheck with manifests',
    () => loadCheck([] as never, { clock }),
    'loadCheck: expected the result of `prepareCheck`, got a list',
  ],
  [
    'loadCheck with the promise of a check',
    () => loadCheck(Promise.resolve(planned) as never, { clock }),
    'loadCheck: expected the result of `prepareCheck`, got a Promise (await it)',
  ],
  [
    'loadCheck without a clock',
    () => loadCheck(planned as never, {} as never),
    'loadCheck: expected a `clock` such as `Date.now`, got undefined',
  ],
  [
    'loadCheck with the time',
    () => loadCheck(planned as never, { clock: 0 } as never),
    'loadCheck: `clock` must be a function, got the number 0',
  ],
  [
    'Checker of a check that is not loaded',
    () => new Checker(planned as never),
    'new Checker: expected a chain from `await prepareChain({ … })`, got undefined',
  ],
  [
    'Checker of the promise of one',
    () => new Checker(Promise.resolve({}) as never),
    'new Checker: expected the result of `loadCheck`, got a Promise (await it)',
  ],
  [
    'Explainer without options',
    () => new Explainer(undefined as never),
    'new Explainer: expected options as an object, got undefined',
  ],
  [
    'Explainer without a check',
    () => new Explainer({ cluster: {}, policies: [] } as never),
    'new Explainer: `check`: expected the result of `prepareCheck`, got undefined',
  ],
  [
    'Explainer without policies',
    () => new Explainer({ check: planned, cluster: {} } as never),
    'new Explainer: expected manifests as `policies`, got undefined',
  ],
])('%s is a TypeError', async (_name, call, message) => {
  await expect(async () => call()).rejects.toThrow(new TypeError(message));
});
