import { Command } from 'commander';
import type { ToolHost } from '../mcp/run-command.ts';
import type { CommandContext } from './context.ts';

const guide = `
Speaks the Model Context Protocol on standard input and output. Agents start it; in a terminal it waits
for a client. Its tools are check, lint, explain, test, convert, diff and eval. They answer with the JSON
of the commands of the same name.

The tools read files of the folder only, also through symbolic links. They write nothing, start no
program, and use neither a cluster nor the network. Git revisions, URLs, Helm charts and kustomizations
are therefore not supported. An answer of more than 1 MiB is an error that asks for fewer files.

Examples:
  kubeadmit mcp
  kubeadmit mcp policies/
  claude mcp add kubeadmit -- kubeadmit mcp .

Exit codes: 0 the client closed standard input, 2 invalid usage.`;

/** `kubeadmit mcp`: offers commands to agents as tools. */
export function mcpCommand(context: CommandContext, run: ToolHost['run']): Command {
  return new Command('mcp')
    .summary('Start an MCP server for AI agents')
    .description(
      'Start a Model Context Protocol (MCP) server, so that AI agents can use kubeadmit.',
    )
    .argument('[folder]', 'Folder that the tools may read; nothing else is read', '.')
    .addHelpText('after', guide)
    .action(async (folder: string) => {
      const { mcp } = await import('../mcp/mcp.ts');
      context.finish(await mcp(folder, context.terminal, run));
    });
}
