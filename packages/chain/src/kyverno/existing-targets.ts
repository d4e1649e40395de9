import { type KubernetesObject, kindOfObject, metadataString } from '@kubeadmit/apimachinery';
import type { AdmissionRequest } from '@kubeadmit/engine';
import type { CelPolicy, CelRequest, Policy } from '@kubeadmit/kyverno';
import {
  type ExistingObject,
  type FindTargets,
  mutateExistingByCel,
  mutateExistingTargets,
  type TargetOutcome,
  triggersMutation,
} from '@kubeadmit/kyverno/background';
import type { Schemas } from '@kubeadmit/schemas';
import { jsonOf } from '../readers/json.ts';
import type { RequestReader } from './asked-request.ts';
import { settingsFor } from './classic.ts';
import { identityOf, pluralOf } from './identity.ts';
import type { Mutator } from './mutators.ts';
import { requestOf, type StoredObject } from './wanted.ts';

/** A change of an object because of which others are mutated. */
export interface TriggerChange extends StoredObject {
  /** The object before an update. */
  readonly oldObject?: KubernetesObject | undefined;
  /** Empty for a change of the policy, not of the trigger. */
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE' | '';
  /** Whether background work changed the object. */
  readonly isOfBackground: boolean;
}

/** The surroundings of existing objects. */
export interface ExistingSetting {
  readonly requests: RequestReader;
  readonly schemas: Schemas;
  readonly find: FindTargets;
}

/** A rule of a policy that mutates existing objects. */
export interface AskedMutator {
  readonly mutator: Mutator;
  /** The name of the rule; empty for a MutatingPolicy. */
  readonly rule: string;
}

type Attributes = CelRequest['attributes'];

/** Returns the existing objects as a rule of a policy mutates them because of a change of a trigger. */
export function mutateExistingFor(
  { mutator, rule }: AskedMutator,
  change: TriggerChange,
  setting: ExistingSetting,
): readonly TargetOutcome[] {
  const { policy } = mutator.policy;
  if (!isAskedAbout(mutator, rule, change)) return [];
  return 'specs' in policy
    ? mutateByCel(policy, change, setting)
    : mutateByRule(policy, rule, change, setting);
}

function isAskedAbout(
  { rules, actsOnRequests }: Mutator,
  rule: string,
  { operation, isOfBackground }: TriggerChange,
): boolean {
  const known = rules.get(rule);
  if (known === undefined) return false;
  if (operation === '') return known.actsOnPolicyUpdate;
  if (!actsOnRequests || (operation === 'DELETE' && !known.actsOnDelete)) return false;
  return !isOfBackground || !known.skipsBackgroundChanges;
}

/** Returns the existing objects as a MutatingPolicy mutates them without a trigger. */
export function mutateAllFor(
  { policy: { policy } }: Mutator,
  setting: ExistingSetting,
): readonly TargetOutcome[] {
  return 'specs' in policy ? ofCel(policy, undefined, setting) : [];
}

function mutateByRule(
  policy: Policy,
  rule: string,
  change: TriggerChange,
  { requests, find }: ExistingSetting,
): readonly TargetOutcome[] {
  const { operation } = change;
  const object = jsonOf(change.object);
  const oldObject = change.oldObject && jsonOf(change.oldObject);
  const { facts, givens } = requests.classic(admissionRequestOf(change), object, undefined);
  const { webhook, ...others } = facts;
  // The user who changed a trigger is unknown; filters by users are ignored, as in Kyverno's background.
  const given = { ...others, user: {}, ...(operation === '' ? {} : { webhook }) };
  const settingOf = settingsFor(given, (each) => ({ ...givens(each), operation }));
  const changed = { object, oldObject };
  return mutateExistingTargets(policy, rule, changed, { setting: settingOf(policy), find });
}

function mutateByCel(
  policy: CelPolicy,
  change: TriggerChange,
  setting: ExistingSetting,
): readonly TargetOutcome[] {
  const object = change.operation === 'DELETE' ? null : jsonOf(change.object);
  const trigger = setting.requests.cel(admissionRequestOf(change), object, undefined);
  const isTriggered = triggersMutation(policy, trigger);
  if (typeof isTriggered === 'string') return [{ status: 'error', message: isTriggered }];
  return isTriggered ? ofCel(policy, trigger, setting) : [];
}

function ofCel(
  policy: CelPolicy,
  trigger: CelRequest | undefined,
  { requests, schemas, find }: ExistingSetting,
): readonly TargetOutcome[] {
  const attributesOf = ({ object, subresource, ...given }: ExistingObject): Attributes => {
    const { version = '', group = '', kind = '' } = kindOfObject(object) ?? {};
    const resource = given.resource ?? pluralOf(identityOf(object), schemas);
    const stored = { object, resource: { group, version, kind, resource } };
    const request = { ...requestOf(stored, 'UPDATE'), subResource: subresource, oldObject: null };
    return requests.cel(request, object, undefined).attributes;
  };
  return mutateExistingByCel(policy, trigger, {
    schemas,
    find,
    sources: requests.sources,
    attributesOf,
    namespaceOf: (object) => requests.namespaces.get(metadataString(object, 'namespace')),
  });
}

// A change of the policy counts as an update of its triggers.
function admissionRequestOf(change: TriggerChange): AdmissionRequest {
  const operation = change.operation || 'UPDATE';
  const request = requestOf(change, operation);
  return operation === 'UPDATE' && change.oldObject !== undefined
    ? { ...request, oldObject: change.oldObject as never }
    : request;
}
