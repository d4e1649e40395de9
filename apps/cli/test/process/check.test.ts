import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { withFiles } from '@kubeadmit/test-support';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { checkFormats } from '../../src/output/formats/names.ts';
import { runProgram } from './program.ts';

const main = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const group = 'admissionregistration.k8s.io/v1';

const policy = (name: string, spec: object, actions = ['Deny']): string =>
  [
    {
      apiVersion: group,
      kind: 'ValidatingAdmissionPolicy',
      metadata: { name },
      spec: {
        matchConstraints: {
          resourceRules: [
            { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['*'] },
          ],
        },
        ...spec,
      },
    },
    {
      apiVersion: group,
      kind: 'ValidatingAdmissionPolicyBinding',
      metadata: { name },
      spec: {
        policyName: name,
        validationActions: actions,
        ...(name === 'selected'
          ? { matchResources: { namespaceSelector: { matchLabels: { env: 'prod' } } } }
          : {}),
      },
    },
  ]
    .map((each) => `${JSON.stringify(each)}\n`)
    .join('---\n');

const kyverno = `
apiVersion: kyverno.io/v1
kind: ClusterPolicy
metadata: {name: kyverno}
spec:
  background: false
  rules:
  - name: owner
    match: {any: [{resources: {kinds: [Pod]}}]}
    context: [{name: owners, configMap: {name: config-3, namespace: shop}}]
    validate:
      failureAction: Enforce
      message: 'only {{ owners.data.owner }}'
      deny: {conditions: {any: [{key: '{{ request.object.metadata.name }}', operator: Equals, value: pod-13}]}}
  - name: label
    match: {any: [{resources: {kinds: [Pod]}}]}
    mutate: {patchStrategicMerge: {metadata: {labels: {+(added): by-kyverno}}}}
`;

/** Objects of which some are denied, invalid, unknown, warned of, in lists, or no objects. */
function objects(count: number): string {
  const all = Array.from({ length: count }, (_, index) => {
    const namespace = ['shop', 'shop', 'store'][index % 3];
    if (index % 10 === 3) {
      return `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: config-${index}, namespace: ${namespace}}\ndata: {owner: team-${index}}\n`;
    }
    if (index % 25 === 4) {
      return `apiVersion: admission.k8s.io/v1\nkind: AdmissionReview\nrequest: {uid: a, operation: ${index > 50 ? 'CREAT' : 'CREATE'}, object: {apiVersion: v1, kind: Pod, metadata: {name: r${index}}}}\n`;
    }
    const more = index % 17 === 5 ? '  replicaz: 1\n' : '';
    return `apiVersion: v1\nkind: Pod\nmetadata: {name: pod-${index}, namespace: ${namespace}}\nspec:\n${more}  containers: [{name: a, image: "a:${index % 7}"}]\n`;
  });
  const list = all.slice(0, 5).map((text) => `- ${text.trimEnd().replaceAll('\n', '\n  ')}\n`);
  return [...all, `apiVersion: v1\nkind: List\nitems:\n${list.join('')}`, 'a: b\n'].join('---\n');
}

const files = {
  'policies/denied.yaml': policy('denied', {
    validations: [
      {
        expression: "object.kind != 'Pod' || object.spec.containers.all(c, c.image != 'a:3')",
        messageExpression: "'no 3 in ' + object.metadata.name",
      },
    ],
  }),
  'policies/warned.yaml': policy(
    'warned',
    {
      validations: [{ expression: "!object.metadata.name.endsWith('1')" }],
      auditAnnotations: [{ key: 'name', valueExpression: 'object.metadata.name' }],
    },
    ['Warn', 'Audit'],
  ),
  'policies/selected.yaml': policy('selected', { validations: [{ expression: 'false' }] }),
  'policies/unused.yaml': policy('unused', {
    matchConditions: [{ name: 'never', expression: "object.metadata.name == 'nobody'" }],
    validations: [{ expression: 'false' }],
  }),
  'policies/kyverno.yaml': kyverno,
  'manifests/a.yaml': objects(120),
  'manifests/b.yaml':
    'apiVersion: v1\nkind: Pod\nmetadata: {name: last}\nspec: {containers: [{name: a, image: a}]}\n',
  'manifests/broken.yaml': 'a: [\n',
};

const formats = checkFormats.filter((format) => format !== 'cases');

/** Runs the program and returns the output in every format, without times. */
async function endOf(folder: string) {
  const outputs = formats.flatMap((format) => ['-o', `${format}=${format}.out`]);
  const args = ['check', 'policies', 'manifests'];
  const ended = await runProgram([...args, ...outputs], { cwd: folder });
  const texts = formats.map((format) => {
    const text = readFileSync(join(folder, `${format}.out`), 'utf8');
    return [format, text.replaceAll(/ (?:time|timestamp)="[^"]*"/g, '')] as const;
  });
  return { ...ended, texts: Object.fromEntries(texts) };
}

test('a check of many objects writes the same results in every format', async () => {
  await withFiles(files, async (folder) => {
    const { exitCode, stderr, texts } = await endOf(folder);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('CREAT');
    expect(texts['text']).toContain('Namespace shop is not among the inputs');
    const { results } = JSON.parse(texts['json'] ?? '') as { readonly results: readonly object[] };
    expect(results.length).toBeGreaterThan(300);
    const lines = texts['ndjson']?.trimEnd().split('\n') ?? [];
    expect(lines.map((line) => JSON.parse(line) as object)).toEqual(results);
    expect((parse(texts['yaml'] ?? '') as { readonly results: unknown }).results).toEqual(results);
  });
});

/** The bytes that a pipe holds, and those that a reader takes at once. */
const PIPE = 65_536;

/** A check that prints more than a pipe holds, so that it waits for its reader. */
function startLong(folder: string) {
  const args = ['check', 'policies', 'manifests', '-o', 'json', '-o', 'sarif=s'];
  const child = spawn(process.execPath, [main, ...args], { cwd: folder, stdio: 'pipe' });
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  return { child, said: () => stderr };
}

const long = { ...files, 'manifests/a.yaml': objects(300) };

test('Ctrl-C ends a check, which leaves no half of a file', async () => {
  const signal = 'SIGINT';
  await withFiles(long, async (folder) => {
    const { child, said } = startLong(folder);
    await once(child.stdout, 'readable');
    child.kill(signal);
    const [code, by] = await once(child, 'exit');
    child.stdout.destroy();
    await once(child, 'close');
    expect({ code, by }).toEqual({ code: null, by: signal });
    expect(said()).toContain(`error: interrupted by ${signal}; the report is incomplete\n`);
    expect(readdirSync(folder).filter((name) => /^s(?:\.|$)/.test(name))).toEqual([]);
  });
});

test('a check reaches its verdict although its reader leaves', async () => {
  await withFiles(long, async (folder) => {
    const report = join(folder, 's');
    const heard = startLong(folder);
    let printed = 0;
    heard.child.stdout.on('data', (chunk: Buffer) => {
      printed += chunk.length;
    });
    const [code] = await once(heard.child, 'close');
    expect(printed).toBeGreaterThan(3 * PIPE);
    const whole = readFileSync(report, 'utf8');
    rmSync(report);
    const { child, said } = startLong(folder);
    await once(child.stdout, 'readable');
    child.stdout.destroy();
    expect(await once(child, 'close')).toEqual([code, null]);
    expect(said()).toBe(heard.said());
    expect(readFileSync(report, 'utf8')).toBe(whole);
  });
});
