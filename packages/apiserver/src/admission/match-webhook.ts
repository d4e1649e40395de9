import type { PreparedRequest } from '@kubeadmit/admission';
import { RequestContext } from '@kubeadmit/admission/unstable-internal';
import type {
  GroupVersionKind,
  GroupVersionResource,
  KubernetesObject,
  Status,
} from '@kubeadmit/apimachinery';
import { forbiddenStatus, internalErrorStatus } from '@kubeadmit/apimachinery/status';
import type { MatchResources, NamedExpression } from '@kubeadmit/engine';
import {
  type CompiledExpression,
  evaluateMatchConditions,
  type PolicyCompilers,
} from '@kubeadmit/engine/unstable-internal';
import { type CompiledMatch, compileMatch, matchRequest } from '@kubeadmit/matcher';

/** The criteria of a webhook that select its requests (`admissionregistration.k8s.io/v1`). */
export interface WebhookCriteria {
  readonly rules?: MatchResources['resourceRules'];
  readonly matchPolicy?: string;
  readonly namespaceSelector?: MatchResources['namespaceSelector'];
  readonly objectSelector?: MatchResources['objectSelector'];
  readonly matchConditions?: readonly NamedExpression[] | null;
  readonly failurePolicy?: string;
}

/** The compiled criteria of a webhook. */
export interface CompiledCriteria {
  readonly match: CompiledMatch;
  readonly conditions: readonly { readonly name: string; readonly compiled: CompiledExpression }[];
  readonly failurePolicy: string;
}

/** Whether a webhook is called, with the objects in the version that it asks for. */
export type WebhookMatch =
  | { readonly outcome: 'noMatch' }
  | {
      readonly outcome: 'match';
      readonly kind: GroupVersionKind;
      readonly resource: GroupVersionResource;
      /** In the server's internal form (see `plainJson`). */
      readonly object: KubernetesObject | null;
      readonly oldObject: KubernetesObject | null;
    }
  | { readonly outcome: 'error'; readonly status: Status };

/** Prepares the criteria of a webhook. */
export function compileCriteria(
  criteria: WebhookCriteria,
  compilers: PolicyCompilers,
): CompiledCriteria {
  const { rules, matchPolicy, namespaceSelector, objectSelector } = criteria;
  const compiler = compilers.composing();
  const scope = { params: false, authorizer: true, patchTypes: false };
  return {
    match: compileMatch({
      resourceRules: rules ?? [],
      matchPolicy: matchPolicy ?? 'Equivalent',
      namespaceSelector: namespaceSelector ?? {},
      objectSelector: objectSelector ?? {},
    }),
    conditions: (criteria.matchConditions ?? []).map(({ name = '', expression = '' }) => ({
      name,
      compiled: compiler.compile({ expression, scope, result: 'bool', environment: 'stored' }),
    })),
    failurePolicy: criteria.failurePolicy ?? 'Fail',
  };
}

/** Whether a webhook is called for a request (apiserver webhook/generic `ShouldCallHook`). */
export function matchWebhook(
  { match, conditions, failurePolicy }: CompiledCriteria,
  prepared: PreparedRequest,
): WebhookMatch {
  const { attributes, environment } = prepared;
  if (match.rules.length === 0) return { outcome: 'noMatch' };
  const matched = matchRequest(match, attributes, environment.match);
  if (matched.outcome === 'noMatch') return { outcome: 'noMatch' };
  if (matched.outcome === 'error') {
    return { outcome: 'error', status: internalErrorStatus(matched.message) };
  }
  const { kind, resource } = matched;
  const context = new RequestContext(prepared, attributes);
  const versioned = context.versions.in(kind);
  if (typeof versioned === 'string') {
    return { outcome: 'error', status: internalErrorStatus(versioned) };
  }
  if (conditions.length > 0) {
    versioned.typing.read('conditions');
    const { conditions: seen, formOf } = context.bindings(versioned, matched, null);
    const result = evaluateMatchConditions(conditions, seen, new Map(), failurePolicy, formOf);
    if (result.outcome === 'error') {
      const { group, resource: name } = attributes.resource;
      const status = forbiddenStatus({ group, name }, attributes.name, result.message);
      return { outcome: 'error', status };
    }
    if (result.outcome !== 'match') return { outcome: 'noMatch' };
  }
  const { object, oldObject } = versioned;
  return { outcome: 'match', kind, resource, object, oldObject };
}
