import type { Status } from '@kubeadmit/apimachinery';
import { isInterrupted, withGoForms } from '@kubeadmit/cel/internal';
import { evaluateValidatingPolicy, type ValidatingResult } from '@kubeadmit/engine';
import type { RequestAttributes } from '@kubeadmit/engine/internal';
import { failedEvaluation, isAdmission } from '@kubeadmit/engine/internal';
import { AuditAnnotations, PolicyAnnotations } from './audit-annotations.ts';
import { validatingDenial } from './denial.ts';
import {
  bindingError,
  dispatchPolicy,
  type MatchedBy,
  type PolicyDispatcher,
  parametersFor,
} from './dispatch-policy.ts';
import type { Matched } from './evaluation-bindings.ts';
import type { BindingHook, ValidatingHook } from './hooks.ts';
import { parameterName, type RequestContext } from './request-context.ts';
import { lateText, type Steps, type WantsTurn } from './steps.ts';
import {
  type BindingTrace,
  bindingTrace,
  type EvaluationTrace,
  type PolicyTrace,
  policyTrace,
  type TraceHead,
} from './trace.ts';
import type { VersionedObjects } from './versioned-objects.ts';

/** What the validating policies say of a request. */
export interface ValidatingOutcome {
  /** The denial; `undefined` when the request is allowed. */
  readonly denial: Status | undefined;
  readonly warnings: readonly string[];
  readonly auditAnnotations: Readonly<Record<string, string>> | undefined;
  readonly trace: readonly PolicyTrace[];
}

interface Denied {
  readonly message: string;
  readonly reason?: string | undefined;
}

/** Runs the validating policies on a request (apiserver policy/validating/dispatcher.go). */
export function dispatchValidating(
  context: RequestContext,
  hooks: readonly ValidatingHook[],
  wantsTurn: WantsTurn | undefined,
): Steps<ValidatingOutcome> {
  return new ValidatingDispatch(context).run(hooks, wantsTurn);
}

class ValidatingDispatch implements PolicyDispatcher<ValidatingHook> {
  readonly context: RequestContext;
  readonly head: TraceHead = { kind: 'ValidatingAdmissionPolicy', pass: 1 };
  readonly #request: RequestAttributes;
  readonly #denied: Denied[] = [];
  readonly #warnings: Set<string> = new Set();
  readonly #annotations: AuditAnnotations = new AuditAnnotations();
  /** Those of the policy that is being run. */
  #policyAnnotations: PolicyAnnotations = new PolicyAnnotations();
  readonly #trace: PolicyTrace[] = [];
  /** An error that ends everything at once, whatever the policies say. */
  #fatal: Status | undefined;
  /** The time of the request is up. */
  #isLate = false;
  /** The policy that is being run has been evaluated with another parameter or binding. */
  #isEvaluated = false;

  constructor(context: RequestContext) {
    this.context = context;
    this.#request = context.request;
  }

  get isEnded(): boolean {
    return this.#fatal !== undefined;
  }

  *run(
    hooks: readonly ValidatingHook[],
    wantsTurn: WantsTurn | undefined,
  ): Steps<ValidatingOutcome> {
    // An index, since in generators V8 makes an object for each step of an iteration.
    for (let index = 0; index < hooks.length; index++) {
      const hook = hooks[index] as ValidatingHook;
      if (wantsTurn?.()) this.#isLate = (yield) || this.#isLate;
      this.#trace.push(this.#runPolicy(hook));
      if (this.#fatal !== undefined) return this.#outcome(this.#fatal);
    }
    this.#annotations.publishFailures();
    const first = this.#denied[0];
    if (first === undefined) return this.#outcome(undefined);
    return this.#outcome(validatingDenial(this.#request, first.message, first.reason ?? 'Invalid'));
  }

  #outcome(denial: Status | undefined): ValidatingOutcome {
    return {
      denial,
      warnings: [...this.#warnings],
      auditAnnotations: this.#annotations.all,
      trace: this.#trace,
    };
  }

  #runPolicy(hook: ValidatingHook): PolicyTrace {
    this.#isEvaluated = false;
    const trace = dispatchPolicy(this, hook);
    if (this.#policyAnnotations.isEmpty) return trace;
    if (!this.isEnded) this.#annotations.publish(hook.name, this.#policyAnnotations.values);
    this.#policyAnnotations = new PolicyAnnotations();
    return trace;
  }

  /**
   * Evaluates a policy without parameters. One that lets the request in says the same of every request that it matches
   * in the same way, which is kept.
   */
  dispatchPlain(hook: ValidatingHook, matched: MatchedBy): PolicyTrace | undefined {
    const [binding] = hook.bindings;
    if (this.#isLate || binding === undefined) return undefined;
    const versioned = this.context.versions.in(matched.kind);
    if (typeof versioned === 'string' || 'status' in this.context.requestNamespace()) {
      return undefined;
    }
    versioned.typing.read('conditions');
    const bindings = this.context.bindings(versioned, matched, null);
    const result = withGoForms(bindings.goForm, evaluateValidatingPolicy, hook.compiled, bindings);
    const { reason } = matched;
    const isAdmitted = isAdmission(result);
    const known = hook.admission;
    if (isAdmitted && known?.reason === reason) return known;
    const { conditions, decisions, auditAnnotations } = result;
    this.#take(hook, binding, result);
    const evaluation = { parameter: undefined, conditions, decisions, auditAnnotations };
    const ofBinding = bindingTrace(binding, 'evaluated', undefined, [evaluation]);
    const trace = policyTrace(this.head, hook, 'evaluated', reason, [ofBinding]);
    if (isAdmitted) hook.admission = frozen(trace);
    return trace;
  }

  /** Evaluates a policy with each of its parameters. */
  dispatchBinding(hook: ValidatingHook, binding: BindingHook, matched: Matched): BindingTrace {
    const parameters = parametersFor(this.context, hook, binding);
    if (parameters.outcome === 'error') {
      return bindingError(this, hook, binding, parameters.message);
    }
    const some = parameters.parameters.length > 0;
    const versioned = some ? this.context.versions.in(matched.kind) : undefined;
    if (typeof versioned === 'string') {
      const message = `failed to convert object version: ${versioned}`;
      return bindingError(this, hook, binding, message);
    }
    const namespace = this.context.requestNamespace();
    if ('status' in namespace) {
      this.#fatal = namespace.status;
      const message = namespace.status.message ?? '';
      return { ...bindingTrace(binding, 'error', undefined, []), message };
    }
    const evaluations: EvaluationTrace[] = [];
    versioned?.typing.read('conditions');
    for (const parameter of parameters.parameters) {
      const bindings = this.context.bindings(versioned as VersionedObjects, matched, parameter);
      // Before the first one the host was asked.
      if (this.#isEvaluated && isInterrupted()) this.#isLate = true;
      this.#isEvaluated = true;
      const result = this.#isLate
        ? failedEvaluation(hook.failurePolicy, lateText)
        : withGoForms(bindings.goForm, evaluateValidatingPolicy, hook.compiled, bindings);
      const { conditions, decisions, auditAnnotations } = result;
      this.#take(hook, binding, result);
      const name = parameterName(parameter);
      evaluations.push({ parameter: name, conditions, decisions, auditAnnotations });
    }
    return bindingTrace(binding, 'evaluated', undefined, evaluations);
  }

  #take(hook: ValidatingHook, binding: BindingHook, result: ValidatingResult): void {
    const { decisions, auditAnnotations } = result;
    if (auditAnnotations.length === 0 && decisions.every(isAdmitted)) return;
    const subject = `ValidatingAdmissionPolicy '${hook.name}' with binding '${binding.name}'`;
    for (const [index, { action, message, reason }] of decisions.entries()) {
      if (action === 'admit') continue;
      for (const validationAction of binding.actions) {
        if (validationAction === 'Deny') {
          this.#denied.push({ message: `${subject} denied request: ${message}`, reason });
        } else if (validationAction === 'Audit') {
          this.#annotations.addFailure({
            message,
            policy: hook.name,
            binding: binding.name,
            expressionIndex: index,
            validationActions: binding.actions,
          });
        } else if (validationAction === 'Warn') {
          this.#warnings.add(`Validation failed for ${subject}: ${message}`);
        }
      }
    }
    for (const annotation of auditAnnotations) {
      if (annotation.action === 'publish')
        this.#policyAnnotations.add(annotation.key, annotation.value);
      if (annotation.action !== 'error') continue;
      this.#denied.push({ message: `${subject} denied request: ${annotation.message}` });
    }
  }

  /** Errors of configuration deny whatever the actions of a binding are. */
  reportError(hook: ValidatingHook, binding: BindingHook | undefined, text: string): string {
    const message = `failed to configure ${binding === undefined ? 'policy' : 'binding'}: ${text}`;
    if (hook.failurePolicy === 'Ignore') return message;
    const by = binding === undefined ? '' : ` with binding '${binding.name}'`;
    const subject = `ValidatingAdmissionPolicy '${hook.name}'${by}`;
    this.#denied.push({ message: `${subject} denied request: ${message}` });
    return message;
  }
}

function isAdmitted({ action }: ValidatingResult['decisions'][number]): boolean {
  return action === 'admit';
}

/** A trace that several answers have, so that nobody changes what others are told. */
function frozen(trace: PolicyTrace): PolicyTrace {
  for (const binding of trace.bindings) {
    for (const evaluation of binding.evaluations) Object.freeze(evaluation);
    Object.freeze(binding.evaluations);
    Object.freeze(binding);
  }
  Object.freeze(trace.bindings);
  return Object.freeze(trace);
}
