import type { Status } from '@kubeadmit/apimachinery';
import {
  evaluateValidatingPolicy,
  type RequestAttributes,
  type ValidatingResult,
} from '@kubeadmit/engine';
import { failedEvaluation, isAdmission, type Steps } from '@kubeadmit/engine/unstable-internal';
import { AuditAnnotations, PolicyAnnotations } from './audit-annotations.ts';
import type { Decision } from './decision.ts';
import {
  bindingError,
  lateText,
  type MatchedBy,
  matchBinding,
  matchPolicy,
  type PolicyDispatcher,
  parametersFor,
} from './dispatch-policy.ts';
import type { Matched } from './evaluation-bindings.ts';
import type { BindingHook, ValidatingHook } from './hooks.ts';
import { validatingDenial } from './plugins/denial.ts';
import { parameterName, type RequestContext } from './request-context.ts';
import {
  type BindingTrace,
  bindingTrace,
  type EvaluationTrace,
  type PolicyTrace,
  policyTrace,
  type TraceHead,
} from './trace.ts';
import type { VersionedObjects } from './versioned-objects.ts';

interface Denied {
  readonly message: string;
  readonly reason?: string | undefined;
}

/** Runs the validating policies on a request (apiserver policy/validating/dispatcher.go). */
export function dispatchValidating(
  context: RequestContext,
  hooks: readonly ValidatingHook[],
): Steps<Decision> {
  return new ValidatingDispatch(context).run(hooks);
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

  *run(hooks: readonly ValidatingHook[]): Steps<Decision> {
    // An index, since in generators V8 makes an object for each step of an iteration.
    for (let index = 0; index < hooks.length; index++) {
      const hook = hooks[index] as ValidatingHook;
      this.#isLate = (yield 'policy') || this.#isLate;
      this.#isEvaluated = false;
      const matched = matchPolicy(this, hook);
      const trace = matched.outcome === 'match' ? this.#runPlain(hook, matched) : matched;
      this.#trace.push(trace ?? (yield* this.#runPolicy(hook, matched as MatchedBy)));
      if (this.#fatal !== undefined) return this.#outcome(this.#fatal);
    }
    this.#annotations.publishFailures();
    const first = this.#denied[0];
    if (first === undefined) return this.#outcome(undefined);
    return this.#outcome(validatingDenial(this.#request, first.message, first.reason ?? 'Invalid'));
  }

  #outcome(denial: Status | undefined): Decision {
    return {
      denial,
      object: this.#request.object,
      warnings: [...this.#warnings],
      auditAnnotations: this.#annotations.all,
      trace: this.#trace,
    };
  }

  *#runPolicy(hook: ValidatingHook, matched: MatchedBy): Steps<PolicyTrace> {
    const bindings: BindingTrace[] = [];
    for (const binding of hook.bindings) {
      const unmatched = matchBinding(this, hook, binding);
      bindings.push(unmatched ?? (yield* this.#runBinding(hook, binding, matched)));
      if (this.#fatal !== undefined) break;
    }
    if (!this.#policyAnnotations.isEmpty) {
      if (this.#fatal === undefined) {
        this.#annotations.publish(hook.name, this.#policyAnnotations.values);
      }
      this.#policyAnnotations = new PolicyAnnotations();
    }
    return policyTrace(this.head, hook, 'evaluated', matched.reason, bindings);
  }

  /**
   * Evaluates a policy without parameters; `undefined` for other policies. The trace of an allowing evaluation is the
   * same for all requests that match in the same way, so it is cached.
   */
  #runPlain(hook: ValidatingHook, matched: MatchedBy): PolicyTrace | undefined {
    const binding = hook.bindings[0];
    if (!hook.isPlain || this.#isLate || binding === undefined) return undefined;
    const { compiled } = hook;
    if (compiled.auditAnnotations.length > 0) return undefined;
    const versioned = this.context.versions.in(matched.kind);
    if (typeof versioned === 'string' || 'status' in this.context.requestNamespace()) {
      return undefined;
    }
    versioned.typing.read('conditions');
    const bindings = this.context.bindings(versioned, matched, null);
    const result = evaluateValidatingPolicy(compiled, bindings);
    const { reason } = matched;
    const isAdmitted = isAdmission(result);
    const known = hook.admission;
    if (isAdmitted && known?.reason === reason) return known;
    const { conditions, decisions, auditAnnotations } = result;
    this.#take(hook, binding, result);
    const evaluated = { parameter: undefined, conditions, decisions, auditAnnotations };
    const ofBinding = bindingTrace(binding, 'evaluated', undefined, [evaluated]);
    const trace = policyTrace(this.head, hook, 'evaluated', reason, [ofBinding]);
    if (isAdmitted) hook.admission = frozen(trace);
    return trace;
  }

  /** Evaluates a policy with each of its parameters. */
  *#runBinding(hook: ValidatingHook, binding: BindingHook, matched: Matched): Steps<BindingTrace> {
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
      if (this.#isEvaluated) this.#isLate = (yield 'evaluation') || this.#isLate;
      this.#isEvaluated = true;
      const bindings = this.context.bindings(versioned as VersionedObjects, matched, parameter);
      const result = this.#isLate
        ? failedEvaluation(hook.failurePolicy, lateText)
        : evaluateValidatingPolicy(hook.compiled, bindings);
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

/** Freezes a trace that several answers share, so that changing one answer cannot affect another. */
function frozen(trace: PolicyTrace): PolicyTrace {
  for (const binding of trace.bindings) {
    for (const evaluation of binding.evaluations) Object.freeze(evaluation);
    Object.freeze(binding.evaluations);
    Object.freeze(binding);
  }
  Object.freeze(trace.bindings);
  return Object.freeze(trace);
}
