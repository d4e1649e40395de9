import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mutatingPolicy, validatingPolicy } from './harness/policies.ts';
import { configMapReview } from './harness/reviews.ts';
import { startWebhook, type TestWebhook } from './harness/webhook.ts';

const denialText =
  "ValidatingAdmissionPolicy 'no-secrets' with binding 'no-secrets' denied request: keep secrets elsewhere";

let webhook: TestWebhook;

beforeAll(async () => {
  webhook = await startWebhook({
    'deny.yaml': validatingPolicy(
      'no-secrets',
      "!has(object.data) || !('password' in object.data)",
      {
        message: 'keep secrets elsewhere',
      },
    ),
    'warn.yaml': validatingPolicy('named', 'has(object.metadata.labels)', {
      message: 'give it labels',
      actions: '[Warn, Audit]',
      extra: `  auditAnnotations:\n  - {key: who, valueExpression: request.userInfo.username}\n`,
    }),
    'mutate.yaml': mutatingPolicy(
      'team',
      "Object{metadata: Object.metadata{labels: {'team': request.userInfo.username}}}",
    ),
  });
});

afterAll(() => webhook.stop());

describe.each(['admission.k8s.io/v1', 'admission.k8s.io/v1beta1'])(
  'a review of %s',
  (apiVersion) => {
    test('is allowed with warnings and audit annotations', async () => {
      const { code, body } = await webhook.ask(
        '/validate?timeout=5s',
        configMapReview({ apiVersion }),
      );
      const warning =
        "Validation failed for ValidatingAdmissionPolicy 'named' with binding 'named': give it labels";
      expect({ code, body }).toEqual({
        code: 200,
        body: {
          apiVersion,
          kind: 'AdmissionReview',
          response: {
            uid: 'b9f6c1d2-0000-4000-8000-000000000001',
            allowed: true,
            warnings: [warning],
            auditAnnotations: {
              'named.who': 'alice',
              validation_failure:
                '[{"message":"give it labels","policy":"named","binding":"named","expressionIndex":0,"validationActions":["Warn","Audit"]}]',
            },
          },
        },
      });
    });

    test('is denied with the status of the native plugin less its prefix', async () => {
      const object = {
        data: { password: 'x' },
        metadata: { name: 'settings', labels: { a: 'b' } },
      };
      const { body } = await webhook.ask('/validate', configMapReview({ apiVersion, object }));
      expect(body['response']).toEqual({
        uid: 'b9f6c1d2-0000-4000-8000-000000000001',
        allowed: false,
        status: {
          metadata: {},
          status: 'Failure',
          message: denialText,
          reason: 'Invalid',
          details: { name: 'settings', kind: 'configmaps', causes: [{ message: denialText }] },
          code: 422,
        },
        auditAnnotations: { 'named.who': 'alice' },
      });
    });

    test('is mutated by a JSON patch', async () => {
      const { body } = await webhook.ask('/mutate', configMapReview({ apiVersion }));
      const response = body['response'] as { readonly patch: string };
      expect(response).toEqual({
        uid: 'b9f6c1d2-0000-4000-8000-000000000001',
        allowed: true,
        patchType: 'JSONPatch',
        patch: expect.any(String),
      });
      expect(JSON.parse(Buffer.from(response.patch, 'base64').toString())).toEqual([
        { op: 'add', path: '/metadata/labels', value: { team: 'alice' } },
      ]);
    });
  },
);

test('leaves out the patch when nothing changes', async () => {
  const object = { metadata: { name: 'settings', namespace: 'shop', labels: { team: 'alice' } } };
  const { body } = await webhook.ask('/mutate', configMapReview({ object }));
  expect(body['response']).toEqual({ uid: expect.any(String), allowed: true });
});

const locked = { data: { password: 'x' } };

test.each([
  ['the namespace kube-system', { namespace: 'kube-system' }],
  ['a lease', { resource: { group: 'coordination.k8s.io', version: 'v1', resource: 'leases' } }],
  ['an event', { resource: { group: 'events.k8s.io', version: 'v1', resource: 'events' } }],
  [
    'a report',
    { resource: { group: 'wgpolicyk8s.io', version: 'v1alpha2', resource: 'policyreports' } },
  ],
  [
    'a policy',
    {
      resource: {
        group: 'admissionregistration.k8s.io',
        version: 'v1',
        resource: 'validatingadmissionpolicies',
      },
    },
  ],
])('allows at once what a cluster needs: %s', async (_, request) => {
  const review = configMapReview({
    object: locked,
    request: { requestResource: null, requestKind: null, ...request },
  });
  const { body } = await webhook.ask('/validate', review);
  expect(body['response']).toEqual({ uid: expect.any(String), allowed: true });
});

test('logs the policies that denied a request, without the message', () => {
  const denials = webhook.log.filter(({ message }) => message === 'denied');
  expect(denials[0]).toMatchObject({
    step: 'validate',
    allowed: false,
    kind: 'ConfigMap',
    name: 'settings',
    namespace: 'shop',
    user: 'alice',
    code: 422,
    policies: ['no-secrets'],
  });
  expect(JSON.stringify(webhook.log)).not.toContain('keep secrets elsewhere');
});

test('counts checks by the names of kube-apiserver', async () => {
  const { text } = await webhook.read('/metrics');
  expect(text).toContain(
    'apiserver_validating_admission_policy_check_total{policy="no-secrets",policy_binding="no-secrets",error_type="invalid_error",enforcement_action="deny"} 2',
  );
  expect(text).toContain('kubeadmit_policies{kind="MutatingAdmissionPolicy"} 1');
  expect(text).toMatch(/kubeadmit_certificate_remaining_days 36\d/);
});
