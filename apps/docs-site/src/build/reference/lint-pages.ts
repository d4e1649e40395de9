import { findIssues, schemasOf, sortInputs } from '@kubeadmit/lint';
import { readManifests, Source } from '@kubeadmit/manifest';
import { block, code, type Page, table } from '../page.ts';
import { type LintExample, lintExamples } from './lint-examples.ts';

interface Found {
  readonly severity: string;
  readonly code: string;
  readonly message: string;
  readonly line: number | undefined;
}

/**
 * A page for each rule of lint, with an example that breaks it and one that does not, and one that lists them.
 *
 * @throws Error when lint does not say of the examples what they are for
 */
export async function lintPages(): Promise<Page[]> {
  const rules = await Promise.all(
    lintExamples.map(async (example) => ({
      example,
      found: ofCode(await issuesIn(example.bad), example.code),
      none: ofCode(await issuesIn(example.good), example.code),
    })),
  );
  for (const { example, found, none } of rules) {
    if (found.length === 0) throw new Error(`lint finds no ${example.code} in its bad example`);
    if (none.length > 0) throw new Error(`lint finds ${example.code} in its good example`);
  }
  const rows = rules.map(({ example, found }) => [
    `[${example.code}](./${example.code})`,
    found[0]?.severity ?? '',
    example.about,
  ]);
  const index = `# Lint rules

What \`kubeadmit lint\` and the playground find wrong with policies before there is a request. Errors are what a server would refuse, or what cannot work; warnings are what a server would warn of, or what has no effect.

${table(['rule', 'severity', 'what it is about'], rows)}
`;
  return [
    { path: 'reference/lint/index', markdown: index },
    ...rules.map(({ example, found }) => rulePage(example, found)),
  ];
}

function rulePage({ code: name, about, bad, good }: LintExample, found: readonly Found[]): Page {
  const issues = found.map(
    ({ severity, line, message }) => `line ${line}: ${severity}: ${message}`,
  );
  const markdown = `# ${name}

${about}

Lint tells it as ${code(found[0]?.severity ?? '')}.

## Wrong

${block('yaml', bad)}

${block('text', issues.join('\n'))}

## Right

${block('yaml', good)}
`;
  return { path: `reference/lint/${name}`, markdown };
}

function ofCode(issues: readonly Found[], name: string): Found[] {
  return issues.filter((issue) => issue.code === name);
}

async function issuesIn(text: string): Promise<Found[]> {
  const { manifests, problems } = readManifests(new Source('policy.yaml', text));
  const given = manifests.map((manifest) => ({ manifest, role: 'any' as const }));
  const schemas = await schemasOf(sortInputs(given), undefined);
  const issues = await findIssues(given, { schemas, unreadable: problems });
  return issues.map(({ severity, code: name, message, place }) => ({
    severity,
    code: name,
    message,
    line: place?.line,
  }));
}
