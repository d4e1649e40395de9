import { readFileSync } from 'node:fs';
import { isObject, type JsonObject, type KubernetesObject } from '@kubeadmit/apimachinery';
import { loadChain, passRequest } from '@kubeadmit/chain';
import { stringifyYaml } from '@kubeadmit/manifest';
import { findResourceOfKind, loadSchemas } from '@kubeadmit/schemas';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { convertPolicy, type Target } from '../src/index.ts';
import { differenceNotes } from '../src/notes/difference-notes.ts';

/** A policy, its dependencies, and objects on which it and its result must agree. */
interface Case {
  readonly name: string;
  readonly policy: JsonObject;
  readonly related?: readonly JsonObject[];
  readonly target?: Target;
  readonly isIdiomatic?: boolean;
  readonly notes?: readonly (keyof typeof differenceNotes)[];
  readonly objects: readonly JsonObject[];
  /** The names of objects that are denied, where nothing here evaluates the policy. */
  readonly denied?: readonly string[];
}

const cases = parse(
  readFileSync(new URL('cases/policies.yaml', import.meta.url), 'utf8'),
) as readonly Case[];
const schemas = await loadSchemas();

test.each(cases)('$name', async (given) => {
  const { name, policy, related = [], target, isIdiomatic, notes = [], objects, denied } = given;
  const { objects: made, rules } = convertPolicy(policy, {
    schemas,
    related,
    ...(target === undefined ? {} : { target }),
    ...(isIdiomatic === undefined ? {} : { isIdiomatic }),
  });
  expect(rules.map(({ status }) => status)).toEqual([notes.length > 0 ? 'partial' : 'converted']);
  for (const note of notes) expect(rules[0]?.reason).toContain(differenceNotes[note].text);
  const slug = name.toLowerCase().replace(/[^a-z0-9]+/g, '-');
  const before = [policy, ...related].map(stringifyYaml).join('---\n');
  await expect(before).toMatchFileSnapshot(`goldens/policies/${slug}.before.yaml`);
  const after = made.map(stringifyYaml).join('---\n');
  await expect(after).toMatchFileSnapshot(`goldens/policies/${slug}.after.yaml`);
  const parameters = related.filter(({ kind }) => kind === 'ConfigMap');
  const results = await verdicts([...made, ...parameters], objects);
  const names = (wanted: string): readonly string[] =>
    objects.flatMap(({ metadata }, at) =>
      results[at]?.startsWith(wanted) === true && isObject(metadata)
        ? [String(metadata['name'])]
        : [],
    );
  if (denied !== undefined) expect(names('deny')).toEqual(denied);
  else expect(results).toEqual(await verdicts([policy, ...related], objects));
});

test('reports overrides of the failure action that a policy of Kyverno in CEL does not have', () => {
  const policy = {
    apiVersion: 'kyverno.io/v1',
    kind: 'ClusterPolicy',
    metadata: { name: 'teams' },
    spec: {
      rules: [
        {
          name: 'team',
          match: { any: [{ resources: { kinds: ['ConfigMap'], operations: ['CREATE'] } }] },
          validate: {
            failureAction: 'Enforce',
            failureActionOverrides: [{ action: 'Audit', namespaces: ['shop'] }],
            message: 'a team is needed',
            pattern: { metadata: { labels: { team: '?*' } } },
          },
        },
      ],
    },
  };
  const [rule] = convertPolicy(policy, { schemas, target: 'kyverno' }).rules;
  expect(rule?.status).toBe('partial');
  expect(rule?.reason).toContain('a ValidatingPolicy has one action');
});

test('reports a result as weaker where Kyverno always denies', () => {
  const rule = {
    apiGroups: [''],
    apiVersions: ['v1'],
    operations: ['CREATE'],
    resources: ['pods'],
  };
  const patch = 'JSONPatch{op: "add", path: "/spec/containers/0/tty", value: true}';
  const policy = {
    apiVersion: 'policies.kyverno.io/v1',
    kind: 'MutatingPolicy',
    metadata: { name: 'terminals' },
    spec: {
      matchConstraints: { resourceRules: [rule] },
      mutations: [{ patchType: 'JSONPatch', jsonPatch: { expression: `[${patch}]` } }],
    },
  };
  const { objects, rules } = convertPolicy(policy, { schemas });
  expect(objects.map(({ kind, metadata }) => [kind, (metadata as JsonObject)['name']])).toEqual([
    ['MutatingAdmissionPolicy', 'terminals'],
    ['MutatingAdmissionPolicyBinding', 'terminals'],
  ]);
  const reason = expect.stringContaining('fields that some matched kinds do not have');
  expect(rules).toMatchObject([{ status: 'partial', weaker: true, reason }]);
});

async function verdicts(
  resources: readonly JsonObject[],
  objects: readonly JsonObject[],
): Promise<readonly string[]> {
  const all = resources as unknown as readonly KubernetesObject[];
  const chain = await loadChain({ resources: all, schemas, clock: () => 0 });
  return objects.map((object) => {
    const passage = passRequest(chain, requestOf(object) as never);
    if (passage.failure !== undefined) throw new Error(passage.failure);
    const { allowed, findings, patch } = passage;
    const isTold = findings.some(({ verdict }) => verdict === 'audit');
    return `${allowed ? 'allow' : 'deny'}${isTold ? ', told' : ''} ${JSON.stringify(patch)}`;
  });
}

function requestOf(object: JsonObject): JsonObject {
  const [version = '', group = ''] = String(object['apiVersion']).split('/').reverse();
  const kind = { group, version, kind: String(object['kind']) };
  const metadata = object['metadata'] as JsonObject;
  return {
    uid: 'uid',
    operation: 'CREATE',
    kind,
    resource: { group, version, resource: findResourceOfKind(schemas, kind)?.resource },
    name: metadata['name'],
    namespace: metadata['namespace'],
    userInfo: { username: 'alice', groups: ['system:authenticated'] },
    object,
  };
}
