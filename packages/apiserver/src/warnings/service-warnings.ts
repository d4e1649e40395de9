import { metadataOf } from '@kubeadmit/admission/writes';
import { type KubernetesObject, member, memberList, memberText } from '@kubeadmit/apimachinery';

/** Returns warnings about a service (api/service `GetWarningsForService`) except those about the form of addresses. */
export function serviceWarnings(service: KubernetesObject): readonly string[] {
  const hints = 'service.kubernetes.io/topology-aware-hints';
  const hasHints = Object.hasOwn(metadataOf(service).annotations ?? {}, hints);
  return [
    ...(hasHints
      ? [
          `annotation ${hints} is deprecated, please use service.kubernetes.io/topology-mode instead`,
        ]
      : []),
    ...(isHeadless(service) ? headlessWarnings(service) : []),
    ...externalWarnings(service),
  ];
}

function isHeadless(service: KubernetesObject): boolean {
  const spec = member(service, 'spec');
  return memberText(spec, 'type') === 'ClusterIP' && memberText(spec, 'clusterIP') === 'None';
}

function headlessWarnings(service: KubernetesObject): readonly string[] {
  const spec = member(service, 'spec');
  const ignored = [
    ...(memberText(spec, 'loadBalancerIP') === '' ? [] : ['loadBalancerIP']),
    ...(memberList(spec, 'externalIPs').length === 0 ? [] : ['externalIPs']),
    ...(memberText(spec, 'sessionAffinity') === 'None' ? [] : ['SessionAffinity']),
  ];
  return ignored.map((name) => `spec.${name} is ignored for headless services`);
}

function externalWarnings(service: KubernetesObject): readonly string[] {
  const spec = member(service, 'spec');
  const isExternal = memberText(spec, 'type') === 'ExternalName';
  const hasAddresses = memberList(spec, 'externalIPs').length > 0;
  const isNearest = memberText(spec, 'trafficDistribution') === 'PreferClose';
  return [
    ...(hasAddresses && !isHeadless(service) && !isExternal
      ? ['spec.externalIPs is deprecated and may no longer be implemented in some clusters']
      : []),
    ...(isExternal && hasAddresses
      ? ['spec.externalIPs is ignored when spec.type is "ExternalName"']
      : []),
    ...(!isExternal && memberText(spec, 'externalName') !== ''
      ? ['spec.externalName is ignored when spec.type is not "ExternalName"']
      : []),
    ...(isNearest
      ? ['spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"']
      : []),
  ];
}
