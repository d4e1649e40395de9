import { parameterPermissionError } from '@kubeadmit/admission/unstable-internal';
import { policyGroup } from '@kubeadmit/engine';
import { invalidObject } from '../errors/failures.ts';
import type { Exchange } from '../machinery/machinery.ts';
import { nameOf } from '../objects/metadata.ts';
import type { AdmissionAttributes } from './attributes.ts';

/** Throws the 422 of a policy or binding whose author may not read its parameters. */
export function checkPolicyPermissions(
  { machinery: { cluster }, request }: Exchange,
  { endpoint, object, oldObject }: AdmissionAttributes,
): void {
  const { kind } = endpoint.kind;
  const isPolicy = endpoint.kind.group === policyGroup && endpoint.subresource === undefined;
  if (!isPolicy || object === null) return;
  const resource = kind.startsWith('Validating')
    ? 'validatingadmissionpolicies'
    : 'mutatingadmissionpolicies';
  const error = parameterPermissionError(
    { kind, object, old: oldObject ?? undefined },
    {
      user: request.user,
      authorizer: cluster.authorizer,
      schemas: cluster.schemas,
      findPolicy: (name) => cluster.policy(resource, name),
    },
  );
  if (error === undefined) return;
  throw invalidObject({ group: policyGroup, name: kind }, nameOf(object), [error]);
}
