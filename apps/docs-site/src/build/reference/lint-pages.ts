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
import { block, code, type Page, table } from '../page.ts';
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
    if (findRule(example.code) === undefined) throw new Error(`${example.code} is no rule`);
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

## Settings

A rule is turned off, or has another severity, by \`--rule CODE=off\`, \`info\`, \`warn\` or \`error\`, or by \`kubeadmit.yaml\` in the folder that the program runs in or the nearest one above it:

${block('yaml', 'lint:\n  rules:\n    unused-variable: off\n    policy-without-binding: error\n')}

A comment silences rules at their place: behind something for its line, alone on a line for what follows with all that is indented further, before everything else for its document.

${block('yaml', '# kubeadmit-ignore unused-variable, type-warning\n')}

What a server refuses, and what cannot be read, stays an error.

\`kubeadmit lint --fix\` writes files anew with what can be repaired for certain; the same repairs are in \`-o json\` as edits.
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

Lint tells it as ${code(found[0]?.severity ?? '')}.

## Wrong

${block('yaml', bad)}

${block('text', issues.join('\n'))}

${repair(found)}## Right

${block('yaml', good)}
`;
  return { path: `reference/lint/${name}`, markdown };
}

/** Returns the fixed example, if lint can fix it. */
function repair(found: readonly LintIssue[]): string {
  const [fixed] = applyFixes(found);
  return fixed === undefined ? '' : `\`--fix\` makes of it:\n\n${block('yaml', fixed.text)}\n\n`;
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
