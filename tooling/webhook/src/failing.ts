import { fileURLToPath } from 'node:url';
import { runScenarios } from './failing/run.ts';
import { withApiServer } from './server/api-server.ts';

// Makes every failure happen that is possible between a real kube-apiserver and the webhook, and compares the verdicts
// with the failure policies: SERVER=program tsx src/failing.ts

const { SERVER } = process.env;
const program = fileURLToPath(new URL('../../../apps/webhook/dist/main.js', import.meta.url));
if (SERVER === undefined) {
  console.error('usage: SERVER=program failing');
  process.exitCode = 2;
} else {
  const told = await withApiServer(SERVER, (server, folder) =>
    runScenarios(server, { folder, program, changes: 2_000 }),
  );
  for (const { name, result } of told) console.log(`| ${name} | ${result} |`);
  process.exitCode = told.every(({ isRight }) => isRight) ? 0 : 1;
}
