import { expect, test } from 'vitest';
import { configurationArguments, type DeclaredOption } from '../src/configuration-arguments.ts';

const option = (long: string, kind: 'flag' | 'value' | 'list' = 'value'): DeclaredOption => ({
  long,
  negate: long.startsWith('--no-'),
  defaultValue: kind === 'list' ? [] : undefined,
  isBoolean: () => kind === 'flag',
});

const options = [
  option('--config'),
  option('--data'),
  option('--load', 'list'),
  option('--in-memory', 'flag'),
  option('--no-controllers', 'flag'),
];

test.each([
  [{ data: 'a' }, ['--data', 'a']],
  [{ data: 1 }, ['--data', '1']],
  [{ load: 'a' }, ['--load', 'a']],
  [{ load: ['a', 'b'] }, ['--load', 'a', '--load', 'b']],
  [{ 'in-memory': true }, ['--in-memory']],
  [{ 'in-memory': false }, []],
  [{ controllers: true }, []],
  [{ controllers: false }, ['--no-controllers']],
  [{ dta: 'a' }, 'unknown option `dta` (did you mean `data`?)'],
  [{ config: 'a' }, 'unknown option `config`'],
  [{ data: ['a', 'b'] }, '`data` must be a string or a number'],
  [{ load: [{}] }, '`load` must be a string, a number, or a list of them'],
  [{ data: null }, '`data` must be a string or a number'],
  [{ 'in-memory': 'true' }, '`in-memory` must be true or false'],
  [{ controllers: 'no' }, '`controllers` must be true or false'],
])('%j', (fields, expected) => {
  const given = (): readonly string[] => configurationArguments(fields, options);
  if (typeof expected === 'string') expect(given).toThrow(expected);
  else expect(given()).toEqual(expected);
});
