import type { MatchResources, RequestAttributes } from '@kubeadmit/engine';
import type { MatchEnvironment } from '../src/match.ts';

/** A request to create a Deployment in `shop`, with the changes of a test. */
export function deploymentRequest(changes: Partial<RequestAttributes> = {}): RequestAttributes {
  return {
    kind: { group: 'apps', version: 'v1', kind: 'Deployment' },
    resource: { group: 'apps', version: 'v1', resource: 'deployments' },
    subresource: '',
    name: 'web',
    namespace: 'shop',
    operation: 'CREATE',
    object: { metadata: { name: 'web', labels: { app: 'web' } } },
    oldObject: null,
    options: null,
    dryRun: false,
    user: {},
    ...changes,
  };
}

/** Match criteria with every default set. */
export function criteria(changes: Partial<MatchResources> = {}): MatchResources {
  return {
    matchPolicy: 'Equivalent',
    namespaceSelector: {},
    objectSelector: {},
    resourceRules: [
      {
        operations: ['CREATE', 'UPDATE'],
        apiGroups: ['apps'],
        apiVersions: ['v1'],
        resources: ['deployments'],
        scope: '*',
      },
    ],
    ...changes,
  };
}

/** A cluster with the namespace `shop`, and Deployments in two versions. */
export const environment: MatchEnvironment = {
  namespaceLabels: (name) => (name === 'shop' ? { team: 'shop' } : undefined),
  equivalents: (resource) => {
    if (resource.resource !== 'deployments') return [resource];
    return [
      { ...resource, version: 'v1' },
      { ...resource, version: 'v1beta1' },
    ];
  },
  kindFor: ({ group, version, resource }) =>
    resource === 'deployments' ? { group, version, kind: 'Deployment' } : undefined,
};
