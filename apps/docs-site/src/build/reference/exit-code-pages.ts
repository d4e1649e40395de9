import { parse } from 'yaml';
import { block, code, type Page, table } from '../shared/page.ts';
import { namesIn, readText } from '../shared/repository.ts';

/** The meaning of each exit code and the remedies, by its name in the program. */
const help: Readonly<
  Record<string, { readonly meaning: string; readonly remedies: readonly string[] }>
> = {
  success: {
    meaning: 'All inputs were read and evaluated, and nothing was denied.',
    remedies: ['Nothing to do. Standard error may still contain warnings.'],
  },
  refused: {
    meaning:
      'A policy denied an object, a test failed, a rule was not converted in full, two policy sets differ, or a mutation fails on every request.',
    remedies: [
      'Standard output names the object, test or rule, with the message of kube-apiserver.',
      '[`kubeadmit explain`](../commands/explain) shows the reason: the rule that matched, and the value of each part of the expression.',
      'Put objects that should be denied into a [test](/guides/first-test), which expects the denial and passes.',
    ],
  },
  usage: {
    meaning:
      'The command line, a configuration or an input cannot be read or is invalid, or policies were given and none of them matched any object.',
    remedies: [
      'Standard error contains the reason and, for a file, the line and column.',
      'Fix the input and run the command again; results without the invalid inputs may be incomplete.',
      '`kubeadmit COMMAND --help` lists the options of a command.',
    ],
  },
  invalidPolicy: {
    meaning: 'kube-apiserver would reject a policy or a binding.',
    remedies: [
      "Standard error contains the server's message and the position in the file.",
      '[`kubeadmit lint`](../commands/lint) lists all problems of the policies, and `--fix` applies the safe fixes.',
      'Use `--kubernetes-version` if the policy is for an older or newer server.',
    ],
  },
  unreachable: {
    meaning: 'A cluster cannot be reached, or it rejects the request.',
    remedies: [
      'Standard error starts with `cluster CONTEXT:` and contains the message of `kubectl`, which reads from the cluster.',
      'Run `kubectl --context CONTEXT get --raw /version`, and check the address, the certificate, the user and the network.',
      'Only [`kubeadmit scan`](../commands/scan) and `--context` need a cluster; commands that read files do not.',
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
  const source = readText('apps/cli/src/process/terminal.ts');
  const codes = [...source.matchAll(/^\s*(\w+): (\d),/gm)].map(([, name = '', number = '']) => ({
    name,
    number: Number(number),
  }));
  if (codes.length < 4) throw new Error('the exit codes of the program were not found');
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

Standard output contains only results.

If the program runs out of memory, it exits with 134, the code of its JavaScript engine, and standard error explains how to raise the limit.
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
${examples.length === 0 ? '' : `\n## Examples\n\nThe tests of the program repeat each of these runs.\n\n${examples.join('\n\n')}\n`}`;
}

/** The output shown to the reader: standard error, or standard output if standard error is empty. */
function outputOf({ stdout = '', stderr = '' }: Run): string {
  return (stderr.trim() === '' ? stdout : stderr).trimEnd();
}

function helpOf(name: string): (typeof help)[string] {
  const found = help[name];
  if (found === undefined) throw new Error(`missing text for the exit code ${name}`);
  return found;
}
