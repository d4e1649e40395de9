import { readFileSync } from 'node:fs';
import { isObject, type JsonObject } from '@kubeadmit/apimachinery';
import { loadChain, passRequest } from '@kubeadmit/chain';
import { answerRules } from '@kubeadmit/kyverno/unstable-internal';
import { decode, loadSchemas } from '@kubeadmit/schemas';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { convertPolicy } from '../src/index.ts';

/** The parts of which rules are made; see the file. */
interface Sweeps {
  readonly operators: readonly string[];
  readonly values: readonly unknown[];
  readonly fields: readonly {
    readonly key: string;
    readonly pods: readonly JsonObject[];
    readonly unconverted?: readonly string[];
  }[];
  readonly variables: readonly {
    readonly field: string;
    readonly pods: readonly JsonObject[];
    readonly unconverted?: readonly string[];
  }[];
  readonly expressions: readonly string[];
  readonly elements: readonly string[];
  readonly looped: readonly JsonObject[];
  readonly anchors: readonly string[];
  readonly scalars: readonly unknown[];
  readonly patterns: readonly { readonly key: string; readonly pattern: JsonObject }[];
  readonly patterned: readonly JsonObject[];
}

const sweeps = parse(readFileSync(new URL('cases/sweeps.yaml', import.meta.url), 'utf8')) as Sweeps;
const schemas = await loadSchemas();

describe.each(sweeps.fields)('conditions on $key', ({ key, pods, unconverted = [] }) => {
  const rulesWith = (operator: string): readonly JsonObject[] =>
    sweeps.values.map((value) => denied([{ key: `{{ ${key} }}`, operator, value }]));
  const operators = sweeps.operators.filter((each) => !unconverted.includes(each));

  test.each(operators)('decide with %s as Kyverno does', async (operator) => {
    await expectSameDecisions(rulesWith(operator), pods);
  });

  test.each(unconverted)('are not converted with %s', (operator) => {
    expect(convertedOf(rulesWith(operator))).toEqual([]);
  });
});

describe.each(sweeps.variables)('a variable that is $field', (variable) => {
  const { field, pods, unconverted = [] } = variable;
  const context = [{ name: 'v', variable: { jmesPath: field } }];
  const rulesWith = (expression: string): readonly JsonObject[] =>
    conditionsOn(expression).map((own) => ({ context, ...denied([own]) }));
  const expressions = sweeps.expressions.filter((each) => !unconverted.includes(each));

  test.each(expressions)('decides as %s as Kyverno does', async (expression) => {
    await expectSameDecisions(rulesWith(expression), pods);
  });

  test.each(unconverted)('is not converted in %s', (expression) => {
    expect(convertedOf(rulesWith(expression))).toEqual([]);
  });
});

describe.each(sweeps.elements)('%s in a loop', (element) => {
  const list = 'request.object.spec.containers';

  test('denies as Kyverno does', async () => {
    const rules = conditionsOn(element).map((own) => ({
      validate: { foreach: [{ list, deny: { conditions: { any: [own] } } }] },
    }));
    await expectSameDecisions(rules, sweeps.looped);
  });

  test('skips elements as Kyverno does', async () => {
    const rules = conditionsOn(element).map((own) => ({
      validate: { foreach: [{ list, preconditions: { all: [own] }, deny: {} }] },
    }));
    await expectSameDecisions(rules, sweeps.looped);
  });
});

describe.each(sweeps.patterns)('patterns for $key in $pattern', ({ key, pattern }) => {
  test.each(sweeps.anchors)('decide with %s as Kyverno does', async (anchor) => {
    const name = anchor.replace('KEY', key);
    const rules = sweeps.scalars.map((value) => ({
      validate: { pattern: filled(pattern, name, value) },
    }));
    await expectSameDecisions(rules, sweeps.patterned);
  });
});

/** A condition on an expression for each operator and value. */
function conditionsOn(expression: string): readonly JsonObject[] {
  const key = `{{ ${expression} }}`;
  return sweeps.operators.flatMap((operator) =>
    sweeps.values.map((value) => ({ key, operator, value })),
  );
}

function denied(any: readonly JsonObject[]): JsonObject {
  return { validate: { deny: { conditions: { any } } } };
}

function filled(pattern: unknown, name: string, value: unknown): unknown {
  if (pattern === 'VALUE') return value;
  if (Array.isArray(pattern)) return pattern.map((item) => filled(item, name, value));
  if (!isObject(pattern)) return pattern;
  return Object.fromEntries(
    Object.entries(pattern).map(([key, item]) => [
      key === 'KEY' ? name : key,
      filled(item, name, value),
    ]),
  );
}

interface Converted {
  readonly policy: JsonObject;
  readonly objects: readonly JsonObject[];
}

/** The rules that have an equivalent, each as a policy with its result. */
function convertedOf(rules: readonly JsonObject[]): readonly Converted[] {
  return rules
    .map((rule, at) => policyOf(`sweep-${at}`, rule))
    .map((policy) => ({ policy, objects: convertPolicy(policy, { schemas }).objects }))
    .filter(({ objects }) => objects.length > 0);
}

async function expectSameDecisions(
  rules: readonly JsonObject[],
  pods: readonly JsonObject[],
): Promise<void> {
  const converted = convertedOf(rules);
  expect(converted).not.toEqual([]);
  const resources = converted.flatMap(({ objects }) => objects);
  const policies = converted.map(({ policy }) => policy);
  const chain = await loadChain({ resources: resources as never, schemas, clock: () => 0 });
  for (const parts of pods) {
    const object = decode(schemas, podOf(parts)).object as JsonObject;
    const { results } = answerRules({ policies, resource: object, cluster: true });
    const { findings } = passRequest(chain, requestOf(object) as never);
    for (const { metadata, spec } of policies) {
      const { name } = metadata as JsonObject;
      const own = results.filter(({ policy }) => policy === name);
      const isDenied = own.some(({ status }) => status === 'fail' || status === 'error');
      const isDeniedByResult = findings.some(
        ({ policy, verdict }) => policy === name && (verdict === 'deny' || verdict === 'error'),
      );
      expect({ spec, parts, isDenied: isDeniedByResult }).toEqual({ spec, parts, isDenied });
    }
  }
}

function policyOf(name: string, { validate, ...rule }: JsonObject): JsonObject {
  const match = { any: [{ resources: { kinds: ['Pod'], operations: ['CREATE'] } }] };
  return {
    apiVersion: 'kyverno.io/v1',
    kind: 'ClusterPolicy',
    metadata: { name, annotations: { 'pod-policies.kyverno.io/autogen-controllers': 'none' } },
    spec: {
      validationFailureAction: 'Enforce',
      rules: [
        { name: 'rule', match, ...rule, validate: { message: 'm', ...(validate as JsonObject) } },
      ],
    },
  };
}

function podOf({ metadata = {}, spec = {} }: JsonObject): JsonObject {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'pod', namespace: 'default', ...(metadata as JsonObject) },
    spec: { containers: [{ name: 'c', image: 'a' }], ...(spec as JsonObject) },
  };
}

function requestOf(object: JsonObject): JsonObject {
  return {
    uid: 'uid',
    operation: 'CREATE',
    kind: { group: '', version: 'v1', kind: 'Pod' },
    resource: { group: '', version: 'v1', resource: 'pods' },
    name: 'pod',
    namespace: 'default',
    userInfo: { username: 'alice', groups: ['developers'] },
    object,
  };
}
