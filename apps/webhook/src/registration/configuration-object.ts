import type { JsonObject } from '@kubeadmit/apimachinery';
import type { ComputedWebhook } from './webhooks.ts';

/** How kube-apiserver reaches the webhook: a Service, or a URL without a path. */
export type Reach =
  | {
      readonly kind: 'service';
      readonly namespace: string;
      readonly name: string;
      readonly port: number;
    }
  | { readonly kind: 'url'; readonly url: string };

/** The name of configurations and the way to the webhook. */
export interface ConfigurationOptions {
  readonly name: string;
  readonly reach: Reach;
  /** PEM; empty for the authorities of the server's system. */
  readonly authorities: string;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** Makes a webhook configuration, with the fields that the server would fill in. */
export function configurationObject(
  kind: string,
  webhooks: readonly ComputedWebhook[],
  { name, reach, authorities, annotations = {} }: ConfigurationOptions,
): JsonObject {
  const caBundle = Buffer.from(authorities).toString('base64');
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind,
    metadata: {
      name,
      labels: { 'app.kubernetes.io/managed-by': 'kubeadmit-webhook' },
      ...(Object.keys(annotations).length === 0 ? {} : { annotations }),
    },
    webhooks: webhooks.map(({ path, name: webhookName, ...rest }) => ({
      name: webhookName,
      clientConfig: {
        ...clientConfig(reach, path),
        ...(caBundle === '' ? {} : { caBundle }),
      },
      ...rest,
    })),
  } as unknown as JsonObject;
}

function clientConfig(reach: Reach, path: string): object {
  if (reach.kind === 'url') return { url: `${reach.url.replace(/\/$/, '')}${path}` };
  const { namespace, name, port } = reach;
  return { service: { namespace, name, path, port } };
}
