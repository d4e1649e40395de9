import { expect, test } from 'vitest';
import { compileLabelSelector, type LabelSelector, type Labels } from '../../src/index.ts';

const web: Labels = { app: 'web', tier: 'front' };

function requires(operator: string, key: string, values?: string[]): LabelSelector {
  return { matchExpressions: [{ key, operator, ...(values && { values }) }] } as LabelSelector;
}

test.each<[LabelSelector | undefined, boolean]>([
  [undefined, true],
  [{}, true],
  [{ matchLabels: { app: 'web' } }, true],
  [{ matchLabels: { app: 'web', tier: 'back' } }, false],
  [{ matchLabels: { constructor: 'x' } }, false],
  [requires('In', 'app', ['api', 'web']), true],
  [requires('In', 'app', ['api']), false],
  [requires('In', 'other', ['']), false],
  [requires('NotIn', 'app', ['api']), true],
  [requires('NotIn', 'app', ['web']), false],
  [requires('NotIn', 'other', ['web']), true],
  [requires('Exists', 'app'), true],
  [requires('Exists', 'toString'), false],
  [requires('DoesNotExist', 'app'), false],
  [requires('DoesNotExist', 'other'), true],
])('%j selects %j', (selector, selects) => {
  expect(compileLabelSelector(selector).matches(web)).toBe(selects);
});
