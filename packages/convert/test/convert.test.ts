import { readFileSync } from 'node:fs';
import { admit, loadCluster } from '@kubeadmit/admission';
import type { JsonObject } from '@kubeadmit/apimachinery';
import { answerRules } from '@kubeadmit/kyverno/unstable-internal';
import { stringifyYaml } from '@kubeadmit/manifest';
import { decode, findResourceOfKind, loadSchemas } from '@kubeadmit/schemas';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { convertPolicy } from '../src/index.ts';
import { differenceNotes } from '../src/notes/difference-notes.ts';

/** A rule, and objects of which Kyverno and the result have to say the same. */
interface Case {
  readonly name: string;
  readonly rule: JsonObject;
  /** Why nothing, or only a part, comes out. */
  readonly reason?: string;
  /** The names of the notes about differences between the result and the rule. */
  readonly notes?: readonly (keyof typeof differenceNotes)[];
  readonly objects?: readonly JsonObject[];
  /** Objects that are deleted. */
  readonly deleted?: readonly JsonObject[];
}

const read = (name: string): readonly Case[] =>
  parse(readFileSync(new URL(`cases/${name}.yaml`, import.meta.url), 'utf8')) as readonly Case[];

const schemas = await loadSchemas();

describe.each(['patterns', 'conditions', 'matching', 'mutations', 'without-equal'])(
  '%s',
  (file) => {
    test.each(read(file))(
      '$name',
      async ({ name, rule, reason, notes, objects = [], deleted = [] }) => {
        const policy = policyOf(rule);
        const { objects: made, rules } = convertPolicy(policy, { schemas });
        expect(rules[0]?.reason).toBe(
          notes?.map((note) => differenceNotes[note].text).join('; ') ?? reason,
        );
        if (notes !== undefined) {
          expect(rules[0]?.differences?.map(({ code }) => code)).toEqual(notes);
        }
        await expectGoldens(`${file}/${slugOf(name)}`, policy, made);
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
        for (const object of deleted) {
          const { object: oldObject, ...request } = requestOf(object);
          const asked = { ...request, operation: 'DELETE', oldObject };
          const outcome = admit(cluster, asked as never);
          if (outcome.failure !== undefined) throw new Error(outcome.failure);
          const { results } = answerRules({
            policies: [policy],
            operation: 'DELETE',
            resource: oldObject as JsonObject,
            cluster: true,
          } as never);
          const isDenied = results.some(({ status }) => status !== 'pass' && status !== 'skip');
          expect({ deleted: object, allowed: outcome.response.allowed }).toEqual({
            deleted: object,
            allowed: !isDenied,
          });
        }
      },
    );
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

// Records the input and the output as readable files, which the documentation shows.
async function expectGoldens(
  path: string,
  before: JsonObject,
  after: readonly JsonObject[],
): Promise<void> {
  await expect(stringifyYaml(before)).toMatchFileSnapshot(`goldens/${path}.before.yaml`);
  if (after.length === 0) return;
  const text = after.map(stringifyYaml).join('---\n');
  await expect(text).toMatchFileSnapshot(`goldens/${path}.after.yaml`);
}

function slugOf(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]+/g, '-');
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
    resource: { group, version, resource: found?.resource ?? `${kind.kind.toLowerCase()}s` },
    name: metadata['name'],
    namespace: (found?.namespaced ?? true) ? (metadata['namespace'] ?? 'default') : '',
    userInfo: { username: 'alice', groups: ['developers'] },
    object:
      (found?.namespaced ?? true)
        ? { ...object, metadata: { namespace: 'default', ...metadata } }
        : object,
  };
}
