import { createServer } from 'node:https';
import { listen } from '@kubeadmit/test-support';
import 'reflect-metadata';
import * as x509 from '@peculiar/x509';
import type { Webhook } from './play-case.ts';
import { answerReview } from './webhook-behaviour.ts';

/** Starts the test webhook on a free port with a new certificate. */
export async function startWebhookServer(): Promise<Webhook & { stop(): void }> {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: 'CN=webhook of the cases',
    notBefore: new Date(Date.now() - 60_000),
    notAfter: new Date(Date.now() + 86_400_000),
    keys,
    signingAlgorithm: algorithm,
    extensions: [
      new x509.BasicConstraintsExtension(true),
      new x509.SubjectAlternativeNameExtension([{ type: 'ip', value: '127.0.0.1' }]),
    ],
  });
  const key = x509.PemConverter.encode(
    await crypto.subtle.exportKey('pkcs8', keys.privateKey),
    'PRIVATE KEY',
  );
  const cert = certificate.toString('pem');
  const server = createServer({ key, cert }, (request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const path = request.url?.split('?')[0] ?? '';
      // It never answers.
      if (path === '/hang') return;
      const { status, body } = answerReview(path, Buffer.concat(parts).toString('utf8'));
      response.writeHead(status, { 'content-type': 'application/json' }).end(body);
    });
  });
  const port = await listen(server);
  return {
    url: `https://127.0.0.1:${port}`,
    authority: Buffer.from(cert).toString('base64'),
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
