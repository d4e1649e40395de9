import { member, metadataString } from '@kubeadmit/apimachinery';
import { annotationsOf } from '@kubeadmit/apimachinery/internal';
import { defaultClass } from './default-class.ts';
import type { AdmissionPlugin } from './plugin.ts';
import { isAbout } from './refusal.ts';
import { withSpec } from './with-spec.ts';

const classes = 'ingressclasses.networking.k8s.io';

/** Sets the default IngressClass of ingresses that name none. */
export const defaultIngressClass: AdmissionPlugin = {
  name: 'DefaultIngressClass',
  operations: ['CREATE'],
  reads: [classes],
  mutate: (request, cluster) => {
    const { object } = request;
    if (object === null || !isAbout(request, 'ingresses', 'networking.k8s.io')) return undefined;
    if ((member(member(object, 'spec'), 'ingressClassName') ?? undefined) !== undefined)
      return undefined;
    if (Object.hasOwn(annotationsOf(object), 'kubernetes.io/ingress.class')) return undefined;
    const found = defaultClass(cluster.list(classes), [
      'ingressclass.kubernetes.io/is-default-class',
    ]);
    if (found === undefined) return undefined;
    const ingressClassName = metadataString(found, 'name');
    return { object: withSpec(object, { ingressClassName }), causes: [found] };
  },
};
