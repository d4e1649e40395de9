import { expect, test } from 'vitest';
import { exportedTest } from '../src/playground/exported-test.ts';
import { judge } from '../src/worker/judge.ts';

const files = {
  'policies.yaml': `apiVersion: kyverno.io/v1
kind: ClusterPolicy
metadata: {name: changes}
spec:
  rules:
  - name: r
    match: {any: [{resources: {kinds: [Pod]}}]}
    mutate:
      targets: [{apiVersion: v1, kind: ConfigMap, name: x, namespace: default}]
      patchStrategicMerge: {data: {a: b}}
---
apiVersion: kyverno.io/v1
kind: ClusterPolicy
metadata: {name: labels}
spec:
  webhookConfiguration:
    matchConditions: [{name: named-x, expression: object.metadata.name == 'x'}]
  rules:
  - name: r
    match: {any: [{resources: {kinds: [Service]}}]}
    validate: {failureAction: Enforce, message: a label is needed, pattern: {metadata: {labels: {a: b}}}}
`,
  'objects.yaml': `apiVersion: v1
kind: Pod
metadata: {name: web}
spec: {containers: [{name: web, image: web:1}]}
---
apiVersion: v1
kind: Service
metadata: {name: web}
spec: {ports: [{port: 80}]}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: web}
`,
};

const request = {
  operation: 'CREATE',
  user: 'kubernetes-admin',
  groups: [],
  namespace: 'default',
  subresource: '',
  dryRun: false,
  oldObjects: '',
} as const;

test('names policies that match an object and have nothing to report, as `check` does', async () => {
  const [judgement] = await judge({ files, request, kubernetesVersions: ['1.37'] });
  expect(judgement?.objects).toMatchObject([
    {
      outcome: 'allowed',
      findings: [
        {
          policy: 'changes',
          verdict: 'allow',
          message: 'the policy matches the object and has nothing to report',
        },
      ],
    },
    {
      outcome: 'unmatched',
      findings: [
        {
          policy: 'labels',
          verdict: 'skip',
          message: 'the match condition `named-x` of its webhookConfiguration is false',
        },
      ],
    },
    { outcome: 'unmatched', findings: [] },
  ]);
  expect(judgement && exportedTest(files, judgement)).toBeUndefined();
});
