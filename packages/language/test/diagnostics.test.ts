import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { findIssues, schemasOf, sortInputs } from '@kubeadmit/lint';
import { readManifests, Source } from '@kubeadmit/manifest';
import { readLines } from '@kubeadmit/test-support';
import { describe, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { createLanguageService, type LanguageService } from '../src/index.ts';

const root = new URL('../../../', import.meta.url);
const services = new Map<string, Promise<LanguageService>>();

function serviceFor(version: string | undefined): Promise<LanguageService> {
  const key = version ?? '';
  const made = services.get(key) ?? createLanguageService({ kubernetesVersion: version });
  services.set(key, made);
  return made;
}

const severities = ['', 'error', 'warning', 'info'];

/** Returns the issues that lint reports for files, one per line, as the program prints them. */
async function fromLint(
  files: ReadonlyMap<string, string>,
  version?: string,
): Promise<readonly string[]> {
  const read = [...files].map(([name, text]) => readManifests(new Source(name, text)));
  const given = read.flatMap(({ manifests }) =>
    manifests.map((manifest) => ({ manifest, role: 'any' as const })),
  );
  const schemas = await schemasOf(sortInputs(given), version);
  const unreadable = read.flatMap(({ problems }) =>
    problems.filter(({ isForeign }) => isForeign !== true),
  );
  // Editors show a deprecation as information.
  const settings = new Map([['kyverno-deprecated', 'info' as const]]);
  const options = { schemas, kubernetesVersion: version, unreadable, settings };
  const issues = await findIssues(given, options);
  return issues
    .map(({ file, place, range, source, severity, code, message }) => {
      const start = source?.text.slice(0, range?.start ?? 0).split('\n') ?? [];
      return `${file}:${place?.line} ${start.length} ${severity} ${code} ${message}`;
    })
    .sort();
}

async function fromService(
  files: ReadonlyMap<string, string>,
  version?: string,
): Promise<readonly string[]> {
  const service = await serviceFor(version);
  for (const [name, text] of files) service.setDocument(`file:///${name}`, text, name);
  const found = await service.diagnostics();
  for (const name of files.keys()) service.deleteDocument(`file:///${name}`);
  return [...found]
    .flatMap(([uri, list]) =>
      list.map(
        ({ range, severity, code, message }) =>
          `${uri.slice(8)} ${range.start.line + 1} ${severities[severity]} ${code} ${message}`,
      ),
    )
    .sort();
}

/** The same without the line of the place, which may be within the range. */
function withoutPlace(lines: readonly string[]): readonly string[] {
  return lines.map((line) => line.replace(/^(\S+?):\d+ /, '$1 ')).sort();
}

// One of eight recorded cases: all of them take half a minute of a processor. `LINT_SHARE=3` takes those of that turn,
// `LINT_SHARE=all` all.
const shares = 8;
const share = process.env['LINT_SHARE'] ?? '0';

interface RecordedCase {
  readonly id: string;
  readonly kubernetesVersion?: string;
  readonly resources: readonly unknown[];
}

describe.each(['types', 'validation'])('the recorded cases of lint: %s', (name) => {
  const cases = readLines<{ readonly case?: RecordedCase } & RecordedCase>(
    new URL(`conformance/lint/${name}.ndjson`, root),
  ).map((each) => each.case ?? each);

  const some = cases.filter((_, i) => share === 'all' || i % shares === Number(share));

  test(`are diagnosed as lint tells them (LINT_SHARE=${share})`, async () => {
    expect(some.length).toBeGreaterThan(30);
    for (const { id, kubernetesVersion, resources } of some) {
      const text = resources.map((resource) => stringify(resource)).join('---\n');
      const files = new Map([['case.yaml', text]]);
      const expected = withoutPlace(await fromLint(files, kubernetesVersion));
      expect([id, await fromService(files, kubernetesVersion)]).toEqual([id, expected]);
    }
  }, 600_000);
});

const lintCases = parse(
  readFileSync(new URL('packages/lint/test/cases.yaml', root), 'utf8'),
) as readonly {
  readonly name: string;
  readonly manifests: string;
}[];

test.each(lintCases)('the case of lint: $name', async ({ manifests }) => {
  const files = new Map([['cases.yaml', manifests]]);
  expect(await fromService(files)).toEqual(withoutPlace(await fromLint(files)));
});

const examples = readdirSync(new URL('examples/', root), { withFileTypes: true }).filter((entry) =>
  entry.isDirectory(),
);

test.each(examples)('the example $name', async ({ name }) => {
  const folder = new URL(`examples/${name}/`, root);
  const names = readdirSync(fileURLToPath(folder), { recursive: true })
    .map(String)
    .filter((file) => /\.ya?ml$/.test(file))
    .sort();
  const files = new Map(names.map((file) => [file, readFileSync(new URL(file, folder), 'utf8')]));
  expect(await fromService(files)).toEqual(withoutPlace(await fromLint(files)));
});

test('codes link to pages of the docs site that is given', async () => {
  const service = await createLanguageService({ documentation: 'https://docs.example/' });
  const binding = {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicyBinding',
    metadata: { name: 'a' },
    spec: { policyName: 'none', validationActions: ['Deny'] },
  };
  service.setDocument('file:///a.yaml', stringify(binding));
  const found = (await service.diagnostics()).get('file:///a.yaml') ?? [];
  expect(found.map(({ code, codeDescription }) => [code, codeDescription?.href])).toEqual([
    ['binding-without-policy', 'https://docs.example/reference/lint/binding-without-policy.html'],
  ]);
});

test.each(['command:x', 'javascript:alert(1)', '//host/', 'docs', 'https://a b', ''])(
  'a documentation site is an http or https URL: %j',
  async (documentation) => {
    await expect(createLanguageService({ documentation })).rejects.toThrow(
      new TypeError(
        'createLanguageService: `documentation` must be an http: or https: URL, or an absolute path',
      ),
    );
  },
);
