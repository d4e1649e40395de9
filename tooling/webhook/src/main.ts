import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { runProgram } from '@kubeadmit/test-support';
import { stringify } from 'yaml';
import { kubectlCalls } from './commands.ts';
import { type Recorder, startRecorder } from './recorder.ts';
import { exchanges } from './requests.ts';
import { type ApiServer, withApiServer } from './server/api-server.ts';
import {
  acrossVersions,
  comparableAnswer,
  comparableOutput,
  namespaces,
} from './server/comparable.ts';
import { type JsonObject, sortedText } from './server/json.ts';
import {
  asOwn,
  boundTo,
  configurations,
  create,
  isPolicy,
  objectsOf,
  readObjects,
  untilActing,
} from './server/objects.ts';
import { startProgram } from './server/processes.ts';

const USAGE = `usage: SERVER=program KUBECTL=program play [--record FOLDER] [--cluster] [--answers FILE | --against FILE]

Starts a kube-apiserver and the webhook, and sends the same requests, by HTTP and by kubectl, to a
namespace in which the server's own policies act and to one in which the webhook has the same. Code,
reason, message less its prefix, details, warnings, audit annotations and objects have to be the same.
--record keeps the reviews that the webhook was asked, with its answers, and the policies. --cluster gives the webhook its
policies by the API, as those of policies.kubeadmit.dev. --answers keeps what the server's own policies
did, and --against compares the webhook with what was kept, on a server without such policies.`;

// The time that a server needs to serve the kind of a definition.
const definitionMilliseconds = 3_000;

const root = fileURLToPath(new URL('../../../', import.meta.url));
const { values } = parseArgs({
  options: {
    record: { type: 'string' },
    cluster: { type: 'boolean', default: false },
    answers: { type: 'string' },
    against: { type: 'string' },
  },
});
const { SERVER, KUBECTL } = process.env;
if (SERVER === undefined || KUBECTL === undefined) {
  console.error(USAGE);
  process.exitCode = 2;
} else {
  process.exitCode = await play(SERVER, KUBECTL);
}

async function play(program: string, kubectl: string): Promise<number> {
  const objects = readObjects(join(root, 'tooling/webhook/policies'));
  const own = objectsOf('webhook', objects).map((object) => stringify(object));
  return withApiServer(program, async (server, folder) => {
    const policies = join(folder, 'policies.yaml');
    writeFileSync(policies, own.join('---\n'));
    const webhook = await startProgram(
      process.execPath,
      [
        join(root, 'apps/webhook/dist/main.js'),
        ...(values.cluster
          ? ['--kubeconfig', server.kubeconfig, '--no-native-policies']
          : ['--policies', policies]),
        ...['--self-signed', join(folder, 'tls'), '--shutdown-delay', '0'],
        ...['--listen', '127.0.0.1:0', '--metrics-listen', '127.0.0.1:0', '--log-allows', '0'],
      ],
      '"listening"',
    );
    try {
      const { reviews } = JSON.parse(webhook.line) as { readonly reviews: number };
      const recorder = await startRecorder(join(folder, 'tls'), reviews);
      const differences = await compare(server, kubectl, { folder, objects, recorder });
      recorder.close();
      if (values.record !== undefined && differences === 0) keep(values.record, policies, recorder);
      return differences === 0 ? 0 : 1;
    } finally {
      await webhook.stop();
    }
  });
}

interface Played {
  readonly folder: string;
  readonly objects: readonly JsonObject[];
  readonly recorder: Recorder;
}

async function compare(
  server: ApiServer,
  kubectl: string,
  { folder, objects, recorder }: Played,
): Promise<number> {
  for (const side of ['native', 'webhook'] as const) {
    await create(
      server,
      objectsOf(
        side,
        objects.filter((object) => !isPolicy(object)),
      ),
    );
  }
  const policies = objects.filter(isPolicy);
  if (values.cluster) {
    // The folder also contains manifests that install the webhook in a cluster, which this test does not do.
    const manifests = readObjects(join(root, 'apps/webhook/manifests'));
    const isDefinition = (object: JsonObject): boolean =>
      object['kind'] === 'CustomResourceDefinition';
    await create(server, manifests.filter(isDefinition));
    await sleep(definitionMilliseconds);
    await create(server, policies.map(asOwn));
  }
  if (values.against === undefined) {
    await create(
      server,
      policies.map((object) => boundTo('native', object)),
    );
  }
  const caBundle = readFileSync(join(folder, 'tls/ca.crt')).toString('base64');
  await create(server, configurations(recorder.port, caBundle));
  await untilActing(server, values.against === undefined ? ['native', 'webhook'] : ['webhook']);
  const compared = [
    ...(await compareRequests(server)),
    ...(await compareCalls(kubectl, server.kubeconfig)),
  ];
  if (values.answers !== undefined) {
    writeFileSync(values.answers, JSON.stringify(compared.map(({ native }) => native)));
  }
  const kept =
    values.against === undefined
      ? undefined
      : (JSON.parse(readFileSync(values.against, 'utf8')) as readonly JsonObject[]);
  let [different, denied] = [0, 0];
  for (const [index, { name, native: answered, webhook, isDenied }] of compared.entries()) {
    const native = kept?.[index] ?? answered;
    if (isDenied) denied++;
    const isSame =
      kept === undefined
        ? sortedText(native) === sortedText(webhook)
        : sortedText(acrossVersions(native)) === sortedText(acrossVersions(webhook));
    if (isSame) continue;
    different++;
    console.log(
      `${name}\n  native:  ${JSON.stringify(native)}\n  webhook: ${JSON.stringify(webhook)}`,
    );
  }
  console.log(`${compared.length} compared, ${denied} of them denied, ${different} different`);
  return different;
}

interface Compared {
  readonly name: string;
  readonly native: JsonObject;
  readonly webhook: JsonObject;
  readonly isDenied: boolean;
}

async function compareRequests(server: ApiServer): Promise<Compared[]> {
  const answers = [];
  for (const exchange of exchanges()) {
    const native = await exchange.send(server, namespaces.native);
    const webhook = await exchange.send(server, namespaces.webhook);
    answers.push({ name: exchange.name, native, webhook });
  }
  const annotations = server.auditAnnotations();
  return answers.map(({ name, native, webhook }) => ({
    name,
    native: comparableAnswer(native, annotations.get(native.auditId)),
    webhook: comparableAnswer(webhook, annotations.get(webhook.auditId)),
    isDenied: webhook.code >= 400,
  }));
}

async function compareCalls(kubectl: string, kubeconfig: string): Promise<Compared[]> {
  const compared: Compared[] = [];
  for (const { args, input } of kubectlCalls()) {
    const call = (namespace: string) =>
      runProgram(kubectl, ['--kubeconfig', kubeconfig, '--namespace', namespace, ...args], {
        stdin: input,
      });
    const [native, webhook] = await Promise.all([
      call(namespaces.native),
      call(namespaces.webhook),
    ]);
    compared.push({
      name: `kubectl ${args.join(' ')}`,
      native: comparableOutput(native),
      webhook: comparableOutput(webhook),
      isDenied: webhook.exitCode !== 0,
    });
  }
  return compared;
}

// The reviews in the order in which they came.
function keep(folder: string, policies: string, { reviews }: Recorder): void {
  const lines = reviews.map((recorded) => JSON.stringify(recorded));
  writeFileSync(join(folder, 'reviews.ndjson'), `${lines.join('\n')}\n`);
  copyFileSync(policies, join(folder, 'policies.yaml'));
  console.log(`${lines.length} reviews kept in ${folder}`);
}
