import { collectParameters, type MatchResult, type ParametersResult } from '@kubeadmit/matcher';
import type { BindingHook, PolicyHook } from './hooks.ts';
import type { RequestContext } from './request-context.ts';
import {
  type BindingTrace,
  bindingTrace,
  type PolicyTrace,
  policyTrace,
  type TraceHead,
} from './trace.ts';

/** The error of policies that were not evaluated before the deadline of the request. */
export const lateText = 'the time of the request was up before the policy was evaluated';

/** How a policy matches a request. */
export type MatchedBy = Extract<MatchResult, { readonly outcome: 'match' }>;

/** A policy of either kind with its bindings. */
type AnyHook = PolicyHook<unknown, unknown>;

/** The handling of a policy of one kind that matches a request. */
export interface PolicyDispatcher<Hook extends AnyHook> {
  readonly context: RequestContext;
  readonly head: TraceHead;
  /** Reports that a policy, or one of its bindings, cannot work; returns the text for the trace. */
  reportError(hook: Hook, binding: BindingHook | undefined, text: string): string;
}

/**
 * Matches a policy with the request (apiserver policy/generic/policy_dispatcher.go). Returns the match, or the trace of
 * a policy that does not match or has an error.
 */
export function matchPolicy<Hook extends AnyHook>(
  dispatcher: PolicyDispatcher<Hook>,
  hook: Hook,
): MatchedBy | PolicyTrace {
  const { context, head } = dispatcher;
  const match = context.match(hook.match);
  const { reason } = match;
  if (match.outcome === 'noMatch') return policyTrace(head, hook, 'noMatch', reason, []);
  if (match.outcome === 'match' && hook.configurationError === undefined) return match;
  const error = match.outcome === 'error' ? match.message : hook.configurationError;
  const message = dispatcher.reportError(hook, undefined, error ?? '');
  return { ...policyTrace(head, hook, 'error', reason, []), message };
}

/** Matches a binding of a matching policy; returns the trace of a binding that does not match or has an error. */
export function matchBinding<Hook extends AnyHook>(
  dispatcher: PolicyDispatcher<Hook>,
  hook: Hook,
  binding: BindingHook,
): BindingTrace | undefined {
  if (binding.match === undefined) return undefined;
  const match = dispatcher.context.match(binding.match);
  if (match.outcome === 'noMatch') return bindingTrace(binding, 'noMatch', match.reason, []);
  if (match.outcome === 'error') return bindingError(dispatcher, hook, binding, match.message);
  return undefined;
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
