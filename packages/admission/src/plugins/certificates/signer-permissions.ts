import { type KubernetesObject, member, memberText } from '@kubeadmit/apimachinery';
import { quote } from '@kubeadmit/go';
import { isFeatureOn } from '../../versions/feature-gates.data.ts';
import { changesOwnershipOnly, semanticallyEqual } from '../../write/semantic-equality.ts';
import { authorizerUser } from '../authorizer-user.ts';
import type { AdmissionPlugin, PluginCluster, PluginOutcome, PluginRequest } from '../plugin.ts';
import { forbid } from '../refusal.ts';

const group = 'certificates.k8s.io';

/** Refuses the approval of certificates by users without the verb `approve` on the signer. */
export const certificateApproval: AdmissionPlugin = {
  name: 'CertificateApproval',
  operations: ['UPDATE'],
  validate: (request, cluster) => {
    if (!isSigningRequest(request, 'approval')) return undefined;
    const signer = signerOf(request.oldObject);
    return mayUseSigner(request, cluster, { verb: 'approve', signer })
      ? undefined
      : refusal(request, 'approve requests with', signer);
  },
};

/** Refuses certificates that are signed by users without the verb `sign` on the signer. */
export const certificateSigning: AdmissionPlugin = {
  name: 'CertificateSigning',
  operations: ['UPDATE'],
  validate: (request, cluster) => {
    if (!isSigningRequest(request, 'status') || !changesSignature(request)) return undefined;
    const signer = signerOf(request.oldObject);
    return mayUseSigner(request, cluster, { verb: 'sign', signer })
      ? undefined
      : refusal(request, 'sign requests with', signer);
  },
};

/** Refuses trust bundles of users without the verb `attest` on the signer. */
export const clusterTrustBundleAttest: AdmissionPlugin = {
  name: 'ClusterTrustBundleAttest',
  operations: ['CREATE', 'UPDATE'],
  validate: (request, cluster) => {
    const { resource, operation, object, oldObject } = request;
    if (resource.group !== group || resource.resource !== 'clustertrustbundles') return undefined;
    if (object === null || !isFeatureOn('ClusterTrustBundle', cluster.minor)) return undefined;
    const signer = signerOf(object);
    if (signer === '') return undefined;
    const isUpdate = operation === 'UPDATE' && oldObject !== null;
    if (isUpdate && changesOwnershipOnly(object, oldObject)) return undefined;
    return mayUseSigner(request, cluster, { verb: 'attest', signer })
      ? undefined
      : refusal(request, 'attest for', signer);
  },
};

function isSigningRequest({ resource, subresource }: PluginRequest, part: string): boolean {
  const isOwn = resource.group === group && resource.resource === 'certificatesigningrequests';
  return isOwn && subresource === part;
}

function signerOf(object: KubernetesObject | null): string {
  return memberText(member(object, 'spec'), 'signerName');
}

function changesSignature({ object, oldObject }: PluginRequest): boolean {
  const [status, before] = [member(object, 'status'), member(oldObject, 'status')];
  return ['certificate', 'conditions'].some(
    (field) => !semanticallyEqual(member(status, field), member(before, field)),
  );
}

function refusal(request: PluginRequest, action: string, signer: string): PluginOutcome {
  return forbid(request, `user not permitted to ${action} signerName ${quote(signer)}`);
}

/** Whether the user has a verb on a signer or on all of its domain (certauthorization.IsAuthorizedForSignerName). */
function mayUseSigner(
  request: PluginRequest,
  { authorizer }: PluginCluster,
  { verb, signer }: { readonly verb: string; readonly signer: string },
): boolean {
  const [domain = ''] = signer.split('/');
  const user = authorizerUser(request.user);
  return [signer, `${domain}/*`].some((name) => {
    const asked = { group, resource: 'signers', subresource: '', namespace: '', name };
    return authorizer.authorize({ kind: 'resource', user, verb, ...asked }).decision === 'allow';
  });
}
