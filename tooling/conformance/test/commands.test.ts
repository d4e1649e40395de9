import { describe, expect, test } from 'vitest';
import {
  type Command,
  comparable,
  findCommand,
  joinLine,
  splitLine,
  steady,
} from '../src/commands.ts';

const admit = findCommand('admit') as Command;
const validate = findCommand('validate') as Command;
const evaluate = findCommand('eval') as Command;

describe('joinLine and splitLine', () => {
  test('put case and answer side by side', () => {
    const input = { id: 'a', expression: '1' };
    const answer = { result: '1', cost: 0 };
    const line = joinLine(input, { id: 'a', ...answer });
    expect(line).toEqual({ id: 'a', expression: '1', result: '1', cost: 0 });
    expect(splitLine(evaluate, line)).toEqual({ input, answer });
  });

  test('put the answer apart where a name is used twice', () => {
    const input = { id: 'a', definition: {}, object: {} };
    const answer = { definition: [], object: ['wrong'] };
    const line = joinLine(input, answer);
    expect(line).toEqual({ ...input, answer });
    expect(splitLine(validate, line)).toEqual({ input, answer });
  });
});

describe('steady', () => {
  test('leaves out the identifier and makes random names equal', () => {
    expect(steady({ id: 'a', object: ['selfType579115090.spec'] })).toEqual({
      object: ['selfType.spec'],
    });
  });
});

describe('comparable', () => {
  test('leaves out fields that only one side has', () => {
    const answer = { requested: {}, response: { uid: '1', patch: 'W10=', patchType: 'JSONPatch' } };
    expect(comparable(admit, answer)).toEqual({ response: { uid: '1' } });
    expect(comparable(evaluate, { requested: 1 })).toEqual({ requested: 1 });
  });
});
