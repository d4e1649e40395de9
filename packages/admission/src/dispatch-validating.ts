import type { Status } from '@kubeadmit/apimachinery';
import { withGoForms } from '@kubeadmit/cel';
import {
  evaluateValidatingPolicy,
  type RequestAttributes,
  type ValidatingResult,
} from '@kubeadmit/engine';
import { failedEvaluation } from '@kubeadmit/engine/internal';
import { collectParameters, matchRequest } from '@kubeadmit/matcher';
import { AuditAnnotations, PolicyAnnotations } from './audit-annotations.ts';
import { validatingDenial } from './denial.ts';
import type { Matched } from './evaluation-bindings.ts';
import type { BindingHook, ValidatingHook } from './hooks.ts';
import { parameterName, type RequestContext } from './request-context.ts';
import { lateText, type Steps } from './steps.ts';
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

const traceHead: TraceHead = { kind: 'ValidatingAdmissionPolicy', pass: 1 };

interface Denied {
  readonly message: string;
  readonly reason?: string | undefined;
}

/** Runs the validating policies on a request (apiserver policy/validating/dispatcher.go). */
export function dispatchValidating(
  context: RequestContext,
  hooks: readonly ValidatingHook[],
  givesWay: boolean,
): Steps<ValidatingOutcome> {
  return new ValidatingDispatch(context).run(hooks, givesWay);
}

class ValidatingDispatch {
  private readonly context: RequestContext;
  private readonly request: RequestAttributes;
  private readonly denied: Denied[] = [];
  private readonly warnings: Set<string> = new Set();
  private readonly annotations: AuditAnnotations = new AuditAnnotations();
  private readonly trace: PolicyTrace[] = [];
  /** An error that ends everything at once, whatever the policies say. */
  private fatal: Status | undefined;
  /** The time of the request is up. */
  private isLate = false;

  constructor(context: RequestContext) {
    this.context = context;
    this.request = context.request;
  }

  *run(hooks: readonly ValidatingHook[], givesWay: boolean): Steps<ValidatingOutcome> {
    for (const hook of hooks) {
      if (givesWay) this.isLate = (yield) || this.isLate;
      this.trace.push(this.runPolicy(hook));
      if (this.fatal !== undefined) return this.outcome(this.fatal);
    }
    this.annotations.publishFailures();
    const first = this.denied[0];
    if (first === undefined) return this.outcome(undefined);
    return this.outcome(validatingDenial(this.request, first.message, first.reason ?? 'Invalid'));
  }

  private outcome(denial: Status | undefined): ValidatingOutcome {
    return {
      denial,
      warnings: [...this.warnings],
      auditAnnotations: this.annotations.all,
      trace: this.trace,
    };
  }

  private runPolicy(hook: ValidatingHook): PolicyTrace {
    const match = matchRequest(hook.match, this.request, this.context.matchEnvironment);
    const { reason } = match;
    if (match.outcome === 'noMatch') return policyTrace(traceHead, hook, 'noMatch', reason, []);
    const error = match.outcome === 'error' ? match.message : hook.configurationError;
    if (match.outcome === 'error' || error !== undefined) {
      const message = `failed to configure policy: ${error}`;
      this.deny(hook, undefined, message);
      return { ...policyTrace(traceHead, hook, 'error', reason, []), message };
    }
    const annotations = new PolicyAnnotations();
    const bindings: BindingTrace[] = [];
    for (const binding of hook.bindings) {
      bindings.push(this.runBinding(hook, binding, match, annotations));
      if (this.fatal !== undefined)
        return policyTrace(traceHead, hook, 'evaluated', reason, bindings);
    }
    this.annotations.publish(hook.name, annotations.values);
    return policyTrace(traceHead, hook, 'evaluated', reason, bindings);
  }

  private runBinding(
    hook: ValidatingHook,
    binding: BindingHook,
    matched: Matched,
    annotations: PolicyAnnotations,
  ): BindingTrace {
    if (binding.match !== undefined) {
      const match = matchRequest(binding.match, this.request, this.context.matchEnvironment);
      if (match.outcome === 'noMatch') return bindingTrace(binding, 'noMatch', match.reason, []);
      if (match.outcome === 'error') return this.bindingError(hook, binding, match.message);
    }
    const parameters = collectParameters(
      hook.paramKind,
      binding.paramRef,
      hook.parameters,
      this.request.namespace,
    );
    if (parameters.outcome === 'error') return this.bindingError(hook, binding, parameters.message);
    const some = parameters.parameters.length > 0;
    const versioned = some ? this.context.versions.in(matched.kind) : undefined;
    if (typeof versioned === 'string') {
      const message = `failed to convert object version: ${versioned}`;
      return this.bindingError(hook, binding, message);
    }
    const namespace = this.context.requestNamespace();
    if ('status' in namespace) {
      this.fatal = namespace.status;
      const message = namespace.status.message ?? '';
      return { ...bindingTrace(binding, 'error', undefined, []), message };
    }
    const evaluations: EvaluationTrace[] = [];
    versioned?.typing.read('conditions');
    for (const parameter of parameters.parameters) {
      const bindings = this.context.bindings(versioned as VersionedObjects, matched, parameter);
      const result = this.isLate
        ? failedEvaluation(hook.failurePolicy, lateText)
        : withGoForms(bindings.goForm, () => evaluateValidatingPolicy(hook.compiled, bindings));
      const { conditions, decisions, auditAnnotations } = result;
      this.take(hook, binding, result, annotations);
      const name = parameterName(parameter);
      evaluations.push({ parameter: name, conditions, decisions, auditAnnotations });
    }
    return bindingTrace(binding, 'evaluated', undefined, evaluations);
  }

  private take(
    hook: ValidatingHook,
    binding: BindingHook,
    result: ValidatingResult,
    annotations: PolicyAnnotations,
  ): void {
    const subject = `ValidatingAdmissionPolicy '${hook.name}' with binding '${binding.name}'`;
    for (const [index, { action, message, reason }] of result.decisions.entries()) {
      if (action === 'admit') continue;
      for (const validationAction of binding.actions) {
        if (validationAction === 'Deny') {
          this.denied.push({ message: `${subject} denied request: ${message}`, reason });
        } else if (validationAction === 'Audit') {
          this.annotations.addFailure({
            message,
            policy: hook.name,
            binding: binding.name,
            expressionIndex: index,
            validationActions: binding.actions,
          });
        } else if (validationAction === 'Warn') {
          this.warnings.add(`Validation failed for ${subject}: ${message}`);
        }
      }
    }
    for (const annotation of result.auditAnnotations) {
      if (annotation.action === 'publish') annotations.add(annotation.key, annotation.value);
      if (annotation.action !== 'error') continue;
      this.denied.push({ message: `${subject} denied request: ${annotation.message}` });
    }
  }

  private bindingError(hook: ValidatingHook, binding: BindingHook, text: string): BindingTrace {
    const message = `failed to configure binding: ${text}`;
    this.deny(hook, binding, message);
    return { ...bindingTrace(binding, 'error', undefined, []), message };
  }

  // Errors of configuration deny whatever the actions of a binding are.
  private deny(hook: ValidatingHook, binding: BindingHook | undefined, message: string): void {
    if (hook.failurePolicy === 'Ignore') return;
    const by = binding === undefined ? '' : ` with binding '${binding.name}'`;
    const text = `ValidatingAdmissionPolicy '${hook.name}'${by} denied request: ${message}`;
    this.denied.push({ message: text });
  }
}
