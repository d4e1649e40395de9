import { admit, prepareCluster } from '@kubeadmit/admission';
import { compileLabelSelector } from '@kubeadmit/apimachinery';
import { Environment } from '@kubeadmit/cel';
import { intType } from '@kubeadmit/cel/types';
import { validateWithDefinition } from '@kubeadmit/custom-resources/definitions';
import { evaluateExpression } from '@kubeadmit/engine';
import { quote } from '@kubeadmit/go';
import { answerConditions } from '@kubeadmit/kyverno/unstable-internal';
import { readManifests, Source } from '@kubeadmit/manifest';
import { collectParameters } from '@kubeadmit/matcher';
import { diffJson } from '@kubeadmit/mutator';
import { checkPodSecurity } from '@kubeadmit/pod-security';
import { findResource, loadSchemas } from '@kubeadmit/schemas';

declare const console: { log(text: string): void };

function check(name: string, isRight: boolean): void {
  if (!isRight) throw new Error(`${name} gave a wrong answer`);
  console.log(`${name}: right`);
}

check('go', quote('\u0378"') === '"\\u0378\\""');

const environment = new Environment({ variables: { replicas: intType } });
const { checked } = environment.compile('replicas * 2 > 5 && replicas < 10');
const program = checked && environment.plan(checked);
check(
  'cel',
  program !== undefined &&
    'evaluate' in program &&
    program.evaluate({ replicas: 3 }).value === true,
);

const quantity = evaluateExpression({
  expression: "quantity('1Gi').isGreaterThan(quantity('1Mi'))",
});
check('engine', quantity.result === 'true');

const { manifests } = readManifests(new Source('a.yaml', 'apiVersion: v1\nkind: Pod\nspec: {}\n'));
check('manifest', manifests[0]?.place(['spec']).line === 3);

const deployments = { group: 'apps', version: 'v1', resource: 'deployments' };
const schemas = await loadSchemas({ version: '1.37' });
check('schemas', findResource(schemas, deployments)?.kind === 'Deployment');

const selector = compileLabelSelector({ matchLabels: { environment: 'production' } });
check('apimachinery', selector.matches({ environment: 'production' }) && !selector.matches({}));

const { definition: invalid } = validateWithDefinition(
  { definition: { apiVersion: 'v1', kind: 'Pod' } },
  schemas,
);
check('custom-resources', invalid.length > 0);

const found = collectParameters(undefined, undefined, undefined, 'default');
check('matcher', found.outcome === 'found' && found.parameters[0] === null);

const [operation] = diffJson({ replicas: 1 }, { replicas: 2 });
check('mutator', operation?.op === 'replace' && operation.path === '/replicas');

const privileged = { securityContext: { privileged: true } };
const pod = { kind: 'Pod', spec: { containers: [{ name: 'web', ...privileged }] } };
check('pod-security', checkPodSecurity(pod, 'baseline')[0]?.reason === 'privileged');

const condition = { key: '{{ request.name }}', operator: 'Equals', value: 'web' };
const conditions = { all: [condition] };
check('kyverno', answerConditions({ context: { request: { name: 'web' } }, conditions }).result);

const apiVersion = 'admissionregistration.k8s.io/v1';
const rule = {
  apiGroups: ['apps'],
  apiVersions: ['v1'],
  operations: ['CREATE'],
  resources: ['deployments'],
};
const policy = {
  apiVersion,
  kind: 'ValidatingAdmissionPolicy',
  metadata: { name: 'replicas' },
  spec: {
    matchConstraints: { resourceRules: [rule] },
    validations: [{ expression: 'object.spec.replicas <= 3', message: 'at most 3 replicas' }],
  },
};
const binding = {
  apiVersion,
  kind: 'ValidatingAdmissionPolicyBinding',
  metadata: { name: 'replicas' },
  spec: { policyName: 'replicas', validationActions: ['Deny'] },
};
const cluster = await prepareCluster({ resources: [policy, binding] });
const outcome = admit(cluster, {
  uid: '1',
  operation: 'CREATE',
  kind: { group: 'apps', version: 'v1', kind: 'Deployment' },
  resource: deployments,
  namespace: 'shop',
  name: 'web',
  object: {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'shop' },
    spec: {
      replicas: 5,
      selector: { matchLabels: { app: 'web' } },
      template: {
        metadata: { labels: { app: 'web' } },
        spec: { containers: [{ name: 'web', image: 'registry.example.com/web:1.0' }] },
      },
    },
  },
});
check(
  'admission',
  outcome.failure === undefined &&
    outcome.response.status?.message ===
      "deployments.apps \"web\" is forbidden: ValidatingAdmissionPolicy 'replicas' with binding 'replicas' denied request: at most 3 replicas",
);
