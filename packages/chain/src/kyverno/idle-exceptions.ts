import {
  type KubernetesObject,
  kindOfObject,
  member,
  memberList,
  memberText,
  metadataString,
} from '@kubeadmit/apimachinery';
import { matchesWildcard } from '@kubeadmit/kyverno/patterns';
import type { KyvernoExceptions, KyvernoPolicies } from '../readers/policies.ts';

/** An exception that can never apply, and the reason. */
export interface IdleException {
  readonly object: KubernetesObject;
  readonly message: string;
}

/** Returns the exceptions that name policies or rules which do not exist, once for each of them. */
export function idleExceptions(
  objects: readonly KubernetesObject[],
  policies: KyvernoPolicies,
  { classic, cel }: KyvernoExceptions,
): readonly IdleException[] {
  const given = [...policies.classic, ...policies.cel, ...policies.unsupported];
  const byKey = new Map(given.map(({ object }) => [keyOf(object), object]));
  const kinds = new Set(given.map(({ object }) => `${object['kind']}/${keyOf(object)}`));
  const messages = new Map<string, readonly string[]>([
    ...classic.map(({ key, rules }) => {
      const found = rules.flatMap((named) => missingParts(named, byKey.get(named.policy)));
      return [`kyverno.io/${key}`, found] as const;
    }),
    ...cel.map(({ key, policies: references }) => {
      const names = references.map(({ kind, name }) => `${kind}/${name}`);
      const missing = names.filter((name) => !kinds.has(name)).map(missingPolicy);
      return [`policies.kyverno.io/${key}`, missing] as const;
    }),
  ]);
  return objects
    .filter((object) => object['kind'] === 'PolicyException')
    .flatMap((object) => {
      const found = messages.get(`${kindOfObject(object)?.group}/${keyOf(object)}`) ?? [];
      return found.map((message) => ({ object, message }));
    });
}

/** The policy or rules of a reference that do not exist. */
function missingParts(
  { policy, rules }: { readonly policy: string; readonly rules: readonly string[] },
  found: KubernetesObject | undefined,
): readonly string[] {
  if (found === undefined) return [missingPolicy(policy)];
  const names = memberList(member(found, 'spec'), 'rules').map((rule) => memberText(rule, 'name'));
  const known = names.flatMap((name) => [name, `autogen-${name}`, `autogen-cronjob-${name}`]);
  return rules
    .filter((pattern) => !known.some((name) => matchesWildcard(pattern, name)))
    .map((rule) => `it is an exception to the rule \`${rule}\`, which \`${policy}\` does not have`);
}

function missingPolicy(name: string): string {
  return `it is an exception to \`${name}\`, which is not among the resources`;
}

/** The name by which exceptions refer to a policy, or that of an exception. */
export function keyOf(object: KubernetesObject): string {
  const name = metadataString(object, 'name');
  const namespace = object['kind'] === 'ClusterPolicy' ? '' : metadataString(object, 'namespace');
  return namespace === '' ? name : `${namespace}/${name}`;
}
