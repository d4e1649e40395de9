import { phrases, type Random, words } from '@kubeadmit/random';
import { functionShapes } from './generate-jmespath.ts';

/** Values of every type, as literals and as places of the input. */
const literals = [
  ...words(
    '`null` `true` `false` `0` `-0` `1` `-1` `1.5` `1e400` `1e21` `9007199254740993`',
    '`-2147483649` `0.1` `""`',
  ),
  ...phrases`
    ''  'a'  'é'  '1'  '1Gi'  '1h'  '-1h'  '1.2.3'  '>=1.0.0 <2.0.0'  'x*'  '[a'  '\n'  '%s'
    'a,b'  '2024-01-01T00:00:00Z'  '2006-01-02'  '* * * * *'  '{"a":1}'  'a: b'  'YQ=='
    'https://10.0.0.1/'  'nginx'  '/a/../b'  'true'  '$1'  '(a)(b)?'  '\\d+'
  `,
  ...['`[]`', '`[1]`', '`[1, "a"]`', '`["a", "b"]`', '`[[1], [2]]`', '`[null]`'],
  ...['`[{"a": 1}]`', '`{}`', '`{"a": 1}`', '`{"a": {"b": [1]}}`', '`{"app": "x*"}`'],
  ...['`[1.5, 2]`', '`["1h", "2h"]`', '`["1Gi", 1]`', '`[true, false]`', '`{"1": "a"}`'],
  ...['`["a", null]`', '`[{"a": "z"}, {"a": "y"}]`'],
];
const places = [
  ...['@', 'n', 's', 'l', 'o', 'z', 'nope', 'l[0]', 'l[*]', 'o.*', 'keys(o)', 'values(o)', 'b'],
  ...['not_null(nope, s)', 'length(l)', 'to_string(@)', 'to_number(s)', 'type(@)', 'l[?@ > `1`]'],
];
const references = ['&@', '&a', '&n', '&nope', '&to_string(@)', '&length(@)', '&`1`', '&(a || b)'];

function argument(random: Random): string {
  if (random.chance(0.08)) return random.pick(references);
  return random.pick(random.chance(0.7) ? literals : places);
}

/** A case for `jmespath` of a function with whatever arguments, mostly as many as it takes. */
export function generateOddArguments(random: Random): object {
  const names = Object.keys(functionShapes);
  const call = (): string => {
    const name = random.pick(names);
    const count = (functionShapes[name] ?? '').length + random.pick([0, 0, 0, 0, 0, 0, -1, 1]);
    const given = Array.from({ length: Math.max(0, count) }, () => argument(random));
    return `${name}(${given.join(', ')})`;
  };
  const expression = random.pick([
    call,
    call,
    call,
    () => `${call()} | ${random.pick(['@', '[0]', 'a', 'type(@)', 'to_string(@)', 'length(@)'])}`,
    () => `l[*].${call()}`,
    () => `[${call()}, ${call()}]`,
    () => `${call()} == ${call()}`,
    () => `${call()} || ${call()}`,
    () => call().replace('(', `(${call()}, `),
  ])();
  const input = {
    n: random.pick([0, 1, -1, 1.5, 1e21, 9007199254740991]),
    s: random.pick(['', 'a', '1', '1Gi', '2024-01-01T00:00:00Z', '日本']),
    l: random.pick<unknown>([[], [1, 2, 3], ['b', 'a'], [{ a: 1 }, { a: 0 }], [null, 'x', 1]]),
    o: random.pick<unknown>([{}, { a: 1 }, { b: 'x', a: [1] }, { app: 'web', 'x/y': '' }]),
    b: random.chance(0.5),
    z: null,
  };
  return { input, expression };
}
