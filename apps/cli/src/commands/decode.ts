import type { Command } from 'commander';
import type { CommandContext } from './context.ts';
import { answererOf, streamCommand } from './stream.ts';

/** `kubeadmit decode`: manifests as the server would hold them. */
export function decodeCommand(context: CommandContext): Command {
  return streamCommand(context, {
    name: 'decode',
    summary: 'answer how a server would hold objects (JSON lines)',
    description: 'Decode objects as kube-apiserver does: unknown fields pruned, defaults set.',
    input: '{"id", "kubernetesVersion"?, "resources": […]}',
    output: '{"id", "objects": […], "errors"?, "failure"?}',
    notes: `CustomResourceDefinitions among the resources make their kinds known. An object that the
server would refuse is null, and its error is in "errors".`,
    examples: ['kubeadmit decode - < cases.ndjson'],
    load: answererOf('decode'),
  });
}
