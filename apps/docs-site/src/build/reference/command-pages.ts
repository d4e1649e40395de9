import { block, type Page, table } from '../shared/page.ts';
import { runProgram } from '../shared/program.ts';

/** Sections of a program's help that list neither commands nor options. */
const otherSections: ReadonlySet<string> = new Set(['Examples', 'Exit codes']);

/** Generates a page for each command from its help, and one that lists them. */
export function commandPages(): Page[] {
  const help = helpOf([]);
  const groups = sectionsOf(help).filter(
    ({ heading, items }) => !otherSections.has(heading) && !isOptions(items),
  );
  const tables = groups.map(({ heading, items }) => {
    const rows = items.map(([term, about]) => [`[${nameOf(term)}](./${nameOf(term)})`, about]);
    return `## ${heading}\n\n${table(['Command', 'Purpose'], rows)}`;
  });
  const index = `# Commands

The commands of kubeadmit by task, each with its options, examples and exit codes.

${tables.join('\n\n')}

## Help of the program

${block('text', help)}

See [Exit codes](../exit-codes/).
`;
  const commands = groups.flatMap(({ items }) => items);
  return [
    { path: 'reference/commands/index', markdown: index },
    ...commands.map(([term, about]) => {
      const name = nameOf(term);
      return isOwnPackage(name)
        ? {
            path: `reference/commands/${name}`,
            markdown: `# kubeadmit ${name}\n\n${about}\n\nSee [its options](../${ownPages[name]}).\n`,
          }
        : commandPage(name);
    }),
  ];
}

function commandPage(name: string): Page {
  const help = helpOf([name]);
  const [usage = '', about = '', ...parts] = help.split('\n\n');
  const sections = sectionsOf(help);
  const options = sections.filter(({ items }) => isOptions(items));
  const commands = sections.find(({ heading }) => heading === 'Commands')?.items ?? [];
  const listed = new Set([...options.map(({ heading }) => heading), 'Arguments', 'Commands']);
  const after = parts.filter((part) => !listed.has(headingOf(part) ?? ''));
  const inner = commands.map(([term]) => {
    const inside = nameOf(term);
    return `## ${name} ${inside}\n\n${block('text', helpOf([name, inside]))}`;
  });
  const tables = options.map(({ heading, items }) => {
    const rows = items.map(([term, meaning]) => [`\`${term}\``, plain(meaning)]);
    return `### ${heading}\n\n${table(['Option', 'Meaning'], rows)}`;
  });
  const markdown = `# kubeadmit ${name}

${about.replaceAll('\n', ' ')}

${block('text', usage)}

${options.length > 0 ? `## Options\n\n${tables.join('\n\n')}\n` : ''}
${after.length > 0 ? `## More\n\n${block('text', after.join('\n\n'))}\n` : ''}
${inner.join('\n\n')}
`;
  return { path: `reference/commands/${name}`, markdown };
}

type Item = readonly [term: string, about: string];

interface Section {
  readonly heading: string;
  readonly items: readonly Item[];
}

/** Returns the sections of a help text: a heading, and indented items below it. */
function sectionsOf(help: string): readonly Section[] {
  return help.split('\n\n').flatMap((part) => {
    const heading = headingOf(part);
    return heading === undefined ? [] : [{ heading, items: itemsOf(part.split('\n').slice(1)) }];
  });
}

function headingOf(part: string): string | undefined {
  return /^([A-Z][\w ]*):\n {2}/.exec(part)?.[1];
}

function isOptions(items: readonly Item[]): boolean {
  return items.every(([term]) => term.startsWith('-'));
}

function nameOf(term: string): string {
  return term.split(' ')[0] ?? '';
}

/** Returns the terms of a section, each with its description. */
function itemsOf(lines: readonly string[]): Item[] {
  const items: [string, string][] = [];
  for (const line of lines) {
    const [, term, about] = /^ {2}(\S.*?)(?: {2,}(.*))?$/.exec(line) ?? [];
    const last = items.at(-1);
    if (term !== undefined) items.push([term, about ?? '']);
    else if (last !== undefined) last[1] = `${last[1]} ${line.trim()}`.trim();
  }
  return items;
}

function plain(text: string): string {
  return text.replaceAll('<', '&lt;');
}

/** Commands that run another program, and the pages about them. */
const ownPages: Readonly<Record<string, string>> = { serve: 'webhook', apiserver: 'apiserver' };

function isOwnPackage(command: string): boolean {
  return Object.hasOwn(ownPages, command);
}

function helpOf(command: readonly string[]): string {
  return runProgram([...command, '--help']);
}
