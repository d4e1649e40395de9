import type { Command } from 'commander';
import type { CommandContext } from './context.ts';
import { passingCommand } from './other-program.ts';

/** `kubeadmit apiserver`: a cluster for policies in one process. */
export function apiserverCommand(context: CommandContext): Command {
  const program = {
    name: 'apiserver',
    summary: 'be a cluster for policies, for kubectl and every other client',
    packageName: '@kubeadmit/apiserver-program',
    entry: 'dist/run-program.js',
    run: 'runProgram',
    folder: 'apiserver',
  };
  return passingCommand(program, context);
}
