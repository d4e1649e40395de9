import type { JsonObject } from '@kubeadmit/apimachinery';
import type { MatchResult } from '@kubeadmit/matcher';
import type { ComputedRule, RuleOrigin } from '../autogen/autogen.ts';
import { ExpressionReference, Failure } from '../jmespath/steps/failure.ts';
import { Items } from '../jmespath/steps/items.ts';
import type { FiltersTrace, MatchTrace } from '../match/match-trace.ts';
import { readPath } from './read-path.ts';
import type { RuleResult, RuleStatus, RuleType } from './rule-result.ts';

/** The recorded evaluation of one policy. */
export interface PolicyTrace {
  /** The kind of the policy. */
  readonly kind: string;
  /** The name of the policy. */
  readonly policy: string;
  /** The namespace of a namespaced policy; empty for the others. */
  readonly namespace: string;
  /** The type of the evaluated rules. */
  readonly type: RuleType;
  /** The reason why no rule was evaluated, and whether the match block of one selects the object. */
  readonly kept?: KeptReason & { readonly selects: boolean };
  /** The rules that were tested for a match, in their order. */
  readonly rules: readonly RuleTrace[];
  /** Of a policy in CEL, its specs: the one that is written and those that are generated. */
  readonly specs: readonly SpecTrace[];
}

/** The reason why no rule of a policy is evaluated. */
export type KeptReason =
  | {
      readonly type: 'namespace';
      readonly wanted: string;
      readonly found: string;
    }
  | { readonly type: 'resourceFilters' | 'excludedUser' }
  /** The name of the condition that is false, or the errors of those that could not be evaluated. */
  | { readonly type: 'matchConditions'; readonly condition: string }
  | { readonly type: 'matchConditions'; readonly failure: string }
  /** The errors of match conditions that kube-apiserver evaluates, and their effect. */
  | {
      readonly type: 'webhook';
      readonly failure: string;
      readonly failurePolicy: 'Fail' | 'Ignore';
    };

/** The recorded evaluation of one rule. */
export interface RuleTrace {
  /** The name of the rule. */
  readonly rule: string;
  /** The rule; not part of the policy if it was generated. */
  readonly source: JsonObject;
  /** The rule from which it was generated; `undefined` for a written rule. */
  readonly origin: RuleOrigin | undefined;
  /** The reason why the rule applies or not. */
  readonly match: MatchTrace;
  /** The evaluation steps, in order; empty if the rule does not match. */
  readonly steps: readonly TraceStep[];
  /** The results of the rule. */
  readonly results: readonly RuleResult[];
}

/** The recorded evaluation of one spec of a CEL policy. */
export interface SpecTrace {
  /** The spec, as written or as generated. */
  readonly source: JsonObject;
  /** The namespace of the request, where the policy is one of another. */
  readonly elsewhere?: string;
  /** The result of the constraints; absent if there are none, which match nothing. */
  readonly match?: MatchResult;
  /** The change that its mutations made to the object; absent if they made none. */
  readonly change?: { readonly before: unknown; readonly after: unknown };
}

/** A step on the way to the result of a rule. */
export type TraceStep =
  | VariableStep
  | EntryStep
  | ConditionsStep
  | ConditionStep
  | PatternStep
  | LoopStep
  | ElementStep
  | PatchStep
  | ExceptionStep
  | OldObjectStep
  | TargetStep
  | CelStep
  | ControlStep;

/** The value that was found, or an error. */
interface Found {
  readonly value?: unknown;
  readonly error?: string;
}

/** A variable that was replaced by its value. */
export interface VariableStep extends Found {
  readonly kind: 'variable';
  /** In JMESPath, without braces. */
  readonly expression: string;
  /** Where it reads from: `['request', 'object', 'spec']`; absent where it does more than read. */
  readonly reads?: readonly (string | number)[];
}

/** An entry of a context that was loaded, because something named it. */
export interface EntryStep extends Found {
  readonly kind: 'entry';
  readonly name: string;
  /** The entry in the policy. */
  readonly source: JsonObject;
  readonly steps: readonly TraceStep[];
}

/** The role of a block of conditions. */
export type ConditionsRole = 'preconditions' | 'deny' | 'exception' | 'attestation';

/** A block of conditions. */
export interface ConditionsStep {
  readonly kind: 'conditions';
  readonly role: ConditionsRole;
  readonly result?: boolean;
  readonly error?: string;
  /** The evaluated conditions: those after the deciding one are omitted. */
  readonly steps: readonly TraceStep[];
}

/** One condition. */
export interface ConditionStep {
  /** The kind of the step. */
  readonly kind: 'condition';
  /** The list that contains the condition; `old` for the old flat form. */
  readonly list: 'any' | 'all' | 'old';
  /** The index of the condition in its list. */
  readonly index: number;
  /** After its variables were replaced. */
  readonly key?: unknown;
  /** The operator, as written. */
  readonly operator: string;
  /** The value that the key is compared with. */
  readonly value?: unknown;
  /** Whether the condition holds. */
  readonly result?: boolean;
  /** The error of the evaluation. */
  readonly error?: string;
  /** The steps of the evaluation. */
  readonly steps: readonly TraceStep[];
}

/** A comparison with a pattern. */
export interface PatternStep {
  readonly kind: 'pattern';
  /** Which of `anyPattern`. */
  readonly index?: number;
  readonly outcome: 'pass' | 'skip' | 'fail' | 'error';
  readonly message?: string;
  /** The first place of the object that is not as wanted: `/spec/containers/0/image/`. */
  readonly path?: string;
  /** The value that was found; absent for nothing. */
  readonly found?: unknown;
  /** The part of the pattern that asks for something else. */
  readonly wanted?: unknown;
}

/** An entry of `foreach`. */
export interface LoopStep {
  readonly kind: 'loop';
  readonly index: number;
  /** In JMESPath. */
  readonly list: string;
  /** Where it reads from, as of a variable. */
  readonly reads?: readonly (string | number)[];
  readonly count?: number;
  readonly error?: string;
  readonly steps: readonly TraceStep[];
}

/** An element of a loop. */
export interface ElementStep {
  readonly kind: 'element';
  readonly index: number;
  readonly element: unknown;
  /** Absent if it was not evaluated. */
  readonly status?: RuleStatus;
  readonly message?: string;
  readonly steps: readonly TraceStep[];
}

/** A patch that was applied. */
export interface PatchStep {
  readonly kind: 'patch';
  readonly form: 'patchStrategicMerge' | 'patchesJson6902';
  /** After its variables were replaced. */
  readonly patch: unknown;
  readonly before?: JsonObject | undefined;
  readonly after?: JsonObject | undefined;
  readonly status: RuleStatus;
  readonly message: string;
}

/** A PolicyException that names the rule. */
export interface ExceptionStep {
  readonly kind: 'exception';
  /** `NAMESPACE/NAME`. */
  readonly key: string;
  readonly applies: boolean;
  readonly match: FiltersTrace;
  readonly steps: readonly TraceStep[];
}

/** The old object judged by the same rule (`allowExistingViolations`). */
export interface OldObjectStep {
  readonly kind: 'oldObject';
  readonly status?: RuleStatus;
  readonly message?: string;
  readonly steps: readonly TraceStep[];
}

/** An existing object that a rule mutates (`mutate.targets`). */
export interface TargetStep {
  readonly kind: 'target';
  /** `Kind/name`. */
  readonly target: string;
  readonly status: RuleStatus;
  readonly message: string;
  readonly steps: readonly TraceStep[];
}

/** A validation in CEL (`validate.cel`). */
export interface CelStep {
  readonly kind: 'cel';
  readonly index: number;
  readonly outcome: 'holds' | 'fail' | 'error';
  readonly message?: string;
}

/** A control of the Pod Security Standards that objects to something. */
export interface ControlStep {
  readonly kind: 'control';
  readonly reason: string;
  readonly violations: readonly string[];
}

type Nested = Extract<TraceStep, { readonly steps: readonly TraceStep[] }>;
type WithoutSteps<Step> = Step extends unknown ? Omit<Step, 'steps'> : never;

/** Records the evaluation steps of one request, in order. */
export class RuleTracer {
  /** The evaluated policies, in order. */
  readonly policies: PolicyTrace[] = [];
  #rules: RuleTrace[] = [];
  #specs: SpecTrace[] = [];
  #results: RuleResult[] = [];
  #steps: TraceStep[] = [];
  #begun = new Map<string, { readonly steps: TraceStep[]; readonly results: RuleResult[] }>();
  readonly #outer: TraceStep[][] = [];

  /** Begins a policy. */
  policy(about: Pick<PolicyTrace, 'kind' | 'policy' | 'namespace' | 'type'>): void {
    this.#rules = [];
    this.#specs = [];
    this.#begun = new Map();
    this.policies.push({ ...about, rules: this.#rules, specs: this.#specs });
  }

  /** Records why no rule of the policy is evaluated. */
  keep(kept: NonNullable<PolicyTrace['kept']>): void {
    const last = this.policies.pop();
    if (last !== undefined) this.policies.push({ ...last, kept });
  }

  /** Begins a rule of the policy. */
  rule(
    { name, source, origin }: ComputedRule & { readonly name: string },
    match: MatchTrace,
  ): void {
    this.#steps = [];
    this.#results = [];
    const [steps, results] = [this.#steps, this.#results];
    this.#rules.push({ rule: name, source, origin, match, steps, results });
    this.#begun.set(name, { steps, results });
  }

  /** Continues a rule of the policy that was begun before. */
  resume(rule: string): void {
    const begun = this.#begun.get(rule);
    if (begun === undefined) return;
    this.#steps = begun.steps;
    this.#results = begun.results;
  }

  /** Records a spec of the policy. */
  spec(spec: SpecTrace): void {
    this.#specs.push(spec);
  }

  /** Records the change that the mutations of the last spec made to the object. */
  change(before: unknown, after: unknown): void {
    const last = this.#specs.pop();
    if (last !== undefined) this.#specs.push({ ...last, change: { before, after } });
  }

  /** Records the result of the rule. */
  result(result: RuleResult): void {
    this.#results.push(result);
  }

  /** Records a variable that was read. */
  variable(expression: string, result: unknown): void {
    const reads = readPath(expression);
    const read = reads === undefined ? {} : { reads };
    this.add({ kind: 'variable', expression, ...foundOf(result), ...read });
  }

  /** Adds a step. */
  add(step: TraceStep): void {
    this.#steps.push(step);
  }

  /** Begins a step that others belong to. */
  open(): void {
    this.#outer.push(this.#steps);
    this.#steps = [];
  }

  /** Ends the step that was begun last. */
  close(step: WithoutSteps<Nested>): void {
    const steps = this.#steps;
    this.#steps = this.#outer.pop() ?? [];
    const reads = step.kind === 'loop' ? readPath(step.list) : undefined;
    this.#steps.push({ ...step, ...(reads === undefined ? {} : { reads }), steps } as Nested);
  }
}

/** A value or a failure as steps have it: nothing but JSON. */
export function foundOf(value: unknown): Found {
  return value instanceof Failure ? { error: value.message } : { value: plainValue(value) };
}

/** A value of JMESPath as JSON. */
function plainValue(value: unknown): unknown {
  if (value instanceof Items) return value.list;
  return value instanceof ExpressionReference ? String(value) : value;
}
