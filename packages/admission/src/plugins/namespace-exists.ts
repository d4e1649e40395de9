import { notFoundStatus } from '@kubeadmit/apimachinery/status';
import { isNamespaceKind } from '@kubeadmit/engine';
import type { AdmissionPlugin } from './plugin.ts';
import { refuse } from './refusal.ts';

/** Refuses requests in namespaces that do not exist. */
export const namespaceExists: AdmissionPlugin = {
  name: 'NamespaceExists',
  operations: ['CREATE', 'UPDATE', 'DELETE'],
  reads: ['namespaces'],
  validate: ({ kind, namespace }, cluster) => {
    if (namespace === '' || isNamespaceKind(kind)) return undefined;
    if (cluster.get('namespaces', '', namespace) !== undefined) return undefined;
    return refuse(notFoundStatus({ group: '', name: 'namespaces' }, namespace));
  },
};
