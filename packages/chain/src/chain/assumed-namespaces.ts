import type { PreparedRequest } from '@kubeadmit/admission';
import { type KubernetesObject, member, metadataString } from '@kubeadmit/apimachinery';
import { isNamespaceKind, type MatchResources } from '@kubeadmit/engine';
import { type CompiledMatch, compileMatch, matchRequest } from '@kubeadmit/matcher';
import type { AssumedSelector } from '../requests/assumed-selector.ts';
import type { Chain } from './chain.ts';

/** A namespace selector whose result depends on the labels of a missing namespace. */
interface NamespaceSelector {
  /** Whose it is, in words. */
  readonly owner: string;
  readonly keys: readonly string[];
  /** The other criteria that decide whether the selector is evaluated, and the selector itself. */
  readonly around: readonly CompiledMatch[];
  readonly whole: CompiledMatch;
}

/** The label that every namespace has, and that is its name. */
const nameLabel = 'kubernetes.io/metadata.name';

/** Finds selectors that ask about labels of a namespace that is not given, so that they have to be assumed. */
export class NamespaceAssumptions {
  readonly #selectors: readonly NamespaceSelector[];
  readonly #known: ReadonlyMap<string, KubernetesObject>;

  constructor({ cluster, bindings }: Chain) {
    this.#known = cluster.namespaces;
    const policies = [...cluster.validatingPolicies, ...cluster.mutatingPolicies];
    this.#selectors = policies.flatMap(({ kind, metadata, spec }) => {
      const name = metadata?.name ?? '';
      const match = spec?.matchConstraints ?? {};
      const around = withoutSelector(match);
      const own = bindings.filter(
        (binding) =>
          member(binding, 'kind') === `${kind}Binding` &&
          member(member(binding, 'spec'), 'policyName') === name,
      );
      return [
        ...selectorOf(`the policy ${name}`, match, []),
        ...own.flatMap((binding) => {
          const resources = member(member(binding, 'spec'), 'matchResources');
          const owner = `the binding ${metadataString(binding, 'name')}`;
          return selectorOf(owner, (resources ?? {}) as MatchResources, [around]);
        }),
      ];
    });
  }

  /** Whether no selector asks about anything but the name of a namespace. */
  get isEmpty(): boolean {
    return this.#selectors.length === 0;
  }

  /** The selectors that ask about more than the name of a namespace, in words. */
  get selectors(): readonly string[] {
    return this.#selectors.map(
      ({ owner, keys }) => `the selector of ${owner} on ${keys.join(', ')}`,
    );
  }

  /** Returns the selectors that ask about the namespace of a request, which is not given. */
  about({ attributes, environment }: PreparedRequest): readonly AssumedSelector[] {
    const { namespace, kind } = attributes;
    // A request about a namespace brings the labels itself.
    if (namespace === '' || isNamespaceKind(kind) || this.#known.has(namespace)) return [];
    const matches = (match: CompiledMatch): boolean =>
      matchRequest(match, attributes, environment.match).outcome === 'match';
    return this.#selectors.flatMap(({ owner, keys, around, whole }) => {
      if (!around.every(matches)) return [];
      const taken = matches(whole) ? 'to match' : 'not to match';
      const assumption = `the selector of ${owner} on ${keys.join(', ')} was assumed ${taken}`;
      return [{ namespace, assumption }];
    });
  }
}

function selectorOf(
  owner: string,
  match: MatchResources,
  around: readonly CompiledMatch[],
): readonly NamespaceSelector[] {
  const { matchLabels, matchExpressions } = match.namespaceSelector ?? {};
  const asked = [
    ...Object.keys(matchLabels ?? {}),
    ...(matchExpressions ?? []).map(({ key }) => key ?? ''),
  ];
  const keys = [...new Set(asked)].filter((key) => key !== nameLabel);
  if (keys.length === 0) return [];
  const whole = compileMatch(match);
  return [{ owner, keys, around: [...around, withoutSelector(match)], whole }];
}

function withoutSelector(match: MatchResources): CompiledMatch {
  return compileMatch({ ...match, namespaceSelector: null });
}
