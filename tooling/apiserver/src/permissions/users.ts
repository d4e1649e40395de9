import { words } from '@kubeadmit/random';
import type { Ask } from '../play/play-case.ts';
import { manifestResources } from './manifests.ts';

/** A rule of a ClusterRole. */
interface Rule {
  readonly verbs: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
}

const every = ['*'];
const ordinary = words('get list watch create update patch delete deletecollection');
const special = words(
  'escalate bind approve sign attest arbitrary-node:update arbitrary-node:patch',
);

/** The users and their rules: each user has the permissions in its name, for all API groups. */
export const permissionUsers: Readonly<Record<string, readonly Rule[]>> = {
  none: [],
  ...Object.fromEntries(
    ordinary.map((verb) => [verb, [{ verbs: [verb], resources: every }]] as const),
  ),
  'patch-create': [{ verbs: ['patch', 'create'], resources: every }],
  'update-create': [{ verbs: ['update', 'create'], resources: every }],
  ordinary: [{ verbs: ordinary, resources: every }],
  special: [{ verbs: [...ordinary, ...special], resources: every }],
  everything: [{ verbs: every, resources: every }],
  status: [{ verbs: every, resources: ['*/status', '*/approval', '*/scale'] }],
  objects: [{ verbs: every, resources: manifestResources }],
  named: [{ verbs: every, resources: every, resourceNames: ['old'] }],
};

/** Creates a ClusterRole and a binding for each user. */
export async function createPermissionUsers(ask: Ask): Promise<void> {
  const group = 'rbac.authorization.k8s.io';
  const post = async (resource: string, object: object): Promise<void> => {
    const path = `/apis/${group}/v1/${resource}`;
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ apiVersion: `${group}/v1`, ...object });
    const { status, text } = await ask({ method: 'POST', path, headers, body, as: 'admin' });
    if (status !== 201) throw new Error(text);
  };
  for (const [user, rules] of Object.entries(permissionUsers)) {
    const metadata = { name: `permissions-${user}` };
    await post('clusterroles', {
      kind: 'ClusterRole',
      metadata,
      rules: rules.map((rule) => ({ apiGroups: every, ...rule })),
    });
    await post('clusterrolebindings', {
      kind: 'ClusterRoleBinding',
      metadata,
      roleRef: { apiGroup: group, kind: 'ClusterRole', name: metadata.name },
      subjects: [{ apiGroup: group, kind: 'User', name: userName(user) }],
    });
  }
}

/** Returns the full name of a user; the prefix keeps it distinct from other words in messages. */
export function userName(user: string): string {
  return `user-${user}`;
}
