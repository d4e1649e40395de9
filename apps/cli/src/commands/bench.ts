import { Command } from 'commander';
import type { CommandContext } from './context.ts';
import { streamCommand } from './stream.ts';

const output = '{"id", "nanoseconds", "runs", "failure"?}';
const notes = `"nanoseconds" is the time of one run on one thread, everything compiled beforehand, over as many
runs as fit into a fifth of a second.`;

/** `kubeadmit bench`: how long cases take. */
export function benchCommand(context: CommandContext): Command {
  return new Command('bench')
    .summary('measure cases (JSON lines)')
    .description('Measure how long one run of a case takes.')
    .addCommand(
      streamCommand(context, {
        name: 'eval',
        summary: 'measure cases of `kubeadmit eval --batch`',
        description: 'Measure the evaluation of CEL expressions.',
        input: '{"id", "expression", "variables"?, "declarations"?, "kubernetesVersion"?}',
        output,
        notes,
        examples: ['kubeadmit bench eval - < cases.ndjson'],
        load: async () => (await import('../machine/bench.ts')).loadBench('eval'),
      }),
    )
    .addCommand(
      streamCommand(context, {
        name: 'admit',
        summary: 'measure cases of `kubeadmit admit`',
        description: 'Measure admission requests on their way through the policies.',
        input: '{"id", "kubernetesVersion"?, "resources": […], "request": AdmissionRequest}',
        output,
        notes,
        examples: ['kubeadmit check -o cases examples/replica-limits | kubeadmit bench admit -'],
        load: async () => (await import('../machine/bench.ts')).loadBench('admit'),
      }),
    )
    .addCommand(
      streamCommand(context, {
        name: 'kyverno-conditions',
        summary: 'measure cases of `kubeadmit kyverno conditions`',
        description: 'Measure the evaluation of Kyverno conditions.',
        input: '{"id", "context", "conditions"}',
        output,
        notes,
        examples: ['kubeadmit bench kyverno-conditions - < cases.ndjson'],
        load: async () => (await import('../machine/bench.ts')).loadBench('kyverno-conditions'),
      }),
    )
    .addCommand(
      streamCommand(context, {
        name: 'kyverno-rules',
        summary: 'measure cases of `kubeadmit kyverno rules`',
        description: 'Measure Kyverno policies on a resource.',
        input: '{"id", "policies": […], "resource", …}',
        output,
        notes,
        examples: ['kubeadmit bench kyverno-rules - < cases.ndjson'],
        load: async () => (await import('../machine/bench.ts')).loadBench('kyverno-rules'),
      }),
    );
}
