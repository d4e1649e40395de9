import { Command } from 'commander';
import { type CommandContext, running } from './context.ts';

const guide = `
Reads kyverno-test.yaml (Kyverno CLI), kaptest.yaml (kaptest), suites of gator, and folders called tests
(kat). Gatekeeper templates and constraints become admission policies with their bindings. A suite tests
the verdict of the server: a rule that does not match is \`not matched\`, and a policy that the server
would reject is an error.

Examples:
  kubeadmit import policies/kyverno-test.yaml
  kubeadmit import --write policies/

Exit codes: 0 all tests were converted, 2 invalid usage, or tests that cannot be read or converted.`;

/** `kubeadmit import`: converts tests of other tools to suites. */
export function importCommand(context: CommandContext): Command {
  return new Command('import')
    .summary('Import tests written for other tools')
    .description(
      'Convert tests of the Kyverno CLI, kaptest, kat and gator to suites (*.admit.yaml).',
    )
    .argument('<paths...>', 'Files and folders with tests')
    .option('--write', 'Write each suite next to its tests instead of standard output')
    .addHelpText('after', guide)
    .action(running(context, async () => (await import('../import/import.ts')).importTests));
}
