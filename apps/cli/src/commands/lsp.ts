import { Command, Option } from 'commander';
import type { LspOptions } from '../lsp/lsp.ts';
import type { CommandContext } from './context.ts';

const guide = `
Speaks the Language Server Protocol on standard input and output. Editors start it; in a terminal it
waits for a client. All manifests of the folders that the editor opened are known: bindings find
their policies, parameters their kinds, CustomResourceDefinitions the fields of their objects.

The editor may set kubernetesVersion and documentation (the address of the docs site, to which codes
of diagnostics link) as initialization options.

Examples:
  kubeadmit lsp
  kubeadmit lsp --kubernetes-version 1.34

Exit codes: 0 the client ended it, 1 it ended without being told to shut down, 2 usage.`;

/** `kubeadmit lsp`: a language server for editors. */
export function lspCommand(context: CommandContext): Command {
  return new Command('lsp')
    .summary('serve editors')
    .description('Serve editors: diagnostics, completion, hover and navigation in policies.')
    .addOption(
      new Option('--stdio', 'speak on standard input and output, as it does anyway').hideHelp(),
    )
    .addOption(
      // The client of VS Code gives it; vscode-languageserver reads it, and ends when that process is gone.
      new Option('--clientProcessId <id>', 'the process that starts it').hideHelp(),
    )
    .option('--kubernetes-version <version>', 'the version of the server, for example 1.34')
    .addHelpText('after', guide)
    .action(async (options: LspOptions) => {
      const { lsp } = await import('../lsp/lsp.ts');
      context.finish(await lsp(options, context.terminal));
    });
}
