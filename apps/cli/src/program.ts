import {
  type Argument,
  Command,
  CommanderError,
  InvalidArgumentError,
  type Option,
} from 'commander';
import { checkCommand } from './commands/check.ts';
import { completionCommand } from './commands/completion.ts';
import type { CommandContext } from './commands/context.ts';
import { convertCommand } from './commands/convert.ts';
import { diffCommand } from './commands/diff.ts';
import { evalCommand } from './commands/eval.ts';
import { explainCommand } from './commands/explain.ts';
import { foreignWord } from './commands/foreign-words.ts';
import { importCommand } from './commands/import.ts';
import { initCommand } from './commands/init.ts';
import { lintCommand } from './commands/lint.ts';
import { lspCommand } from './commands/lsp.ts';
import { answeringCommand, benchCommand, kyvernoCommand } from './commands/machine.ts';
import { mutateCommand } from './commands/mutate.ts';
import { passingCommand } from './commands/other-program.ts';
import { scanCommand } from './commands/scan.ts';
import { testCommand } from './commands/test.ts';
import { versionCommand } from './commands/version.ts';
import { compileWhole } from './compile-whole.ts';
import { CommandFailure, exitCode, type Terminal } from './terminal.ts';
import { version } from './version.ts';

/**
 * Every command, in the order in which the help names them: first those for people. Each is named in a function, so that
 * what defines them is loaded when one is asked for (`withLazyParts` in `vite.config.ts`).
 */
const commands: ReadonlyMap<string, (context: CommandContext) => Command> = new Map([
  ['check', (context) => checkCommand(context)],
  ['scan', (context) => scanCommand(context)],
  ['test', (context) => testCommand(context)],
  ['lint', (context) => lintCommand(context)],
  ['mutate', (context) => mutateCommand(context)],
  ['explain', (context) => explainCommand(context)],
  ['eval', (context) => evalCommand(context)],
  ['init', (context) => initCommand(context)],
  ['import', (context) => importCommand(context)],
  ['convert', (context) => convertCommand(context)],
  ['diff', (context) => diffCommand(context)],
  ['lsp', (context) => lspCommand(context)],
  ['serve', (context) => passingCommand(context, 'serve')],
  ['apiserver', (context) => passingCommand(context, 'apiserver')],
  ['admit', (context) => answeringCommand(context, 'admit')],
  ['decode', (context) => answeringCommand(context, 'decode')],
  ['validate', (context) => answeringCommand(context, 'validate')],
  ['kyverno', (context) => kyvernoCommand(context)],
  ['bench', (context) => benchCommand(context)],
  ['completion', (context) => completionCommand(context)],
  ['version', (context) => versionCommand(context)],
]);

const guide = `
Examples:
  kubeadmit check examples/required-labels       policies and manifests in one folder
  kubeadmit check -p policies/ -r manifests/     policies here, manifests there
  kustomize build . | kubeadmit check -p policies/ -r -
  kubeadmit help check                           all about one command

Exit codes: 0 all right, 1 a policy denied, 2 usage or input that cannot be read,
3 a policy that kube-apiserver would refuse, 4 a cluster that cannot be reached.`;

/**
 * Runs the program with its arguments (without the names of node and the script).
 *
 * Never rejects for what a user may do; the answer is the exit code of the process.
 *
 * @param checkThread the file of `check-thread.ts`; without it everything is done by one thread.
 */
export async function run(
  args: readonly string[],
  terminal: Terminal,
  checkThread?: string,
): Promise<number> {
  let code: number = exitCode.success;
  const context: CommandContext = {
    terminal,
    args,
    checkThread,
    finish: (result) => {
      code = result;
    },
  };
  try {
    const words = helpWords(args);
    await createProgram(context, words[0]).parseAsync(words, { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) {
      return error.exitCode === 0 ? exitCode.success : exitCode.usage;
    }
    const failure = hasNoFolder(error)
      ? new CommandFailure('the folder that this was started in is gone')
      : error;
    if (!(failure instanceof CommandFailure)) throw failure;
    terminal.stderr.write(`error: ${failure.message}\n`);
    return failure.exitCode;
  }
}

/** Whether something failed since there is no working folder any more, to which paths are relative. */
function hasNoFolder(error: unknown): boolean {
  return (error as Partial<NodeJS.ErrnoException> | undefined)?.syscall === 'uv_cwd';
}

/** `help COMMAND` is `COMMAND --help`, and both are an error for a command that there is not. */
function helpWords(args: readonly string[]): readonly string[] {
  const words = args[0] === 'help' ? [...args.slice(1), '--help'] : args;
  const [name = ''] = words;
  return name.startsWith('-') || commands.has(name) ? words : words.slice(0, 1);
}

/** The program with all commands, or with the one that is asked for. */
function createProgram(context: CommandContext, asked: string | undefined): Command {
  const { terminal } = context;
  const program = new Command('kubeadmit')
    .description('Kubernetes admission policies on real manifests, without a cluster.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show help')
    .helpCommand(false)
    .addHelpText('after', guide)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.print(text),
      writeErr: (text) => terminal.stderr.write(text),
      outputError: (text, writeText) => writeText(withForeignWord(text)),
    })
    // All but `version` load more.
    .hook('preAction', (_, command) => {
      if (command.name() !== 'version') compileWhole();
    })
    .showSuggestionAfterError()
    .showHelpAfterError('(`--help` shows what there is)');
  for (const create of commandsFor(asked)) {
    program.addCommand(inherit(create(context), program));
  }
  return program;
}

/** The commands that what is asked first is about: completions are about all of them, the version about none. */
function commandsFor(asked: string | undefined): Iterable<(context: CommandContext) => Command> {
  if (asked === '-V' || asked === '--version') return [];
  const only = asked === undefined || asked === 'completion' ? undefined : commands.get(asked);
  return only === undefined ? commands.values() : [only];
}

/** An error with what users of other tools may mean, in the place of words that only look alike. */
function withForeignWord(text: string): string {
  const [, kind, word = ''] = /^error: unknown (command|option) '([^']*)'/.exec(text) ?? [];
  const meant = foreignWord(kind === 'command' ? kind : 'option', word);
  if (kind === undefined || meant === undefined) return text;
  return `error: unknown ${kind} '${word}'\n(${meant})\n`;
}

function inherit(command: Command, from: Command): Command {
  command.copyInheritedSettings(from);
  const single = command.registeredArguments.filter(({ variadic }) => !variadic);
  for (const each of [...command.options, ...single]) refuseEmpty(each);
  for (const inner of command.commands) inherit(inner, command);
  return command;
}

/** A value that is empty, as that of a variable of a shell that is not set: what is meant by it is never what happens. */
function refuseEmpty(given: Option | Argument): void {
  const parse = given.parseArg;
  given.argParser<unknown>((text, previous) => {
    if (text === '') throw new InvalidArgumentError('It is empty: is a variable not set?');
    return parse === undefined ? text : parse(text, previous);
  });
}
