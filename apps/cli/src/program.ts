import {
  type Argument,
  Command,
  CommanderError,
  InvalidArgumentError,
  type Option,
} from 'commander';
import type { CommandContext } from './commands/context.ts';
import { foreignWord, leadingOption } from './commands/foreign-words.ts';
import { printable } from './output/style.ts';
import { CommandFailure, exitCode, type Terminal } from './process/terminal.ts';
import { version } from './process/version.ts';

/** Defines a command; its module is loaded when the command is needed. */
type DefineCommand = (context: CommandContext) => Promise<Command>;

const passingTo =
  (program: 'serve' | 'webhook' | 'apiserver'): DefineCommand =>
  async (context) =>
    (await import('./commands/other-program.ts')).passingCommand(context, program);

const answering =
  (name: 'admit' | 'write' | 'decode' | 'validate'): DefineCommand =>
  async (context) =>
    (await import('./commands/machine.ts')).answeringCommand(context, name);

/** The commands of each group of the help, in order. */
const groups: ReadonlyMap<string, readonly string[]> = new Map([
  ['Check and test:', ['check', 'test', 'lint', 'explain', 'mutate', 'diff', 'eval']],
  ['Write and migrate:', ['init', 'convert', 'import', 'lsp', 'mcp']],
  ['Clusters:', ['scan', 'serve', 'webhook', 'apiserver']],
  ['Other:', ['image-data', 'completion', 'version', 'machine']],
]);

/** Every command, in the order of the help. */
const commands: ReadonlyMap<string, DefineCommand> = new Map<string, DefineCommand>([
  ['check', async (context) => (await import('./commands/check.ts')).checkCommand(context)],
  ['test', async (context) => (await import('./commands/test.ts')).testCommand(context)],
  ['lint', async (context) => (await import('./commands/lint.ts')).lintCommand(context)],
  ['explain', async (context) => (await import('./commands/explain.ts')).explainCommand(context)],
  ['mutate', async (context) => (await import('./commands/mutate.ts')).mutateCommand(context)],
  ['diff', async (context) => (await import('./commands/diff.ts')).diffCommand(context)],
  ['eval', async (context) => (await import('./commands/eval.ts')).evalCommand(context)],
  ['init', async (context) => (await import('./commands/init.ts')).initCommand(context)],
  ['convert', async (context) => (await import('./commands/convert.ts')).convertCommand(context)],
  ['import', async (context) => (await import('./commands/import.ts')).importCommand(context)],
  ['lsp', async (context) => (await import('./commands/lsp.ts')).lspCommand(context)],
  ['mcp', async (context) => (await import('./commands/mcp.ts')).mcpCommand(context, run)],
  ['scan', async (context) => (await import('./commands/scan.ts')).scanCommand(context)],
  ['serve', passingTo('serve')],
  ['webhook', passingTo('webhook')],
  ['apiserver', passingTo('apiserver')],
  [
    'image-data',
    async (context) => (await import('./commands/image-data.ts')).imageDataCommand(context),
  ],
  [
    'completion',
    async (context) => (await import('./commands/completion.ts')).completionCommand(context),
  ],
  ['version', async (context) => (await import('./commands/version.ts')).versionCommand(context)],
  ['machine', async (context) => (await import('./commands/machine.ts')).machineCommand(context)],
  ['admit', answering('admit')],
  ['write', answering('write')],
  ['decode', answering('decode')],
  ['validate', answering('validate')],
  ['kyverno', async (context) => (await import('./commands/machine.ts')).kyvernoCommand(context)],
  ['bench', async (context) => (await import('./commands/machine.ts')).benchCommand(context)],
]);

/** Commands of `machine` that also work without this word; the help leaves them out. */
const shortNames: ReadonlySet<string> = new Set([
  ...['admit', 'write', 'decode', 'validate', 'kyverno', 'bench'],
]);

const guide = `
Examples:
  kubeadmit check examples/required-labels       Policies and manifests in one folder
  kubeadmit check -p policies/ -r manifests/     Policies and manifests in separate folders
  kustomize build . | kubeadmit check -p policies/ -r -
  kubeadmit help check                           Help for one command

Exit codes:
  0  no problems
  1  a policy denied an object, or a test failed
  2  invalid usage or unreadable input
  3  a policy that kube-apiserver would reject
  4  the cluster cannot be reached`;

/**
 * Runs the program with its arguments (without the names of node and the script).
 *
 * Returns the exit code of the process; never rejects for mistakes of a user.
 */
export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  let code: number = exitCode.success;
  const words = helpWords(args);
  const context: CommandContext = {
    terminal,
    args: words,
    finish: (result) => {
      code = result;
    },
  };
  try {
    const program = await createProgram(context, words[0]);
    await program.parseAsync(words, { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) {
      return error.exitCode === 0 ? exitCode.success : exitCode.usage;
    }
    const failure = hasNoFolder(error)
      ? new CommandFailure('the current working directory no longer exists')
      : error;
    if (!(failure instanceof CommandFailure)) throw failure;
    terminal.stderr.write(`error: ${printable(failure.message)}\n`);
    return failure.exitCode;
  }
}

/** Whether the working directory, to which paths are relative, no longer exists. */
function hasNoFolder(error: unknown): boolean {
  return (error as Partial<NodeJS.ErrnoException> | undefined)?.syscall === 'uv_cwd';
}

/** Turns `help COMMAND` into `COMMAND --help`; both are an error for an unknown command. */
function helpWords(args: readonly string[]): readonly string[] {
  const words = args[0] === 'help' ? [...args.slice(1), '--help'] : args;
  const [name = ''] = words;
  return name.startsWith('-') || commands.has(name) ? words : words.slice(0, 1);
}

/** Defines the program with all commands, or with only the one that the arguments name. */
async function createProgram(context: CommandContext, name: string | undefined): Promise<Command> {
  const { terminal } = context;
  const program = new Command('kubeadmit')
    .description('Test Kubernetes admission policies on real manifests, without a cluster.')
    .version(version, '-V, --version', 'Print the version')
    .helpOption('-h, --help', 'Print help')
    .helpCommand(false)
    .addHelpText('after', guide)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.print(text),
      writeErr: (text) => terminal.stderr.write(printable(text)),
      outputError: (text, writeText) => writeText(withAdvice(text, context.args)),
    })
    .showSuggestionAfterError()
    .showHelpAfterError('(run with --help for usage)');
  const defined = await Promise.all(Array.from(commandsFor(name), (define) => define(context)));
  for (const command of defined) {
    const hidden = shortNames.has(command.name());
    program.addCommand(inherit(command, program).helpGroup(groupOf(command)), { hidden });
  }
  return program;
}

/** Returns the heading under which the help lists a command. */
function groupOf(command: Command): string {
  const found = [...groups].find(([, names]) => names.includes(command.name()));
  return found?.[0] ?? 'Other:';
}

/** The commands to define for the first argument: all for completions and for help, none for the version option. */
function commandsFor(name: string | undefined): Iterable<DefineCommand> {
  if (name === '-V' || name === '--version') return [];
  const only = name === undefined || name === 'completion' ? undefined : commands.get(name);
  return only === undefined ? commands.values() : [only];
}

/** Adds advice to an error about another tool's word, or an option before the command. */
function withAdvice(text: string, [first = '']: readonly string[]): string {
  const [, kind, word = ''] = /^error: unknown (command|option) '([^']*)'/.exec(text) ?? [];
  if (kind === undefined) return text;
  const advice =
    kind === 'option' && first.startsWith('-')
      ? leadingOption(word)
      : foreignWord(kind === 'command' ? kind : 'option', word);
  return advice === undefined ? text : `error: unknown ${kind} '${word}'\n(${advice})\n`;
}

function inherit(command: Command, from: Command): Command {
  command.copyInheritedSettings(from);
  const single = command.registeredArguments.filter(({ variadic }) => !variadic);
  for (const each of [...command.options, ...single]) refuseEmpty(each);
  for (const inner of command.commands) inherit(inner, command);
  return command;
}

/** Rejects empty values, which come from unset shell variables. */
function refuseEmpty(given: Option | Argument): void {
  const parse = given.parseArg;
  given.argParser<unknown>((text, previous) => {
    if (text === '')
      throw new InvalidArgumentError('The value is empty; is a shell variable unset?');
    return parse === undefined ? text : parse(text, previous);
  });
}
