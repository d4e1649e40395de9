import type { JsonObject, KubernetesObject } from '@kubeadmit/apimachinery';
import { loadSchemas } from '@kubeadmit/schemas';
import { describe, expect, test } from 'vitest';
import { loadChain } from '../src/chain/chain.ts';
import { passRequest } from '../src/chain/pass-request.ts';

const absentLabel = { name: 'labelled', expression: "object.metadata.labels.a == 'b'" };
const absentKind = { name: 'kind', expression: 'object.spec.x == 1' };
const never = { name: 'never', expression: 'false' };
const always = { name: 'always', expression: 'true' };
const failure =
  "expression 'object.metadata.labels.a == 'b'' resulted in error: no such key: labels";
const otherFailure = "expression 'object.spec.x == 1' resulted in error: no such key: spec";
const forbidden = (text: string) => ({
  code: 403,
  message: `configmaps "web" is forbidden: ${text}`,
});
const denied = { code: 400, message: 'p/r: m' };
const denies = { validate: { failureAction: 'Enforce', message: 'm', deny: {} } };
const mutates = { mutate: { patchStrategicMerge: { metadata: { annotations: { a: 'b' } } } } };
const generates = {
  generate: { apiVersion: 'v1', kind: 'Secret', name: 'made', namespace: 'shop', data: {} },
};

interface Case {
  readonly name: string;
  readonly conditions: readonly JsonObject[];
  readonly rule?: JsonObject;
  readonly match?: JsonObject;
  readonly exclude?: JsonObject;
  readonly spec?: JsonObject;
  readonly webhook?: JsonObject;
  readonly operation?: 'CREATE' | 'UPDATE' | 'DELETE';
  readonly namespace?: string;
  /** The Status of the refusal; absent if the request is allowed. */
  readonly refused?: { readonly code: number; readonly message: string };
  readonly verdicts: readonly string[];
}

// The rules of Kyverno's webhooks, and kube-apiserver's evaluation of their match conditions.
const cases: readonly Case[] = [
  {
    name: 'an error rejects the request',
    conditions: [absentLabel],
    refused: forbidden(failure),
    verdicts: ['error'],
  },
  {
    name: 'an error is ignored with the failure policy Ignore of the webhook',
    conditions: [absentLabel],
    webhook: { failurePolicy: 'Ignore' },
    verdicts: ['ignore'],
  },
  {
    name: 'an error is ignored with the failure policy Ignore of the spec',
    conditions: [absentLabel],
    spec: { failurePolicy: 'Ignore' },
    verdicts: ['ignore'],
  },
  {
    name: 'the failure policy of the webhook wins over that of the spec',
    conditions: [absentLabel],
    webhook: { failurePolicy: 'Fail' },
    spec: { failurePolicy: 'Ignore' },
    refused: forbidden(failure),
    verdicts: ['error'],
  },
  {
    name: 'a false condition wins over a later error',
    conditions: [never, absentLabel],
    verdicts: [],
  },
  {
    name: 'a false condition wins over an earlier error',
    conditions: [absentLabel, never],
    verdicts: [],
  },
  {
    name: 'a true condition does not hide an error',
    conditions: [always, absentLabel],
    refused: forbidden(failure),
    verdicts: ['error'],
  },
  {
    name: 'several errors are reported together',
    conditions: [absentLabel, absentKind],
    refused: forbidden(`[${failure}, ${otherFailure}]`),
    verdicts: ['error'],
  },
  {
    name: 'conditions that hold leave the verdict to the rule',
    conditions: [always],
    refused: denied,
    verdicts: ['deny'],
  },
  {
    name: 'a kind that no rule names does not reach the webhook',
    conditions: [absentLabel],
    match: { kinds: ['Secret'] },
    verdicts: [],
  },
  {
    name: 'an operation that no rule names does not reach the webhook',
    conditions: [absentLabel],
    match: { kinds: ['ConfigMap'], operations: ['DELETE'] },
    verdicts: [],
  },
  {
    name: 'a name that does not match reaches the webhook',
    conditions: [absentLabel],
    match: { kinds: ['ConfigMap'], names: ['other'] },
    refused: forbidden(failure),
    verdicts: ['error'],
  },
  {
    name: 'an excluded operation does not reach the webhook',
    conditions: [absentLabel],
    exclude: { any: [{ resources: { kinds: ['ConfigMap'], operations: ['CREATE'] } }] },
    verdicts: [],
  },
  {
    name: 'an exclusion by name reaches the webhook',
    conditions: [absentLabel],
    exclude: { any: [{ resources: { kinds: ['ConfigMap'], names: ['web'] } }] },
    refused: forbidden(failure),
    verdicts: ['error'],
  },
  {
    name: 'a deletion has no object',
    conditions: [{ name: 'named', expression: "object.metadata.name == 'web'" }],
    operation: 'DELETE',
    refused: forbidden(
      "expression 'object.metadata.name == 'web'' resulted in error: no such key: metadata",
    ),
    verdicts: ['error'],
  },
  {
    name: 'a mutation is not asked about deletions',
    conditions: [{ name: 'named', expression: "object.metadata.name == 'web'" }],
    rule: mutates,
    operation: 'DELETE',
    verdicts: [],
  },
  {
    name: 'an error rejects a request that would be mutated',
    conditions: [absentLabel],
    rule: mutates,
    refused: forbidden(failure),
    verdicts: ['error'],
  },
  {
    name: 'the resource of the request is known to rules in CEL',
    conditions: [always],
    rule: {
      validate: {
        failureAction: 'Enforce',
        cel: {
          expressions: [{ expression: "request.resource.resource != 'configmaps'", message: 'm' }],
        },
      },
    },
    refused: denied,
    verdicts: ['deny'],
  },
  {
    name: 'an error rejects a request that would generate an object',
    conditions: [absentLabel],
    rule: generates,
    refused: forbidden(failure),
    verdicts: ['error'],
  },
  {
    name: 'an error rejects requests in other namespaces than that of a Policy',
    conditions: [absentLabel],
    namespace: 'elsewhere',
    refused: forbidden(failure),
    verdicts: ['error'],
  },
  {
    name: 'the resource of the request is known',
    conditions: [{ name: 'r', expression: "request.resource.resource == 'configmaps'" }],
    refused: denied,
    verdicts: ['deny'],
  },
];

const schemas = await loadSchemas();

describe('match conditions of a webhook of Kyverno', () => {
  test.each(cases)('$name', async (given) => {
    const { operation = 'CREATE', refused, verdicts } = given;
    const chain = await loadChain({ resources: [policyOf(given)], schemas, clock: () => 0 });
    const object = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'web', namespace: 'shop' },
    };
    const { status, findings } = passRequest(chain, {
      uid: 'u',
      operation,
      kind: { group: '', version: 'v1', kind: 'ConfigMap' },
      resource: { group: '', version: 'v1', resource: 'configmaps' },
      name: 'web',
      namespace: 'shop',
      userInfo: { username: 'alice' },
      object: operation === 'DELETE' ? null : object,
      oldObject: operation === 'CREATE' ? null : object,
    });
    expect({
      refused: status && { code: status.code, message: status.message },
      verdicts: findings.map(({ verdict }) => verdict),
    }).toEqual({ refused, verdicts });
  });
});

function policyOf({
  conditions,
  rule = denies,
  match = { kinds: ['ConfigMap'] },
  exclude,
  spec,
  webhook,
  namespace,
}: Case): KubernetesObject {
  return {
    apiVersion: 'kyverno.io/v1',
    kind: namespace === undefined ? 'ClusterPolicy' : 'Policy',
    metadata: { name: 'p', ...(namespace && { namespace }) },
    spec: {
      ...spec,
      webhookConfiguration: { ...webhook, matchConditions: conditions },
      rules: [
        { name: 'r', match: { any: [{ resources: match }] }, ...(exclude && { exclude }), ...rule },
      ],
    },
  } as KubernetesObject;
}
