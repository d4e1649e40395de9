import { isObject, type JsonObject, type KubernetesObject } from '@kubeadmit/apimachinery';
import { objectOf } from '@kubeadmit/apimachinery/internal';
import {
  type OptionKind,
  requireArgument,
  requireList,
  requireOptions,
} from '@kubeadmit/go/internal';
import type { Schemas } from '@kubeadmit/schemas';
import { requireSchemas } from '@kubeadmit/schemas/internal';
import type { RuleConversion } from './convert.ts';
import type { KnownDifference } from './difference/comparison.ts';
import { type Differences, findDifferences } from './difference/difference.ts';
import { knownDifferences } from './known-differences.ts';

/** How a conversion is proven. */
export interface ProofOptions {
  /** The kinds of the server. */
  readonly schemas: Schemas;
  /** How many requests are made by search. */
  readonly search: number;
  /** Makes the same requests each time; 1 unless said otherwise. */
  readonly seed?: number;
  /** Objects that are asked about as they are, and from which others are grown. */
  readonly resources?: readonly JsonObject[];
  /** What both sides depend on: exceptions, ConfigMaps, namespaces. */
  readonly related?: readonly JsonObject[];
  /** Differences with a known cause besides those that the report of the rule tells of. */
  readonly known?: readonly KnownDifference[];
  /** Beyond so many differences the search ends; 20 unless said otherwise. */
  readonly most?: number;
  /** Gives the time in milliseconds since 1970. */
  readonly clock: () => number;
}

const optionKinds: Readonly<Record<keyof ProofOptions, OptionKind>> = {
  schemas: 'any',
  search: 'number',
  seed: 'number',
  resources: 'list',
  related: 'list',
  known: 'list',
  most: 'number',
  clock: 'function',
};

/**
 * Compares a rule with what it became, by verdicts and objects, each side with nothing else beside it; `undefined`
 * where there is nothing to compare, or no engine for the rule.
 */
export async function proveRule(
  policy: JsonObject,
  told: RuleConversion,
  made: readonly JsonObject[],
  options: ProofOptions,
): Promise<Differences | undefined> {
  requireArgument('proveRule', policy, { what: 'a policy' });
  requireArgument('proveRule', told, { what: 'what convertPolicy told of a rule', has: 'results' });
  requireList('proveRule', made, { what: 'policies' });
  requireOptions('proveRule', options, optionKinds);
  requireSchemas('proveRule', options.schemas);
  // Constraints of Gatekeeper have no engine here.
  const isConstraint = String(policy['apiVersion']).startsWith('constraints.');
  if (told.results.length === 0 || isConstraint) return undefined;
  const spec = objectOf(policy['spec']);
  const rules = Array.isArray(spec['rules'])
    ? { rules: spec['rules'].filter((rule) => isObject(rule) && rule['name'] === told.rule) }
    : {};
  const own = made.filter(({ kind, metadata }) =>
    told.results.includes(`${String(kind)}/${isObject(metadata) ? String(metadata['name']) : ''}`),
  );
  const { schemas, search, seed, resources = [], related = [], known = [], most, clock } = options;
  return findDifferences({
    old: [{ ...policy, spec: { ...spec, ...rules } }, ...related] as KubernetesObject[],
    new: [...own, ...related] as KubernetesObject[],
    resources: resources as readonly KubernetesObject[],
    schemas,
    search,
    likeness: 'verdicts',
    known: [...knownDifferences(told.reason ?? ''), ...known],
    clock,
    ...(seed === undefined ? {} : { seed }),
    ...(most === undefined ? {} : { most }),
  });
}
