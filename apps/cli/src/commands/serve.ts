import type { Command } from 'commander';
import type { CommandContext } from './context.ts';
import { passingCommand } from './other-program.ts';

/** `kubeadmit serve`: the admission webhook. */
export function serveCommand(context: CommandContext): Command {
  const program = {
    name: 'serve',
    summary: 'answer a cluster as its admission webhook',
    packageName: '@kubeadmit/webhook',
    entry: 'dist/serve.js',
    run: 'serve',
    folder: 'webhook',
  };
  return passingCommand(program, context);
}
