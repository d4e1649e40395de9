import { memberAt as at } from '@kubeadmit/admission/writes';
import { type KubernetesObject, labelsOf, memberList, memberText } from '@kubeadmit/apimachinery';
import { compareText } from '@kubeadmit/go';
import { ageColumn, nameColumn, spec, status, text, textAt, wide } from './cells.ts';
import { type Column, textColumn } from './columns.ts';

/** The columns of nodes (printers/internalversion `printNode`). */
export const nodeColumns: readonly Column[] = [
  nameColumn,
  textColumn('Status', statusText),
  textColumn('Roles', rolesText),
  ageColumn,
  textAt('Version', 'status.nodeInfo.kubeletVersion'),
  textColumn('Internal-IP', (node) => addressOf(node, 'InternalIP'), wide),
  textColumn('External-IP', (node) => addressOf(node, 'ExternalIP'), wide),
  textColumn('OS-Image', (node) => infoOf(node, 'osImage'), wide),
  textColumn('Kernel-Version', kernelText, wide),
  textColumn('Container-Runtime', (node) => infoOf(node, 'containerRuntimeVersion'), wide),
];

function statusText(node: KubernetesObject): string {
  const conditions = memberList(status(node), 'conditions');
  const ready = conditions.findLast((each) => memberText(each, 'type') === 'Ready');
  const isReady = memberText(ready, 'status') === 'True';
  const health = ready === undefined ? 'Unknown' : isReady ? 'Ready' : 'NotReady';
  return at(spec(node), 'unschedulable') === true ? `${health},SchedulingDisabled` : health;
}

const rolePrefix = 'node-role.kubernetes.io/';

function rolesText(node: KubernetesObject): string {
  const roles = Object.entries(labelsOf(node)).map(([key, value]) => {
    if (key === 'kubernetes.io/role') return value;
    return key.startsWith(rolePrefix) ? key.slice(rolePrefix.length) : '';
  });
  const named = [...new Set(roles)].filter((role) => role !== '').sort(compareText);
  return named.join(',') || '<none>';
}

function addressOf(node: KubernetesObject, type: string): string {
  const addresses = memberList(status(node), 'addresses');
  const found = addresses.find((address) => memberText(address, 'type') === type);
  return text(at(found, 'address'), '<none>');
}

function infoOf(node: KubernetesObject, field: string): string {
  return text(at(status(node), 'nodeInfo', field)) || '<unknown>';
}

function kernelText(node: KubernetesObject): string {
  const architecture = text(at(status(node), 'nodeInfo', 'architecture'));
  const kernel = infoOf(node, 'kernelVersion');
  return architecture === '' ? kernel : `${kernel} (${architecture})`;
}
