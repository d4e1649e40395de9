import { type Command, InvalidArgumentError, Option } from 'commander';
import { outputOption } from '../output/targets.ts';
import { pluginsOption } from './plugins-option.ts';

const operations = ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'];

/** Adds the options for inputs and for the requests that are made of them. */
export function addInputOptions(command: Command): Command {
  command
    .argument('[paths...]', 'Files, folders, or - for standard input')
    .optionsGroup('Input:')
    .option('-p, --policies <path>', 'Policies and their dependencies (repeatable)', collect)
    .option('-r, --resources <path>', 'Manifests to check, of any kind (repeatable)', collect);
  addReadOptions(command)
    .option('--skip-kinds <kinds>', 'Kinds to skip, comma-separated', collectList)
    .option('--ignore-unknown-kinds', 'Skip manifests of unknown kinds with a note')
    .option('--last-wins', 'If an object occurs more than once, use the last one')
    .option('--helm-values <file>', 'Values file for Helm charts (repeatable)', collect)
    .addOption(staticOption())
    .option('--context <name>', 'Also read policies and the version from this cluster')
    .option('--kubeconfig <file>', 'Kubeconfig that contains the context')
    .addOption(exceptionOption())
    .option('--kubernetes-version <version>', 'Kubernetes version, for example 1.34')
    .optionsGroup('Request:')
    .option('-n, --namespace <name>', 'Namespace for manifests without one', 'default')
    .addOption(
      new Option('--operation <operation>', 'Operation to simulate')
        .choices(operations)
        .argParser(operationOf)
        .default('CREATE'),
    )
    .option('--old-resource <path>', 'Objects before the update (repeatable)', collect)
    .option('--subresource <name>', 'Subresource, for example exec or statefulsets/scale')
    .option('--dry-run', 'Mark the requests as dry runs')
    .addOption(pluginsOption())
    .addOption(
      new Option(
        '--bind <action>',
        'Bind policies without a binding: Deny, Warn or Audit',
      ).argParser(actionOf),
    );
  return addUserOptions(command)
    .option('--as-uid <uid>', 'Uid of the user')
    .option('--as-extra <key=value>', 'Additional information about the user (repeatable)', collect)
    .optionsGroup("Data for Kyverno's policies:")
    .option('--values-file <file>', 'Values of the Kyverno CLI: variables, namespaces')
    .option('--set <name=value>', 'Variable of Kyverno rules (repeatable)', collect)
    .option('--context-file <file>', 'Context of the Kyverno CLI, or a Test with answers')
    .addOption(imageDataOption())
    .addOption(trustedRootOption())
    .addOption(
      new Option('--userinfo <file>', 'UserInfo of the Kyverno CLI: user and roles').conflicts([
        ...['as', 'asGroup', 'asUid', 'asExtra'],
      ]),
    )
    .optionsGroup('Strictness:')
    .addOption(
      new Option('--validate <mode>', 'Unknown fields: strict (error), warn or ignore')
        .choices(['strict', 'warn', 'ignore'])
        .default('strict'),
    );
}

/** The option for the recorded data of images. */
export function imageDataOption(): Option {
  return new Option('--image-data <folder>', 'Recorded images (kubeadmit image-data record)');
}

/** The option for the trust root of Sigstore. */
export function trustedRootOption(): Option {
  return new Option('--trusted-root <file>', 'Trust root of Sigstore (trusted_root.json)');
}

/** The option for the PolicyExceptions of a cluster. */
export function exceptionOption(): Option {
  const help = 'Namespace whose PolicyExceptions apply; * for all';
  return new Option('--exception-namespace <name>', help).argParser(exceptionNamespaceOf);
}

function exceptionNamespaceOf(value: string): string {
  if (value === '*' || /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(value)) return value;
  throw new InvalidArgumentError('Expected the name of a namespace, or *.');
}

/** Adds the options for the user of requests. */
export function addUserOptions(command: Command): Command {
  return command
    .option('--as <user>', 'User of the requests', 'kubernetes-admin')
    .option('--as-group <group>', 'Group of the user (repeatable)', collect);
}

/** Adds the options for the exit code and for the report of verdicts. */
export function addVerdictOptions(command: Command, formats: readonly string[]): Command {
  return command
    .optionsGroup('Strictness:')
    .option('--strict', 'Fail on unused policies, missing namespaces and skipped files')
    .option('--allow-nothing', 'Accept that no policy matches any object')
    .option('--fail-on-warn', 'Fail on warnings (action Warn) and ignored errors')
    .option('--fail-on-audit', 'Fail on audited failures (validationActions: Audit)')
    .option('--exit-zero', 'Exit with 0 even if objects were denied')
    .optionsGroup('Output:')
    .addOption(outputOption(formats))
    .option('-q, --quiet', 'Print only problems');
}

/** Adds the options for reading files. */
export function addReadOptions(command: Command): Command {
  return command
    .option(
      '--ignore <glob>',
      'Skip matching files, as .kubeadmitignore does (repeatable)',
      collect,
    )
    .option('--no-ignore-file', 'Do not read .kubeadmitignore')
    .addOption(
      new Option('--max-file-size <size>', 'Skip larger files')
        .argParser(sizeOf)
        .default(128 << 20, '128Mi'),
    )
    .addOption(outsideOption())
    .option('--allow-remote-bases', 'Let kustomizations fetch remote bases');
}

/** The option that allows links and paths out of the repository. */
export function outsideOption(): Option {
  return new Option('--allow-outside', 'Follow links and paths that lead out of the repository');
}

/** The option for manifests that a server reads from its own disk. */
export function staticOption(): Option {
  const about = 'Folder of static policies (staticManifestsDir; repeatable)';
  return new Option('--static-manifests <folder>', about).argParser(collect);
}

/** The option that selects one of several formats (default: the first). */
export function formatOption(about: string, formats: readonly string[]): Option {
  return new Option('-o, --output <format>', about).choices(formats).default(formats[0]);
}

/** Adds the hidden option that answers a stream of cases; it excludes all other options. */
export function addBatchOption(command: Command): Command {
  const about = 'Answer a stream of cases (JSON Lines; - for standard input)';
  const others = command.options.map((option) => option.attributeName());
  // The old name of `kubeadmit machine`.
  return command.addOption(new Option('--batch <file>', about).conflicts(others).hideHelp());
}

/** Returns a parser for whole numbers in a range. */
export function wholeNumber(least: number, most = 999_999_999): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (/^\d+$/.test(text) && number >= least && number <= most) return number;
    throw new InvalidArgumentError(`Expected a whole number from ${least} to ${most}.`);
  };
}

/** Collects the values of a repeatable option. */
export function collect(value: string, previous: readonly string[] | undefined): readonly string[] {
  return [...(previous ?? []), value];
}

/** Collects comma-separated values. */
export function collectList(
  value: string,
  previous: readonly string[] | undefined,
): readonly string[] {
  return [...(previous ?? []), ...value.split(',').filter((each) => each !== '')];
}

const actions = ['Deny', 'Warn', 'Audit'];

function actionOf(text: string): string {
  const action = actions.find((each) => each.toLowerCase() === text.toLowerCase());
  if (action !== undefined) return action;
  throw new InvalidArgumentError(`Allowed choices are ${actions.join(', ')}.`);
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
  const [, number, unit = ''] = /^([1-9][0-9]*)([KMG]?)(?:iB?|B)?$/.exec(text) ?? [];
  const factor = units.get(unit);
  if (number === undefined || factor === undefined) {
    throw new InvalidArgumentError('Expected a size such as 500Ki, 20Mi or 1Gi.');
  }
  return Number(number) * factor;
}
