import { Command } from 'commander';
import { type CommandContext, running } from './context.ts';
import { addBatchOption, collect, formatOption, wholeNumber } from './input-options.ts';

const guide = `
The expression sees the libraries of a server of the version: new policies get what the version
before it has. Values of variables are JSON, or else a text; {"$double": "1"}, {"$uint": "1"},
{"$bytes": base64}, {"$timestamp": …} and {"$duration": …} are values of these types.

Examples:
  kubeadmit eval '1 + 2'
  kubeadmit eval 'object.spec.replicas <= max' -f object=deployment.yaml -v max=5
  kubeadmit eval 'quantity(q).isGreaterThan(quantity("1Gi"))' -v q=2048Mi
  kubectl get pod web -o yaml | kubeadmit eval 'object.metadata.labels' -f object=-

Exit codes: 0 there is a value, 1 the evaluation failed, 2 usage, an
expression that does not compile, or input that cannot be read.`;

/** `kubeadmit eval`: one CEL expression, or a stream of them. */
export function evalCommand(context: CommandContext): Command {
  const command = new Command('eval')
    .summary('evaluate a CEL expression')
    .description("Evaluate a CEL expression in Kubernetes' environment: value, type and cost.")
    .argument('[expression]', 'the expression, or - to read it from standard input')
    .option('-v, --variable <name=value>', 'a variable with its value; repeatable', collect)
    .option('-f, --file <name=path>', 'a variable with the object of a file; repeatable', collect)
    .option('-t, --type <name=type>', 'the static type of a variable; repeatable', collect)
    .option('--kubernetes-version <version>', 'the version of the server, for example 1.34')
    .option('--budget <cost>', 'the cost limit', wholeNumber(1, Number.MAX_SAFE_INTEGER))
    .addOption(formatOption('how to print the result', ['text', 'json']));
  return addBatchOption(command)
    .addHelpText('after', guide)
    .action(running(context, async () => (await import('../eval/eval.ts')).evaluate));
}
