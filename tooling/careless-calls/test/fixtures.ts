import { type Cluster, prepareCluster, prepareRequest } from '@kubeadmit/admission';
import { parseQuantity } from '@kubeadmit/apimachinery/quantity';
import { parseSemver } from '@kubeadmit/apimachinery/semver';
import { MemoryStore } from '@kubeadmit/apiserver/store';
import { Environment, type Program } from '@kubeadmit/cel';
import { parseExpression } from '@kubeadmit/cel/syntax';
import { readRequest } from '@kubeadmit/chain';
import { loadCheck, prepareChain, prepareCheck } from '@kubeadmit/check';
import { compileMutatingPolicy, compileValidatingPolicy } from '@kubeadmit/engine';
import { PolicyCompilers } from '@kubeadmit/engine/unstable-internal';
import { readTemplate } from '@kubeadmit/gatekeeper';
import { compileCelPolicy, compilePolicy } from '@kubeadmit/kyverno';
import { type Manifest, readManifests, Source } from '@kubeadmit/manifest';
import { compileMatch, compileParamRef, ParameterStore } from '@kubeadmit/matcher';
import { loadSchemas } from '@kubeadmit/schemas';
import { readSuites } from '@kubeadmit/testing';

/** The arguments shared by all calls, one of each kind. */
export const schemas = await loadSchemas({ version: '1.37' });
export const clock = (): number => 0;

export const pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web', namespace: 'default' },
  spec: { containers: [{ name: 'web', image: 'web:1' }] },
};
export const configMap = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'settings', namespace: 'default' },
  data: { a: '1' },
};
export const validatingSpec = {
  failurePolicy: 'Fail',
  matchConstraints: {
    resourceRules: [
      { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] },
    ],
  },
  validations: [{ expression: 'true' }],
};
export const validatingPolicy = {
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingAdmissionPolicy',
  metadata: { name: 'rule' },
  spec: validatingSpec,
};
export const validatingBinding = {
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingAdmissionPolicyBinding',
  metadata: { name: 'rule' },
  spec: { policyName: 'rule', validationActions: ['Deny'] },
};
export const mutatingPolicy = {
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'MutatingAdmissionPolicy',
  metadata: { name: 'change' },
  spec: {
    failurePolicy: 'Fail',
    reinvocationPolicy: 'Never',
    matchConstraints: validatingSpec.matchConstraints,
    mutations: [
      {
        patchType: 'ApplyConfiguration',
        applyConfiguration: { expression: 'Object{metadata: Object.metadata{labels: {"a": "b"}}}' },
      },
    ],
  },
};
export const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'things.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object' } },
      },
    ],
  },
};
export const kyvernoPolicy = {
  apiVersion: 'kyverno.io/v1',
  kind: 'ClusterPolicy',
  metadata: { name: 'labels' },
  spec: {
    rules: [
      {
        name: 'team',
        match: { any: [{ resources: { kinds: ['Pod'] } }] },
        validate: { message: 'no', pattern: { metadata: { labels: { team: '?*' } } } },
      },
    ],
  },
};
export const celPolicy = {
  apiVersion: 'policies.kyverno.io/v1',
  kind: 'ValidatingPolicy',
  metadata: { name: 'rule' },
  spec: {
    matchConstraints: validatingSpec.matchConstraints,
    validations: [{ expression: 'true', message: 'no' }],
  },
};
export const template = {
  apiVersion: 'templates.gatekeeper.sh/v1',
  kind: 'ConstraintTemplate',
  metadata: { name: 'rule' },
  spec: {
    crd: { spec: { names: { kind: 'Rule' } } },
    targets: [
      {
        target: 'admission.k8s.gatekeeper.sh',
        code: [
          { engine: 'K8sNativeValidation', source: { validations: [{ expression: 'true' }] } },
        ],
      },
    ],
  },
};
export const constraint = {
  apiVersion: 'constraints.gatekeeper.sh/v1beta1',
  kind: 'Rule',
  metadata: { name: 'rule' },
  spec: {},
};
export const readRule = readTemplate(template);
export const exception = {
  apiVersion: 'kyverno.io/v2',
  kind: 'PolicyException',
  metadata: { name: 'legacy', namespace: 'default' },
  spec: {
    match: { any: [{ resources: { kinds: ['Pod'] } }] },
    exceptions: [{ policyName: 'labels', ruleNames: ['team'] }],
  },
};

export const pods = { group: '', version: 'v1', resource: 'pods' };
export const podKind = { group: '', version: 'v1', kind: 'Pod' };
export const user = { username: 'ann', groups: ['developers'] };
export const request = {
  uid: '1',
  kind: podKind,
  resource: pods,
  requestKind: podKind,
  requestResource: pods,
  name: 'web',
  namespace: 'default',
  operation: 'CREATE' as const,
  userInfo: user,
  object: pod,
  oldObject: null,
  dryRun: false,
  options: { apiVersion: 'meta.k8s.io/v1', kind: 'CreateOptions' },
};
export const review = { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', request };
export const attributes = { ...request, subresource: '', kind: podKind, resource: pods };

const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'default' } };
export const cluster: Cluster = await prepareCluster({
  resources: [validatingPolicy, validatingBinding, namespace],
  now: '2026-01-01T00:00:00Z',
});
export const prepared = prepareRequest(cluster, request);

export const chain = await prepareChain({
  resources: [validatingPolicy, validatingBinding, namespace],
  clock,
});
export const chainRequest = readRequest(chain, request);

const sourceOf = (object: object): Source => new Source('file.yaml', JSON.stringify(object));
export const source = sourceOf(pod);
export const manifestOf = (object: object) =>
  readManifests(sourceOf(object)).manifests[0] as Manifest;
export const givenOf = (object: object) => ({ manifest: manifestOf(object), role: 'any' as const });
const checkUser = { name: 'ann', groups: ['developers'] };
export const checkOptions = { namespace: 'default', user: checkUser };
export const prepareOne = await prepareCheck(
  [validatingPolicy, validatingBinding, pod].map(givenOf),
  checkOptions,
  () => undefined,
);
export const loadedCheck = await loadCheck(prepareOne, { clock });

export const quantity = parseQuantity('1');
export const semver = parseSemver('1.2.3');
export const environment = new Environment({ variables: { a: 'int' } });
export const parsed = parseExpression('a + 1');
export const { checked } = environment.compile('a + 1');
export const program = environment.plan(checked as never) as Program;

export const store = new MemoryStore();
export const policy = compilePolicy(kyvernoPolicy);
export const compiledCelPolicy = compileCelPolicy(celPolicy, { clock });
export const match = compileMatch(validatingSpec.matchConstraints as never);
export const paramRef = compileParamRef({
  name: 'settings',
  parameterNotFoundAction: 'Deny',
} as never);
const suites = readSuites(
  new Source(
    'suite.admit.yaml',
    'policies: [policies.yaml]\ncases:\n  - name: a\n    object: pod.yaml\n    expect: allowed\n',
  ),
);

export const compilers = new PolicyCompilers(37);
export const compiler = compilers.composing();
export const compiledValidating = compileValidatingPolicy(validatingSpec as never, compiler);
export const compiledMutating = compileMutatingPolicy(mutatingPolicy.spec as never, compiler);
export const bindings = { conditions: {}, validations: {}, messages: {}, auditAnnotations: {} };
export const parameterStore = new ParameterStore(true);
export const celRequest = { attributes: { ...attributes, user }, sources: {} };
export const setting = {
  operation: 'CREATE',
  facts: { subresource: '', operation: 'CREATE', namespaceLabels: {}, user },
  sources: {},
  exceptions: [],
  isCluster: false,
};
export const suite = suites.suites[0];
export const host = { read: () => Promise.resolve({ sources: [], problems: [] }), clock };
