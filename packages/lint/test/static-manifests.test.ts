import { admit, loadCluster } from '@kubeadmit/admission';
import type { AdmissionRequest } from '@kubeadmit/engine';
import { readManifests, Source } from '@kubeadmit/manifest';
import { findResourceOfKind, loadSchemas } from '@kubeadmit/schemas';
import { readLines } from '@kubeadmit/test-support';
import { describe, expect, test } from 'vitest';
import { readStatics } from '../src/inputs/static-manifests.ts';

/** The behavior of kube-apiserver 1.37.1 for a folder; see `tooling/admission`. */
interface StaticCase {
  readonly id: string;
  readonly files: Readonly<Record<string, string>>;
  readonly error?: string;
  readonly requests?: readonly { readonly body: AdmissionRequest['object'] }[];
  readonly answers?: readonly {
    readonly code: number;
    readonly message?: string;
    readonly warnings?: readonly string[];
    readonly labels?: object;
  }[];
}

const cases = readLines<StaticCase>(new URL('static-manifests.ndjson', import.meta.url));
const schemas = await loadSchemas();

/** Cases for which our YAML reader reports a different message. */
const unreadable = ['a field twice', 'no kind', 'no object', 'a text that is no YAML'];

function statics({ files }: StaticCase) {
  const read = Object.keys(files)
    .filter((name) => /\.(?:ya?ml|json)$/i.test(name))
    .sort()
    .map((name) => readManifests(new Source(`DIR/${name}`, files[name] ?? '')));
  const manifests = read.flatMap((each) => each.manifests);
  const { policies } = readStatics(manifests, { schemas });
  return { unread: read.flatMap(({ problems }) => problems), policies };
}

describe('a server that reads static manifests', () => {
  test.each(cases)('$id', (each) => {
    const { unread, policies } = statics(each);
    if (unreadable.includes(each.id)) expect(unread).toHaveLength(1);
    else expect([unread, policies.errors[0]?.message]).toEqual([[], each.error]);
  });
});

test('does not report the binding of an invalid policy again', () => {
  const [policy = '', binding = ''] = (cases[0]?.files['a.yaml'] ?? '').split('\n---\n');
  const files = { 'a.yaml': policy.replace('object.metadata', 'nope.metadata'), 'b.yaml': binding };
  const { errors } = statics({ id: '', files }).policies;
  expect(errors.map(({ resource }) => resource)).toEqual([
    'ValidatingAdmissionPolicy/a.static.k8s.io',
  ]);
});

describe('requests to it', () => {
  const asked = cases.flatMap((each) =>
    (each.requests ?? []).map((request, index) => ({
      name: `${each.id}, request ${index}`,
      each,
      body: request.body as { kind: string; apiVersion: string; metadata?: { name: string } },
      answer: each.answers?.[index] ?? { code: 0 },
    })),
  );
  // The server reports an invalid object before it evaluates the policies.
  const decided = asked.filter(({ answer }) => answer.message?.includes(' is invalid: ') !== true);

  test('are some', () => {
    expect(decided.length).toBeGreaterThan(8);
  });

  test.each(decided)('$name', ({ each, body, answer }) => {
    const cluster = loadCluster({ resources: [], staticPolicies: statics(each).policies, schemas });
    const [version = '', group = ''] = body.apiVersion.split('/').reverse();
    const kind = { group, version, kind: body.kind };
    const { resource = '', namespaced } = findResourceOfKind(schemas, kind) ?? {};
    const { response, object } = admit(cluster, {
      uid: '',
      kind,
      resource: { group, version, resource },
      name: body.metadata?.name ?? '',
      ...(namespaced ? { namespace: 'default' } : {}),
      operation: 'CREATE',
      userInfo: { username: 'admin' },
      object: body,
      options: { kind: 'CreateOptions', apiVersion: 'meta.k8s.io/v1' },
    } as unknown as AdmissionRequest) as unknown as {
      response: {
        allowed: boolean;
        status?: { message: string; code: number };
        warnings?: string[];
      };
      object?: { metadata: { labels?: object } };
    };
    expect({
      code: response.status?.code ?? 201,
      message: response.status?.message,
      warnings: response.warnings,
      labels: response.allowed ? object?.metadata.labels : undefined,
    }).toEqual(answer);
  });
});
