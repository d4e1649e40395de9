import 'reflect-metadata';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { listen } from '@kubeadmit/test-support';
import * as x509 from '@peculiar/x509';
import { parse } from 'yaml';
import { normalizeAnswers } from './normalize.ts';
import { cleanUp, playCase, type RestCase, type Webhook } from './play/play-case.ts';
import { loadProtobufForms } from './play/protobuf-forms.ts';
import { startRealServer } from './real-server.ts';
import { answerReview } from './webhook-behaviour.ts';

const USAGE = `usage: SERVER=program record <cases.yaml> -o <cases.ndjson>

Plays REST cases on the real kube-apiserver and writes them with its answers, a case a line; uids, times,
versions and generated names are replaced by what they stand for.`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { output: { type: 'string', short: 'o' } },
});

const program = process.env['SERVER'] ?? '';
const [input] = positionals;
if (input === undefined || values.output === undefined || program === '') {
  console.error(USAGE);
  process.exitCode = 2;
} else {
  await record(input, values.output);
}

async function record(path: string, output: string): Promise<void> {
  const cases = parse(readFileSync(path, 'utf8')) as readonly RestCase[];
  const server = await startRealServer(program);
  const webhook = await startWebhookServer();
  const protobuf = await loadProtobufForms();
  const lines: string[] = [];
  try {
    for (const restCase of cases) {
      const answers = normalizeAnswers(
        await playCase(restCase, {
          ask: server.ask,
          pause: async (milliseconds) => void (await sleep(milliseconds)),
          webhook,
          protobuf,
        }),
        webhook,
        restCase,
      );
      lines.push(JSON.stringify({ ...restCase, answers }));
      await cleanUp(server.ask);
    }
  } finally {
    await server.stop();
    webhook.stop();
  }
  writeFileSync(output, `${lines.join('\n')}\n`);
  console.log(`${lines.length} cases`);
}

/** Starts the test webhook on a free port with a new certificate. */
async function startWebhookServer(): Promise<Webhook & { stop(): void }> {
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
