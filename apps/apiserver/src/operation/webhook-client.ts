import { request } from 'node:https';
import type { WebhookAnswer, WebhookCall, WebhookClient } from '@kubeadmit/apiserver';

/** Longer webhook answers are rejected. */
const maximumAnswer = 6 * 1024 * 1024;

interface ClientConfig {
  readonly url?: string;
  readonly caBundle?: string;
  readonly service?: {
    readonly name: string;
    readonly namespace: string;
    readonly path?: string;
    readonly port?: number;
  };
}

/** Calls admission webhooks over HTTPS; services are called by their names in the cluster. */
export const webhookClient: WebhookClient = {
  call({ clientConfig, review, timeoutSeconds, signal }: WebhookCall): Promise<WebhookAnswer> {
    const { url, caBundle, service } = clientConfig as ClientConfig;
    const name = service && `${service.name}.${service.namespace}.svc`;
    const target = new URL(url ?? `https://${name}:${service?.port ?? 443}${service?.path ?? ''}`);
    const timeout = timeoutSeconds * 1000;
    target.searchParams.set('timeout', `${timeoutSeconds}s`);
    const body = JSON.stringify(review);
    const options = {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, */*',
        'user-agent': 'kube-apiserver-admission',
        'content-length': Buffer.byteLength(body),
      },
      ...(caBundle ? { ca: Buffer.from(caBundle, 'base64') } : {}),
      // As in Go, a bundle may hold the certificate of the webhook itself.
      allowPartialTrustChain: true,
      ...(signal ? { signal } : {}),
    };
    return new Promise((resolve, reject) => {
      const fail = (error: NodeJS.ErrnoException): void =>
        reject(new Error(`Post ${JSON.stringify(target.href)}: ${reasonOf(error, target)}`));
      const sent = request(target, options, (response) => {
        const parts: Buffer[] = [];
        let size = 0;
        response.on('data', (part: Buffer) => {
          size += part.length;
          if (size > maximumAnswer) sent.destroy(new Error('the answer is too long'));
          else parts.push(part);
        });
        response.on('error', fail);
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            contentType: response.headers['content-type'],
            body: Buffer.concat(parts).toString('utf8'),
          }),
        );
      });
      const timer = setTimeout(() => sent.destroy(new Error('context deadline exceeded')), timeout);
      sent.on('close', () => clearTimeout(timer));
      sent.on('error', fail);
      sent.end(body);
    });
  },
};

/** Returns why a connection failed, in Go's words if Go has a message for it. */
function reasonOf({ code, message }: NodeJS.ErrnoException, { hostname, port }: URL): string {
  const address = `${hostname}:${port === '' ? 443 : port}`;
  if (code === 'ECONNREFUSED') return `dial tcp ${address}: connect: connection refused`;
  if (code === 'ECONNRESET') return 'EOF';
  return message;
}
