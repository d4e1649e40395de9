import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Command } from 'commander';
import { CommandFailure, type ExitCode } from '../terminal.ts';
import type { CommandContext } from './context.ts';

/** What the webhook's package exports. */
interface WebhookPackage {
  serve(args: readonly string[]): Promise<ExitCode>;
}

/** A command whose help is that of another program. */
class PassingCommand extends Command {
  override copyInheritedSettings(from: Command): this {
    return super.copyInheritedSettings(from).helpOption(false);
  }
}

/** `kubeadmit serve`: the admission webhook, which is a package of its own. */
export function serveCommand(context: CommandContext): Command {
  return new PassingCommand('serve')
    .summary('answer a cluster as its admission webhook')
    .description('Start the admission webhook of @kubeadmit/webhook; all options are its own.')
    .allowUnknownOption()
    .argument('[options...]', 'options of the webhook; `--help` shows them')
    .action(async (args: readonly string[]) => {
      const program = findWebhook(import.meta.dirname);
      if (program === undefined) {
        throw new CommandFailure(
          'the webhook is a package of its own: install `@kubeadmit/webhook` beside `@kubeadmit/cli`',
        );
      }
      const webhook = (await import(pathToFileURL(program).href)) as WebhookPackage;
      context.finish(await webhook.serve(args));
    });
}

/** The program of the webhook: installed where this program finds it, or in the folder beside. */
function findWebhook(folder: string): string | undefined {
  try {
    return createRequire(join(folder, 'main.js')).resolve('@kubeadmit/webhook/dist/serve.js');
  } catch {
    const beside = join(folder, '../../webhook/dist/serve.js');
    return existsSync(beside) ? beside : undefined;
  }
}
