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
    'prepareCheck takes a list of manifests with their roles, as in `{ manifest, role: "any" }`, not an object',
  ],
  [
    'prepareCheck without options',
    () => prepareCheck([], undefined as never, report),
    'prepareCheck takes options as an object, not undefined',
  ],
  [
    'prepareCheck with a slip in an option',
    () => prepareCheck([], { ...options, dryrun: true } as never, report),
    'prepareCheck has no option `dryrun` (did you mean `dryRun`?)',
  ],
  [
    'prepareCheck with another word',
    () => prepareCheck([], { ...options, validate: 'true' } as never, report),
    'prepareCheck: `validate` is the string "true", none of "strict", "warn", "ignore"',
  ],
  [
    'prepareCheck without a user',
    () => prepareCheck([], { namespace: 'default' } as never, report),
    'prepareCheck: `user` takes options as an object, not undefined',
  ],
  [
    'prepareCheck without what is told of problems',
    () => prepareCheck([], options, undefined as never),
    'prepareCheck takes a function that receives problems, not undefined',
  ],
  [
    'loadCheck with manifests',
    () => loadCheck([] as never, { clock }),
    'loadCheck takes what `prepareCheck` gave, not a list',
  ],
  [
    'loadCheck with the promise of a check',
    () => loadCheck(Promise.resolve(planned) as never, { clock }),
    'loadCheck takes what `prepareCheck` gave, not a Promise (await it)',
  ],
  [
    'loadCheck without a clock',
    () => loadCheck(planned as never, {} as never),
    'loadCheck takes a `clock` such as `Date.now`, not undefined',
  ],
  [
    'loadCheck with the time',
    () => loadCheck(planned as never, { clock: 0 } as never),
    'loadCheck: `clock` is the number 0, not a function',
  ],
  [
    'Checker of a check that is not loaded',
    () => new Checker(planned as never),
    'new Checker takes a chain (`await prepareChain({ … })` makes one), not undefined',
  ],
  [
    'Checker of the promise of one',
    () => new Checker(Promise.resolve({}) as never),
    'new Checker takes what `loadCheck` gave, not a Promise (await it)',
  ],
  [
    'Explainer without options',
    () => new Explainer(undefined as never),
    'new Explainer takes options as an object, not undefined',
  ],
  [
    'Explainer without a check',
    () => new Explainer({ cluster: {}, policies: [] } as never),
    'new Explainer: `check` takes what `prepareCheck` gave, not undefined',
  ],
  [
    'Explainer without policies',
    () => new Explainer({ check: planned, cluster: {} } as never),
    'new Explainer takes manifests as `policies`, not undefined',
  ],
])('%s is a TypeError', async (_name, call, message) => {
  await expect(async () => call()).rejects.toThrow(new TypeError(message));
});
