import {
  type JsonObject,
  type KubernetesObject,
  kindOfObject,
  member,
  memberList,
  memberObject,
} from '@kubeadmit/apimachinery';
import { specStatus } from '@kubeadmit/kyverno/unstable-internal';
import { policyJson } from '../readers/json.ts';
import { kyvernoRole } from '../readers/kyverno-role.ts';

/** A resource that a policy matches. */
export interface MatchedResource {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
}

/** The status that a Kyverno policy has while it acts, without the conditions. */
export interface ActingStatus {
  /** The fields that follow from the spec. */
  readonly fields: JsonObject;
  /** Whether the conditions are those of policies in CEL (`conditionStatus`). */
  readonly isCel: boolean;
  /** Whether requests are decided by it. */
  readonly isForRequests: boolean;
  /** The resources that scans read because of it; undefined if it is not for scans. */
  readonly scanned: readonly MatchedResource[] | undefined;
}

/**
 * Returns the status of an object if Kyverno writes it when webhooks are configured: that of all policies but those
 * that delete objects.
 */
export function actingStatus(object: KubernetesObject): ActingStatus | undefined {
  const named = kindOfObject(object);
  const role = named === undefined ? undefined : kyvernoRole(named);
  if (role !== 'classic' && role !== 'cel') return undefined;
  if (named?.kind.endsWith('DeletingPolicy')) return undefined;
  const policy = policyJson(object);
  const fields = specStatus(policy);
  if (role === 'classic') return { fields, isCel: false, isForRequests: true, scanned: [] };
  const isAdmitted = isEnabled(policy, 'admission');
  const isScanned = isEnabled(policy, 'background');
  const isMutating = named?.kind.endsWith('MutatingPolicy') === true;
  return {
    fields,
    isCel: true,
    isForRequests: isAdmitted || !(isMutating || isScanned),
    scanned: isScanned ? matchedResources(policy, fields) : undefined,
  };
}

function isEnabled(policy: JsonObject, part: string): boolean {
  const evaluation = member(member(policy, 'spec'), 'evaluation');
  return member(member(evaluation, part), 'enabled') !== false;
}

function matchedResources(policy: JsonObject, fields: JsonObject): readonly MatchedResource[] {
  const configs = Object.values(memberObject(member(fields, 'autogen'), 'configs'));
  const specs = [member(policy, 'spec'), ...configs.map((config) => member(config, 'spec'))];
  return specs
    .flatMap((spec) => memberList(member(spec, 'matchConstraints'), 'resourceRules'))
    .flatMap((rule) =>
      textsOf(rule, 'apiGroups').flatMap((group) =>
        textsOf(rule, 'apiVersions').flatMap((version) =>
          textsOf(rule, 'resources').map((resource) => ({ group, version, resource })),
        ),
      ),
    );
}

function textsOf(rule: unknown, name: string): readonly string[] {
  return memberList(rule, name).map(String);
}
