import { parse } from 'yaml';
import { block, code, type Page, table } from '../page.ts';
import { namesIn, readText } from '../repository.ts';

/** The meaning of each exit code and the remedies, by its name in the program. */
const help: Readonly<
  Record<string, { readonly meaning: string; readonly remedies: readonly string[] }>
> = {
  success: {
    meaning: 'Everything was read and decided, and nothing was refused.',
    remedies: ['Nothing is to be done. Warnings may stand on standard error all the same.'],
  },
  refused: {
    meaning:
      'A policy denied an object, a test failed, a conversion is not whole, two sets of policies differ, or a mutation fails on every request.',
    remedies: [
      'Standard output tells which object, test or rule it is, with the message that kube-apiserver would give.',
      '[`kubeadmit explain`](../commands/explain) tells why: the rule that matched and the value of each part of the expression.',
      'What is denied on purpose belongs into a [test](/guides/first-test), which expects the denial and passes.',
    ],
  },
  usage: {
    meaning:
      'The command line, a configuration or an input cannot be read or is invalid, or policies were given and none of them matched any object.',
    remedies: [
      'Standard error tells what and, for a file, the line and column.',
      'Nothing was decided: an answer that leaves an input out would be worse than none.',
      '`kubeadmit COMMAND --help` lists the options of a command.',
    ],
  },
  invalidPolicy: {
    meaning: 'kube-apiserver would refuse to create a policy or a binding.',
    remedies: [
      "Standard error has the server's text and the place in the file.",
      '[`kubeadmit lint`](../commands/lint) tells everything that is wrong with policies at once, and `--fix` mends what can be mended for certain.',
      'A policy that an older server takes, or a newer one, is checked for it with `--kubernetes-version`.',
    ],
  },
  unreachable: {
    meaning: 'A cluster could not be reached, or does not allow what was asked of it.',
    remedies: [
      'Standard error begins with `cluster CONTEXT:` and has what `kubectl` said, which is how clusters are asked.',
      '`kubectl --context CONTEXT get --raw /version` asks the same: look at the address, the certificate, the user and the network between.',
      'Only [`kubeadmit scan`](../commands/scan) and `--context` ask a cluster; commands that are given files need none.',
    ],
  },
};

/** A run of the program that its tests repeat. */
interface Run {
  readonly name: string;
  readonly args: readonly string[];
  readonly exitCode: number;
  readonly stdout?: string;
  readonly stderr?: string;
}

const runsFolder = 'apps/cli/test/cases/runs';
const longestExample = 12;
const mostOfCommand = 6;

/** A page for each code that the program ends with, with runs that end so, and one that lists them. */
export function exitCodePages(): Page[] {
  const source = readText('apps/cli/src/terminal.ts');
  const codes = [...source.matchAll(/^\s*(\w+): (\d),/gm)].map(([, name = '', number = '']) => ({
    name,
    number: Number(number),
  }));
  if (codes.length < 4) throw new Error('the exit codes of the program are written in another way');
  const runs = namesIn(runsFolder)
    .filter((name) => name.endsWith('.yaml'))
    .flatMap((name) => parse(readText(`${runsFolder}/${name}`)) as Run[]);
  const rows = codes.map(({ number, name }) => [
    `[${number}](./${number})`,
    name,
    helpOf(name).meaning,
  ]);
  const index = `# Exit codes

${table(['code', 'name', 'meaning'], rows)}

Results go to standard output and nothing else does.

Where memory is exhausted, the program ends with the code of its engine, 134, and standard error says how to give it more.
`;
  return [
    { path: 'reference/exit-codes/index', markdown: index },
    ...codes.map(({ number, name }) => ({
      path: `reference/exit-codes/${number}`,
      markdown: codePage(number, name, runs),
    })),
  ];
}

function codePage(number: number, name: string, runs: readonly Run[]): string {
  const { meaning, remedies } = helpOf(name);
  const own = runs.filter((run) => run.exitCode === number);
  const commands = [...new Set(own.map(({ args }) => args[0] ?? ''))].sort();
  const examples = commands.flatMap((command) => {
    const shown = own
      .filter(({ args }) => args[0] === command)
      .map((run) => ({ run, text: outputOf(run) }))
      .filter(({ text }) => text !== '' && text.split('\n').length <= longestExample)
      .slice(0, mostOfCommand);
    if (shown.length === 0) return [];
    const items = shown.map(
      ({ run, text }) =>
        `${code(`kubeadmit ${run.args.join(' ')}`)}: ${run.name}\n\n${block('text', text)}`,
    );
    return [`### ${code(command === '' ? 'kubeadmit' : command)}\n\n${items.join('\n\n')}`];
  });
  return `# Exit code ${number}: ${name}

${meaning}

## What to do

${remedies.map((remedy) => `- ${remedy}`).join('\n')}
${examples.length === 0 ? '' : `\n## Runs that end so\n\nThe tests of the program repeat each of them.\n\n${examples.join('\n\n')}\n`}`;
}

/** The output shown to the reader: standard error, or standard output if standard error is empty. */
function outputOf({ stdout = '', stderr = '' }: Run): string {
  return (stderr.trim() === '' ? stdout : stderr).trimEnd();
}

function helpOf(name: string): (typeof help)[string] {
  const found = help[name];
  if (found === undefined) throw new Error(`nothing is said of the exit code ${name}`);
  return found;
}
