import { loadSchemas } from '@kubeadmit/schemas';
import { expect, test } from 'vitest';
import { convertPolicy } from '../src/index.ts';

const schemas = await loadSchemas();

test.each<[unknown, string]>([
  [undefined, 'not undefined'],
  [[], 'not a list'],
  [{}, 'not undefined undefined'],
  [{ apiVersion: 'v1', kind: 'Pod' }, 'not v1 Pod'],
])('what is no policy has no conversion: %j', (given, problem) => {
  const expected = new TypeError(
    `convertPolicy takes a policy of Kyverno or a constraint, ${problem}`,
  );
  expect(() => convertPolicy(given as never, { schemas })).toThrow(expected);
});
