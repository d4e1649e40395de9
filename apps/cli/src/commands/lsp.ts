import { Command, Option } from 'commander';
import type { LspOptions } from '../lsp/lsp.ts';
import type { CommandContext } from './context.ts';

const guide = `
Speaks the Language Server Protocol on standard input and output. Editors start it; in a terminal it
waits for a client. It reads all manifests in the folders that are open in the editor, so that it can
find the policy of a binding, the kind of parameters, and the fields of custom resources.

Initialization options: kubernetesVersion, and documentation (the URL of the docs site that codes of
diagnostics link to).

Examples:
  kubeadmit lsp
  kubeadmit lsp --kubernetes-version 1.34

Exit codes: 0 shut down by the client, 1 the client closed the connection without a shutdown request,
2 invalid usage.`;

/** `kubeadmit lsp`: starts the language server. */
export function lspCommand(context: CommandContext): Command {
  return new Command('lsp')
    .summary('Start the language server')
    .description(
      'Start the language server: diagnostics, completion, hover and navigation in policies.',
    )
    .addOption(new Option('--stdio', 'Use standard input and output (always the case)').hideHelp())
    .addOption(
      // VS Code's client passes it; vscode-languageserver exits when that process is gone.
      new Option('--clientProcessId <id>', 'Process of the client').hideHelp(),
    )
    .option('--kubernetes-version <version>', 'Kubernetes version, for example 1.34')
    .addHelpText('after', guide)
    .action(async (options: LspOptions) => {
      const { lsp } = await import('../lsp/lsp.ts');
      context.finish(await lsp(options, context.terminal));
    });
}
