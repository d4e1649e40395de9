// Uses the packages in a way that works in any runtime, without features of Node. Throws if an answer is unexpected.
import { admit, prepareCluster } from '@kubeadmit/admission';
import { Environment, evaluate, parse } from '@kubeadmit/cel';
import { estimateCost } from '@kubeadmit/cel/estimate';
import { admitObject, prepareChain } from '@kubeadmit/check';
import { readManifests, Source } from '@kubeadmit/manifest';
import { diffJson } from '@kubeadmit/mutator';

let asked = 0;

function expect(found, wanted) {
  asked++;
  const [left, right] = [JSON.stringify(found), JSON.stringify(wanted)];
  if (left !== right) throw new Error(`${left} where ${right} was expected`);
}

function message(run) {
  try {
    return run();
  } catch (error) {
    return error.message;
  }
}

const policies = `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: replicas}
spec:
  matchConstraints:
    resourceRules: [{apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [deployments]}]
  validations: [{expression: 'object.spec.replicas <= 5'}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: replicas}
spec: {policyName: replicas, validationActions: [Deny]}
`;
const kyverno = `
apiVersion: kyverno.io/v1
kind: ClusterPolicy
metadata: {name: team}
spec:
  rules:
    - name: team
      match: {any: [{resources: {kinds: [Deployment]}}]}
      mutate: {patchStrategicMerge: {metadata: {labels: {+(team): shop}}}}
`;

function objects(text) {
  return readManifests(new Source('policies.yaml', text)).manifests.map(({ object }) => object);
}

function deployment(replicas) {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'shop' },
    spec: {
      replicas,
      selector: { matchLabels: { app: 'web' } },
      template: {
        metadata: { labels: { app: 'web' } },
        spec: { containers: [{ name: 'web', image: 'nginx' }] },
      },
    },
  };
}

/** Sends all requests; returns the number of correct answers. */
export async function useEverything() {
  expect(evaluate('user.age >= 18', { user: { age: 36 } }), true);
  expect(evaluate("name.matches('^[a-z]+$')", { name: 'ada' }), true);
  expect(evaluate("timestamp('2024-01-31T23:00:00Z').getDate('Asia/Tokyo')"), 1);
  expect(evaluate("duration('90m').getHours()"), 1);
  expect(evaluate('[1, 2, 3].map(x, x * x).filter(x, x > 1)'), [4, 9]);
  expect(String(evaluate('9007199254740993 + 0')), '9007199254740993');
  expect(evaluate("b'a' == bytes('a')"), true);
  expect(message(() => evaluate('1 / 0')).includes('division by zero'), true);
  expect(parse('1 + x').variables, ['x']);
  const environment = new Environment().registerFunction(
    'twice(int) -> int',
    (n) => 2n * BigInt(n),
  );
  expect(environment.evaluate('twice(21)'), 42);
  const { checked } = environment.compile('[1, 2].exists(x, x == 2)');
  expect(estimateCost(checked).max > 0, true);

  const cluster = await prepareCluster({ resources: objects(policies) });
  const request = (object) => ({
    uid: '1',
    operation: 'CREATE',
    kind: { group: 'apps', version: 'v1', kind: 'Deployment' },
    resource: { group: 'apps', version: 'v1', resource: 'deployments' },
    name: 'web',
    namespace: 'shop',
    userInfo: { username: 'ann' },
    object,
  });
  expect(admit(cluster, request(deployment(3))).response.allowed, true);
  expect(admit(cluster, request(deployment(9))).response.allowed, false);

  const chain = await prepareChain({
    resources: objects(`${policies}---${kyverno}`),
    clock: Date.now,
  });
  const passed = admitObject(chain, deployment(3));
  expect(passed.allowed, true);
  expect(passed.object.metadata.labels, { team: 'shop' });
  expect(admitObject(chain, deployment(9)).allowed, false);

  expect(diffJson({ a: 1 }, { a: 2 }), [{ op: 'replace', path: '/a', value: 2 }]);
  return asked;
}
