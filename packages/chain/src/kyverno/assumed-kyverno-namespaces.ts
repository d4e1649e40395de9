import { type KubernetesObject, member, memberList, metadataString } from '@kubeadmit/apimachinery';
import type { AdmissionRequest } from '@kubeadmit/engine';
import { matchesWildcard } from '@kubeadmit/kyverno/patterns';
import type { KyvernoPolicies } from '../readers/policies.ts';
import type { AssumedSelector } from '../requests/assumed-selector.ts';
import { objectNamespace } from '../requests/request-parts.ts';

/** A selector of namespaces in a policy of Kyverno. */
interface AskedSelector {
  readonly owner: string;
  readonly keys: readonly string[];
  /** The kinds that it matches, possibly with wildcards; `undefined` if its rules decide. */
  readonly kinds: readonly string[] | undefined;
}

/** Finds selectors of Kyverno's policies that ask about labels of a namespace that is not given. */
export class KyvernoNamespaceAssumptions {
  readonly #selectors: readonly AskedSelector[];
  readonly #known: ReadonlyMap<string, unknown>;

  constructor({ classic, cel }: KyvernoPolicies, known: ReadonlyMap<string, unknown>) {
    this.#known = known;
    this.#selectors = [
      ...classic.flatMap(({ object }) => ruleSelectors(object)),
      ...cel.flatMap(({ object }) => constraintSelectors(object)),
    ];
  }

  /** Whether no selector asks about namespaces. */
  get isEmpty(): boolean {
    return this.#selectors.length === 0;
  }

  /** The selectors, in words. */
  get selectors(): readonly string[] {
    return this.#selectors.map(
      ({ owner, keys }) => `the selector of ${owner} on ${keys.join(', ')}`,
    );
  }

  /** Returns the selectors that ask about the namespace of a request, which is not given. */
  about(request: AdmissionRequest): readonly AssumedSelector[] {
    const { kind } = request;
    const namespace = objectNamespace(request);
    if (namespace === '' || this.#known.has(namespace)) return [];
    const name = typeof kind?.kind === 'string' ? kind.kind : '';
    return this.#selectors.flatMap(({ owner, keys, kinds }) => {
      if (kinds !== undefined && !kinds.some((each) => matchesWildcard(each, name))) return [];
      const assumption = `the selector of ${owner} on ${keys.join(', ')} was evaluated for a namespace without labels`;
      return [{ namespace, assumption }];
    });
  }
}

function ruleSelectors(policy: KubernetesObject): readonly AskedSelector[] {
  const rules = memberList(member(policy, 'spec'), 'rules');
  return rules.flatMap((rule) => {
    const owner = `the rule ${String(member(rule, 'name') ?? '')} of ${metadataString(policy, 'name')}`;
    return ['match', 'exclude'].flatMap((block) => {
      const filters = member(rule, block);
      const all = [filters, ...memberList(filters, 'any'), ...memberList(filters, 'all')];
      return all.flatMap((filter) => {
        const resources = member(filter, 'resources');
        const keys = keysOf(member(resources, 'namespaceSelector'));
        const kinds = memberList(resources, 'kinds').map((each) => kindOf(String(each)));
        return keys.length === 0 ? [] : [{ owner, keys, kinds: kinds.length > 0 ? kinds : ['*'] }];
      });
    });
  });
}

/** The kind of an entry such as `apps/v1/Deployment` or `Pod/exec`. */
function kindOf(entry: string): string {
  const parts = entry.split('/');
  return parts.find((part) => /^[A-Z*]/.test(part) && !part.startsWith('*.')) ?? '*';
}

function constraintSelectors(policy: KubernetesObject): readonly AskedSelector[] {
  const constraints = member(member(policy, 'spec'), 'matchConstraints');
  const keys = keysOf(member(constraints, 'namespaceSelector'));
  const owner = `the policy ${metadataString(policy, 'name')}`;
  return keys.length === 0 ? [] : [{ owner, keys, kinds: undefined }];
}

function keysOf(selector: unknown): readonly string[] {
  const labels = member(selector, 'matchLabels');
  const expressions = memberList(selector, 'matchExpressions');
  const keys = [
    ...(typeof labels === 'object' && labels !== null ? Object.keys(labels) : []),
    ...expressions.map((each) => String(member(each, 'key') ?? '')),
  ];
  return [...new Set(keys)];
}
