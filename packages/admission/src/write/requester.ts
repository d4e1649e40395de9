import { type KubernetesObject, memberObject } from '@kubeadmit/apimachinery';
import type { UserInfo } from '@kubeadmit/engine';
import type { Endpoint } from './endpoint.ts';
import { withMember } from './metadata.ts';

/**
 * Sets the author of a CertificateSigningRequest to the user of the request, whatever the object says; returns other
 * objects unchanged (certificates `csrStrategy.PrepareForCreate`).
 */
export function withRequester(
  { name }: Endpoint,
  object: KubernetesObject,
  { username, uid, groups, extra }: UserInfo,
): KubernetesObject {
  if (name.name !== 'certificatesigningrequests' || name.group !== 'certificates.k8s.io')
    return object;
  const {
    username: _,
    uid: _uid,
    groups: _groups,
    extra: _extra,
    ...spec
  } = memberObject(object, 'spec');
  return withMember(object, 'spec', {
    ...spec,
    ...(username ? { username } : {}),
    ...(uid ? { uid } : {}),
    ...(groups?.length ? { groups } : {}),
    ...(extra && Object.keys(extra).length > 0 ? { extra } : {}),
  });
}
