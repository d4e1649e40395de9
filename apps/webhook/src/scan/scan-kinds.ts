import { type JsonObject, member } from '@kubeadmit/apimachinery';
import type { Chain } from '@kubeadmit/check';

/** What of a cluster policies may concern. */
export type ConcernsKind = (kind: ServedKind) => boolean;

/** A kind that a cluster serves. */
export interface ServedKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly resource: string;
}

const podControllers: ReadonlyMap<string, string> = new Map([
  ['daemonsets', 'apps'],
  ['deployments', 'apps'],
  ['replicasets', 'apps'],
  ['statefulsets', 'apps'],
  ['jobs', 'batch'],
  ['cronjobs', 'batch'],
  ['replicationcontrollers', ''],
]);

/**
 * Tells which kinds the validating policies of a chain may have something to say about, were an object of them
 * created. Versions do not matter, since policies match equivalent ones, too.
 */
export async function concernedKinds({ cluster, kyverno }: Chain): Promise<ConcernsKind> {
  const concerns: ConcernsKind[] = cluster.validatingPolicies.map((policy) =>
    byRules(member(policy, 'spec')),
  );
  if (kyverno !== undefined) {
    const { classic, cel } = kyverno.policies;
    for (const { object } of cel) {
      const own = byRules(member(object, 'spec'));
      // Kyverno makes rules for what makes pods.
      concerns.push((kind) => own(kind) || (isPodController(kind) && own(pod)));
    }
    if (classic.length > 0) {
      const { computeRules, parseKindSelector, selectsKind } = await import(
        '@kubeadmit/kyverno/internal'
      );
      for (const { object } of classic) {
        const rules = computeRules(object as JsonObject, '');
        const selectors = rules
          .flatMap((rule) => kindsOf(member(rule, 'match')))
          .map(parseKindSelector);
        concerns.push((kind) => selectors.some((selector) => selectsKind(selector, kind, '')));
      }
    }
  }
  return (kind) => concerns.some((concern) => concern(kind));
}

const pod: ServedKind = { group: '', version: 'v1', kind: 'Pod', resource: 'pods' };

function isPodController({ group, resource }: ServedKind): boolean {
  return podControllers.get(resource) === group;
}

function byRules(spec: unknown): ConcernsKind {
  const constraints = member(spec, 'matchConstraints');
  const rules = listOf(member(constraints, 'resourceRules'))
    .filter((rule) => chooses(rule, 'operations', 'CREATE'))
    .map((rule) => ({ rule, resources: listOf(member(rule, 'resources')) }));
  return ({ group, resource }) =>
    rules.some(
      ({ rule, resources }) =>
        chooses(rule, 'apiGroups', group) &&
        resources.some((each) => each === '*' || each === '*/*' || each === resource),
    );
}

function chooses(rule: unknown, field: string, value: string): boolean {
  const values = listOf(member(rule, field));
  return values.includes('*') || values.includes(value);
}

// Wherever in `any`, `all` and `resources` they are named.
function kindsOf(match: unknown): readonly string[] {
  const own = listOf(member(member(match, 'resources'), 'kinds')).map(String);
  const below = ['any', 'all'].flatMap((field) => listOf(member(match, field)).flatMap(kindsOf));
  return [...own, ...below];
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
