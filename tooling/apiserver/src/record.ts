import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { parse } from 'yaml';
import { normalizeAnswers } from './normalize.ts';
import { cleanUp, playCase, type RestCase } from './play-case.ts';
import { loadProtobufForms } from './protobuf-forms.ts';
import { startRealServer } from './real-server.ts';
import { startWebhookServer } from './webhook-server.ts';

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
