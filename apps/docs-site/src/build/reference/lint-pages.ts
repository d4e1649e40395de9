import {
  applyFixes,
  findIssues,
  findRule,
  type LintIssue,
  lintRules,
  schemasOf,
  sortInputs,
} from '@kubeadmit/lint';
import { readManifests, Source } from '@kubeadmit/manifest';
import { block, code, type Page, table } from '../shared/page.ts';
import { type LintExample, lintExamples } from './lint-examples.ts';

/**
 * Returns an index page and a page for each lint rule, with one example that breaks it and one that does not.
 *
 * @throws Error if lint does not report the expected issues for an example
 */
export async function lintPages(): Promise<Page[]> {
  const codes = new Set(lintExamples.map(({ code: name }) => name));
  const without = lintRules.find((rule) => !codes.has(rule.code));
  if (without !== undefined) throw new Error(`no example shows ${without.code}`);
  const rules = await Promise.all(
    lintExamples.map(async (example) => ({
      example,
      found: ofCode(await issuesIn(example.bad, example), example.code),
      none: ofCode(await issuesIn(example.good, example), example.code),
    })),
  );
  for (const { example, found, none } of rules) {
    if (findRule(example.code) === undefined) throw new Error(`unknown rule ${example.code}`);
    if (found.length === 0) throw new Error(`lint finds no ${example.code} in its bad example`);
    if (none.length > 0) throw new Error(`lint finds ${example.code} in its good example`);
  }
  const rows = rules.map(({ example, found }) => [
    `[${example.code}](./${example.code})`,
    found[0]?.severity ?? '',
    example.about,
  ]);
  const index = `# Lint rules

The problems that \`kubeadmit lint\`, editors and the playground find in policies without a request. Errors are policies that a server would reject or that always fail. Warnings are warnings of a server, or parts without effect.

${table(['rule', 'severity', 'problem'], rows)}

## Settings

Turn a rule off or change its severity with \`--rule CODE=off\` (or \`info\`, \`warn\`, \`error\`), or in \`kubeadmit.yaml\` in the working directory or its nearest parent that has one:

${block('yaml', 'lint:\n  rules:\n    unused-variable: off\n    policy-without-binding: error\n')}

A comment ignores rules in a part of a file. At the end of a line, it applies to that line. Alone on a line, it applies to the next line and all lines that are indented further. At the start of a document, it applies to the document.

${block('yaml', '# kubeadmit-ignore unused-variable, type-warning\n')}

Rejections of a server and unreadable inputs are always errors.

\`kubeadmit lint --fix\` applies safe fixes to the files; \`-o json\` contains the same fixes as edits.
`;
  return [
    { path: 'reference/lint/index', markdown: index },
    ...rules.map(({ example, found }) => rulePage(example, found)),
  ];
}

function rulePage(
  { code: name, about, bad, good }: LintExample,
  found: readonly LintIssue[],
): Page {
  const issues = found.map(
    ({ severity, place, message }) => `line ${place?.line}: ${severity}: ${message}`,
  );
  const markdown = `# ${name}

${about}

Severity: ${code(found[0]?.severity ?? '')}.

## Incorrect

${block('yaml', bad)}

${block('text', issues.join('\n'))}

${repair(found)}## Correct

${block('yaml', good)}
`;
  return { path: `reference/lint/${name}`, markdown };
}

/** Returns the fixed example, if lint can fix it. */
function repair(found: readonly LintIssue[]): string {
  const [fixed] = applyFixes(found);
  return fixed === undefined ? '' : `After \`--fix\`:\n\n${block('yaml', fixed.text)}\n\n`;
}

function ofCode(issues: readonly LintIssue[], name: string): LintIssue[] {
  return issues.filter((issue) => issue.code === name);
}

async function issuesIn(
  text: string,
  { minKubernetesVersion, isStatic = false }: LintExample,
): Promise<readonly LintIssue[]> {
  const { manifests, problems } = readManifests(new Source('policy.yaml', text));
  const role = isStatic ? 'static' : 'any';
  const given = manifests.map((manifest) => ({ manifest, role }) as const);
  const schemas = await schemasOf(sortInputs(given), undefined);
  return findIssues(given, {
    schemas,
    minKubernetesVersion,
    unreadable: problems,
    clock: Date.now,
  });
}
