import { changesOwnershipOnly, semanticallyEqual } from '@kubeadmit/admission/internal';
import { member } from '@kubeadmit/apimachinery';
import { memberText } from '@kubeadmit/apimachinery/internal';
import { quote } from '@kubeadmit/go/internal';
import { mayDo } from '../authorization/authorizer-user.ts';
import { forbiddenError } from '../errors/failures.ts';
import type { Exchange } from '../machinery.ts';
import type { AdmissionAttributes } from './attributes.ts';

const group = 'certificates.k8s.io';

interface NeededRight {
  readonly verb: 'approve' | 'sign' | 'attest';
  readonly signer: string;
  /** The action in kube-apiserver's message. */
  readonly action: string;
}

/**
 * Throws the 403 of a user who approves, signs or attests for a signer without the permission (admission plugins
 * CertificateApproval, CertificateSigning, ClusterTrustBundleAttest).
 */
export function checkSignerPermissions(exchange: Exchange, attributes: AdmissionAttributes): void {
  const { endpoint, name } = attributes;
  if (endpoint.name.group !== group) return;
  const right = neededRight(attributes);
  if (right === undefined) return;
  const { verb, signer, action } = right;
  const [domain = ''] = signer.split('/');
  const mayUse = (wanted: string): boolean =>
    mayDo(exchange, verb, { group, resource: 'signers', name: wanted });
  if (mayUse(signer) || mayUse(`${domain}/*`)) return;
  const why = `user not permitted to ${action} signerName ${quote(signer)}`;
  throw forbiddenError(endpoint.name, name, why);
}

function neededRight(attributes: AdmissionAttributes): NeededRight | undefined {
  const { endpoint, operation } = attributes;
  const resource = endpoint.name.name;
  if (resource === 'clustertrustbundles') return attestation(attributes);
  if (resource !== 'certificatesigningrequests' || operation !== 'UPDATE') return undefined;
  const signer = signerOf(attributes.oldObject);
  if (endpoint.subresource?.name === 'approval') {
    return { verb: 'approve', signer, action: 'approve requests with' };
  }
  return endpoint.subresource?.name === 'status' && changesSignature(attributes)
    ? { verb: 'sign', signer, action: 'sign requests with' }
    : undefined;
}

function attestation({ object, oldObject }: AdmissionAttributes): NeededRight | undefined {
  if (object === null || signerOf(object) === '') return undefined;
  if (oldObject !== null && changesOwnershipOnly(object, oldObject)) return undefined;
  return { verb: 'attest', signer: signerOf(object), action: 'attest for' };
}

function signerOf(object: unknown): string {
  return memberText(member(object, 'spec'), 'signerName');
}

function changesSignature({ object, oldObject }: AdmissionAttributes): boolean {
  const [status, before] = [member(object, 'status'), member(oldObject, 'status')];
  return ['certificate', 'conditions'].some(
    (field) => !semanticallyEqual(member(status, field), member(before, field)),
  );
}
