import { memberAt as at } from '@kubeadmit/admission/writes';
import { type KubernetesObject, listOf, member } from '@kubeadmit/apimachinery';
import { ageColumn, nameColumn, spec, status, text, textAt } from './cells.ts';
import { type Column, textColumn } from './columns.ts';

function hostsText(object: KubernetesObject): string {
  const rules = at(spec(object), 'rules');
  const hosts = listOf(rules)
    .map((rule) => text(at(rule, 'host')))
    .filter((host) => host !== '');
  return hosts.length === 0 ? '*' : hosts.join(',');
}

function addressText(object: KubernetesObject): string {
  const addresses = at(status(object), 'loadBalancer', 'ingress');
  return listOf(addresses)
    .map((each) => text(at(each, 'ip')) || text(at(each, 'hostname')))
    .join(',');
}

function listText(values: unknown, textOf: (value: unknown) => readonly string[]): string {
  const texts = listOf(values).flatMap(textOf);
  if (texts.length === 0) return '<unset>';
  const shown = texts.slice(0, 3).join(',');
  return texts.length > 3 ? `${shown} + ${texts.length - 3} more...` : shown;
}

/** The columns of kinds about networks (printers/internalversion). */
export const networkColumns: Readonly<Record<string, readonly Column[]>> = {
  Ingress: [
    nameColumn,
    textAt('Class', 'spec.ingressClassName', { missing: '<none>' }),
    textColumn('Hosts', hostsText),
    textColumn('Address', addressText),
    textColumn('Ports', (object) => (at(spec(object), 'tls') === undefined ? '80' : '80, 443')),
    ageColumn,
  ],
  IngressClass: [
    nameColumn,
    textAt('Controller', 'spec.controller'),
    textColumn('Parameters', (object) => {
      const parameters = at(spec(object), 'parameters');
      if (parameters === undefined) return '<none>';
      const group = text(at(parameters, 'apiGroup'));
      const kind = text(at(parameters, 'kind'));
      return `${group === '' ? kind : `${kind}.${group}`}/${text(at(parameters, 'name'))}`;
    }),
    ageColumn,
  ],
  EndpointSlice: [
    nameColumn,
    textAt('AddressType', 'addressType'),
    textColumn('Ports', (object) =>
      listText(member(object, 'ports'), (port) => [text(at(port, 'port'), '*')]),
    ),
    textColumn('Endpoints', (object) =>
      listText(
        member(object, 'endpoints'),
        (endpoint) => (at(endpoint, 'addresses') ?? []) as string[],
      ),
    ),
    ageColumn,
  ],
};
