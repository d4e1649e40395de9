import { type OptionKind, requireArgument, requireOptions } from '@kubeadmit/base';
import type { PluginChoice } from '@kubeadmit/chain/plugins';
import type { ObservedEvaluation } from '@kubeadmit/engine';
import type { Manifest } from '@kubeadmit/manifest';
import type { PolicyCoverageRecorder } from '../covered/coverage.ts';
import { compareOutcome } from '../expect/compare.ts';
import { type CaseOutcome, outcomeOfCase, summaryOf } from '../expect/outcome.ts';
import type { Suite } from '../format/suite.ts';
import type { TestEntry } from '../kyverno-tests/judge.ts';
import type { TestHost } from '../kyverno-tests/test-reader.ts';
import { type CaseCluster, ClusterLoader } from '../load/cluster-loader.ts';
import { CaseProblem, ReferenceReader } from '../load/reference-reader.ts';
import { costOf } from './cost.ts';
import { expandCases } from './expand-cases.ts';
import { requireKnownNames } from './known-names.ts';
import { type CaseRequest, problemsOf, requestOf } from './make-request.ts';
import { passCase, requireNamespace } from './pass-case.ts';
import { isSameSnapshot, type Snapshots, snapshotOf } from './snapshots.ts';
import type { TestCase } from './test-case.ts';
import { withUnmatchedReasons } from './unmatched-reasons.ts';
import { UsedPolicies } from './used-policies.ts';

/** How suites are run. */
export interface SuiteOptions {
  /** Reads files, and returns the time. */
  readonly host: TestHost;
  /** The versions of Kubernetes of cases that name none; default the newest. */
  readonly kubernetesVersions?: readonly string[] | undefined;
  /** Whether policies that concern no case, and namespaces that had to be assumed, are errors. */
  readonly strict?: boolean | undefined;
  /** The recorded snapshots of cases that expect one. */
  readonly snapshots?: Snapshots | undefined;
  /** Whether to accept snapshots that differ, because they are about to be rewritten. */
  readonly update?: boolean | undefined;
  /** Records the parts of native policies that the cases reach. */
  readonly coverage?: PolicyCoverageRecorder | undefined;
  /** Gives another object in the place of one of the cluster. */
  readonly substitute?: ((manifest: Manifest) => Manifest) | undefined;
  /** Whether the old object of an update may have another name, as in tests of other tools. */
  readonly allowsRenaming?: boolean | undefined;
  /** The admission plugins of cases that name none; default those that kube-apiserver enables. */
  readonly plugins?: PluginChoice | undefined;
}

const optionKinds: Readonly<Record<keyof SuiteOptions, OptionKind>> = {
  host: 'any',
  kubernetesVersions: 'list',
  strict: 'boolean',
  snapshots: 'any',
  update: 'boolean',
  coverage: 'any',
  substitute: 'function',
  allowsRenaming: 'boolean',
  plugins: 'object',
};

/** A suite with its cases, ready to be run. */
export class SuiteRun {
  /** The suite of the run. */
  readonly suite: Suite;
  /** Its cases, ready to be run, in their order. */
  readonly cases: readonly TestCase[];
  /** The outcomes of cases with `snapshot: true` that were run. */
  readonly taken: Map<string, unknown> = new Map();
  readonly #options: SuiteOptions;
  readonly #reader: ReferenceReader;
  readonly #clusters: ClusterLoader;
  readonly #used = new UsedPolicies();
  #observed: ObservedEvaluation[] = [];

  private constructor(
    suite: Suite,
    cases: readonly TestCase[],
    reader: ReferenceReader,
    options: SuiteOptions,
  ) {
    this.suite = suite;
    this.cases = cases;
    this.#options = options;
    this.#reader = reader;
    const observes =
      options.coverage !== undefined ||
      suite.cases.some(({ expectation }) => expectation.maxCost !== undefined);
    this.#clusters = new ClusterLoader({
      reader,
      host: options.host,
      substitute: options.substitute,
      plugins: options.plugins ?? { selection: 'default' },
      observe: observes ? (evaluation) => this.#observed.push(evaluation) : undefined,
    });
  }

  /** Reads the objects of cases. Never rejects because of their problems. */
  static async prepare(suite: Suite, options: SuiteOptions): Promise<SuiteRun> {
    requireArgument('SuiteRun.prepare', suite, {
      what: 'a suite from readSuites',
      has: 'cases',
    });
    requireOptions('SuiteRun.prepare', options, optionKinds);
    requireArgument('SuiteRun.prepare: `host`', options.host, { what: 'a host', has: 'read' });
    const reader = new ReferenceReader(suite, options.host);
    const cases = await expandCases(suite, reader, options.kubernetesVersions ?? []);
    return new SuiteRun(suite, cases, reader, options);
  }

  /** Runs a case; never rejects. */
  async run(test: TestCase): Promise<TestEntry> {
    const { skip } = test.origin;
    if (skip !== undefined) return this.#entry(test, 'skip', 'skipped', skip);
    try {
      return await this.#run(test);
    } catch (error) {
      const message =
        error instanceof CaseProblem
          ? error.text
          : `internal error; report it at https://github.com/kubeadmit/kubeadmit/issues: ${String(error)}`;
      return this.#entry(test, 'error', 'error', message);
    }
  }

  /**
   * Returns an error with each policy and binding that was not used by any case that was run.
   *
   * The result is empty unless the suite is strict, and is only meaningful after a run of all cases.
   */
  async leftovers(): Promise<readonly TestEntry[]> {
    if (!this.#isStrict) return [];
    const messages = this.#used.unused(await this.#clusters.loaded());
    if (messages.length === 0) return [];
    const { file, name, source, document } = this.suite;
    return [
      {
        file,
        name,
        policy: '',
        rule: '',
        resource: '',
        expected: 'concerned',
        actual: 'not matched',
        result: 'error',
        message: messages.join('\n'),
        line: source.placeAt(document.origin.contentStart).line,
      },
    ];
  }

  /** The clusters that its cases ran in. */
  clusters(): Promise<readonly CaseCluster[]> {
    return this.#clusters.loaded();
  }

  get #isStrict(): boolean {
    return this.#options.strict ?? this.suite.strict;
  }

  async #run(test: TestCase): Promise<TestEntry> {
    const { origin, subject, kubernetesVersion, problem } = test;
    if (problem !== undefined || subject === undefined) throw new CaseProblem(problem ?? '');
    const cluster = await this.#clusters.load(origin.clusters, kubernetesVersion);
    if ('problems' in cluster) throw problemsOf(cluster.problems);
    const { allowsRenaming = false } = this.#options;
    const about = { origin, subject, allowsRenaming };
    const made = await requestOf(about, cluster.schemas, this.#reader);
    const outcome = this.#outcomeOf(test, cluster, made);
    const { wholeObject } = origin.expectation;
    const problems = compareOutcome(outcome, origin.expectation, {
      schemas: cluster.schemas,
      cost: costOf(this.#observed, origin.expectation, cluster),
      wholeObject: wholeObject === undefined ? undefined : await this.#reader.one(wholeObject),
    });
    const all = [...problems, ...this.#compareSnapshot(test, outcome)];
    const result = all.length === 0 ? 'pass' : 'fail';
    return this.#entry(test, result, summaryOf(outcome), all.join('\n'));
  }

  #outcomeOf({ origin }: TestCase, cluster: CaseCluster, made: CaseRequest): CaseOutcome {
    requireKnownNames(origin.expectation, cluster);
    const { coverage } = this.#options;
    coverage?.add(cluster);
    this.#observed = [];
    const passage = passCase(cluster, made);
    for (const evaluation of this.#observed) coverage?.record(evaluation, cluster);
    this.#used.record(passage);
    if (this.#isStrict) requireNamespace(cluster, made, 'namespaces');
    const outcome = outcomeOfCase(passage, origin.expectation);
    return withUnmatchedReasons(outcome, origin.expectation, cluster, made.request);
  }

  #compareSnapshot({ name, origin }: TestCase, outcome: CaseOutcome): readonly string[] {
    if (origin.expectation.snapshot !== true) return [];
    const taken = snapshotOf(outcome);
    this.taken.set(name, taken);
    const { snapshots, update = false } = this.#options;
    if (update) return [];
    if (snapshots?.has(name) !== true) return ['no snapshot yet; run with --update to write it'];
    return isSameSnapshot(snapshots.get(name), taken)
      ? []
      : ['the outcome differs from the snapshot; run with --update to accept it'];
  }

  #entry(
    { name, origin, subject }: TestCase,
    result: TestEntry['result'],
    actual: string,
    message: string,
  ): TestEntry {
    const { expectation, place } = origin;
    return {
      file: this.suite.file,
      name,
      policy: expectation.policy ?? '',
      rule: expectation.rule ?? '',
      resource: subject === undefined ? '' : resourceText(subject),
      expected: expectation.verdicts.join(' or '),
      actual,
      result,
      message,
      line: place.line,
    };
  }
}

function resourceText({ kind, namespace, name }: NonNullable<TestCase['subject']>): string {
  return [kind, namespace, name].filter((part) => part !== '').join('/');
}
