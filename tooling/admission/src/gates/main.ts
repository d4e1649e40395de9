import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type KubeClient, startKubeApiserver } from '@kubeadmit/apiserver-tools/kube-apiserver';
import { type JsonObject, printJson } from '@kubeadmit/conformance-tools';
import { decode, loadSchemas } from '@kubeadmit/schemas';
import { askWrite } from '../write/ask-write.ts';
import { collectionOf } from '../write/paths.ts';
import { type GatedWrite, gatedWrites, gatesNamespace } from './gated-writes.ts';

const USAGE = `usage: record-gates -o FILE 'VERSION=PROGRAM [FLAG…]'…

Sends writes of fields of features that are off in some versions to kube-apiservers of these versions, and records the
answers: cases of \`kubeadmit write -\`. Writes of fields that a version does not have are left out, and those that
validation refuses. A newer program emulates a version with the flag --emulated-version=VERSION. It has its own warnings
and does not know fields that a later version removed; answers with warnings are then left out.`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { output: { type: 'string', short: 'o' } },
});

if (values.output === undefined || positionals.length === 0) {
  console.error(USAGE);
  process.exitCode = 2;
} else {
  const lines: string[] = [];
  for (const server of positionals) lines.push(...(await recordServer(server)));
  writeFileSync(values.output, lines.map((line) => `${line}\n`).join(''));
}

async function recordServer(server: string): Promise<readonly string[]> {
  const [version = '', command = ''] = server.split(/=(.*)/s);
  const [program = '', ...flags] = command.split(' ');
  const known = await knownWrites(version);
  const { client, stop } = await startKubeApiserver(program, flags, { plugins: 'default' });
  try {
    for (const object of gatesNamespace) await client.ask('POST', collectionOf(object), object);
    const isEmulated = flags.some((flag) => flag.startsWith('--emulated-version='));
    const cases = (await recordCases(client, version, known)).filter(
      ({ warnings }) => !isEmulated || warnings === undefined,
    );
    console.error(`${version}: ${cases.length} of ${known.length} writes`);
    return cases.map(printJson);
  } finally {
    await stop();
  }
}

/** Returns the writes whose fields a version has. */
async function knownWrites(version: string): Promise<readonly GatedWrite[]> {
  const schemas = await loadSchemas({ version });
  return gatedWrites.filter(({ request: { object = {} } }) => {
    const { known, error } = decode(schemas, object, { fieldValidation: 'Strict' });
    return known !== false && error === undefined;
  });
}

async function recordCases(
  client: KubeClient,
  kubernetesVersion: string,
  writes: readonly GatedWrite[],
): Promise<readonly JsonObject[]> {
  const cases: JsonObject[] = [];
  for (const { id, request } of writes) {
    const answer = await askWrite(client, request);
    if (Number(answer['code']) >= 400) {
      console.error(`${kubernetesVersion}: ${id} is left out: ${printJson(answer)}`);
      continue;
    }
    cases.push({
      id: `${id}, ${kubernetesVersion}`,
      kubernetesVersion,
      resources: gatesNamespace,
      request,
      ...answer,
    } as unknown as JsonObject);
  }
  return cases;
}
