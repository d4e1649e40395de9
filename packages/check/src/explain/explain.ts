import {
  admit,
  type Cluster,
  loadCluster,
  type PolicyTrace,
  prepareRequest,
} from '@kubeadmit/admission';
import { type KubernetesObject, member } from '@kubeadmit/apimachinery';
import { CelError, type Value } from '@kubeadmit/cel';
import {
  type MatchResources,
  type ObservedEvaluation,
  type PolicySpec,
  requestBudget,
} from '@kubeadmit/engine';
import { compareText } from '@kubeadmit/go';
import { isReview, kyvernoRole } from '@kubeadmit/lint';
import { type Manifest, parseFieldPath, valueAt } from '@kubeadmit/manifest';
import { compileMatch, matchRequest } from '@kubeadmit/matcher';
import type { Chain } from '../chain/chain.ts';
import { type Passage, passRequest } from '../chain/pass-request.ts';
import { parameterText } from '../report/findings.ts';
import type { PreparedCheck, PreparedRequest } from '../requests/prepare-check.ts';
import { type AskedFacts, exactReason } from './exact-reason.ts';
import type {
  ExplainedBinding,
  ExplainedEvaluation,
  ExplainedExpression,
  ExplainedPolicy,
  ExplainedResult,
  Explanation,
} from './explanation.ts';
import { type ExpressionPaths, expressionPaths, isVariablePath } from './expression-paths.ts';
import { type LineOfPath, stepsOf, valueText } from './expression-steps.ts';

/** What is explained, and of which policies. */
export interface ExplainerOptions {
  readonly check: PreparedCheck;
  /** The native policies of the check, loaded. */
  readonly cluster: Cluster;
  /** The policies to tell of. */
  readonly policies: readonly Manifest[];
  readonly kubernetesVersion?: string | undefined;
  /** The policies of Kyverno as well; absent to leave them out. */
  readonly chain?: Chain | undefined;
  /**
   * Whether only evaluations are told of expression by expression in which something failed, changed or kept the
   * policy away; default all are, which takes longer.
   */
  readonly isBrief?: boolean | undefined;
}

/** Tells why native policies decide about requests as they do. */
export class Explainer {
  private readonly prepared: PreparedCheck;
  private readonly cluster: Cluster;
  private readonly asked: readonly Manifest[];
  private readonly version: string | undefined;
  private readonly observers: Map<Manifest, Observer> = new Map();

  private readonly chain: Chain | undefined;
  private readonly isBrief: boolean;
  private readonly bound: Map<Manifest, readonly Manifest[]> = new Map();
  private readonly paths: Map<Manifest, ExpressionPaths> = new Map();
  private readonly places: Map<Manifest, Map<string, number>> = new Map();

  constructor({ check, cluster, policies, kubernetesVersion, chain, isBrief }: ExplainerOptions) {
    this.isBrief = isBrief === true;
    this.chain = chain?.kyverno === undefined ? undefined : chain;
    this.prepared = check;
    this.cluster = cluster;
    this.asked = inOrder(policies);
    this.version = kubernetesVersion;
  }

  /** What each policy makes of a request: why it matches or not, and every expression that is evaluated. */
  explain({ manifest, request, refusal }: PreparedRequest): Explanation {
    const outcome = refusal === undefined ? admit(this.cluster, request) : { failure: refusal };
    const about = {
      file: manifest.file,
      resource: `${manifest.kind}/${manifest.name}`,
      title: manifest.title,
      ...(manifest.namespace === '' ? {} : { namespace: manifest.namespace }),
      line: manifest.line,
      operation: String(request.operation ?? ''),
    };
    if (outcome.failure !== undefined) {
      return { ...about, allowed: false, message: outcome.failure, policies: [] };
    }
    const { response, trace } = outcome;
    const lineOf = lineSource(manifest);
    const policies = this.asked.map((policy): ExplainedPolicy => {
      const found = trace.find(
        (each) => each.kind === policy.kind && each.policy === policy.name && each.pass === 1,
      );
      const seenBy = (binding: number): PreparedRequest['request'] => {
        const object = objectSeen(trace, found, binding) ?? outcome.requested;
        return { ...request, object };
      };
      return this.explainPolicy(policy, found, { seenBy, request, lineOf });
    });
    const passage = this.chain === undefined ? undefined : passRequest(this.chain, request);
    const message = response.status?.message ?? passage?.message ?? passage?.failure;
    return {
      ...about,
      allowed: response.allowed && passage?.allowed !== false,
      ...(message === undefined ? {} : { message }),
      policies: [...policies, ...(passage === undefined ? [] : this.kyvernoPolicies(passage))],
    };
  }

  /** What the policies of Kyverno say, each with its rules. */
  private kyvernoPolicies({ findings }: Passage): ExplainedPolicy[] {
    return this.prepared.inputs.kyverno.flatMap((manifest): ExplainedPolicy[] => {
      if (kyvernoRole(manifest) === 'exception') return [];
      const { kind, name: policy, file, line } = manifest;
      const own = findings.filter((each) => each.policy === policy && each.binding === undefined);
      const rules = own.map(({ rule, verdict, message }) => ({
        ...(rule === undefined ? {} : { rule }),
        verdict,
        ...(message === undefined ? {} : { message }),
      }));
      const matched = own.some(({ verdict }) => verdict !== 'skip');
      const reason = matched ? 'a rule of it matches' : 'no rule of it matches';
      return [{ kind, policy, file, line, matched, reason, bindings: [], rules }];
    });
  }

  private explainPolicy(
    manifest: Manifest,
    trace: PolicyTrace | undefined,
    { seenBy, request, lineOf }: Seen,
  ): ExplainedPolicy {
    const { kind, name: policy, object, file, line } = manifest;
    const head = { kind, policy, file, line };
    const spec = (member(object, 'spec') ?? {}) as PolicySpec;
    const bound = this.boundTo(manifest);
    const facts = this.factsOf(request);
    const matchReason = (reason: PolicyTrace['reason']): string =>
      exactReason(reason, spec.matchConstraints ?? {}, 'spec.matchConstraints', facts);
    if (trace === undefined) {
      const reason =
        bound.length === 0 ? 'it has no binding' : matchReason(this.reasonOf(spec, request));
      return { ...head, matched: false, reason, bindings: [] };
    }
    const place = this.placesIn(manifest);
    const bindings = trace.bindings.map((binding, index): ExplainedBinding => {
      const own = bound.find(({ name }) => name === binding.binding);
      const resources = member(member(own?.object, 'spec'), 'matchResources') ?? {};
      const about = {
        binding: binding.binding,
        matched: binding.outcome !== 'noMatch',
        ...(binding.reason === undefined
          ? {}
          : {
              reason: exactReason(
                binding.reason,
                resources as MatchResources,
                'spec.matchResources',
                facts,
              ),
            }),
        ...(binding.message === undefined ? {} : { message: binding.message }),
      };
      if (binding.outcome !== 'evaluated') return { ...about, evaluations: [] };
      const results = binding.evaluations.map((each) => resultsOf(each, spec, place));
      const isTold =
        own !== undefined && (!this.isBrief || results.some((each) => each.some(isOpenResult)));
      const observed = isTold ? this.observe(policy, own, seenBy(index)) : [];
      const groups = isTold ? groupsOf(observed, this.pathsOf(manifest, spec), lineOf) : [];
      const evaluations = binding.evaluations.map((evaluation, i): ExplainedEvaluation => {
        const { parameter } = evaluation;
        const expressions = groups[i] ?? [];
        return {
          ...(parameter === undefined ? {} : { params: parameterText(parameter) }),
          outcomes: outcomesOf(evaluation),
          results: results[i] ?? [],
          cost: expressions.reduce((sum, { cost }) => sum + cost, 0),
          budget: requestBudget,
          expressions,
        };
      });
      return { ...about, evaluations };
    });
    return {
      ...head,
      matched: trace.outcome !== 'noMatch',
      reason: matchReason(trace.reason),
      ...(trace.message === undefined ? {} : { message: trace.message }),
      bindings,
    };
  }

  private boundTo(manifest: Manifest): readonly Manifest[] {
    const { kind, name } = manifest;
    const bound =
      this.bound.get(manifest) ??
      this.prepared.inputs.bindings.filter(
        (binding) =>
          binding.kind === `${kind}Binding` &&
          member(member(binding.object, 'spec'), 'policyName') === name,
      );
    this.bound.set(manifest, bound);
    return bound;
  }

  private pathsOf(manifest: Manifest, spec: PolicySpec): ExpressionPaths {
    const paths = this.paths.get(manifest) ?? expressionPaths(spec);
    this.paths.set(manifest, paths);
    return paths;
  }

  // Finding a place reads the text again, where another file was asked about before.
  private placesIn(manifest: Manifest): PlaceOf {
    const known = this.places.get(manifest) ?? new Map<string, number>();
    this.places.set(manifest, known);
    return (field) => {
      const line = known.get(field) ?? manifest.place(parseFieldPath(field)).line;
      known.set(field, line);
      return line;
    };
  }

  /** Why a policy that was not asked is not about a request. */
  private reasonOf(spec: PolicySpec, request: PreparedRequest['request']): PolicyTrace['reason'] {
    const prepared = prepareRequest(this.cluster, request);
    if (prepared.failure !== undefined) return undefined;
    const { attributes, environment } = prepared;
    return matchRequest(compileMatch(spec.matchConstraints ?? {}), attributes, environment.match)
      .reason;
  }

  private factsOf({
    namespace,
    operation,
    resource,
    name,
    object,
  }: PreparedRequest['request']): AskedFacts {
    const namespaceName = String(namespace ?? '');
    const { group = '', version = '', resource: plural = '' } = resource ?? {};
    return {
      namespace: this.cluster.namespaces.get(namespaceName),
      namespaceName,
      object,
      asked: {
        operation: String(operation ?? ''),
        group: group === '' ? 'the core group' : group,
        version,
        resource: plural,
        name: String(name ?? ''),
      },
    };
  }

  /** What a policy evaluates for a request with one of its bindings alone. */
  private observe(
    policy: string,
    binding: Manifest,
    request: PreparedRequest['request'],
  ): readonly ObservedEvaluation[] {
    const known = this.observers.get(binding) ?? this.makeObserver(policy, binding);
    this.observers.set(binding, known);
    known.observed.length = 0;
    admit(known.cluster, request);
    return [...known.observed];
  }

  private makeObserver(policy: string, binding: Manifest): Observer {
    const { inputs, schemas } = this.prepared;
    const kept = inputs.policies.filter(
      ({ kind, name }) => name === policy && binding.kind === `${kind}Binding`,
    );
    const observed: ObservedEvaluation[] = [];
    const cluster = loadCluster({
      onErrors: 'report',
      checkDefinitions: false,
      resources: [...kept, binding, ...inputs.context].map(({ object }) => object),
      schemas,
      kubernetesVersion: this.version,
      observe: (evaluation) => observed.push(evaluation),
    });
    return { cluster, observed };
  }
}

/** What a policy is given, and where that stands. */
interface Seen {
  readonly seenBy: (binding: number) => PreparedRequest['request'];
  readonly request: PreparedRequest['request'];
  readonly lineOf: LineOfPath;
}

/** Gives the line of a field of a policy. */
type PlaceOf = (field: string) => number;

/** The lines of values that stand in a manifest; what defaults and mutations add stands nowhere. */
function lineSource(manifest: Manifest): LineOfPath {
  if (isReview(manifest)) return () => undefined;
  return (path) =>
    valueAt(manifest.object as Value, path) === undefined ? undefined : manifest.place(path).line;
}

/** A cluster with one policy and one binding, and what it has evaluated since the last request. */
interface Observer {
  readonly cluster: Cluster;
  readonly observed: ObservedEvaluation[];
}

/**
 * The object that a policy was given with a binding: what the mutations before it made, or `undefined`
 * where nothing had changed yet.
 */
function objectSeen(
  trace: readonly PolicyTrace[],
  policy: PolicyTrace | undefined,
  binding: number,
): KubernetesObject | undefined {
  const isMutating = policy?.kind === 'MutatingAdmissionPolicy';
  const before = isMutating ? trace.slice(0, trace.indexOf(policy)) : trace;
  const bindings = before.flatMap((each) => each.bindings);
  return [...bindings, ...(isMutating ? policy.bindings.slice(0, binding) : [])]
    .flatMap(({ evaluations }) => evaluations)
    .flatMap(({ mutations = [] }) => mutations)
    .flatMap((made) => (made.outcome === 'changed' ? [made.after] : []))
    .at(-1);
}

/** In the order in which they run: mutating policies first, each kind by name. */
function inOrder(policies: readonly Manifest[]): Manifest[] {
  const key = ({ kind, name }: Manifest): string => `${kind}/${name}`;
  return policies.toSorted((a, b) => compareText(key(a), key(b)));
}

type Evaluation = PolicyTrace['bindings'][number]['evaluations'][number];

/** Whether there is more to tell of a result than that it is so. */
function isOpenResult({ outcome }: ExplainedResult): boolean {
  return outcome !== 'holds' && outcome !== 'published' && outcome !== 'unchanged';
}

/** What came of an evaluation, part by part. */
function resultsOf(
  { conditions, decisions = [], auditAnnotations = [], mutations = [] }: Evaluation,
  { matchConditions }: PolicySpec,
  lineOf: PlaceOf,
): readonly ExplainedResult[] {
  if (conditions.outcome === 'noMatch') {
    const index = (matchConditions ?? []).findIndex(({ name }) => name === conditions.condition);
    const path = `spec.matchConditions[${Math.max(index, 0)}]`;
    const message = `the match condition \`${conditions.condition}\` is false`;
    return [{ path, outcome: 'excluded', message, line: lineOf(path) }];
  }
  if (conditions.outcome !== 'match') {
    const path = 'spec.matchConditions';
    return [{ path, outcome: 'error', message: conditions.message ?? '', line: lineOf(path) }];
  }
  return [
    ...decisions.map(({ evaluation, message, action }, i): ExplainedResult => {
      const path = `spec.validations[${i}]`;
      const line = lineOf(`${path}.expression`);
      if (evaluation === 'admitted') return { path, outcome: 'holds', line };
      const outcome = action === 'admit' ? 'ignored' : evaluation === 'error' ? 'error' : 'denied';
      return { path, outcome, line, ...(message === undefined ? {} : { message }) };
    }),
    ...auditAnnotations.flatMap((each, i): ExplainedResult[] => {
      if (each.action === 'exclude') return [];
      const path = `spec.auditAnnotations[${i}]`;
      const isPublished = each.action === 'publish';
      const message = `${each.key}: ${isPublished ? each.value : each.message}`;
      return [{ path, outcome: isPublished ? 'published' : 'error', message, line: lineOf(path) }];
    }),
    ...mutations.map((each): ExplainedResult => {
      const path = `spec.mutations[${each.mutation}]`;
      const line = lineOf(path);
      if (each.outcome === 'error') return { path, outcome: 'error', message: each.message, line };
      return { path, outcome: each.outcome === 'changed' ? 'changed' : 'unchanged', line };
    }),
  ];
}

function outcomesOf({
  conditions,
  decisions = [],
  auditAnnotations = [],
  mutations = [],
}: Evaluation): string[] {
  if (conditions.outcome === 'noMatch')
    return [`the match condition \`${conditions.condition}\` is false`];
  if (conditions.outcome !== 'match') return [`error: ${conditions.message}`];
  return [
    ...decisions.map(({ evaluation, message, action }, i) => {
      if (evaluation === 'admitted') return `spec.validations[${i}]: holds`;
      const effect = action === 'admit' ? 'ignored' : evaluation;
      return `spec.validations[${i}]: ${effect}: ${message}`;
    }),
    ...auditAnnotations.flatMap((each) =>
      each.action === 'exclude'
        ? []
        : [
            `audit annotation ${each.key}: ${each.action === 'publish' ? each.value : each.message}`,
          ],
    ),
    ...mutations.map((each) => {
      const detail = each.outcome === 'error' ? `error: ${each.message}` : each.outcome;
      return `spec.mutations[${each.mutation}]: ${detail}`;
    }),
  ];
}

/**
 * Evaluations of one binding by its parameters: each begins where an expression is evaluated again;
 * variables belong to what reads them.
 */
function groupsOf(
  observed: readonly ObservedEvaluation[],
  paths: ExpressionPaths,
  lineOf: LineOfPath,
): ExplainedExpression[][] {
  const groups: ExplainedExpression[][] = [];
  let variables: ExplainedExpression[] = [];
  let times = new Map<string, number>();
  for (const evaluation of observed) {
    const text = evaluation.checked.source.text;
    const places = paths.get(text) ?? [''];
    const time = times.get(text) ?? 0;
    if (isVariablePath(places[0] ?? '')) {
      variables.push(explained(evaluation, places[0] ?? '', lineOf));
      continue;
    }
    if (groups.length === 0 || time >= places.length) {
      groups.push([]);
      times = new Map();
    }
    const place = places[time >= places.length ? 0 : time] ?? '';
    times.set(text, (times.get(text) ?? 0) + 1);
    groups.at(-1)?.push(...variables, explained(evaluation, place, lineOf));
    variables = [];
  }
  return groups;
}

function explained(
  evaluation: ObservedEvaluation,
  path: string,
  lineOf: LineOfPath,
): ExplainedExpression {
  const { checked, value, cost } = evaluation;
  const result = value instanceof CelError ? { error: value.message } : { value: valueText(value) };
  return {
    path,
    expression: checked.source.text,
    ...result,
    cost,
    steps: stepsOf(evaluation, lineOf),
  };
}
