import {
  collectParameters,
  type MatchResult,
  matchRequest,
  type ParametersResult,
} from '@kubeadmit/matcher';
import type { Matched } from './evaluation-bindings.ts';
import type { BindingHook, PolicyHook } from './hooks.ts';
import type { RequestContext } from './request-context.ts';
import {
  type BindingTrace,
  bindingTrace,
  type PolicyTrace,
  policyTrace,
  type TraceHead,
} from './trace.ts';

/** In which way a policy concerns a request. */
export type MatchedBy = Extract<MatchResult, { readonly outcome: 'match' }>;

/** A policy of either kind with its bindings. */
type AnyHook = PolicyHook<unknown, unknown>;

/** What a kind of policies does where one concerns a request. */
export interface PolicyDispatcher<Hook extends AnyHook> {
  readonly context: RequestContext;
  readonly head: TraceHead;
  /** An error has ended everything, so that no binding is asked any more. */
  readonly isEnded: boolean;
  /** A plain policy concerns the request; `undefined` where it is to be asked like any other. */
  dispatchPlain?(hook: Hook, matched: MatchedBy): PolicyTrace | undefined;
  /** A policy and one of its bindings concern the request. */
  dispatchBinding(hook: Hook, binding: BindingHook, matched: Matched): BindingTrace;
  /** A policy, or with a binding that, cannot work; gives the text for the trace. */
  reportError(hook: Hook, binding: BindingHook | undefined, text: string): string;
}

/** Asks a policy and then its bindings whether they concern the request (apiserver policy/generic/policy_dispatcher.go). */
export function dispatchPolicy<Hook extends AnyHook>(
  dispatcher: PolicyDispatcher<Hook>,
  hook: Hook,
): PolicyTrace {
  const { context, head } = dispatcher;
  const match = matchRequest(hook.match, context.request, context.matchEnvironment);
  const { reason } = match;
  if (match.outcome === 'noMatch') return policyTrace(head, hook, 'noMatch', reason, []);
  const error = match.outcome === 'error' ? match.message : hook.configurationError;
  if (match.outcome === 'error' || error !== undefined) {
    const message = dispatcher.reportError(hook, undefined, error ?? '');
    return { ...policyTrace(head, hook, 'error', reason, []), message };
  }
  const plain = hook.isPlain ? dispatcher.dispatchPlain?.(hook, match) : undefined;
  if (plain !== undefined) return plain;
  const bindings: BindingTrace[] = [];
  for (const binding of hook.bindings) {
    bindings.push(dispatchBinding(dispatcher, hook, binding, match));
    if (dispatcher.isEnded) break;
  }
  return policyTrace(head, hook, 'evaluated', reason, bindings);
}

function dispatchBinding<Hook extends AnyHook>(
  dispatcher: PolicyDispatcher<Hook>,
  hook: Hook,
  binding: BindingHook,
  matched: Matched,
): BindingTrace {
  if (binding.match !== undefined) {
    const { request, matchEnvironment } = dispatcher.context;
    const match = matchRequest(binding.match, request, matchEnvironment);
    if (match.outcome === 'noMatch') return bindingTrace(binding, 'noMatch', match.reason, []);
    if (match.outcome === 'error') return bindingError(dispatcher, hook, binding, match.message);
  }
  return dispatcher.dispatchBinding(hook, binding, matched);
}

/** A binding that cannot work. */
export function bindingError<Hook extends AnyHook>(
  dispatcher: PolicyDispatcher<Hook>,
  hook: Hook,
  binding: BindingHook,
  text: string,
): BindingTrace {
  const message = dispatcher.reportError(hook, binding, text);
  return { ...bindingTrace(binding, 'error', undefined, []), message };
}

/** The parameters of a policy with a binding for the request. */
export function parametersFor(
  { request }: RequestContext,
  { paramKind, parameters }: AnyHook,
  { paramRef }: BindingHook,
): ParametersResult {
  return collectParameters(paramKind, paramRef, parameters, request.namespace);
}
