import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Command } from 'commander';
import { CommandFailure } from '../process/terminal.ts';
import type { CommandContext } from './context.ts';

/** A program in a separate package. */
interface OtherProgram {
  readonly command: string;
  readonly summary: string;
  /** The package, its module, and the function to call: arguments in, exit code out. */
  readonly packageName: string;
  readonly entry: string;
  readonly run: string;
  /** Its folder beside that of this program, where both are built from one repository. */
  readonly folder: string;
}

const programs = {
  serve: {
    command: 'serve',
    summary: 'Run the admission webhook',
    packageName: '@kubeadmit/webhook',
    entry: 'dist/serve.js',
    run: 'serve',
    folder: 'webhook',
  },
  webhook: {
    command: 'webhook',
    summary: 'Register the admission webhook with a cluster',
    packageName: '@kubeadmit/webhook',
    entry: 'dist/webhook-command.js',
    run: 'webhookCommand',
    folder: 'webhook',
  },
  apiserver: {
    command: 'apiserver',
    summary: 'Run a Kubernetes API server for tests',
    packageName: '@kubeadmit/test-server',
    entry: 'dist/run-program.js',
    run: 'runProgram',
    folder: 'apiserver',
  },
} satisfies Readonly<Record<string, OtherProgram>>;

type Run = (args: readonly string[]) => Promise<number>;

/** A command whose help is that of another program. */
class PassingCommand extends Command {
  override copyInheritedSettings(from: Command): this {
    return super.copyInheritedSettings(from).helpOption(false);
  }
}

/** A command that passes all its arguments to another program, such as `kubeadmit serve`. */
export function passingCommand(context: CommandContext, name: keyof typeof programs): Command {
  const { summary, packageName, run } = programs[name];
  return new PassingCommand(name)
    .summary(summary)
    .description(`Start the program of ${packageName} and pass all options to it.`)
    .allowUnknownOption()
    .argument('[options...]', 'options of the program (see --help)')
    .action(async () => {
      const file = programFile(programs[name], import.meta.dirname);
      const found = (await import(pathToFileURL(file).href)) as Readonly<Record<string, Run>>;
      // As they were given: `--` is for the other program to read.
      const args = context.args.slice(context.args.indexOf(name) + 1);
      context.finish((await found[run]?.(args)) ?? 0);
    });
}

/**
 * Returns the file of another program, installed where this one finds it or in the folder beside.
 *
 * @param here the folder of this program's code
 * @throws CommandFailure if the package is not installed or not built
 */
export function programFile(program: OtherProgram, here: string): string {
  const { command, packageName, entry } = program;
  const folder = packageFolder(program, here);
  if (folder === undefined) {
    throw new CommandFailure(
      `\`kubeadmit ${command}\` is in a separate package; install \`${packageName}\``,
    );
  }
  const file = join(folder, entry);
  if (existsSync(file)) return file;
  throw new CommandFailure(
    `${packageName} is not built: ${file} does not exist; run \`npx pnpm build\` in the repository, or install the package again`,
  );
}

function packageFolder({ packageName, folder }: OtherProgram, here: string): string | undefined {
  try {
    // By its folder, since a package does not export everything that it runs.
    return dirname(createRequire(join(here, 'main.js')).resolve(`${packageName}/package.json`));
  } catch {
    // The built program lies in a folder of `apps/cli`, and its parts in one of that.
    return ['../..', '../../..']
      .map((apps) => join(here, apps, folder))
      .find((each) => existsSync(join(each, 'package.json')));
  }
}
