import { describe, expect, test } from 'vitest';
import {
  answerConditions,
  answerJmesPath,
  answerRules,
  answerSubstitute,
  type RulesCase,
} from '../src/internal.ts';

const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' }, spec: { a: 'x' } };

function policyOf(rule: object): RulesCase {
  const match = { any: [{ resources: { kinds: ['Pod'] } }] };
  return {
    policies: [
      {
        kind: 'ClusterPolicy',
        metadata: { name: 'p' },
        spec: { rules: [{ name: 'r', match, ...rule }] },
      },
    ],
    resource: pod,
  };
}

function nest(levels: number, inner: unknown, wrap: (inner: unknown) => unknown): unknown {
  let value = inner;
  for (let level = 0; level < levels; level++) value = wrap(value);
  return value;
}

// Reading YAML descends: where the stack ends within a regular expression, V8 ends the process.
test.each([
  ['brackets, as Kyverno says', '['.repeat(20_000) + ']'.repeat(20_000), 'max depth of 10000'],
  ['braces', `${'{a: '.repeat(5000)}1${'}'.repeat(5000)}`, 'nested too deeply'],
  ['dashes', `${'- '.repeat(5000)}a`, 'nested too deeply'],
])('YAML is not read within too many %s', (_name, input, problem) => {
  for (let time = 0; time < 2; time++) {
    expect(answerJmesPath({ expression: 'parse_yaml(@)', input })).toMatchObject({
      error: expect.stringContaining(problem) as string,
    });
  }
});

describe('JMESPath', () => {
  test.each([
    ['parentheses', `${'('.repeat(50_000)}a${')'.repeat(50_000)}`],
    ['a chain', `a${'.a'.repeat(50_000)}`],
    ['negations', `${'!'.repeat(50_000)}a`],
    ['calls', `${'to_array('.repeat(20_000)}a${')'.repeat(20_000)}`],
  ])('stops at %s without end', (_name, expression) => {
    expect(answerJmesPath({ expression, input: {} })).toEqual({
      error: 'SyntaxError: the expression is nested too deeply',
    });
  });

  test('stops when lists multiply', () => {
    const input = Array.from({ length: 400 }, (_, at) => at);
    const expression =
      '[*].{a: @} | map(&map(&map(&@, `[1,2,3,4,5,6,7,8]`), `[1,2,3,4,5,6,7,8]`), @)';
    const start = performance.now();
    answerJmesPath({
      expression: nest(3, expression, (inner) => `[${inner}, ${inner}][]`) as string,
      input,
    });
    expect(performance.now() - start).toBeLessThan(20_000);
  });

  test('takes no longer for regular expressions made to backtrack', () => {
    const expression = "regex_match('^(a+)+$', @)";
    expect(answerJmesPath({ expression, input: `${'a'.repeat(5000)}!` })).toEqual({
      result: false,
    });
  });

  test("computes the characters of a random text's set once", () => {
    const start = performance.now();
    const expression = "random('([\\x{10ffff}]{50}){10}')";
    expect(answerJmesPath({ expression })).toEqual({ result: '\u{10ffff}'.repeat(500) });
    expect(performance.now() - start).toBeLessThan(5000);
  });

  test.each([
    ['avg(`[]`)', 'NaN'],
    ['{a: [avg(`[]`)]}', 'NaN'],
    ['multiply(`1e308`, `1e308`)', '+Inf'],
  ])('says that JSON has no word for %s', (expression, name) => {
    const error = `json: unsupported value: ${name}`;
    expect(answerJmesPath({ expression, input: {} })).toEqual({ error });
    expect(answerSubstitute({ document: `{{ ${expression} }}` })).toEqual({ error });
  });

  test.each(['constructor', '__proto__', 'toString'])('takes %s for an ordinary key', (key) => {
    expect(answerJmesPath({ expression: key, input: {} })).toEqual({
      error: `Unknown key "${key}" in path`,
    });
    const input = JSON.parse(`{"${key}": 1}`) as unknown;
    expect(answerJmesPath({ expression: `{a: ${key}}`, input })).toEqual({ result: { a: 1 } });
  });
});

describe('rules', () => {
  test.each([
    ['no JSON', '[1.2.3]'],
    ['an open string', `["${'\\"'.repeat(300_000)}`],
  ])('report a JSON patch that is %s', (_name, patchesJson6902) => {
    const { results } = answerRules(policyOf({ mutate: { patchesJson6902 } })) as {
      readonly results: readonly { readonly status: string }[];
    };
    expect(results.map(({ status }) => status)).toEqual(['error']);
  });

  test('read a path of an image extractor with a million blanks once', () => {
    const imageExtractors = { Pod: [{ path: `/spec/a${' '.repeat(1_000_000)}b` }] };
    const validate = { message: '{{ images }}', pattern: { spec: { a: 'x' } } };
    expect(answerRules(policyOf({ imageExtractors, validate }))).toMatchObject({
      results: [{ status: 'pass' }],
    });
  });
});

describe('variables', () => {
  test.each([
    ['itself', { a: 'x{{ a }}' }],
    ['another that contains it', { a: 'x{{ b }}', b: 'y{{ a }}' }],
    ['itself twice', { a: '{{ a }}{{ a }} ' }],
  ])('that contain %s come to an end', (_name, context) => {
    const answer = answerSubstitute({ context, document: 'q {{ a }}' });
    expect(answer).toEqual({ error: 'the variables at path  expand without end' });
  });

  test('cannot change the prototypes of all objects', () => {
    const document = JSON.parse('{"{{ k }}": {"polluted": true}}') as unknown;
    answerSubstitute({ context: { k: '__proto__' }, document });
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });
});

describe('conditions', () => {
  test('take no longer for wildcards made to backtrack', () => {
    const value = `${'*a'.repeat(200)}b`;
    const conditions = [{ key: 'a'.repeat(20_000), operator: 'Equals', value }];
    const start = performance.now();
    expect(answerConditions({ conditions })).toEqual({ result: false });
    expect(performance.now() - start).toBeLessThan(20_000);
  });

  test('compare quantities of any size', () => {
    const conditions = [{ key: '1e999999999', operator: 'GreaterThan', value: '1e-999999999' }];
    expect(answerConditions({ conditions })).toEqual({ result: true });
  });
});

describe('policies', () => {
  test('patterns nested 1,000 deep fail where they fail', () => {
    const pattern = nest(1000, 'x', (inner) => ({ a: inner }));
    const [result] = answerRules(policyOf({ validate: { pattern: { spec: pattern } } })).results;
    expect(result?.status).toBe('fail');
    expect(result?.message).toContain('failed at path /spec/a/');
  });

  test('patches nested 1,000 deep are applied', () => {
    const patch = nest(1000, 'x', (inner) => ({ b: inner }));
    const answer = answerRules(policyOf({ mutate: { patchStrategicMerge: { spec: patch } } }));
    expect(answer.results[0]?.status).toBe('pass');
  });

  test('with an unknown operator end in an error of the rule', () => {
    const preconditions = [{ key: 'a', operator: 'Nope', value: 'a' }];
    const [result] = answerRules(policyOf({ preconditions, validate: { deny: {} } })).results;
    expect(result?.status).toBe('error');
    expect(result?.message).toContain('failed to evaluate preconditions: ');
  });

  test.each<[string, unknown, string]>([
    ['no spec', {}, ''],
    [
      'rules that are no list',
      { spec: { rules: 5 } },
      'number into Go struct field Spec.spec.rules',
    ],
    [
      'a rule that is no map',
      { spec: { rules: ['x'] } },
      'string into Go struct field Spec.spec.rules',
    ],
    [
      'a match that is no map',
      { spec: { rules: [{ name: 'r', match: 5, validate: { deny: {} } }] } },
      'number into Go struct field Rule.spec.rules.match',
    ],
    [
      'conditions of the wrong type',
      { spec: { rules: [{ name: 'r', preconditions: 5, validate: { deny: {} } }] } },
      'failed to unmarshal Conditions',
    ],
  ])('with %s give the error of reading them', (_name, policy, text) => {
    const given = { policies: [{ kind: 'ClusterPolicy', ...(policy as object) }], resource: pod };
    const { results, error = '' } = answerRules(given);
    expect(results).toEqual([]);
    expect(error).toContain(text);
  });

  test.each<[string, object]>([
    ['patterns', { validate: { pattern: { spec: { a: `${'*a'.repeat(2000)}b` } } } }],
    ['conditions of matching', { match: { any: [{ resources: { kinds: ['P*'.repeat(500)] } }] } }],
    [
      'context entries that name each other',
      {
        context: [
          { name: 'x', variable: { jmesPath: 'y' } },
          { name: 'y', variable: { jmesPath: 'x' } },
        ],
        validate: { deny: { conditions: [{ key: '{{ x }}', operator: 'Equals', value: 1 }] } },
      },
    ],
    [
      'patches that add at a distance',
      { mutate: { patchesJson6902: '- {op: add, path: /spec/list/999999999, value: 1}' } },
    ],
    [
      'keys of all objects',
      { mutate: { patchStrategicMerge: JSON.parse('{"__proto__": {"polluted": true}}') } },
    ],
  ])('made to take long or to reach further come to an end: %s', (_name, rule) => {
    const start = performance.now();
    answerRules(policyOf(rule));
    expect(performance.now() - start).toBeLessThan(20_000);
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });

  test('pods of wrong shapes are errors of a rule with podSecurity', () => {
    const given = policyOf({ validate: { podSecurity: { level: 'restricted' } } });
    for (const spec of [5, { containers: {} }, { containers: [5] }, { volumes: ['x'] }]) {
      const [result] = answerRules({ ...given, resource: { ...pod, spec } }).results;
      expect(result?.message).toContain('Error while getting new resource: json: cannot unmarshal');
    }
  });
});

/** Lists that hold the one before them twice: there are few of them, and their JSON doubles with each. */
const doubling = ' | [@, @]'.repeat(40);

describe('an expression that multiplies its data', () => {
  const error = 'the expression handles too many elements';

  test.each([
    ['as lists in lists', `to_string(@${doubling})`],
    ['as members of objects', `to_string(@${' | {a: @, b: @}'.repeat(40)})`],
    ['behind a function', `to_string(@${' | to_array([@, @])'.repeat(40)})`],
    ['as one list', `length(@${' | [@, @][]'.repeat(40)})`],
    ['as a string', `length(@${" | join('', [to_string(@), to_string(@)])".repeat(40)})`],
    ['as a string that is too long', "length(replace_all(@, '', @))", 'a'.repeat(30_000)],
  ])('ends %s', (_name, expression, input: unknown = ['x']) => {
    const start = performance.now();
    expect(answerJmesPath({ expression, input })).toEqual({ error });
    expect(performance.now() - start).toBeLessThan(10_000);
  });

  test('may still hold a value several times', () => {
    expect(answerJmesPath({ expression: '{a: @, b: [@, @]}', input: 'x' })).toEqual({
      result: { a: 'x', b: ['x', 'x'] },
    });
  });
});

describe('texts take time that grows with their length', () => {
  const long = 200_000;

  test.each([
    ['references that are not closed', { spec: { a: 'x$('.repeat(long) } }],
    ['escaped references that are not closed', { spec: { a: `)$(${'\\$('.repeat(long)}` } }],
    ['spaces in a choice', { spec: { a: ` a${' '.repeat(long)}b | c` } }],
    ['a number that is none', { spec: { a: `>${'1'.repeat(long)}x` } }],
  ])('%s', (_name, pattern) => {
    const start = performance.now();
    answerRules(policyOf({ validate: { pattern } }));
    expect(performance.now() - start).toBeLessThan(5000);
  });

  test('references in messages', () => {
    const start = performance.now();
    const validate = { message: 'x$('.repeat(long), pattern: { spec: { a: 'y' } } };
    answerRules(policyOf({ validate }));
    expect(performance.now() - start).toBeLessThan(5000);
  });
});

const long = Array.from({ length: 10_000 }, (_, at) => at + 1);

// Searching for each item or member takes minutes.
test.each([
  [
    'containers',
    { containers: long.map((at) => ({ name: `c${at}` })) },
    { containers: [{ name: 'c9', image: 'b' }] },
  ],
  [
    'ports without a protocol',
    { containers: [{ name: 'a', ports: long.map((containerPort) => ({ containerPort })) }] },
    { containers: [{ name: 'a', ports: [{ containerPort: 9, name: 'b' }] }] },
  ],
  [
    'members',
    { nodeSelector: Object.fromEntries(long.map((at) => [`l${at}`, 'a'])) },
    { nodeSelector: { l9: 'b' } },
  ],
])('merges a patch with 10,000 %s in time', (_name, spec, patch) => {
  const start = performance.now();
  const { policies } = policyOf({ mutate: { patchStrategicMerge: { spec: patch } } });
  const answer = answerRules({ policies, resource: { ...pod, spec } });
  expect(answer).toMatchObject({ results: [{ status: 'pass' }] });
  expect(performance.now() - start).toBeLessThan(10_000);
});
