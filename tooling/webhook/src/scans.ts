import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { stringify } from 'yaml';
import { type ApiServer, withApiServer } from './server/api-server.ts';
import { isObject, type JsonObject } from './server/json.ts';
import { create, readObjects } from './server/objects.ts';

const USAGE = `usage: SERVER=program scans GROUP FOLDER [OBJECTS]

Lets the webhook scan a kube-apiserver that has the definitions of reports of a FOLDER, for reports of a GROUP
(wgpolicyk8s.io or openreports.io): OBJECTS config maps (default 1000), and ten policies that half of them keep. Tells
how long the first scan takes, and the next one, which has nothing to write; and holds the reports against what the
policies say, and has the server take each of them again with strict field validation.`;

const program = fileURLToPath(new URL('../../../apps/webhook/dist/main.js', import.meta.url));
const policyCount = 10;
const scanSeconds = 10;
const definitionMilliseconds = 3_000;
const atOnce = 20;

const [group = '', definitions = '', count = '1000'] = process.argv.slice(2);
const { SERVER } = process.env;
const collections: Readonly<Record<string, string>> = {
  'wgpolicyk8s.io': '/apis/wgpolicyk8s.io/v1alpha2/namespaces/shop/policyreports',
  'openreports.io': '/apis/openreports.io/v1alpha1/namespaces/shop/reports',
};
const reports = collections[group];
if (SERVER === undefined || reports === undefined || definitions === '') {
  console.error(USAGE);
  process.exitCode = 2;
} else {
  process.exitCode = await measure(SERVER, reports, Number(count));
}

function measure(serverProgram: string, path: string, objects: number): Promise<number> {
  return withApiServer(serverProgram, async (server, folder) => {
    const shop = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } };
    await create(server, [...readObjects(definitions), shop]);
    await sleep(definitionMilliseconds);
    const each = Array.from({ length: objects }, (_, index) => configMap(index));
    for (let at = 0; at < objects; at += atOnce) {
      await Promise.all(each.slice(at, at + atOnce).map((object) => create(server, [object])));
    }
    writeFileSync(
      join(folder, 'policies.yaml'),
      policies()
        .map((one) => stringify(one))
        .join('---\n'),
    );
    await scans(server, folder);
    return (await wrongReports(server, path, objects)) === 0 ? 0 : 1;
  });
}

function configMap(index: number): JsonObject {
  const labels = index % 2 === 0 ? { team: 'shop' } : {};
  const metadata = { name: `settings-${index}`, namespace: 'shop', labels };
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { number: String(index) } };
}

function policies(): readonly JsonObject[] {
  const apiVersion = 'admissionregistration.k8s.io/v1';
  const resourceRules = [
    { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] },
  ];
  const expression = 'has(object.metadata.labels) && "team" in object.metadata.labels';
  return Array.from({ length: policyCount }, (_, index) => {
    const metadata = { name: `team-${index}` };
    const spec = { matchConstraints: { resourceRules }, validations: [{ expression }] };
    const bound = { policyName: metadata.name, validationActions: ['Audit'] };
    return [
      { apiVersion, kind: 'ValidatingAdmissionPolicy', metadata, spec },
      { apiVersion, kind: 'ValidatingAdmissionPolicyBinding', metadata, spec: bound },
    ];
  }).flat();
}

// Runs two scans and prints the webhook's report and processor time for each.
async function scans(server: ApiServer, folder: string): Promise<void> {
  const child = spawn(
    process.execPath,
    [
      ...[program, '--policies', join(folder, 'policies.yaml'), '--kubeconfig', server.kubeconfig],
      ...['--self-signed', join(folder, 'tls')],
      ...['--reports', group, '--scan-interval', String(scanSeconds)],
      ...['--listen', '127.0.0.1:0', '--metrics-listen', '127.0.0.1:0', '--shutdown-delay', '0'],
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  try {
    let before = 0;
    let number = 0;
    for await (const line of createInterface({ input: child.stdout })) {
      const said = JSON.parse(line) as JsonObject;
      if (said['message'] === 'not everything could be scanned') console.log(said['problem']);
      if (said['message'] !== 'scanned') continue;
      const used = processorSeconds(child.pid);
      const { objects, problems, seconds } = said;
      console.log(
        `scan ${++number}: ${objects} objects, ${problems} problems, ${Number(seconds).toFixed(1)} s, ${(used - before).toFixed(1)} s of processor time`,
      );
      before = used;
      if (number === 2) return;
    }
    throw new Error('the webhook ended');
  } finally {
    child.kill();
  }
}

function processorSeconds(pid: number | undefined): number {
  return readdirSync(`/proc/${pid}/task`).reduce((sum, task) => {
    const [running] = readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ');
    return sum + Number(running) / 1e9;
  }, 0);
}

async function wrongReports(server: ApiServer, path: string, objects: number): Promise<number> {
  const { body } = await server.ask({ method: 'GET', path });
  const items = body['items'] as readonly JsonObject[];
  const wrong: string[] = [];
  const of = new Map<string, JsonObject>();
  for (const item of items) {
    const { scope } = item;
    if (isObject(scope) && scope['kind'] === 'ConfigMap') of.set(String(scope['name']), item);
  }
  for (let index = 0; index < objects; index++) {
    const name = `settings-${index}`;
    const report = of.get(name);
    const results = (report?.['results'] ?? []) as readonly JsonObject[];
    const expected = index % 2 === 0 ? 'pass' : 'fail';
    const isRight =
      results.length === policyCount && results.every(({ result }) => result === expected);
    if (!isRight) wrong.push(name);
    if (report === undefined) continue;
    const metadata = { ...(report['metadata'] as JsonObject), managedFields: undefined };
    const again = { apiVersion: body['apiVersion'], kind: kindOf(body), ...report, metadata };
    const at = `${path}/${metadata['name' as keyof typeof metadata]}?fieldValidation=Strict&dryRun=All`;
    const { code, body: said } = await server.ask({ method: 'PUT', path: at, body: again });
    if (code !== 200) wrong.push(`${name}: ${String(said['message'])}`);
  }
  console.log(`${of.size} reports of ${objects} config maps, ${wrong.length} wrong`);
  for (const each of wrong.slice(0, 10)) console.log(each);
  return wrong.length;
}

function kindOf(list: JsonObject): string {
  return String(list['kind']).replace(/List$/, '');
}
