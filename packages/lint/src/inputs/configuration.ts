import { formatGroupVersion, member, sameKind, textOf } from '@kubeadmit/apimachinery';
import { didYouMean, getOrMake } from '@kubeadmit/base';
import { isReview } from '@kubeadmit/chain/requests';
import type { InputProblem, Manifest } from '@kubeadmit/manifest';
import {
  findResourceOfKind,
  listResources,
  otherVersionsOf,
  type Schemas,
} from '@kubeadmit/schemas';
import { type Inputs, isBinding, isPolicy, objectKey } from './inputs.ts';
import { isBuiltinGroup, meantKind } from './kind-hints.ts';
import { groupOfMisplacedPolicy } from './misplaced-policy.ts';

/** Problems of the inputs together, and notes. */
export interface Configuration {
  /** Problems that prevent policies from working. */
  readonly problems: readonly ConfigurationProblem[];
  /** Oddities that may be intended. */
  readonly notes: readonly ConfigurationProblem[];
}

/** A problem between objects, reported for one of them. */
export interface ConfigurationProblem extends InputProblem {
  readonly manifest: Manifest;
  /** The path of the field that is meant; empty for the whole object. */
  readonly field: string;
  readonly code: 'duplicate-name' | 'binding-without-policy' | 'policy-without-binding';
  /** For a repeated name, the manifest that has it first; the message contains its `file` and `line`. */
  readonly first?: Manifest;
}

/**
 * Finds problems that no single document shows: repeated names, bindings without a policy, policies without a
 * binding.
 *
 * @param unreadable unreadable inputs: objects that they name are not reported as missing.
 */
export function checkConfiguration(
  inputs: Inputs,
  unreadable: readonly InputProblem[] = [],
): Configuration {
  const { policies, bindings, statics } = inputs;
  const isNamed = namedIn(unreadable);
  const known = new Set(policies.map((policy) => `${policy.kind}/${policy.name}`));
  return {
    problems: [
      ...duplicates(inputs),
      ...bindings
        .filter((binding) => !known.has(boundPolicy(binding)) && !isNamed(policyNameOf(binding)))
        .map((binding) => {
          const [kind, name] = boundPolicy(binding).split('/');
          const message = `${binding.title} refers to ${kind} \`${name}\`, which is not among the inputs`;
          const problem = binding.problem(['spec', 'policyName'], message);
          const code = 'binding-without-policy' as const;
          return { ...problem, manifest: binding, field: 'spec.policyName', code };
        }),
    ],
    // A policy that a server reads from its own disk takes its bindings from there alone.
    notes: [
      ...unboundPolicies(policies, bindings),
      ...unboundPolicies(statics.filter(isPolicy), statics.filter(isBinding)),
    ].filter(({ manifest }) => !isNamed(manifest.name)),
  };
}

function unboundPolicies(
  policies: readonly Manifest[],
  bindings: readonly Manifest[],
): readonly ConfigurationProblem[] {
  return withoutBinding(policies, bindings).map((policy) => {
    const { kind, name, title } = policy;
    const message = `${title} has no binding and never runs: add a ${kind}Binding with policyName: ${name}`;
    const code = 'policy-without-binding' as const;
    return { ...policy.problem([], message), manifest: policy, field: '', code };
  });
}

/** The policies that none of the bindings is for. */
export function withoutBinding(
  policies: readonly Manifest[],
  bindings: readonly Manifest[],
): readonly Manifest[] {
  const bound = new Set(bindings.map(boundPolicy));
  return policies.filter(({ kind, name }) => !bound.has(`${kind}/${name}`));
}

/** Reports objects to check whose kind the server does not know. */
export function unknownKinds({ subjects }: Inputs, schemas: Schemas): InputProblem[] {
  return subjects
    .filter((manifest) => !isKnown(manifest, schemas))
    .map((manifest) => manifest.problem(['kind'], unknownKindText(manifest, schemas)));
}

/** Whether the server has a resource or subresource of this kind; a review is a request, whatever it is about. */
export function isKnown(manifest: Manifest, schemas: Schemas): boolean {
  const { group, version, kind } = manifest;
  const own = { group, version, kind };
  return (
    isReview(manifest) ||
    findResourceOfKind(schemas, own) !== undefined ||
    listResources(schemas).some(({ subresources }) =>
      subresources.some((subresource) => sameKind(subresource, own)),
    )
  );
}

/** Reports that the server does not know the kind of a manifest, with a hint. */
export function unknownKindText(
  { group, kind, apiVersion }: Pick<Manifest, 'group' | 'kind' | 'apiVersion'>,
  schemas: Schemas,
): string {
  const start = `no matches for kind "${kind}" in version "${apiVersion}"`;
  const own = otherVersionsOf(kind, group);
  const homes = own.length > 0 || isCustomGroup(group) ? own : otherVersionsOf(kind);
  const home =
    homes.find(({ kubernetesVersions }) => kubernetesVersions.includes(schemas.version)) ??
    homes[0];
  if (home === undefined) {
    const meant = meantKind(schemas, group, kind);
    if (meant === kind) return `${start}: it is in ${servedVersions(schemas, group, kind)}`;
    if (meant !== undefined) return start + didYouMean(meant);
    if (isBuiltinGroup(schemas, group)) return start;
    const policyGroup = groupOfMisplacedPolicy({ group, kind });
    if (policyGroup !== undefined)
      return start + didYouMean(apiVersion.replace(group, policyGroup));
    if (isOfGatekeeper(group)) return `${start}: ${gatekeeperAdvice}`;
    return `${start}: add its CustomResourceDefinition to the inputs`;
  }
  const { apiVersion: other, kubernetesVersions } = home;
  if (kubernetesVersions.includes(schemas.version)) return `${start}: it is in ${other}`;
  if (other === apiVersion) {
    return `${start}: not in Kubernetes ${schemas.version}, but in ${kubernetesVersions.toReversed().join(', ')}`;
  }
  return `${start}: Kubernetes ${kubernetesVersions[0]} has it in ${other}`;
}

/** Whether a group is one of Gatekeeper, such as `templates.gatekeeper.sh`. */
export function isOfGatekeeper(group: string): boolean {
  return group.endsWith('.gatekeeper.sh');
}

/** Names the programs for objects of Gatekeeper, which the commands for manifests do not evaluate. */
export const gatekeeperAdvice =
  "Gatekeeper's policies are not evaluated here; `kubeadmit convert` converts templates in CEL with their constraints, and `gator` evaluates those in Rego";

/** Whether a group is certainly not one of Kubernetes: a kind of the same name there is another kind. */
function isCustomGroup(group: string): boolean {
  return group.includes('.') && !group.endsWith('.k8s.io');
}

function servedVersions(schemas: Schemas, group: string, kind: string): string {
  const served = listResources(schemas).filter(
    (each) => each.group === group && each.kind === kind,
  );
  return [...new Set(served.map(formatGroupVersion))].join(', ');
}

/** The policy of a binding: `Kind/name`. */
export function boundPolicy(binding: Manifest): string {
  return `${binding.kind.slice(0, -'Binding'.length)}/${policyNameOf(binding)}`;
}

function policyNameOf({ object }: Manifest): string {
  const name = member(member(object, 'spec'), 'policyName');
  return textOf(name);
}

/** Whether texts that could not be read name something, as an object or as the policy of a binding. */
function namedIn(unreadable: readonly InputProblem[]): (name: string) => boolean {
  const sources = new Set(
    unreadable.flatMap(({ source, isNoObject }) =>
      source === undefined || isNoObject === true ? [] : [source],
    ),
  );
  const names = new Set(
    [...sources].flatMap(({ text }) =>
      Array.from(
        text.matchAll(/\b(?:name|policyName)["']?:[ \t]*["']?([\w.-]+)/g),
        ([, name]) => name,
      ),
    ),
  );
  return (name) => names.has(name);
}

function duplicates(inputs: Inputs): ConfigurationProblem[] {
  const first = new Map<string, Manifest>();
  const problems: ConfigurationProblem[] = [];
  const { policies, bindings, kyverno, context, subjects } = inputs;
  const all = [...policies, ...bindings, ...kyverno, ...context, ...subjects];
  for (const manifest of new Set(all)) {
    if (manifest.name === '' || isReview(manifest)) continue;
    const before = getOrMake(first, objectKey(manifest), () => manifest);
    if (before !== manifest) {
      const message = `${manifest.title} is defined twice, first in ${before.file}:${before.line}`;
      const problem = manifest.problem([], message);
      problems.push({ ...problem, manifest, field: '', code: 'duplicate-name', first: before });
    }
  }
  return problems;
}
