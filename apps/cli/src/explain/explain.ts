import { Explainer, loadCheck } from '@kubeadmit/check';
import { inputExitCode } from '../check/input-exit-code.ts';
import type { InputOptions } from '../check/options.ts';
import { problemReporter, readCheck } from '../check/prepare.ts';
import { explainJson, explainText } from '../output/explain-report.ts';
import { styleFor } from '../output/style.ts';
import { CommandFailure, type ExitCode, exitCode, type Terminal, write } from '../terminal.ts';

/** The options of `kubeadmit explain`. */
export interface ExplainOptions extends InputOptions {
  readonly output: 'text' | 'json';
  readonly policy?: string;
}

/** Prints why native policies decide about manifests as they do. */
export async function explain(
  paths: readonly string[],
  options: ExplainOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const report = problemReporter(terminal);
  const check = await readCheck(paths, options, terminal, report);
  const known = check.inputs.policies;
  const policies = known.filter(({ name }) => (options.policy ?? name) === name);
  if (known.length === 0) {
    throw new CommandFailure('none of the policies is one of Kubernetes: ask `kubeadmit check`');
  }
  if (policies.length === 0) {
    const names = known.map(({ name }) => `\`${name}\``).join(', ');
    throw new CommandFailure(`no policy \`${options.policy}\` among the inputs: there is ${names}`);
  }
  const { kubernetesVersion } = options;
  const native = { ...check, inputs: { ...check.inputs, kyverno: [] } };
  const loaded = await loadCheck(native, { kubernetesVersion, clock: Date.now });
  for (const problem of loaded.refused.problems) report(problem, 'error');
  const { cluster } = loaded.chain;
  const explainer = new Explainer({ check, cluster, policies, kubernetesVersion });
  const explanations = check.requests.map((request) => explainer.explain(request));
  const text =
    options.output === 'json'
      ? explainJson(explanations)
      : explainText(explanations, styleFor(terminal.stdout, terminal.env));
  await write(terminal.stdout, text);
  const isAllowed = explanations.every(({ allowed }) => allowed);
  return inputExitCode(check, loaded) ?? (isAllowed ? exitCode.success : exitCode.refused);
}
