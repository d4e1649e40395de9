import { type Command, InvalidArgumentError, Option } from 'commander';
import { outputOption } from '../output/targets.ts';

const operations = ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'];

/** Adds the arguments that say what to read, what to leave out, and which requests to make of it. */
export function addInputOptions(command: Command): Command {
  const reading = addReadOptions(
    command
      .argument('[paths...]', 'files, folders or -, with policies and manifests')
      .option('-p, --policies <path>', 'policies and what they need; repeatable', collect)
      .option('-r, --resources <path>', 'manifests, whatever their kind; repeatable', collect),
  )
    .addOption(staticOption())
    .option('--helm-values <file>', 'values of charts that are named; repeatable', collect)
    .option('--skip-kinds <kinds>', 'kinds to leave out, with commas between', collectList)
    .option('--last-wins', 'of several objects with one name the last counts')
    .addOption(
      new Option(
        '--validate <mode>',
        'what fields are that a kind does not have: refused, told or ignored',
      )
        .choices(['strict', 'warn', 'ignore'])
        .default('strict'),
    )
    .option('--ignore-unknown-kinds', 'skip manifests whose kind is not known, and say so')
    .option('-n, --namespace <name>', 'the namespace of manifests that name none', 'default')
    .addOption(
      new Option('--operation <operation>', 'what is done with the manifests')
        .choices(operations)
        .argParser(operationOf)
        .default('CREATE'),
    )
    .option('--old-resource <path>', 'what manifests were before an update; repeatable', collect)
    .option('--subresource <name>', 'the subresource that is asked for, for example status or exec')
    .option('--dry-run', 'make requests that are dry runs');
  return addUserOptions(reading, 'the user who makes the requests')
    .option('--as-uid <uid>', 'the uid of that user')
    .option('--as-extra <key=value>', 'more about that user; repeatable', collect)
    .option('--context <name>', 'take policies, what they need and the version from this cluster')
    .option('--kubeconfig <file>', 'where the context of --context stands')
    .option('--kubernetes-version <version>', 'the version of the server, for example 1.34');
}

/** Adds the options that say who makes requests. */
export function addUserOptions(command: Command, about: string): Command {
  return command
    .option('--as <user>', about, 'kubernetes-admin')
    .option('--as-group <group>', 'a group of that user; repeatable', collect);
}

/** Adds the options about the report of verdicts, and about which verdicts make the run fail. */
export function addVerdictOptions(command: Command, formats: readonly string[]): Command {
  return command
    .addOption(outputOption(formats))
    .option('-q, --quiet', 'print only objects with problems')
    .option(
      '--strict',
      'fail on unused policies and bindings, missing namespaces, skipped manifests',
    )
    .option('--allow-nothing', 'accept that no policy matches any object')
    .option('--fail-on-warn', 'fail on warnings (not on audits: --fail-on-audit)')
    .option('--fail-on-audit', 'fail on audited failures (validationActions: Audit)')
    .option('--exit-zero', 'exit 0 even if an object is denied');
}

/** Adds the options about files that every command has which reads them. */
export function addReadOptions(command: Command): Command {
  return command
    .option('--ignore <glob>', 'files to leave out, as in .kubeadmitignore; repeatable', collect)
    .option('--no-ignore-file', 'do not read .kubeadmitignore')
    .option('--max-file-size <size>', 'the size above which a file is not read', sizeOf, 128 << 20)
    .addOption(outsideOption())
    .option('--allow-remote-bases', 'let kustomizations fetch what they name');
}

/** The option that lets links and files lead anywhere. */
export function outsideOption(): Option {
  return new Option('--allow-outside', 'follow links and paths in files out of the repository');
}

/** What a server reads from its own disk, before and besides what it stores. */
export function staticOption(): Option {
  const about = "the folder of a server's staticManifestsDir; repeatable";
  return new Option('--static-manifests <folder>', about).argParser(collect);
}

/** The option that says in which one of some formats is printed, by default the first. */
export function formatOption(about: string, formats: readonly string[]): Option {
  return new Option('-o, --output <format>', about).choices(formats).default(formats[0]);
}

/** Adds the option of a command that answers a stream of cases instead; the others mean nothing then. */
export function addBatchOption(command: Command): Command {
  const about = 'answer a stream of cases (JSON lines; - for standard input)';
  const others = command.options.map((option) => option.attributeName());
  // The old name of `kubeadmit machine`.
  return command.addOption(new Option('--batch <file>', about).conflicts(others).hideHelp());
}

/** Reads a whole number. */
export function wholeNumber(least: number, most = 999_999_999): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (/^\d+$/.test(text) && number >= least && number <= most) return number;
    throw new InvalidArgumentError(`Not a whole number from ${least} to ${most}.`);
  };
}

/** Collects the values of an option that may be given more than once. */
export function collect(value: string, previous: readonly string[] | undefined): readonly string[] {
  return [...(previous ?? []), value];
}

/** Collects the values of an option that has several with commas between. */
export function collectList(
  value: string,
  previous: readonly string[] | undefined,
): readonly string[] {
  return [...(previous ?? []), ...value.split(',').filter((each) => each !== '')];
}

function operationOf(text: string): string {
  if (operations.includes(text)) return text;
  const meant = operations.find((each) => each === text.toUpperCase());
  const hint = meant === undefined ? '' : ` Did you mean ${meant}?`;
  throw new InvalidArgumentError(`Allowed choices are ${operations.join(', ')}.${hint}`);
}

const units: ReadonlyMap<string, number> = new Map([
  ['', 1],
  ['K', 2 ** 10],
  ['M', 2 ** 20],
  ['G', 2 ** 30],
]);

function sizeOf(text: string): number {
  const [, number, unit = ''] = /^([1-9][0-9]*)([KMG]?)(?:i?B)?$/.exec(text) ?? [];
  const factor = units.get(unit);
  if (number === undefined || factor === undefined) {
    throw new InvalidArgumentError('Not a size such as 500K, 20M or 1G.');
  }
  return Number(number) * factor;
}
