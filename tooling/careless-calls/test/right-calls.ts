import { mergeType } from '@kubeadmit/schemas/merge';
import * as of from './fixtures.ts';
import { anything, maybe, options, type RightCall, required } from './right-call.ts';

const clock = of.clock;
const now = '2026-01-01T00:00:00Z';
const nothing = (): void => undefined;
const podType = mergeType(of.schemas, of.podKind);

/**
 * A valid call of each entry function: one that answers about requests and policies, or reads configuration of users. A
 * wrong argument of such a function could let a request pass unnoticed.
 */
export const rightCalls: Readonly<Record<string, RightCall>> = {
  '@kubeadmit/admission RbacAuthorizer': [[]],
  '@kubeadmit/admission admit': [of.cluster, of.request, options({ now, isHeld: false })],
  '@kubeadmit/admission admitReview': [of.cluster, of.review, options({ now, policies: 'both' })],
  '@kubeadmit/admission checkDefinition': [of.prepared, of.pod],
  '@kubeadmit/admission decide': [of.prepared],
  '@kubeadmit/admission loadCluster': [
    required({ resources: [], schemas: of.schemas, now, emulated: false, takesNotes: true }),
  ],
  '@kubeadmit/admission mutateRequest': [of.prepared],
  '@kubeadmit/admission prepareCluster': [
    required({ resources: [], kubernetesVersion: '1.37', onErrors: 'throw', areImmutable: false }),
  ],
  '@kubeadmit/admission prepareRequest': [of.cluster, of.request, options({ now })],
  '@kubeadmit/admission validateRequest': [of.prepared, of.pod],

  '@kubeadmit/admission/plugins loadPlugins': [
    required({
      plugins: 'default',
      enable: [],
      disable: [],
      configurations: new Map(),
      warn: () => {},
      minor: 37,
    }),
  ],
  '@kubeadmit/admission/plugins selectedPlugins': [['Priority'], 37],

  '@kubeadmit/apimachinery compileLabelRequirements': [[]],
  '@kubeadmit/apimachinery compileLabelSelector': [{ matchLabels: { app: 'web' } }],
  '@kubeadmit/apimachinery formatGroupVersion': [{ group: 'apps', version: 'v1' }],
  '@kubeadmit/apimachinery member': [anything(of.pod), 'kind'],
  '@kubeadmit/apimachinery metadataString': [anything(of.pod), 'name'],
  '@kubeadmit/apimachinery parseLabelSelector': ['app=web'],
  '@kubeadmit/apimachinery/names dns1035LabelProblems': ['web'],
  '@kubeadmit/apimachinery/names dns1123LabelProblems': ['web'],
  '@kubeadmit/apimachinery/names dns1123SubdomainProblems': ['web'],
  '@kubeadmit/apimachinery/names labelValueProblems': ['web'],
  '@kubeadmit/apimachinery/quantity compareQuantities': [of.quantity, of.quantity],
  '@kubeadmit/apimachinery/semver compareSemver': [of.semver, of.semver],

  '@kubeadmit/apiserver createApiServer': [
    required({
      store: of.store,
      schemas: of.schemas,
      clock: { now: clock, sleep: () => Promise.resolve() },
      randomUid: () => '1',
      controllers: false,
    }),
  ],
  '@kubeadmit/apiserver createWriteServer': [
    required({ resources: [], schemas: of.schemas, now: clock, randomUid: () => '1' }),
  ],

  '@kubeadmit/cel check': ['1 + 1', options({ environment: of.environment })],
  '@kubeadmit/cel evaluate': ['a', maybe({ a: 1 }), options({ ints: 'number', costLimit: 100 })],
  '@kubeadmit/cel libraryFrom': ['mine', { 'greet(string) -> string': nothing }],
  '@kubeadmit/cel parse': ['1 + 1', options({ environment: of.environment })],

  '@kubeadmit/check Checker': [of.loadedCheck],
  '@kubeadmit/check admitObject': [of.chain, of.pod, options({ operation: 'CREATE' })],
  '@kubeadmit/check loadCheck': [of.prepareOne, required({ clock, kubernetesVersion: '1.37' })],
  '@kubeadmit/check prepareChain': [required({ resources: [], clock, onErrors: 'throw' })],
  '@kubeadmit/check prepareCheck': [
    [of.validatingPolicy, of.validatingBinding, of.pod].map(of.givenOf),
    required({ ...of.checkOptions }),
    nothing,
  ],
  '@kubeadmit/chain loadChain': [required({ resources: [], schemas: of.schemas, clock })],
  '@kubeadmit/chain mutateRequest': [of.chainRequest],
  '@kubeadmit/chain passRequest': [of.chain, of.request],
  '@kubeadmit/chain readRequest': [of.chain, of.request],
  '@kubeadmit/chain validateRequest': [of.chainRequest],
  '@kubeadmit/machine loadAnswerer': ['eval', { clock }],
  '@kubeadmit/machine loadPreparer': ['eval', { clock }],

  '@kubeadmit/convert convertPolicy': [
    of.kyvernoPolicy,
    required({ schemas: of.schemas, isIdiomatic: false, related: [] }),
  ],
  '@kubeadmit/difference findDifferences': [
    required({ old: [], new: [], schemas: of.schemas, clock, search: 1, seed: 1 }),
  ],
  '@kubeadmit/convert proveConversion': [
    of.kyvernoPolicy,
    { objects: [], rules: [] },
    required({ schemas: of.schemas, search: 1, clock }),
  ],
  '@kubeadmit/convert proveRule': [
    of.kyvernoPolicy,
    { policy: 'labels', rule: 'team', status: 'none', results: [] },
    [],
    required({ schemas: of.schemas, search: 1, clock }),
  ],

  '@kubeadmit/custom-resources storeCustomResource': [
    { kind: of.podKind, object: of.pod },
    of.schemas,
  ],
  '@kubeadmit/custom-resources/definitions validateWithDefinition': [
    required({ definition: of.definition, object: {} }),
    of.schemas,
  ],
  '@kubeadmit/custom-resources/definitions validateDefinition': [
    of.definition,
    { schemas: of.schemas, minor: 37 },
  ],

  '@kubeadmit/engine baseEnvironment': [maybe(37), maybe(37)],
  '@kubeadmit/engine checkTypes': [of.validatingPolicy, of.schemas],
  '@kubeadmit/engine evaluateExpression': [
    required({ expression: '1', kubernetesVersion: '1.37', budget: 10, variables: {} }),
  ],
  '@kubeadmit/engine compileMutatingPolicy': [of.mutatingPolicy.spec, of.compiler],
  '@kubeadmit/engine compileValidatingPolicy': [of.validatingSpec, of.compiler],
  '@kubeadmit/engine evaluateMutation': [
    of.compiledMutating.mutations[0],
    {},
    of.compiledMutating.variables,
    maybe(() => undefined),
  ],
  '@kubeadmit/engine evaluateValidatingPolicy': [of.compiledValidating, of.bindings],
  '@kubeadmit/engine validatePolicyObject': [
    'ValidatingAdmissionPolicy',
    of.validatingPolicy,
    required({ checkers: of.compilers, isStatic: false }),
  ],
  '@kubeadmit/engine parseVersion': ['1.37'],

  '@kubeadmit/gatekeeper LoadedConstraint.load': [of.constraint, of.readRule, of.schemas],
  '@kubeadmit/gatekeeper isConstraint': [of.constraint],
  '@kubeadmit/gatekeeper isTemplate': [of.template],
  '@kubeadmit/gatekeeper readTemplate': [of.template],
  '@kubeadmit/gatekeeper requestOfObject': [of.pod],
  '@kubeadmit/gatekeeper templateOf': ['Rule', [of.template]],

  '@kubeadmit/kyverno applyPolicies': [
    [of.policy],
    of.pod,
    () => of.setting,
    options({ only: 'validate', oldObject: of.pod }),
  ],
  '@kubeadmit/kyverno compileException': [of.exception],
  '@kubeadmit/kyverno mutateRequest': [of.compiledCelPolicy, of.celRequest, of.schemas],
  '@kubeadmit/kyverno validateRequest': [of.compiledCelPolicy, of.celRequest],
  '@kubeadmit/kyverno compileCelPolicy': [of.celPolicy, required({ clock, exceptions: [] })],
  '@kubeadmit/kyverno compileConfiguration': [of.configMap],
  '@kubeadmit/kyverno compilePolicy': [of.kyvernoPolicy, options({ observe: nothing })],
  '@kubeadmit/kyverno/jmespath compileExpression': ['a.b'],
  '@kubeadmit/kyverno/jmespath search': ['a', anything({ a: 1 }), options({ now: 0 })],

  '@kubeadmit/language createLanguageService': [
    options({ kubernetesVersion: '1.37', documentation: 'https://example.com', clock }),
  ],

  '@kubeadmit/lint checkMutations': [of.mutatingPolicy, of.schemas],
  '@kubeadmit/lint findIssues': [
    [of.givenOf(of.pod)],
    required({ schemas: of.schemas, kubernetesVersion: '1.37', settings: {} }),
  ],
  '@kubeadmit/lint sortInputs': [[of.givenOf(of.pod)]],
  '@kubeadmit/lint/kyverno expiredExceptions': [[of.manifestOf(of.kyvernoPolicy)], 0],
  '@kubeadmit/chain/kyverno readAcceptedExceptions': [[]],
  '@kubeadmit/chain/kyverno readKyvernoExceptions': [[]],
  '@kubeadmit/chain/kyverno readKyvernoPolicies': [[of.kyvernoPolicy], required({ clock })],
  '@kubeadmit/lint/kyverno unclosedVariables': [of.manifestOf(of.kyvernoPolicy)],
  '@kubeadmit/lint/kyverno unknownFunctions': [of.manifestOf(of.kyvernoPolicy)],
  '@kubeadmit/lint/kyverno unknownMatchKinds': [of.manifestOf(of.kyvernoPolicy), of.schemas],

  '@kubeadmit/manifest readDocuments': [of.source, options({ allowsDuplicates: true })],
  '@kubeadmit/manifest readManifests': [of.source, options({ allowsDuplicates: true })],

  '@kubeadmit/matcher ParameterStore': [true],
  '@kubeadmit/matcher compileMatch': [of.validatingSpec.matchConstraints],
  '@kubeadmit/matcher compileParamRef': [{ name: 'settings', parameterNotFoundAction: 'Deny' }],
  '@kubeadmit/matcher collectParameters': [
    maybe({ apiVersion: 'v1', kind: 'ConfigMap' }),
    maybe(of.paramRef),
    maybe(of.parameterStore),
    'default',
  ],
  '@kubeadmit/matcher dependsOnObject': [of.match, of.attributes],
  '@kubeadmit/matcher isExempt': [of.attributes],
  '@kubeadmit/matcher isSeenByStaticPolicies': [of.attributes],
  '@kubeadmit/matcher matchRequest': [
    of.match,
    of.attributes,
    { namespaceLabels: () => ({}), equivalents: () => [of.pods], kindFor: () => of.podKind },
  ],
  '@kubeadmit/matchers testCluster': [
    required({
      resources: [of.validatingPolicy],
      bindings: 'auto',
      kubernetesVersion: '1.37',
      clock,
    }),
  ],

  '@kubeadmit/mutator applyConfiguration': [
    { patch: {}, object: of.pod, type: podType, kind: 'v1, Kind=Pod' },
  ],
  '@kubeadmit/mutator applyJsonPatch': [
    anything(of.pod),
    [{ op: 'remove', path: '/spec' }],
    options({ keepOrder: true }),
  ],
  '@kubeadmit/mutator isPatchList': [anything([])],

  '@kubeadmit/pod-security checkPodSecurity': [of.pod, 'baseline', maybe('v1.29')],

  '@kubeadmit/schemas decode': [
    of.schemas,
    anything(of.pod),
    options({ now, fieldValidation: 'Strict' }),
  ],
  '@kubeadmit/schemas definitionIssues': [of.schemas],
  '@kubeadmit/schemas equivalentResources': [of.schemas, of.pods, maybe('status')],
  '@kubeadmit/schemas findKind': [of.schemas, of.pods, maybe('status')],
  '@kubeadmit/schemas findResource': [of.schemas, of.pods],
  '@kubeadmit/schemas findResourceOfKind': [of.schemas, of.podKind],
  '@kubeadmit/schemas isNamespaced': [of.schemas, of.podKind],
  '@kubeadmit/schemas listResources': [of.schemas],
  '@kubeadmit/schemas loadSchemas': [options({ version: '1.37', groupVersions: ['v1'] })],
  '@kubeadmit/schemas otherVersionsOf': ['Pod', maybe('')],
  '@kubeadmit/schemas preferredVersion': [of.schemas, 'apps'],
  '@kubeadmit/schemas withDefinitions': [of.schemas, [of.definition]],

  '@kubeadmit/testing TestCluster.load': [
    required({ resources: [of.validatingPolicy], bindings: 'auto', clock }),
  ],
  '@kubeadmit/testing SuiteRun.prepare': [of.suite, required({ host: of.host, strict: true })],
  '@kubeadmit/testing readSnapshots': [of.source],
  '@kubeadmit/testing readSuites': [of.source],
};
