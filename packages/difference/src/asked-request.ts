import { isObject, type JsonObject } from '@kubeadmit/apimachinery';
import type { AdmissionRequest } from '@kubeadmit/engine';
import type { Random } from './random.ts';

/**
 * Returns a request with randomly chosen users, groups, namespaces and names that the policies compare with.
 *
 * @param asked the values that policies compare with, by the names of those fields
 */
export function withAsked(
  request: AdmissionRequest,
  asked: ReadonlyMap<string, readonly unknown[]>,
  random: Random,
): AdmissionRequest {
  const value = (name: string): string | undefined => {
    const values = asked.get(name);
    return values === undefined || !random.chance(0.5) ? undefined : String(random.pick(values));
  };
  const [username, group, namespace, name] = ['username', 'groups', 'namespace', 'name'].map(value);
  const changed: JsonObject = { ...(request as unknown as JsonObject) };
  if (isUser(username) || group !== undefined) {
    changed['userInfo'] = {
      ...request.userInfo,
      ...(isUser(username) ? { username } : {}),
      ...(group ? { groups: [...(request.userInfo?.groups ?? []), group] } : {}),
    };
  }
  const isNamed = name !== undefined && namePattern(request).test(name);
  const isPlaced =
    namespace !== undefined &&
    request.namespace &&
    /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(namespace);
  if (!isNamed && !isPlaced) return changed as unknown as AdmissionRequest;
  const metadata = { ...(isNamed ? { name } : {}), ...(isPlaced ? { namespace } : {}) };
  const moved = (object: unknown): unknown =>
    isObject(object)
      ? { ...object, metadata: { ...(object['metadata'] as object), ...metadata } }
      : object;
  return {
    ...changed,
    ...metadata,
    object: moved(request.object),
    ...(request.oldObject ? { oldObject: moved(request.oldObject) } : {}),
  } as unknown as AdmissionRequest;
}

// Roles and their bindings have names with colons.
function namePattern({ resource }: AdmissionRequest): RegExp {
  return resource?.group === 'rbac.authorization.k8s.io'
    ? /^(?!\.{1,2}$)[^/%]+$/
    : /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/;
}

// Only service accounts have names of this form, which consist of a namespace and a name.
function isUser(name: string | undefined): name is string {
  if (name === undefined || name === '') return false;
  return (
    !name.includes('system:serviceaccount') || /^system:serviceaccount:[^:]+:[^:]+$/.test(name)
  );
}
