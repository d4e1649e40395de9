import { inReadingOrder } from '../examples/example-files.ts';
import { block, type Page, table } from './shared/page.ts';
import { foldersIn, namesIn, readText } from './shared/repository.ts';

interface Recorded {
  readonly id: string;
  readonly response: {
    readonly allowed: boolean;
    readonly status?: { readonly message?: string };
    readonly warnings?: readonly string[];
  };
}

/** A page for each folder of `examples/`, and one that lists them. */
export function examplePages(): Page[] {
  const native = foldersIn('examples').filter((name) => name !== 'kyverno');
  const names = [...native, ...foldersIn('examples/kyverno').map((name) => `kyverno/${name}`)];
  const rows = names.map((name) => {
    const { title, shows } = readMe(name);
    return [`[${title}](./${pageName(name)})`, shows, `[open](/playground/?example=${name})`];
  });
  const markdown = `# Examples

Policies with bindings, manifests and tests. The answers on each page were recorded from the libraries of kube-apiserver or Kyverno, and every test run compares them.

${table(['example', 'shows', 'playground'], rows)}
`;
  return [{ path: 'examples/index', markdown }, ...names.map(examplePage)];
}

function pageName(name: string): string {
  return name.replace('/', '-');
}

function examplePage(name: string): Page {
  const { title, text } = readMe(name);
  const files = namesIn(`examples/${name}`)
    .filter((file) => /\.(?:yaml|cel)$/.test(file))
    .sort(inReadingOrder);
  const shown = files.map(
    (file) => `### ${file}\n\n${block('yaml', readText(`examples/${name}/${file}`))}`,
  );
  const markdown = `# ${title}

${text}

[Open in the playground](/playground/?example=${name})

${verdicts(name)}## Files

${shown.join('\n\n')}
`;
  return { path: `examples/${pageName(name)}`, markdown };
}

/** Returns the recorded responses of kube-apiserver's libraries to the requests of an example. */
function verdicts(name: string): string {
  if (!namesIn(`examples/${name}`).includes('expected.ndjson')) return '';
  const answers = readText(`examples/${name}/expected.ndjson`)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Recorded);
  const items = answers.map(({ id, response: { allowed, status, warnings = [] } }) => {
    const texts = [...(status?.message === undefined ? [] : [status.message]), ...warnings];
    const said = texts.map((text) => `\n\n  ${block('text', text).replaceAll('\n', '\n  ')}`);
    return `- ${allowed ? '✓ allowed' : '✗ denied'}: ${id}${said.join('')}`;
  });
  return `## Answers of kube-apiserver\n\n${items.join('\n')}\n\n`;
}

function readMe(name: string): {
  readonly title: string;
  readonly text: string;
  readonly shows: string;
} {
  const path = `examples/${name}/README.md`;
  if (!namesIn(`examples/${name}`).includes('README.md')) {
    const words = name.replace(/^kyverno\//, '').replaceAll('-', ' ');
    const title = `Kyverno: ${words}`;
    const row = new RegExp(`^\\| \\[${name.split('/')[1]}\\]\\([^)]*\\) \\| (.*) \\|$`, 'm');
    const shows = row.exec(readText('examples/kyverno/README.md'))?.[1] ?? '';
    return { title, text: `Shows: ${shows}.`, shows };
  }
  const [heading = '', ...rest] = readText(path).split('\n');
  const text = rest.join('\n').trim();
  const shows = /Shows: ([\s\S]*?)\.\s*$/.exec(text)?.[1]?.replaceAll('\n', ' ') ?? '';
  return { title: heading.replace(/^# /, ''), text, shows };
}
