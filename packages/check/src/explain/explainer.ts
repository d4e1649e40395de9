import { type Cluster, loadCluster } from '@kubeadmit/admission';
import type { PolicyTrace } from '@kubeadmit/admission/unstable-internal';
import { listOf, member, metadataString } from '@kubeadmit/apimachinery';
import { defined, getOrMake, type OptionKind, requireOptions, requireValue } from '@kubeadmit/base';
import type { Value } from '@kubeadmit/cel';
import type { Chain } from '@kubeadmit/chain';
import {
  asWritten,
  type EvaluationGroup,
  EvaluationObserver,
  type ExplainedExpression,
  explainExpressions,
  groupsOf,
  type ObjectPath,
  type ReadLine,
} from '@kubeadmit/chain/expressions';
import {
  explainChange,
  foundNoParameters,
  noParameters,
  parameterText,
} from '@kubeadmit/chain/findings';
import { type MatchResources, type PolicySpec, requestBudget } from '@kubeadmit/engine';
import { compareText } from '@kubeadmit/go';
import { formatPlace, type Manifest, parseFieldPath, valueAt } from '@kubeadmit/manifest';
import { failureOf } from '../report/failure.ts';
import {
  type PreparedCheck,
  type PreparedRequest,
  requirePlanned,
} from '../requests/planned-check.ts';
import { type Asked, askChain, askCluster, factsBefore, observedSpecs } from './ask.ts';
import { isOpenResult, type PlaceOf, resultsOf, resultText } from './evaluation-results.ts';
import { type AskedFacts, askedFacts, exactReason } from './exact-reason.ts';
import { explainPlugins } from './explain-plugins.ts';
import type {
  ExplainedBinding,
  ExplainedEvaluation,
  ExplainedPolicy,
  Explanation,
} from './explanation.ts';
import { explainKyverno } from './kyverno-rules.ts';
import { lineSource, type Reader } from './line-source.ts';
import {
  type AskedKyverno,
  type ObservedPolicy,
  type Told,
  type ToldBinding,
  type ToldEvaluation,
  takeGroup,
} from './told.ts';
import { bindingsOf, explainUnevaluated } from './unevaluated.ts';

/** The requests and policies to explain. */
export interface ExplainerOptions {
  /** The requests to explain. */
  readonly check: PreparedCheck;
  /** The native policies of the check, loaded. */
  readonly cluster: Cluster;
  /** The observer that the cluster was loaded with; if absent, the policies are loaded again with one. */
  readonly observer?: EvaluationObserver | undefined;
  /** The policies to explain. */
  readonly policies: readonly Manifest[];
  /** The server's version; default the newest. */
  readonly kubernetesVersion?: string | undefined;
  /** The policies of Kyverno as well; absent to leave them out. */
  readonly chain?: Chain | undefined;
  /**
   * Whether to explain expression by expression only those evaluations in which something failed, changed or
   * excluded the policy.
   *
   * Default false: all evaluations are explained, which takes longer.
   */
  readonly isBrief?: boolean | undefined;
  /** Whether to show long values and loops in full; by default they are truncated. */
  readonly isWhole?: boolean | undefined;
}

const optionKinds: Readonly<Record<keyof ExplainerOptions, OptionKind>> = {
  check: 'object',
  cluster: 'object',
  observer: 'object',
  policies: 'list',
  kubernetesVersion: 'string',
  chain: 'object',
  isBrief: 'boolean',
  isWhole: 'boolean',
};

/** Tells why policies decide about requests as they do. */
export class Explainer {
  readonly #options: ExplainerOptions;
  readonly #asked: readonly Manifest[];
  readonly #observer: EvaluationObserver;
  readonly #cluster: Cluster;
  readonly #chain: Chain | undefined;
  readonly #bound: Map<Manifest, readonly Manifest[]> = new Map();
  readonly #specs: ReadonlyMap<string, PolicySpec>;
  readonly #kyvernoSpecs: ReadonlySet<PolicySpec>;
  readonly #lines: Map<Manifest, Map<string, number>> = new Map();

  /** @throws TypeError if an option is unknown, or `check` was not created by `prepareCheck` */
  constructor(options: ExplainerOptions) {
    requireOptions('new Explainer', options, optionKinds);
    requirePlanned('new Explainer: `check`', options.check);
    requireValue('new Explainer', options.policies, 'list', 'manifests as `policies`');
    const { check, cluster, observer, policies, kubernetesVersion, chain } = options;
    this.#options = options;
    this.#asked = inOrder(policies);
    this.#chain = chain?.kyverno === undefined ? undefined : chain;
    this.#kyvernoSpecs = observedSpecs(chain?.kyverno?.policies);
    this.#observer = observer ?? new EvaluationObserver();
    this.#cluster =
      observer === undefined
        ? {
            ...loadCluster({
              onErrors: 'report',
              resources: check.held.map(({ object }) => object),
              schemas: check.schemas,
              kubernetesVersion,
              observe: this.#observer.observe,
            }),
            plugins: cluster.plugins,
          }
        : cluster;
    const loaded = {
      ValidatingAdmissionPolicy: this.#cluster.validatingPolicies,
      MutatingAdmissionPolicy: this.#cluster.mutatingPolicies,
    };
    this.#specs = new Map(
      Object.entries(loaded).flatMap(([kind, own]) =>
        own.map(({ spec = {}, ...rest }) => [`${kind}/${metadataString(rest, 'name')}`, spec]),
      ),
    );
  }

  /** Explains a request: why each policy matches or not, and every expression that is evaluated. */
  explain(asked: PreparedRequest): Explanation {
    const { manifest, request, refusal } = asked;
    const isBrief = this.#options.isBrief === true;
    const chain = this.#chain;
    const ask = (): Asked =>
      chain === undefined
        ? askCluster(this.#cluster, asked, this.#options.chain)
        : askChain(chain, asked);
    const first =
      refusal !== undefined
        ? { result: { failure: refusal }, seen: nothing }
        : this.#observer.during(ask, isBrief ? this.#kyvernoSpecs : undefined);
    const { file, kind, name, title, namespace, line } = manifest;
    const about = {
      ...defined({ file, resource: `${kind}/${name}`, title, namespace: namespace || undefined }),
      line,
      operation: String(request.operation ?? ''),
    };
    const outcome = first.result;
    if (outcome.failure !== undefined) {
      const { failure, place } = failureOf(manifest, outcome.failure, this.#options.check.schemas);
      const where = place === undefined ? '' : ` (${formatPlace(file, place)})`;
      return { ...about, allowed: false, message: failure + where, policies: [], changes: [] };
    }
    const { allowed, message, trace, changes, kyverno } = outcome;
    const open = isBrief ? this.#openSpecs(trace) : undefined;
    const isObserved = open !== undefined && open.size > 0;
    const { seen } = isObserved ? this.#observer.during(ask, open) : first;
    if (request.dryRun !== true) this.#options.chain?.plugins?.store(outcome.pluginWrites);
    const facts = askedFacts(this.#cluster, request);
    const lineOf = lineSource(manifest, changes);
    const told = { trace, changes, seen, request, facts, lineOf };
    const policies = this.#asked.flatMap((policy) => this.#explainPolicy(policy, told));
    const rules = kyverno && this.#explainKyverno({ ...kyverno, seen: first.seen, facts }, lineOf);
    return {
      ...about,
      ...defined({ allowed, message }),
      ...explainPlugins(outcome.pluginTrace),
      policies: [...policies, ...(rules ?? [])],
      changes: changes.filter(({ plugin }) => plugin === undefined).map(explainChange),
    };
  }

  #explainKyverno(
    { passage, traces, policies, seen, facts }: AskedKyverno & { readonly facts: AskedFacts },
    lineOf: Told['lineOf'],
  ): readonly ExplainedPolicy[] {
    const written = new Map(
      policies.cel.flatMap(({ policy }) =>
        policy.specs.map((spec) => [spec.source, spec] as const),
      ),
    );
    return explainKyverno(this.#options.check.inputs.kyverno, {
      passage,
      traces,
      policies,
      facts,
      lineOf: ([request, object, ...path]) =>
        request === 'request' && object === 'object' ? lineOf(path, kyvernoReader) : undefined,
      lineIn: (manifest, path) => this.#linesIn(manifest)(path),
      expressionsOf: (manifest, source) =>
        this.#expressions(seen.get(source as PolicySpec) ?? [], {
          policy: manifest,
          spec: source as PolicySpec,
          lineOf: ([root, ...path]) => {
            const line = root === 'object' ? lineOf(path, kyvernoReader) : undefined;
            return line === undefined ? undefined : { line };
          },
        }).map((each) => asWritten(each, written.get(source)?.asWritten)),
    });
  }

  /** Returns the policies with an evaluation in which something failed, changed or was excluded. */
  #openSpecs(trace: readonly PolicyTrace[]): ReadonlySet<PolicySpec> {
    const open = trace.filter(({ kind, policy, bindings }) => {
      const spec = this.#specs.get(`${kind}/${policy}`) ?? {};
      return bindings
        .flatMap(({ evaluations }) => evaluations)
        .some((each) => resultsOf(each, spec, noPlace, []).some(isOpenResult));
    });
    return new Set(open.flatMap(({ kind, policy }) => this.#specs.get(`${kind}/${policy}`) ?? []));
  }

  /** Explains each run of a policy; a policy that is invoked again has two. */
  #explainPolicy(manifest: Manifest, told: Told): readonly ExplainedPolicy[] {
    const { kind, name: policy, object, file, line } = manifest;
    const head = { kind, policy, file, line };
    const spec =
      this.#specs.get(`${kind}/${policy}`) ?? ((member(object, 'spec') ?? {}) as PolicySpec);
    const runs = told.trace.filter((each) => each.kind === kind && each.policy === policy);
    if (runs.length === 0) {
      return [{ ...head, matched: false, ...this.#explainUnasked(manifest, spec, told) }];
    }
    const groups = [...groupsOf(told.seen.get(spec) ?? [])];
    return runs.map((trace): ExplainedPolicy => {
      const bindings = trace.bindings.map((binding, at): ExplainedBinding => {
        const facts = factsBefore(told, trace, at);
        const actions = this.#actionsOf(manifest, binding.binding);
        const evaluations = binding.evaluations.map((each) => {
          const group = takeGroup(groups, each, trace.pass);
          const { pass } = trace;
          const evaluation = { evaluation: each, group, told, pass, actions };
          return this.#explainEvaluation(manifest, spec, evaluation);
        });
        const errorIgnored = isIgnored(trace, binding.message);
        return this.#explainBinding(manifest, { binding, evaluations, facts, errorIgnored });
      });
      return defined({
        ...head,
        pass: trace.pass === 2 ? 2 : undefined,
        matched: trace.outcome !== 'noMatch',
        reason: exactReason(
          trace.reason,
          spec.matchConstraints ?? {},
          'spec.matchConstraints',
          factsBefore(told, trace, 0),
        ),
        message: trace.message,
        errorIgnored: isIgnored(trace, trace.message),
        bindings,
      });
    });
  }

  /** Explains a policy that was not evaluated: it does not act, or no binding of it matches the request. */
  #explainUnasked(
    manifest: Manifest,
    spec: PolicySpec,
    { request, facts }: Told,
  ): Pick<ExplainedPolicy, 'asked' | 'reason' | 'bindings'> {
    if (!this.#specs.has(`${manifest.kind}/${manifest.name}`)) {
      return { asked: false, reason: 'kube-apiserver would reject it', bindings: [] };
    }
    return explainUnevaluated(spec, this.#boundTo(manifest), {
      kind: manifest.kind,
      cluster: this.#cluster,
      request,
      facts,
    });
  }

  /** The `validationActions` of a binding. */
  #actionsOf(manifest: Manifest, name: string): readonly string[] {
    const binding = this.#boundTo(manifest).find((each) => each.name === name);
    const actions = listOf(member(member(binding?.object, 'spec'), 'validationActions'));
    return actions.length === 0 ? ['Deny'] : actions.map(String);
  }

  #explainBinding(
    manifest: Manifest,
    { binding, evaluations, facts, errorIgnored }: ToldBinding,
  ): ExplainedBinding {
    const own = this.#boundTo(manifest).find(({ name }) => name === binding.binding);
    const resources = member(member(own?.object, 'spec'), 'matchResources') ?? {};
    const isUnasked = foundNoParameters(binding);
    const reason =
      binding.reason &&
      exactReason(binding.reason, resources as MatchResources, 'spec.matchResources', facts);
    return defined({
      binding: binding.binding,
      matched: binding.outcome !== 'noMatch' && !isUnasked,
      reason: reason ?? (isUnasked ? noParameters : undefined),
      message: binding.message,
      errorIgnored,
      evaluations: binding.outcome === 'evaluated' ? evaluations : [],
    });
  }

  #explainEvaluation(
    policy: Manifest,
    spec: PolicySpec,
    { evaluation, group, told, pass, actions }: ToldEvaluation,
  ): ExplainedEvaluation {
    const { parameter } = evaluation;
    const results = resultsOf(evaluation, spec, this.#linesIn(policy), actions);
    const isTold = this.#options.isBrief !== true || results.some(isOpenResult);
    const expressions = this.#expressions(isTold ? group : [], {
      policy,
      spec,
      lineOf: ([root, ...path]) => {
        if (root === 'params') return this.#parameterLine(spec, parameter, path);
        const line = told.lineOf(path, { kind: policy.kind, name: policy.name, pass });
        return line === undefined ? undefined : { line };
      },
    });
    return {
      ...defined({ params: parameter && parameterText(parameter) }),
      outcomes: results.map(resultText),
      results,
      cost: expressions.reduce((sum, { cost }) => sum + cost, 0),
      budget: requestBudget,
      expressions,
    };
  }

  #expressions(
    group: EvaluationGroup,
    { policy, spec, lineOf }: ObservedPolicy,
  ): readonly ExplainedExpression[] {
    const isWhole = this.#options.isWhole === true;
    return explainExpressions(group, {
      spec,
      lineOf,
      lineWithin: (path, within) => this.#linesIn(policy)(path, within),
      longestValue: isWhole ? Number.POSITIVE_INFINITY : 200,
      mostTurns: isWhole ? Number.POSITIVE_INFINITY : 10,
    });
  }

  /** Returns the line of a value of the parameter, if the parameter is among the inputs. */
  #parameterLine(
    { paramKind }: PolicySpec,
    parameter: ToldEvaluation['evaluation']['parameter'],
    path: ObjectPath,
  ): ReadLine | undefined {
    const manifest = this.#options.check.inputs.context.find(
      ({ apiVersion, kind, name, namespace }) =>
        apiVersion === paramKind?.apiVersion &&
        kind === paramKind?.kind &&
        name === parameter?.name &&
        (namespace === '' || namespace === parameter.namespace),
    );
    if (manifest === undefined || valueAt(manifest.object as Value, path) === undefined) {
      return undefined;
    }
    return { file: manifest.file, line: manifest.place(path).line };
  }

  #boundTo(manifest: Manifest): readonly Manifest[] {
    return getOrMake(this.#bound, manifest, () =>
      bindingsOf(manifest, this.#options.check.inputs.bindings),
    );
  }

  // Finding a place parses the text again if another file was used in between.
  #linesIn(manifest: Manifest): (field: string, within?: number) => number {
    const known = getOrMake(this.#lines, manifest, () => new Map<string, number>());
    return (field, within) =>
      getOrMake(
        known,
        `${field} ${within}`,
        () => manifest.place(parseFieldPath(field), within).line,
      );
  }
}

// Kyverno's webhooks come after the native policies.
const kyvernoReader: Reader = { kind: 'Kyverno', name: '', pass: 2 };

function isIgnored({ failurePolicy }: PolicyTrace, message: string | undefined): true | undefined {
  return message !== undefined && failurePolicy === 'Ignore' ? true : undefined;
}

const nothing: Told['seen'] = new Map();
const noPlace: PlaceOf = () => 0;

/** In the order in which they run: mutating policies first, each kind by name. */
function inOrder(policies: readonly Manifest[]): Manifest[] {
  const key = ({ kind, name }: Manifest): string => `${kind}/${name}`;
  return policies.toSorted((a, b) => compareText(key(a), key(b)));
}
