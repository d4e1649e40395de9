import { Command } from 'commander';
import { type CommandContext, running } from './context.ts';
import { addBatchOption, collect, formatOption, wholeNumber } from './input-options.ts';

const guide = `
Expressions may use the CEL libraries of the previous Kubernetes version, as in new policies. Values of
variables are JSON, or strings; {"$double": "1"}, {"$uint": "1"}, {"$bytes": base64}, {"$timestamp": …}
and {"$duration": …} are values of these types.

Examples:
  kubeadmit eval '1 + 2'
  kubeadmit eval 'object.spec.replicas <= max' -f object=deployment.yaml -v max=5
  kubeadmit eval 'quantity(q).isGreaterThan(quantity("1Gi"))' -v q=2048Mi
  kubectl get pod web -o yaml | kubeadmit eval 'object.metadata.labels' -f object=-

Exit codes: 0 the expression has a value, 1 the evaluation failed, 2 invalid usage, an expression that
does not compile, or unreadable input.`;

/** `kubeadmit eval`: evaluates one CEL expression, or a stream of them. */
export function evalCommand(context: CommandContext): Command {
  const command = new Command('eval')
    .summary('Evaluate a CEL expression')
    .description("Evaluate a CEL expression in Kubernetes' environment: value, type and cost.")
    .argument('[expression]', 'Expression, or - for standard input')
    .option('-v, --variable <name=value>', 'Variable with a value (repeatable)', collect)
    .option('-f, --file <name=path>', 'Variable with the object in a file (repeatable)', collect)
    .option('-t, --type <name=type>', 'Static type of a variable (repeatable)', collect)
    .option('--kubernetes-version <version>', 'Kubernetes version, for example 1.34')
    .option('--budget <cost>', 'Cost limit', wholeNumber(1, Number.MAX_SAFE_INTEGER))
    .addOption(formatOption('Output format', ['text', 'json']));
  return addBatchOption(command)
    .addHelpText('after', guide)
    .action(running(context, async () => (await import('../eval/eval.ts')).evaluate));
}
