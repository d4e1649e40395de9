import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Command } from 'commander';
import { CommandFailure } from '../terminal.ts';
import type { CommandContext } from './context.ts';

/** A program of a package of its own. */
interface OtherProgram {
  readonly summary: string;
  /** The package, what of it is run, and the function there: arguments in, exit code out. */
  readonly packageName: string;
  readonly entry: string;
  readonly run: string;
  /** Its folder beside that of this program, where both are built from one repository. */
  readonly folder: string;
}

const programs = {
  serve: {
    summary: 'answer a cluster as its admission webhook',
    packageName: '@kubeadmit/webhook',
    entry: 'dist/serve.js',
    run: 'serve',
    folder: 'webhook',
  },
  apiserver: {
    summary: 'be a cluster for policies, for kubectl and every other client',
    packageName: '@kubeadmit/apiserver-program',
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

/** `kubeadmit serve` and `kubeadmit apiserver`: commands that hand all their arguments to another program. */
export function passingCommand(context: CommandContext, name: keyof typeof programs): Command {
  const { summary, packageName, run } = programs[name];
  return new PassingCommand(name)
    .summary(summary)
    .description(`Start the program of ${packageName}; all options are its own.`)
    .allowUnknownOption()
    .argument('[options...]', 'its options; `--help` shows them')
    .action(async () => {
      const file = findProgram(programs[name], import.meta.dirname);
      if (file === undefined) {
        throw new CommandFailure(
          `\`kubeadmit ${name}\` is a package of its own: install \`${packageName}\` beside \`@kubeadmit/cli\``,
        );
      }
      const found = (await import(pathToFileURL(file).href)) as Readonly<Record<string, Run>>;
      // As they were given: `--` is for the other program to read.
      const args = context.args.slice(context.args.indexOf(name) + 1);
      context.finish((await found[run]?.(args)) ?? 0);
    });
}

/** The program: installed where this one finds it, or in the folder beside. */
function findProgram(
  { packageName, entry, folder }: OtherProgram,
  here: string,
): string | undefined {
  try {
    // By its folder: what a package runs is not all among what it exports.
    const manifest = createRequire(join(here, 'main.js')).resolve(`${packageName}/package.json`);
    return join(dirname(manifest), entry);
  } catch {
    // The built program lies in a folder of `apps/cli`, and its parts in one of that.
    return ['../..', '../../..']
      .map((apps) => join(here, apps, folder, entry))
      .find((file) => existsSync(file));
  }
}
