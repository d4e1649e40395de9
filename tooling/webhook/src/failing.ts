import { fileURLToPath } from 'node:url';
import { withApiServer } from './api-server.ts';
import { runScenarios } from './failing/run.ts';

// Lets everything go wrong that can between a real kube-apiserver and the webhook, and holds the verdicts against
// what the failure policies say: SERVER=program tsx src/failing.ts

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
