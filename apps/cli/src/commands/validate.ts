import type { Command } from 'commander';
import type { CommandContext } from './context.ts';
import { answererOf, streamCommand } from './stream.ts';

/** `kubeadmit validate`: custom resources against their definition. */
export function validateCommand(context: CommandContext): Command {
  return streamCommand(context, {
    name: 'validate',
    summary: 'answer what a server finds wrong with custom resources (JSON lines)',
    description:
      'Validate a CustomResourceDefinition as at its creation, and an object against its schema and rules.',
    input: '{"id", "definition": CustomResourceDefinition, "object"?, "oldObject"?}',
    output: '{"id", "definition": [field errors], "object": [field errors], "failure"?}',
    notes: `With "oldObject" the object is an update of it: transition rules run, and errors of what did
not change are forgiven.`,
    examples: ['kubeadmit validate - < cases.ndjson'],
    load: answererOf('validate'),
  });
}
