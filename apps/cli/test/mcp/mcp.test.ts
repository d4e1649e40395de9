import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { withFiles } from '@kubeadmit/test-support';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runProgram } from '../process/program.ts';
import { McpClient } from './client.ts';

const examples = fileURLToPath(new URL('../../../../examples', import.meta.url));
const main = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

const limits = ['replica-limits'];
const kyverno = 'kyverno/pod-rules/policy.yaml';

/** Calls whose first text is the JSON of a command. */
const sameAsCommand: readonly (readonly [string, object, readonly string[]])[] = [
  ['check', { paths: limits }, ['check', '-o', 'json', ...limits]],
  [
    'check',
    {
      policies: ['required-labels/policy.yaml', 'required-labels/binding.yaml'],
      resources: ['required-labels/bad.yaml'],
      user: 'dev',
    },
    [
      ...['check', '-o', 'json', '--as', 'dev', '-r', 'required-labels/bad.yaml'],
      ...['-p', 'required-labels/policy.yaml', '-p', 'required-labels/binding.yaml'],
    ],
  ],
  ['lint', { paths: ['.'] }, ['lint', '-o', 'json', '.']],
  [
    'lint',
    { paths: limits, kubernetesVersion: '1.32' },
    ['lint', '-o', 'json', '--kubernetes-version', '1.32', ...limits],
  ],
  [
    'explain',
    { paths: limits, policy: 'replica-limits' },
    ['explain', '-o', 'json', '--policy', 'replica-limits', ...limits],
  ],
  ['test', { paths: limits }, ['test', '-o', 'json', ...limits]],
  [
    'diff',
    { old: 'required-labels', new: 'recommended-labels', resources: ['required-labels/bad.yaml'] },
    [
      ...['diff', '-o', 'json', 'required-labels', 'recommended-labels'],
      ...['-r', 'required-labels/bad.yaml'],
    ],
  ],
  [
    'eval',
    {
      expression: 'object.spec.replicas <= max',
      variables: { object: { spec: { replicas: 3 } }, max: 5 },
    },
    [
      ...['eval', '-o', 'json', 'object.spec.replicas <= max'],
      ...['-v', 'object={"spec":{"replicas":3}}', '-v', 'max=5'],
    ],
  ],
  [
    'eval',
    { expression: '-1 + size(p.metadata.name)', files: { p: 'replica-limits/policy.yaml' } },
    [
      ...['eval', '-o', 'json', '-f', 'p=replica-limits/policy.yaml'],
      ...['--', '-1 + size(p.metadata.name)'],
    ],
  ],
];

describe('kubeadmit mcp', () => {
  let client: McpClient;
  beforeAll(async () => {
    client = await McpClient.start(examples);
  });
  afterAll(() => client.close());

  it('describes every tool and every argument', async () => {
    const tools = await client.tools();
    expect(tools.map(({ name }) => name)).toEqual([
      ...['check', 'lint', 'explain', 'test', 'convert', 'diff', 'eval'],
    ]);
    expect(client.instructions).toMatch(/^Test Kubernetes admission policies/);
    for (const { description, inputSchema, annotations } of tools) {
      expect(description).toMatch(/\.$/);
      expect(annotations).toMatchObject({ readOnlyHint: true, openWorldHint: false });
      expect(inputSchema['additionalProperties']).toBe(false);
      for (const property of Object.values(inputSchema.properties ?? {})) {
        expect(property).toHaveProperty('description', expect.stringMatching(/^[A-Z]/));
      }
    }
  });

  it.each(sameAsCommand)(
    'answers %s %o with the JSON of the command',
    async (tool, given, args) => {
      const answer = await client.call(tool, { ...given });
      const { stdout, exitCode } = await runProgram(args, { cwd: examples });
      expect(answer).toEqual({
        texts: [stdout.trimEnd(), ...answer.texts.slice(1)],
        isError: exitCode === 2,
      });
    },
  );

  it('answers convert with the report and the YAML of the command', async () => {
    const [report = '', yaml] = (await client.call('convert', { paths: [kyverno], prove: 50 }))
      .texts;
    const { stdout } = await runProgram(['convert', '--prove', '50', kyverno], { cwd: examples });
    expect(yaml).toBe(stdout.trimEnd());
    expect(JSON.parse(report).policies).not.toEqual([]);
    expect(JSON.parse(report).policies[0]).toMatchObject({
      status: 'converted',
      proof: { requests: 38, differences: [] },
    });
  });

  it.each([
    ['an unknown tool', 'scan', {}, 'scan'],
    ['an unknown argument', 'check', { paths: limits, context: 'prod' }, 'context'],
    ['a number in place of a path', 'lint', { paths: [1] }, 'paths'],
    ['no paths', 'lint', { paths: [] }, 'paths'],
    ['too many requests', 'diff', { old: '.', new: '.', search: 1e9 }, 'search'],
    ['an unknown version', 'check', { paths: limits, kubernetesVersion: '1.2' }, '1.2'],
    ['an expression that does not compile', 'eval', { expression: '1 +' }, 'issues'],
    ['an invalid name of a variable', 'eval', { expression: '1', variables: { 'a=b': 1 } }, 'a=b'],
    [
      'a folder without policies',
      'check',
      { resources: ['required-labels/bad.yaml'], policies: ['required-labels/bad.yaml'] },
      'no polic',
    ],
    ['an invalid regular expression', 'test', { paths: limits, run: '(' }, 'error parsing regexp'],
  ])('answers %s with a tool error', async (_name, tool, given, message) => {
    const { texts, isError } = await client.call(tool, given);
    expect({ isError, text: texts.join('\n') }).toEqual({
      isError: true,
      text: expect.stringContaining(message),
    });
  });

  it('runs the test of the skill file, which names every tool', async () => {
    const skill = readFileSync(new URL('../../skills/kubeadmit/SKILL.md', import.meta.url), 'utf8');
    for (const { name } of await client.tools())
      expect(skill).toContain(`| \`${name}\` | \`kubeadmit ${name} `);
    const [, suiteText = ''] = /^ *```yaml\n([\s\S]*?)^ *```$/m.exec(skill) ?? [];
    const names = ['policy.yaml', 'binding.yaml', 'good.yaml'];
    const files = names.map((name) => [
      name,
      readFileSync(join(examples, 'required-labels', name), 'utf8'),
    ]);
    await withFiles({ ...Object.fromEntries(files), 'a.admit.yaml': suiteText }, async (folder) => {
      const { stdout } = await runProgram(['test', '-o', 'json'], { cwd: folder });
      expect(JSON.parse(stdout).summary).toMatchObject({ passed: 2, failed: 0, errored: 0 });
    });
  });

  it('answers all calls before it ends, and exits with 0', async () => {
    const program = spawn(process.execPath, [main, 'mcp', examples], { stdio: 'pipe' });
    const output = text(program.stdout);
    const initialize = {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 't', version: '1' },
    };
    const call = (id: number, method: string, params: object): string =>
      `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;
    const lint = { name: 'lint', arguments: { paths: limits } };
    program.stdin.end(
      call(1, 'initialize', initialize) + call(2, 'tools/call', lint) + call(3, 'tools/call', lint),
    );
    const [code] = await once(program, 'exit');
    expect(code).toBe(0);
    const ids = (await output)
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).id);
    expect(ids).toEqual([1, 2, 3]);
  });

  it('exits with 2 if its folder does not exist', async () => {
    const ended = await runProgram(['mcp', 'nowhere'], { cwd: examples });
    expect(ended).toMatchObject({ exitCode: 2, stderr: 'error: nowhere: not a folder\n' });
  });
});

const secret = 'the-secret-of-another-folder';
const policy = `apiVersion: v1
kind: ConfigMap
metadata: {name: ${secret}}
`;
const suite = `policies: [../outside/policy.yaml]
cases:
  - {name: reads elsewhere, object: ../outside/policy.yaml, expect: allowed}
`;

describe('the folder of kubeadmit mcp', () => {
  const hostile: readonly (readonly [name: string, tool: string, given: object])[] = [
    ...[
      ['a relative path', '../outside/policy.yaml'],
      ['a path with dots in the middle', 'sub/../../outside/policy.yaml'],
      ['an absolute path', 'OUTSIDE/policy.yaml'],
      ['a folder with a similar name', '../inside-2/policy.yaml'],
      ['the folder above', '..'],
      ['a link to a file', 'link.yaml'],
      ['a link to a folder', 'linked'],
      ['a file behind a link to a folder', 'linked/policy.yaml'],
      ['a link to a link', 'again.yaml'],
      ['a pattern', '../outside/*.yaml'],
      ['standard input', '-'],
      ['an option', '--allow-outside'],
      ['a URL', 'https://example.com/policy.yaml'],
      ['an artifact', 'oci://example.com/policies:1'],
      ['a revision', 'main:policies/'],
      ['the files of the process', '/proc/self/environ'],
      ['a device', '/dev/stdin'],
      ['a name with a null character', 'a\0b'],
    ].flatMap(([name = '', path]) => [
      [`check of ${name}`, 'check', { paths: [path] }] as const,
      [`lint of ${name}`, 'lint', { paths: [path] }] as const,
      [`test of ${name}`, 'test', { paths: [path] }] as const,
      [`convert of ${name}`, 'convert', { paths: [path] }] as const,
      [`eval of ${name}`, 'eval', { expression: 'x', files: { x: path } }] as const,
      [`diff of ${name}`, 'diff', { old: path, new: '.' }] as const,
      [`explain of ${name}`, 'explain', { policies: ['.'], resources: [path] }] as const,
    ]),
    ['a socket', 'check', { paths: ['socket'] }],
  ];

  it('is the only one that tools read', async () => {
    const files = {
      'inside/own.yaml': policy.replace(secret, 'own'),
      'inside/sub/own.yaml': policy.replace(secret, 'own-2'),
      'inside/suite/a.admit.yaml': suite.replaceAll('../outside', '../../outside'),
      'inside-2/policy.yaml': policy,
      'outside/policy.yaml': policy,
      'outside/kubeadmit.yaml': `${secret}: 1\n`,
    };
    await withFiles(files, async (above) => {
      const inside = join(above, 'inside');
      symlinkSync(join(above, 'outside/policy.yaml'), join(inside, 'link.yaml'));
      symlinkSync('link.yaml', join(inside, 'again.yaml'));
      symlinkSync('../outside', join(inside, 'linked'));
      const socket = createServer().listen(join(inside, 'socket'));
      await once(socket, 'listening');
      const client = await McpClient.start(inside);
      for (const [name, tool, given] of hostile) {
        const real = JSON.parse(
          JSON.stringify(given).replaceAll('OUTSIDE', join(above, 'outside')),
        );
        const { texts, isError } = await client.call(tool, real);
        expect({ name, isError }).toEqual({ name, isError: true });
        expect(texts.join('\n')).not.toContain(secret);
      }
      const { texts } = await client.call('test', { paths: ['suite'] });
      expect(JSON.parse(texts[0] ?? '')).toMatchObject({
        summary: { passed: 0, errored: 1 },
        tests: [{ message: expect.stringContaining('leads outside the repository or folder') }],
      });
      expect(texts.join()).not.toContain(secret);
      await client.close();
      socket.close();
    });
  });

  it.each([
    ['kubeadmit.yaml', 'lint'],
    ['.kubeadmitignore', 'lint'],
    ['.kubeadmitignore', 'check'],
  ])('may not have a %s that is a link to another folder, for %s', async (name, tool) => {
    const files = { 'inside/own.yaml': policy, 'outside/file': `${secret}: 1\n` };
    await withFiles(files, async (above) => {
      const inside = join(above, 'inside');
      symlinkSync('../outside/file', join(inside, name));
      const client = await McpClient.start(inside);
      const { texts, isError } = await client.call(tool, { paths: ['.'] });
      await client.close();
      expect({ isError, text: texts.join('\n') }).toEqual({
        isError: true,
        text: `error: ${name}: a link that leads outside the folder`,
      });
    });
  });

  it('reads links that lead inside, and its own configuration', async () => {
    const files = {
      'kubeadmit.yaml': 'lint: {rules: {unknown-rule: off}}\n',
      'sub/own.yaml': policy,
    };
    await withFiles(files, async (above) => {
      const inside = join(above, 'sub');
      symlinkSync('own.yaml', join(inside, 'link.yaml'));
      const client = await McpClient.start(inside);
      const answer = await client.call('eval', {
        expression: 'x.metadata.name',
        files: { x: 'link.yaml' },
      });
      // The configuration above the folder, which is invalid, is not read.
      const linted = await client.call('lint', { paths: ['.'] });
      await client.close();
      expect(answer.texts[0]).toContain(secret);
      expect(linted.texts.join()).toContain('no policy');
    });
  });
});
