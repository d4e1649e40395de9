import { createServer, type Server } from 'node:https';
import type { CertificatePair } from '@kubeadmit/certificates';
import { listen } from '@kubeadmit/test-support';

/** Webhooks that do not answer as they should. */
export interface BadWebhooks {
  /** Answers long after anyone waits. */
  readonly slow: number;
  /** The port of a webhook that answers with something other than a review. */
  readonly garbage: number;
  /** Answers a review of another request. */
  readonly confused: number;
  close(): void;
}

/** Starts webhooks that do not answer as they should, with a certificate that is trusted. */
export async function startBadWebhooks(pair: CertificatePair): Promise<BadWebhooks> {
  const confusion = {
    apiVersion: 'admission.k8s.io/v1',
    kind: 'AdmissionReview',
    response: { uid: 'another', allowed: true },
  };
  const servers = [
    serverOf(pair, JSON.stringify(confusion), 20_000),
    serverOf(pair, 'garbage', 0),
    serverOf(pair, JSON.stringify(confusion), 0),
  ];
  const [slow = 0, garbage = 0, confused = 0] = await Promise.all(servers.map(listen));
  const close = (): void => {
    for (const server of servers) {
      server.close();
      server.closeAllConnections();
    }
  };
  return { slow, garbage, confused, close };
}

function serverOf(
  { certificate, key }: CertificatePair,
  text: string,
  milliseconds: number,
): Server {
  return createServer({ cert: certificate, key }, (request, response) => {
    request.resume();
    const timer = setTimeout(() => {
      response.writeHead(200, { 'Content-Type': 'application/json' });
      response.end(text);
    }, milliseconds);
    response.once('close', () => clearTimeout(timer));
  });
}
