// The express server that the webhook is compared with: it parses bodies and answers a constant.

import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { join } from 'node:path';
import express from 'express';

const folder = process.argv[2];
const app = express();
app.use(express.json({ limit: '7mb' }));
app.post('/validate', (_request, response) => {
  response.json({
    apiVersion: 'admission.k8s.io/v1',
    kind: 'AdmissionReview',
    response: { uid: '00000000-0000-4000-8000-000000000000', allowed: true },
  });
});
const server = createServer(
  {
    cert: readFileSync(join(folder, 'tls.crt')),
    key: readFileSync(join(folder, 'tls.key')),
    noDelay: true,
  },
  app,
);
server.listen(0, '127.0.0.1', () => {
  console.log(JSON.stringify({ message: 'listening', reviews: server.address().port }));
});
