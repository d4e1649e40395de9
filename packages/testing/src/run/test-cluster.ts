import {
  defined,
  describeValue,
  hasMembers,
  type OptionKind,
  requireOptions,
} from '@kubeadmit/base';
import type { RequestUser } from '@kubeadmit/chain';
import type { PluginChoice } from '@kubeadmit/chain/plugins';
import { requireUser, userInfo } from '@kubeadmit/chain/requests';
import {
  type InputProblem,
  type Manifest,
  readManifests,
  Source,
  stringifyYaml,
} from '@kubeadmit/manifest';
import { compareOutcome } from '../expect/compare.ts';
import { outcomeOfCase, summaryOf } from '../expect/outcome.ts';
import { type CaseCluster, loadCaseCluster } from '../load/cluster-loader.ts';
import { CaseProblem } from '../load/reference-reader.ts';
import { givenExpectation } from './given-expectation.ts';
import { requireKnownNames } from './known-names.ts';
import { type CaseRequest, problemsOf, requestFor, requireSameObject } from './make-request.ts';
import { passCase, requireNamespace } from './pass-case.ts';
import { withUnmatchedReasons } from './unmatched-reasons.ts';

/** A source of a test cluster: a YAML or JSON string, or an object. */
export type ClusterSource = string | Readonly<Record<string, unknown>>;

/** How a cluster of tests is made. */
export interface TestClusterOptions {
  /** Policies, bindings, parameters, namespaces, roles, definitions and other objects. */
  readonly resources: readonly ClusterSource[];
  /** `auto` binds each policy that has no binding everywhere, with denial. */
  readonly bindings?: 'auto';
  /** Default the newest known. */
  readonly kubernetesVersion?: string;
  /** The admission plugins of the server: a set or a list (default: those that kube-apiserver enables). */
  readonly plugins?: PluginChoice['selection'];
  /** The time in milliseconds since 1970, for rules that ask for it; default 0. */
  readonly clock?: () => number;
}

/** A request of a test: an object with an operation, or a complete AdmissionReview as the object. */
export interface TestRequest {
  /** The object of the request. */
  readonly object: ClusterSource;
  /** Default `CREATE`. */
  readonly operation?: 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';
  /** The object before an update; default the object itself. */
  readonly oldObject?: ClusterSource;
  /** Default none. */
  readonly subresource?: string;
  /** Of objects that name none; default `default`. */
  readonly namespace?: string;
  /** Default `kubernetes-admin`. */
  readonly user?: string | RequestUser;
  /** Whether it is only tried; default false. */
  readonly dryRun?: boolean;
}

/** The result of a request. */
export interface TestJudgement {
  /** All differences from the expectation, a sentence each. */
  readonly problems: readonly string[];
  /** A short summary of the result. */
  readonly summary: string;
  /** Why the server rejects the object before any policy; absent where it does not. */
  readonly refusal?: string;
}

/** A cluster of policies for tests in TypeScript: loaded once, then evaluated synchronously. */
export class TestCluster {
  readonly #cluster: CaseCluster;

  private constructor(cluster: CaseCluster) {
    this.#cluster = cluster;
  }

  /**
   * Loads a cluster.
   *
   * @throws TypeError if an option is unknown or has the wrong type
   * @throws Error with all problems of the resources: rejected policies, unknown fields, duplicate objects
   */
  static async load(options: TestClusterOptions): Promise<TestCluster> {
    requireClusterOptions(options);
    const { resources, bindings, kubernetesVersion, clock = () => 0 } = options;
    const { plugins: selection = 'default' } = options;
    const read = resources.map((source, at) => readManifests(sourceOf(source, `resources[${at}]`)));
    fail(read.flatMap(({ problems }) => problems));
    const given = read.flatMap(({ manifests }) =>
      manifests.map((manifest) => ({ manifest, role: 'policies' as const })),
    );
    const loaded = await loadCaseCluster(given, {
      autoBindings: bindings === 'auto',
      kubernetesVersion,
      clock,
      plugins: { selection },
    });
    if ('problems' in loaded) throw failure(loaded.problems);
    return new TestCluster(loaded);
  }

  /**
   * Evaluates a request and compares the result with an expectation.
   *
   * The expectation has the form of `expect` in a suite, without `wholeObject`, `maxCost` and `snapshot`.
   *
   * @throws Error if the request or expectation is invalid, or the expectation names a policy that the cluster does
   * not contain
   */
  judge(request: TestRequest, expected: unknown): TestJudgement {
    const expectation = givenExpectation(expected);
    requireRequest(request);
    try {
      const cluster = this.#cluster;
      requireKnownNames(expectation, cluster);
      const made = this.#requestOf(request);
      const passage = passCase(cluster, made);
      requireNamespace(cluster, made, 'resources');
      const outcome = withUnmatchedReasons(
        outcomeOfCase(passage, expectation),
        expectation,
        cluster,
        made.request,
      );
      const context = { schemas: cluster.schemas, cost: 0, wholeObject: undefined };
      return {
        problems: compareOutcome(outcome, expectation, context),
        summary: summaryOf(outcome),
        ...(passage.failure === undefined ? {} : { refusal: passage.failure }),
      };
    } catch (error) {
      if (error instanceof CaseProblem) throw new Error(error.text);
      throw error;
    }
  }

  #requestOf({ object, oldObject, user = 'kubernetes-admin', ...given }: TestRequest): CaseRequest {
    const fields = {
      operation: 'CREATE' as const,
      namespace: 'default',
      dryRun: false,
      subresource: '',
      ...defined(given),
    };
    const subject = objectOf(object, 'object');
    const old = oldObject === undefined ? subject : objectOf(oldObject, 'oldObject');
    const { schemas } = this.#cluster;
    requireSameObject(subject, old, { ...fields, schemas });
    return requestFor(subject, {
      ...fields,
      user: userInfo(typeof user === 'string' ? { name: user } : user),
      schemas,
      oldObjectOf: () => (fields.operation === 'UPDATE' ? old.object : undefined),
    });
  }
}

const clusterOptions: Readonly<Record<keyof TestClusterOptions, OptionKind>> = {
  resources: 'list',
  bindings: ['auto'],
  kubernetesVersion: 'string',
  plugins: 'any',
  clock: 'function',
};

function requireClusterOptions(options: TestClusterOptions): void {
  requireOptions('testCluster', options, clusterOptions);
  const { resources } = options;
  if (resources === undefined) throw new TypeError('testCluster: `resources` is undefined');
  const wrong = resources.findIndex((source) => !isSource(source));
  if (wrong < 0) return;
  const what = describeValue(resources[wrong]);
  throw new TypeError(`testCluster: \`resources[${wrong}]\` is ${what}, not a string or an object`);
}

function isSource(source: unknown): boolean {
  return typeof source === 'string' || (hasMembers(source) && !(source instanceof Promise));
}

const requestFields: Readonly<Record<keyof TestRequest, OptionKind>> = {
  object: 'any',
  operation: ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'],
  oldObject: 'any',
  subresource: 'string',
  namespace: 'string',
  user: 'any',
  dryRun: 'boolean',
};

function requireRequest(request: TestRequest): void {
  requireOptions('a request of a test', request, requestFields);
  const { object, oldObject, user, operation = 'CREATE' } = request;
  for (const [name, source] of Object.entries({ object, oldObject })) {
    if (source === undefined ? name === 'oldObject' : isSource(source)) continue;
    throw new TypeError(`\`${name}\` is ${describeValue(source)}, not a string or an object`);
  }
  if (oldObject !== undefined && operation !== 'UPDATE') {
    throw new TypeError(`\`oldObject\` requires the operation UPDATE, not ${operation}`);
  }
  if (user === undefined || typeof user === 'string') return;
  requireUser('`user`', user);
}

function objectOf(source: ClusterSource, name: string): Manifest {
  const { manifests, problems } = readManifests(sourceOf(source, name));
  fail(problems);
  const [first] = manifests;
  if (manifests.length === 1 && first !== undefined) return first;
  throw new Error(`\`${name}\` must be one object, found ${manifests.length}`);
}

function sourceOf(source: ClusterSource, name: string): Source {
  return new Source(name, typeof source === 'string' ? source : stringifyYaml(source));
}

function fail(problems: readonly InputProblem[]): void {
  if (problems.length > 0) throw failure(problems);
}

function failure(problems: readonly InputProblem[]): Error {
  return new Error(problemsOf(problems).text);
}
