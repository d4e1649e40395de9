import { type JsonObject, type KubernetesObject, kindOfObject } from '@kubeadmit/apimachinery';
import type { ObserveEvaluation } from '@kubeadmit/engine';
import type { ImageVerifier } from '@kubeadmit/kyverno';
import type { Schemas } from '@kubeadmit/schemas';
import { jsonOf } from '../readers/json.ts';
import { kyvernoRole } from '../readers/kyverno-role.ts';
import type { OutsideData } from './outside-data.ts';

/** The cluster that Kyverno runs in. */
export interface KyvernoCluster {
  /** The objects that rules find there, namespaces and RBAC among them. */
  readonly held: readonly KubernetesObject[];
  /** Objects that rules can look up in addition. */
  readonly lookups: Iterable<KubernetesObject>;
  readonly schemas: Schemas;
  /** Returns the time in milliseconds since 1970. */
  readonly clock: () => number;
  /** Data that policies are given in the place of a cluster and of services. */
  readonly outside?: OutsideData | undefined;
  /** Verifies images; without it, rules that verify images are not evaluated. */
  readonly images?: ImageVerifier | undefined;
  /** Receives every evaluation of a CEL expression. */
  readonly observe?: ObserveEvaluation | undefined;
}

/** The objects that rules find in addition to those that the cluster holds; GlobalContextEntries are among them. */
export function lookedUp(
  ofKyverno: readonly KubernetesObject[],
  { held, lookups, outside }: KyvernoCluster,
): readonly JsonObject[] {
  const isHeld = new Set(held);
  const others = [...new Set(lookups)].filter((object) => !isHeld.has(object));
  const data = ofKyverno.filter(isData);
  return [...[...others, ...data].map((each) => jsonOf(each)), ...(outside?.resources ?? [])];
}

function isData(object: KubernetesObject): boolean {
  const named = kindOfObject(object);
  return named !== undefined && kyvernoRole(named) === 'data';
}
