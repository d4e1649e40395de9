import { existsSync } from 'node:fs';
import { parse } from 'yaml';
import { block, type Page } from '../page.ts';
import { readText, repositoryPath } from '../repository.ts';

const folder = 'packages/convert/test';

/** A construct of Kyverno's rules: a file of cases, and what a reader should know of all of them. */
const constructs = [
  {
    file: 'patterns',
    title: 'Patterns and podSecurity',
    about:
      'Each thing that a pattern asks for becomes a part of one validation. Anchors become `has()`, optional values and alternatives; rules about pods ask `variables.pod`, which is the pod or the template of a controller. An enforced rule has `variables.violatedBefore`, since Kyverno lets an update pass whose object was denied before; `--idiomatic` leaves it out.',
  },
  {
    file: 'conditions',
    title: 'Deny conditions, preconditions and loops',
    about:
      'Conditions are compared as Kyverno compares them. Preconditions are match conditions, or guard the validation where they read the pod of a controller. A list that is absent ends a condition in an error where it does in Kyverno, and the failure policy decides.',
  },
  {
    file: 'matching',
    title: 'match and exclude',
    about:
      'Kinds become resource rules; what resource rules and selectors cannot say becomes match conditions. Labels are asked of the object alone, as in Kyverno; with `--idiomatic` they become an `objectSelector`, which looks at the object before an update, too.',
  },
  {
    file: 'mutations',
    title: 'Mutations',
    about:
      'A strategic merge patch of maps becomes an apply configuration. Where it has lists, removes fields or changes a part of what server-side apply takes as a whole, it becomes a JSON patch. Kyverno puts the elements of a list that it patches before the others, and so do the results; with `--idiomatic` elements stay where they are.',
  },
  {
    file: 'without-equal',
    title: 'Without an equal',
    about:
      'What admission policies cannot do is never left out silently: the report says what and why, and the exit code is 1 unless `--allow-partial` is given.',
  },
] as const;

interface Case {
  readonly name: string;
  readonly reason?: string;
}

/** A page for each construct of Kyverno's rules, before and after, made of the files that the tests compare with. */
export function conversionPages(): Page[] {
  const pages = constructs.map(({ file, title, about }) => {
    const cases = parse(readText(`${folder}/cases/${file}.yaml`)) as readonly Case[];
    const sections = cases.map((each) => section(each, file)).join('\n\n');
    return {
      path: `reference/conversion/${file}`,
      markdown: `# ${title}\n\n${about}\n\n${sections}\n`,
    };
  });
  const list = constructs.map(({ file, title }) => `- [${title}](./${file})`).join('\n');
  const index = `# Conversion of Kyverno rules

What \`kubeadmit convert\` makes of each construct, before and after. The tests hold every pair, and ask both engines about objects that pass and objects that do not.

${list}
`;
  return [{ path: 'reference/conversion/index', markdown: index }, ...pages];
}

function section({ name, reason }: Case, file: string): string {
  const slug = name.toLowerCase().replace(/[^a-z0-9]+/g, '-');
  const path = `${folder}/goldens/${file}/${slug}`;
  const before = block('yaml', readText(`${path}.before.yaml`));
  const after = existsSync(repositoryPath(`${path}.after.yaml`))
    ? `Becomes:\n\n${block('yaml', readText(`${path}.after.yaml`))}`
    : 'Becomes nothing.';
  const title = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  const told = reason === undefined ? '' : `\n\nThe report says: ${reason}.`;
  return `## ${title}\n\n${before}\n\n${after}${told}`;
}
