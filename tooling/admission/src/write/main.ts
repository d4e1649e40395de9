import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { type KubeClient, startKubeApiserver } from '@kubeadmit/apiserver-tools/kube-apiserver';
import { differences, type Json, type JsonObject, printJson } from '@kubeadmit/conformance-tools';
import { Random } from '@kubeadmit/random';
import { askWrite } from './ask-write.ts';
import { makeRequest } from './requests.ts';
import { clearWorld, type StagedWorld, stageWorld } from './stage-world.ts';
import { makeWorld } from './world.ts';
import type { Stage, WriteRequest } from './write-request.ts';

const USAGE = `usage: SERVER=program record-writes --worlds N --requests N [--seed N] -o FILE

Stores random objects on a kube-apiserver with its default admission plugins, sends random write requests
with dryRun=All, and writes each request with the answer: a case of \`kubeadmit write -\` a line. A name that
ends in .gz is compressed. Requests that validation refuses, and those with varying answers, are left out.`;

const { values } = parseArgs({
  options: {
    worlds: { type: 'string', default: '10' },
    requests: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
    output: { type: 'string', short: 'o' },
    verbose: { type: 'boolean', default: false },
  },
});

/** The number of times that a request is sent: Go's random orders show in different answers. */
const REPEATS = 3;
/** The number of concurrent requests. */
const PARALLEL = 8;

const count = { recorded: 0, invalid: 0, varying: 0 };

async function record(client: KubeClient): Promise<readonly string[]> {
  const lines: string[] = [];
  for (let number = 0; number < Number(values.worlds); number++) {
    const random = new Random(Number(values.seed) * 10_000 + number);
    const world = makeWorld(random, `w${values.seed}-${number}`);
    try {
      const staged = await stageWorld(client, world);
      lines.push(...(await recordWorld(client, random, staged, number)));
    } catch (problem) {
      console.error(`world ${number} is left out: ${String(problem)}`);
    }
    await clearWorld(client, world);
    if (values.verbose) console.error(`world ${number}: ${JSON.stringify(count)}`);
  }
  return lines;
}

async function recordWorld(
  client: KubeClient,
  random: Random,
  { cluster, namespaces }: StagedWorld,
  world: number,
): Promise<readonly string[]> {
  const lines: string[] = [];
  const share = Math.ceil(Number(values.requests) / namespaces.size);
  for (const [namespace, objects] of namespaces) {
    const stored = [...cluster, ...objects];
    const requests = Array.from({ length: share }, (_, number) =>
      makeRequest({ random, namespace, number, stored } satisfies Stage),
    );
    for (let start = 0; start < requests.length; start += PARALLEL) {
      const some = requests.slice(start, start + PARALLEL);
      const answers = await Promise.all(some.map((request) => steadyAnswer(client, request)));
      for (const [at, answer] of answers.entries()) {
        if (answer === undefined) continue;
        const id = `${values.seed}-${world}-${namespace.slice(-1)}-${start + at}`;
        const input = { id, resources: stored, request: some[at] } as unknown as JsonObject;
        lines.push(printJson({ ...input, ...answer }));
      }
    }
  }
  return lines;
}

/** The answer to a request; undefined if it varies or if the request is invalid. */
async function steadyAnswer(
  client: KubeClient,
  request: WriteRequest,
): Promise<JsonObject | undefined> {
  const first = await askWrite(client, request);
  if (isInvalid(first)) {
    count.invalid++;
    if (values.verbose)
      console.error(printJson([request as unknown as Json, first['status'] ?? null]));
    return undefined;
  }
  for (let repeat = 1; repeat < REPEATS; repeat++) {
    const again = await askWrite(client, request);
    const found = differences(first, again);
    if (found.length === 0) continue;
    count.varying++;
    if (values.verbose)
      console.error(printJson(['varying', request as unknown as Json, first, again]));
    return undefined;
  }
  count.recorded++;
  return first;
}

const program = process.env['SERVER'] ?? '';
if (program === '' || values.output === undefined) {
  console.error(USAGE);
  process.exitCode = 2;
} else {
  const { client, stop } = await startKubeApiserver(program, [], { plugins: 'default' });
  try {
    const text = (await record(client)).map((line) => `${line}\n`).join('');
    writeFileSync(
      values.output,
      values.output.endsWith('.gz') ? gzipSync(text, { level: 9 }) : text,
    );
    console.error(JSON.stringify(count));
    if (count.recorded === 0) process.exitCode = 1;
  } finally {
    await stop();
  }
}

/** Whether a request failed in validation or for lack of a permission, which is not the subject of these cases. */
function isInvalid({ code, status }: JsonObject): boolean {
  const message = String((status as JsonObject | undefined)?.['message'] ?? '');
  if (code === 403 && message.includes(' is forbidden: User "alice" cannot ')) return true;
  if (code === 400 || code === 405 || code === 409) return !message.includes('forbidden');
  if (code !== 422) return false;
  return !message.includes('AdmissionPolicy') && !message.includes('pod-security.kubernetes.io/');
}
