import { admit, type Cluster, loadCluster, type PolicyTrace } from '@kubeadmit/admission';
import { type KubernetesObject, member } from '@kubeadmit/apimachinery';
import { CelError } from '@kubeadmit/cel';
import type { ObservedEvaluation, PolicySpec } from '@kubeadmit/engine';
import { compareText } from '@kubeadmit/go';
import type { Manifest } from '@kubeadmit/manifest';
import { parameterText } from '../report/findings.ts';
import type { PreparedCheck, PreparedRequest } from '../requests/prepare-check.ts';
import type {
  ExplainedBinding,
  ExplainedEvaluation,
  ExplainedExpression,
  ExplainedPolicy,
  Explanation,
} from './explanation.ts';
import { type ExpressionPaths, expressionPaths, isVariablePath } from './expression-paths.ts';
import { stepsOf, valueText } from './expression-steps.ts';
import { reasonText } from './match-reason.ts';

/** What is explained, and of which policies. */
export interface ExplainerOptions {
  readonly check: PreparedCheck;
  /** The native policies of the check, loaded. */
  readonly cluster: Cluster;
  /** The policies to tell of. */
  readonly policies: readonly Manifest[];
  readonly kubernetesVersion?: string | undefined;
}

/** Tells why native policies decide about requests as they do. */
export class Explainer {
  private readonly prepared: PreparedCheck;
  private readonly cluster: Cluster;
  private readonly asked: readonly Manifest[];
  private readonly version: string | undefined;
  private readonly observers: Map<Manifest, Observer> = new Map();

  constructor({ check, cluster, policies, kubernetesVersion }: ExplainerOptions) {
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
    const message = response.status?.message;
    const policies = this.asked.map((policy): ExplainedPolicy => {
      const found = trace.find(
        (each) => each.kind === policy.kind && each.policy === policy.name && each.pass === 1,
      );
      const seenBy = (binding: number): PreparedRequest['request'] => {
        const object = objectSeen(trace, found, binding) ?? outcome.requested;
        return { ...request, object };
      };
      return this.explainPolicy(policy, found, seenBy);
    });
    return {
      ...about,
      allowed: response.allowed,
      ...(message === undefined ? {} : { message }),
      policies,
    };
  }

  private explainPolicy(
    { kind, name: policy, object }: Manifest,
    trace: PolicyTrace | undefined,
    seenBy: (binding: number) => PreparedRequest['request'],
  ): ExplainedPolicy {
    const head = { kind, policy };
    const bound = this.prepared.inputs.bindings.filter(
      (binding) => member(member(binding.object, 'spec'), 'policyName') === policy,
    );
    if (trace === undefined) {
      const reason =
        bound.length === 0 ? 'it has no binding' : 'no rule is about such a resource and operation';
      return { ...head, matched: false, reason, bindings: [] };
    }
    const bindings = trace.bindings.map((binding, place): ExplainedBinding => {
      const about = {
        binding: binding.binding,
        matched: binding.outcome !== 'noMatch',
        ...(binding.reason === undefined
          ? {}
          : { reason: reasonText(binding.reason, 'spec.matchResources') }),
        ...(binding.message === undefined ? {} : { message: binding.message }),
      };
      if (binding.outcome !== 'evaluated') return { ...about, evaluations: [] };
      const manifest = bound.find(({ name }) => name === binding.binding);
      const observed = manifest === undefined ? [] : this.observe(policy, manifest, seenBy(place));
      const spec = (member(object, 'spec') ?? {}) as PolicySpec;
      const groups = groupsOf(observed, expressionPaths(spec));
      const evaluations = binding.evaluations.map((evaluation, i): ExplainedEvaluation => {
        const { parameter } = evaluation;
        return {
          ...(parameter === undefined ? {} : { params: parameterText(parameter) }),
          outcomes: outcomesOf(evaluation),
          expressions: groups[i] ?? [],
        };
      });
      return { ...about, evaluations };
    });
    return {
      ...head,
      matched: trace.outcome !== 'noMatch',
      reason: reasonText(trace.reason, 'spec.matchConstraints'),
      ...(trace.message === undefined ? {} : { message: trace.message }),
      bindings,
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
): ExplainedExpression[][] {
  const groups: ExplainedExpression[][] = [];
  let variables: ExplainedExpression[] = [];
  let times = new Map<string, number>();
  for (const evaluation of observed) {
    const text = evaluation.checked.source.text;
    const places = paths.get(text) ?? [''];
    const time = times.get(text) ?? 0;
    if (isVariablePath(places[0] ?? '')) {
      variables.push(explained(evaluation, places[0] ?? ''));
      continue;
    }
    if (groups.length === 0 || time >= places.length) {
      groups.push([]);
      times = new Map();
    }
    const place = places[time >= places.length ? 0 : time] ?? '';
    times.set(text, (times.get(text) ?? 0) + 1);
    groups.at(-1)?.push(...variables, explained(evaluation, place));
    variables = [];
  }
  return groups;
}

function explained(evaluation: ObservedEvaluation, path: string): ExplainedExpression {
  const { checked, value, cost } = evaluation;
  const result = value instanceof CelError ? { error: value.message } : { value: valueText(value) };
  return { path, expression: checked.source.text, ...result, cost, steps: stepsOf(evaluation) };
}
