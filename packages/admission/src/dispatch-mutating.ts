import type { KubernetesObject, Status } from '@kubeadmit/apimachinery';
import type { RequestAttributes } from '@kubeadmit/engine';
import {
  type CompiledMutation,
  type ConditionsResult,
  evaluateMatchConditions,
  type Steps,
} from '@kubeadmit/engine/unstable-internal';
import { deepEqual } from '@kubeadmit/go';
import type { Parameter } from '@kubeadmit/matcher';
import type { Json } from '@kubeadmit/mutator';
import { type ConvertedBack, toRequestForm } from './convert-object.ts';
import type { Decision } from './decision.ts';
import {
  bindingError,
  lateText,
  matchBinding,
  matchPolicy,
  type PolicyDispatcher,
  parametersFor,
} from './dispatch-policy.ts';
import type { EvaluationBindings, Matched } from './evaluation-bindings.ts';
import type { BindingHook, MutatingHook } from './hooks.ts';
import { makeMutation } from './make-mutation.ts';
import { mutatingParameter } from './mutating-parameter.ts';
import { type MutatingError, mutatingDenial } from './plugins/denial.ts';
import type { Reinvocation } from './reinvocation.ts';
import { parameterName, type RequestContext } from './request-context.ts';
import {
  type BindingTrace,
  bindingTrace,
  type EvaluationTrace,
  type MutationTrace,
  type PolicyTrace,
  policyTrace,
  type TraceHead,
} from './trace.ts';
import type { VersionedObjects } from './versioned-objects.ts';

/** The result of one pass of the mutating policies. */
export interface MutatingOutcome extends Pick<Decision, 'denial' | 'object' | 'trace'> {
  /** There were errors, ignored or not. */
  readonly hasErrors: boolean;
}

/** One pass of mutating policies. */
export interface MutatingPass {
  readonly pass: 1 | 2;
  readonly reinvocation: Reinvocation;
}

interface Invocation extends Matched {
  readonly hook: MutatingHook;
  readonly binding: BindingHook;
  readonly parameter: Parameter;
  /** Where the trace of the binding takes its evaluations. */
  readonly evaluations: EvaluationTrace[];
}

interface PolicyError extends MutatingError {
  readonly failurePolicy: string;
}

/**
 * Runs one pass of the mutating policies on a request (apiserver policy/generic/policy_dispatcher.go
 * and policy/mutating/dispatcher.go).
 *
 * Which policies, bindings and parameters apply is settled before the first of them changes anything.
 */
export function dispatchMutating(
  context: RequestContext,
  hooks: readonly MutatingHook[],
  pass: MutatingPass,
): Steps<MutatingOutcome> {
  return new MutatingDispatch(context, pass).run(hooks);
}

class MutatingDispatch implements PolicyDispatcher<MutatingHook> {
  readonly context: RequestContext;
  readonly head: TraceHead;
  readonly #invocations: Invocation[] = [];
  readonly #request: RequestAttributes;
  readonly #pass: MutatingPass;
  readonly #errors: PolicyError[] = [];
  readonly #trace: PolicyTrace[] = [];
  #last: VersionedObjects | undefined;
  /** The time of the request is up. */
  #isLate = false;

  constructor(context: RequestContext, pass: MutatingPass) {
    this.context = context;
    this.#request = context.request;
    this.#pass = pass;
    this.head = { kind: 'MutatingAdmissionPolicy', pass: pass.pass };
  }

  *run(hooks: readonly MutatingHook[]): Steps<MutatingOutcome> {
    for (const hook of hooks) this.#trace.push(this.#select(hook));
    const fatal = this.#invocations.length === 0 ? undefined : yield* this.#invokeAll();
    if (fatal !== undefined) return this.#outcome(fatal, this.#request.object);
    const changed = this.#changedObject();
    if (changed?.status !== undefined) return this.#outcome(changed.status, this.#request.object);
    const counted = this.#errors.filter(({ failurePolicy }) => failurePolicy !== 'Ignore');
    const object = changed?.object ?? this.#request.object;
    if (counted.length === 0) return this.#outcome(undefined, object);
    // The denial speaks of the object as it has become.
    return this.#outcome(mutatingDenial({ ...this.#request, object }, counted), object);
  }

  #changedObject(): ConvertedBack | undefined {
    const last = this.#last;
    if (last === undefined || !last.dirty || last.object === null) return undefined;
    this.#pass.reinvocation.request();
    return toRequestForm(this.context.prepared.cluster.schemas, this.#request, last.object);
  }

  #outcome(denial: Status | undefined, object: KubernetesObject | null): MutatingOutcome {
    const isFirst = this.#pass.pass === 1;
    return {
      denial,
      hasErrors: this.#errors.length > 0,
      object,
      trace: isFirst ? this.#trace : this.#trace.filter(hasDoneSomething),
    };
  }

  #select(hook: MutatingHook): PolicyTrace {
    const matched = matchPolicy(this, hook);
    if ('bindings' in matched) return matched;
    const bindings = hook.bindings.map(
      (binding) => matchBinding(this, hook, binding) ?? this.#selectBinding(hook, binding, matched),
    );
    return policyTrace(this.head, hook, 'evaluated', matched.reason, bindings);
  }

  /** Records the work for a policy with each of its parameters. */
  #selectBinding(
    hook: MutatingHook,
    binding: BindingHook,
    { kind, resource }: Matched,
  ): BindingTrace {
    const versioned = this.context.versions.in(kind);
    if (typeof versioned === 'string') {
      const message = this.reportError(hook, undefined, versioned);
      return { ...bindingTrace(binding, 'error', undefined, []), message };
    }
    const found = parametersFor(this.context, hook, binding);
    if (found.outcome === 'error') return bindingError(this, hook, binding, found.message);
    const evaluations: EvaluationTrace[] = [];
    const { schemas } = this.context.prepared.cluster;
    for (const each of found.parameters) {
      const parameter = mutatingParameter(schemas, each, hook.paramKind);
      this.#invocations.push({ hook, binding, parameter, kind, resource, evaluations });
    }
    return bindingTrace(binding, 'evaluated', undefined, evaluations);
  }

  reportError(hook: MutatingHook, binding: BindingHook | undefined, text: string): string {
    const message = `failed to configure ${binding === undefined ? 'policy' : 'binding'}: ${text}`;
    const subject =
      binding === undefined
        ? `policy "${hook.name}"`
        : `policy '${hook.name}' with binding '${binding.name}'`;
    const { failurePolicy } = hook;
    this.#errors.push({ message: `${subject} denied request: ${message}`, failurePolicy });
    return message;
  }

  *#invokeAll(): Steps<Status | undefined> {
    const namespace = this.context.requestNamespace();
    if ('status' in namespace) return namespace.status;
    for (const invocation of this.#invocations) {
      this.#isLate = (yield 'policy') || this.#isLate;
      if (this.#isLate) {
        this.#evaluationError(invocation, lateText);
        continue;
      }
      const fatal = yield* this.#invoke(invocation);
      if (fatal !== undefined) return fatal;
    }
    return undefined;
  }

  *#invoke(invocation: Invocation): Steps<Status | undefined> {
    const { hook, binding, parameter } = invocation;
    const versioned = this.context.versions.in(invocation.kind);
    // INVARIANT: the selection has converted the objects already.
    if (typeof versioned === 'string') throw new Error(versioned);
    if (hook.compiled.matchConditions.length > 0) versioned.typing.read('conditions');
    const bindings = this.context.bindings(versioned, invocation, parameter, hook.paramKind);
    const conditions = this.#conditions(hook, bindings);
    const name = parameterName(parameter);
    const key = (): string => [hook.name, binding.name, name?.namespace, name?.name].join('/');
    const { reinvocation, pass } = this.#pass;
    const isDue = pass === 1 || reinvocation.isDue(key());
    const mutations: MutationTrace[] = [];
    if (isDue || conditions.outcome === 'error') {
      invocation.evaluations.push({ parameter: name, conditions, mutations });
    }
    if (conditions.outcome === 'error') this.#evaluationError(invocation, conditions.message);
    if (conditions.outcome !== 'match' || !isDue) return undefined;
    const before = versioned.object;
    const fatal = yield* this.#mutate(invocation, versioned, mutations);
    if (fatal !== undefined) return fatal;
    const changes = mutations.filter(({ outcome }) => outcome === 'changed').length;
    // Several changes may undo each other.
    if (changes === 1 || (changes > 1 && !deepEqual(before as Json, versioned.object as Json))) {
      reinvocation.request();
    }
    if (hook.compiled.reinvoke) reinvocation.note(key());
    return undefined;
  }

  #conditions(hook: MutatingHook, bindings: EvaluationBindings): ConditionsResult {
    const { matchConditions, variables } = hook.compiled;
    const { conditions, formOf } = bindings;
    const { failurePolicy } = hook;
    return evaluateMatchConditions(matchConditions, conditions, variables, failurePolicy, formOf);
  }

  *#mutate(
    invocation: Invocation,
    versioned: VersionedObjects,
    mutations: MutationTrace[],
  ): Steps<Status | undefined> {
    const { hook, parameter } = invocation;
    const { compiled } = hook;
    for (let mutation = 0; mutation < compiled.mutations.length; mutation++) {
      this.#last = versioned;
      const { object } = versioned;
      if (object === null) continue;
      if (mutation > 0) this.#isLate = (yield 'evaluation') || this.#isLate;
      if (this.#isLate) {
        mutations.push({ mutation, outcome: 'error', message: lateText });
        this.#evaluationError(invocation, lateText);
        continue;
      }
      versioned.typing.read('mutation');
      const result = makeMutation(this.context, {
        hook,
        mutation: compiled.mutations[mutation] as CompiledMutation,
        bindings: this.context.bindings(versioned, invocation, parameter),
        versioned,
        object,
        parameter,
      });
      if (result.outcome === 'status') {
        mutations.push({ mutation, outcome: 'error', message: result.status.message ?? '' });
        return result.status;
      }
      if (result.outcome === 'error') {
        mutations.push({ mutation, outcome: 'error', message: result.message });
        this.#evaluationError(invocation, result.message);
        continue;
      }
      const after = result.object;
      mutations.push(
        deepEqual(object as Json, after as Json)
          ? { mutation, outcome: 'unchanged' }
          : { mutation, outcome: 'changed', before: object, after },
      );
      versioned.object = after;
      versioned.dirty = true;
      versioned.typing.forgetObject();
    }
    return undefined;
  }

  #evaluationError({ hook, binding }: Invocation, text: string): void {
    this.#errors.push({
      message: `policy '${hook.name}' with binding '${binding.name}' denied request: ${text}`,
      reason: 'Invalid',
      failurePolicy: hook.failurePolicy,
    });
  }
}

// In the second pass most policies have nothing to do.
function hasDoneSomething({ outcome, bindings }: PolicyTrace): boolean {
  return (
    outcome === 'error' ||
    bindings.some((binding) => binding.outcome === 'error' || binding.evaluations.length > 0)
  );
}
