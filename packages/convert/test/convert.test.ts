import { readFileSync } from 'node:fs';
import { admit, loadCluster } from '@kubeadmit/admission';
import type { JsonObject } from '@kubeadmit/apimachinery';
import { answerRules } from '@kubeadmit/kyverno';
import { decode, findResourceOfKind, loadSchemas } from '@kubeadmit/schemas';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { convertPolicy } from '../src/index.ts';

/** A rule, and objects of which Kyverno and the result have to say the same. */
interface Case {
  readonly name: string;
  readonly rule: JsonObject;
  /** Why nothing, or only a part, comes out. */
  readonly reason?: string;
  readonly objects?: readonly JsonObject[];
}

const read = (name: string): readonly Case[] =>
  parse(readFileSync(new URL(`cases/${name}.yaml`, import.meta.url), 'utf8')) as readonly Case[];

const schemas = await loadSchemas();

describe.each(['patterns', 'conditions', 'matching', 'mutations', 'without-equal'])(
  '%s',
  (file) => {
    test.each(read(file))('$name', ({ rule, reason, objects = [] }) => {
      const policy = policyOf(rule);
      const { objects: made, rules } = convertPolicy(policy, { schemas });
      expect(rules[0]?.reason).toBe(reason);
      if (made.length > 0) expect(summaryOf(made)).toMatchSnapshot();
      const cluster = loadCluster({ resources: made as never, schemas });
      for (const object of objects) {
        const request = requestOf(object);
        const outcome = admit(cluster, request as never);
        if (outcome.failure !== undefined) throw new Error(outcome.failure);
        const answer = answerRules({
          policies: [policy],
          resource: outcome.requested as JsonObject,
          cluster: true,
        });
        if (rule['mutate'] === undefined) {
          const isDenied = answer.results.some(
            ({ status }) => status !== 'pass' && status !== 'skip',
          );
          expect({ object, allowed: outcome.response.allowed }).toEqual({
            object,
            allowed: !isDenied,
          });
        } else {
          const { object: wanted } = decode(schemas, answer.patched ?? outcome.requested);
          expect(outcome.object).toEqual(wanted);
        }
      }
    });
  },
);

function policyOf(rule: JsonObject): JsonObject {
  return {
    apiVersion: 'kyverno.io/v1',
    kind: 'ClusterPolicy',
    metadata: { name: 'rules' },
    spec: { validationFailureAction: 'Enforce', rules: [{ name: 'rule', ...rule }] },
  };
}

interface Policy {
  readonly kind: string;
  readonly spec: {
    readonly matchConditions?: readonly { readonly expression: string }[];
    readonly validations?: readonly {
      readonly expression: string;
      readonly messageExpression?: string;
    }[];
    readonly mutations?: readonly {
      readonly applyConfiguration?: { readonly expression: string };
      readonly jsonPatch?: { readonly expression: string };
    }[];
  };
}

function summaryOf(objects: readonly JsonObject[]): JsonObject {
  const { spec } = objects[0] as unknown as Policy;
  const [validation] = spec.validations ?? [];
  const [mutation] = spec.mutations ?? [];
  return {
    ...(spec.matchConditions && {
      matchConditions: spec.matchConditions.map(({ expression }) => expression),
    }),
    ...(spec.validations && {
      validations: spec.validations.map(({ expression }) => expression),
    }),
    ...(validation?.messageExpression === undefined
      ? {}
      : { messageExpression: validation.messageExpression }),
    ...(mutation && {
      mutation: (mutation.applyConfiguration ?? mutation.jsonPatch)?.expression,
    }),
  };
}

function requestOf(object: JsonObject): JsonObject {
  const [group = '', version = ''] = String(object['apiVersion']).includes('/')
    ? String(object['apiVersion']).split('/')
    : ['', String(object['apiVersion'])];
  const kind = { group, version, kind: String(object['kind']) };
  const found = findResourceOfKind(schemas, kind);
  const metadata = object['metadata'] as JsonObject;
  return {
    uid: 'uid',
    operation: 'CREATE',
    kind,
    resource: { group, version, resource: found?.resource ?? '' },
    name: metadata['name'],
    namespace: found?.namespaced ? (metadata['namespace'] ?? 'default') : '',
    userInfo: { username: 'alice', groups: ['developers'] },
    object: found?.namespaced
      ? { ...object, metadata: { namespace: 'default', ...metadata } }
      : object,
  };
}
