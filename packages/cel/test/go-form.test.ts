import { expect, test } from 'vitest';
import { goKeyProblem } from '../src/values/go-form.ts';
import { enterData, type GoForm } from '../src/values/origin.ts';
import { CelError, type Value } from '../src/values/value.ts';
import { equal } from '../src/values.ts';

const labels = { app: 'web' };
const containers = [{ name: 'c' }];
const spec = { labels, containers };
const forms = new Map<object, GoForm>([
  [labels, { kind: 'map' }],
  [containers, { kind: 'list' }],
  [spec, { kind: 'struct' }],
]);

function held<Result>(run: () => Result): Result {
  const outer = enterData((container) => forms.get(container));
  const result = run();
  enterData(outer);
  return result;
}

const noOverload = new CelError('no such overload');

test.each<readonly [Value, Value, boolean | CelError, boolean | CelError]>([
  [labels, 'web', false, noOverload],
  [containers, {}, false, noOverload],
  ['web', labels, false, false],
  [labels, null, false, false],
  [[labels], ['web'], false, true],
  [spec, { labels: 1, containers: [{ name: 'c' }] }, false, noOverload],
  [spec, { labels: { app: 'web' }, containers: [{ name: 'c' }] }, true, true],
  [[spec, 1], [spec, 2], false, false],
])('%j == %j', (left, right, plain, strict) => {
  expect(equal(left, right)).toEqual(plain);
  expect(held(() => equal(left, right))).toEqual(strict);
});

test.each<readonly [Value, Value, string | undefined]>([
  [labels, 'app', undefined],
  [labels, 1, 'unsupported map key type: types.Int'],
  [spec, labels, 'unsupported map key type: *common.reflectSchemalessTypedMap'],
  [containers, 0, undefined],
  [containers, 0.5, 'unsupported index type: types.Double'],
  [[1], 0.5, undefined],
])('%j is asked for %j', (container, key, problem) => {
  expect(goKeyProblem(container, key)).toBeUndefined();
  expect(held(() => goKeyProblem(container, key))?.message).toBe(problem);
});
