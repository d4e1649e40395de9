import { isReview } from '@kubeadmit/chain/requests';
import type { PreparedRequest } from '@kubeadmit/check';
import type { Manifest, ManifestObject } from '@kubeadmit/manifest';
import type { RequestSetting } from './judgement.ts';

const optionKinds = {
  CREATE: 'CreateOptions',
  UPDATE: 'UpdateOptions',
  DELETE: 'DeleteOptions',
} as const;

/**
 * The request that a setting makes of one of a creation; those that stand in an AdmissionReview stay as they are.
 *
 * @param oldObjects objects as they were before an update
 */
export function settledRequest(
  prepared: PreparedRequest,
  setting: RequestSetting,
  oldObjects: readonly Manifest[],
): PreparedRequest {
  const { manifest, request } = prepared;
  if (isReview(manifest)) return prepared;
  const { operation, subresource, dryRun } = setting;
  const object = (request.object ?? manifest.object) as ManifestObject;
  const old = oldObjects.find((each) => isSame(each, manifest))?.object ?? object;
  const options = { kind: optionKinds[operation], apiVersion: 'meta.k8s.io/v1' };
  const changed = {
    ...request,
    operation,
    dryRun,
    options,
    object: operation === 'DELETE' ? null : object,
    oldObject: operation === 'CREATE' ? null : old,
    ...(subresource === '' ? {} : { subResource: subresource, requestSubResource: subresource }),
  };
  return { manifest, request: changed, isOfClient: true };
}

function isSame(a: Manifest, b: Manifest): boolean {
  return (
    a.kind === b.kind && a.group === b.group && a.name === b.name && a.namespace === b.namespace
  );
}
