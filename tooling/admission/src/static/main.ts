import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type KubeApiserver, startKubeApiserver } from '@kubeadmit/apiserver-tools/kube-apiserver';
import { withFolder, writeFiles } from '@kubeadmit/test-support';
import { type StaticCase, staticCases } from './cases.ts';
import { webhookCases } from './webhook-cases.ts';

const usage = `usage: SERVER=program static policies|webhooks > answers.ndjson

Starts a kube-apiserver with each folder of static manifests, of policies or of webhooks, and prints the case with the error because of
which it does not start, or what it answers to the requests of the case. Folders are called DIR.`;

/** The relevant parts of the answer to a request. */
interface Answered {
  readonly code: number;
  readonly message?: string;
  readonly warnings?: readonly string[];
  readonly labels?: unknown;
}

const program = process.env['SERVER'] ?? '';
const cases = { policies: staticCases, webhooks: webhookCases }[process.argv[2] ?? ''];
if (program === '' || cases === undefined) {
  console.error(usage);
  process.exitCode = 2;
} else {
  for (const each of cases) {
    process.stdout.write(
      `${JSON.stringify({ ...each, ...(await withFolder((place) => startedWith(each, place))) })}\n`,
    );
  }
}

async function startedWith({ plugin, files, requests = [] }: StaticCase, place: string) {
  const folder = join(place, 'manifests');
  mkdirSync(folder);
  writeFiles(folder, files);
  const configuration = join(place, 'admission.json');
  const name = plugin.replace(/(?=Policy|Webhook)/, 'Admission');
  const isForWebhooks = plugin.endsWith('Webhook');
  const settings = {
    apiVersion: 'apiserver.config.k8s.io/v1',
    kind: isForWebhooks ? 'WebhookAdmissionConfiguration' : `${name}Configuration`,
    staticManifestsDir: folder,
  };
  const whole = {
    apiVersion: 'apiserver.config.k8s.io/v1',
    kind: 'AdmissionConfiguration',
    plugins: [{ name, configuration: settings }],
  };
  writeFileSync(configuration, JSON.stringify(whole));
  const flags = [`--admission-control-config-file=${configuration}`];
  let server: KubeApiserver;
  try {
    server = await startKubeApiserver(program, flags);
  } catch (error) {
    const text = logged(String(error));
    const what = isForWebhooks ? 'webhook' : 'policy';
    const start = `failed to load static ${what} manifests from "${folder}": `;
    const at = text.indexOf(start);
    if (at < 0) throw error;
    return { error: text.slice(at + start.length).replaceAll(folder, 'DIR') };
  }
  try {
    const answers: Answered[] = [];
    for (const { method, path, body } of requests) {
      const answer = await server.client.ask(method, `${path}?dryRun=All`, body);
      const { message, metadata } = answer.body as { message?: string; metadata?: Labelled };
      answers.push({
        code: answer.code,
        ...(message === undefined ? {} : { message }),
        ...(answer.warnings.length === 0 ? {} : { warnings: answer.warnings }),
        ...(metadata?.labels === undefined ? {} : { labels: metadata.labels }),
      });
    }
    return requests.length === 0 ? {} : { answers };
  } finally {
    await server.stop();
  }
}

/** The error that klog wrote: quoted, or indented between angle brackets where it has several lines. */
function logged(text: string): string {
  const [, quoted, lines] =
    /"command failed" err=(?:("(?:[^"\\]|\\.)*")|<\n([\s\S]*?)\n >)/.exec(text) ?? [];
  if (quoted !== undefined) return JSON.parse(quoted) as string;
  return (lines ?? '').replace(/^\t/gm, '');
}

interface Labelled {
  readonly labels?: unknown;
}
