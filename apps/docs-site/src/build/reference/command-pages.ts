import { block, type Page, table } from '../page.ts';
import { runProgram } from '../program.ts';

/** A page for each command of the program, from what its help says, and one that lists them. */
export function commandPages(): Page[] {
  const help = helpOf([]);
  const commands = itemsOf(help, 'Commands:').map(([term, about]) => ({
    name: term.split(' ')[0] ?? '',
    about,
  }));
  const rows = commands.map(({ name, about }) => [`[${name}](./${name})`, about]);
  const index = `# Commands

${table(['command', 'what it does'], rows)}

The program's own help:

${block('text', help)}

What the codes mean that it ends with is told [here](../exit-codes/).
`;
  return [
    { path: 'reference/commands/index', markdown: index },
    ...commands.map(({ name, about }) =>
      isOwnPackage(name)
        ? {
            path: `reference/commands/${name}`,
            markdown: `# kubeadmit ${name}\n\n${about}\n\nIts options are those of [the program of its own](../${ownPages[name]}).\n`,
          }
        : commandPage(name),
    ),
  ];
}

function commandPage(name: string): Page {
  const help = helpOf([name]);
  const [usage = '', ...rest] = help.split('\n\n');
  const options = itemsOf(help, 'Options:');
  const commands = itemsOf(help, 'Commands:');
  const after = rest.filter((part) => !/^(?:Arguments|Options|Commands):/.test(part)).slice(1);
  const [about = ''] = rest;
  const inner = commands.map(([term]) => {
    const [inside = ''] = term.split(' ');
    return `## ${name} ${inside}\n\n${block('text', helpOf([name, inside]))}`;
  });
  const markdown = `# kubeadmit ${name}

${about.replaceAll('\n', ' ')}

${block('text', usage)}

${
  options.length > 0
    ? `## Options\n\n${table(
        ['option', 'meaning'],
        options.map(([term, meaning]) => [`\`${term}\``, plain(meaning)]),
      )}\n`
    : ''
}
${after.length > 0 ? `## More\n\n${block('text', after.join('\n\n'))}\n` : ''}
${inner.join('\n\n')}
`;
  return { path: `reference/commands/${name}`, markdown };
}

/** The terms below a heading of a help text, each with what is said of it. */
function itemsOf(help: string, heading: string): [string, string][] {
  const start = help.indexOf(`\n${heading}\n`);
  if (start === -1) return [];
  const [section = ''] = help.slice(start + heading.length + 2).split('\n\n');
  const items: [string, string][] = [];
  for (const line of section.split('\n')) {
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

/** Commands that are programs of their own, and the pages about them. */
const ownPages: Readonly<Record<string, string>> = { serve: 'webhook', apiserver: 'apiserver' };

function isOwnPackage(command: string): boolean {
  return Object.hasOwn(ownPages, command);
}

function helpOf(command: readonly string[]): string {
  return runProgram([...command, '--help']);
}
