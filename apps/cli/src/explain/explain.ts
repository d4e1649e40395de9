import { EvaluationObserver } from '@kubeadmit/chain/expressions';
import { Explainer, type Explanation, reportFrame } from '@kubeadmit/check';
import type { InputProblem, Manifest } from '@kubeadmit/manifest';
import { jsonWithoutCommands } from '../output/ci-commands.ts';
import { explainBrief } from '../output/explain-brief.ts';
import { explainJson, explainText, leftOutText } from '../output/explain-report.ts';
import { throughPager } from '../output/pager.ts';
import { newClusterRemark } from '../output/plugin-assumptions.ts';
import { printable, styleFor } from '../output/style.ts';
import { imagesFor } from '../prepare/image-data.ts';
import { inputExitCode } from '../prepare/input-exit-code.ts';
import type { InputOptions } from '../prepare/options.ts';
import { pluginRun } from '../prepare/plugins.ts';
import {
  loadPolicies,
  problemReporter,
  readCheck,
  tellAssumptions,
  versionOf,
} from '../prepare/prepare.ts';
import {
  CommandFailure,
  type ExitCode,
  exitCode,
  type Output,
  type Terminal,
  write,
} from '../process/terminal.ts';

/** The options of `kubeadmit explain`. */
export interface ExplainOptions extends InputOptions {
  readonly output: 'text' | 'json';
  readonly policy?: string;
  readonly verbose?: boolean;
  readonly pager: boolean;
}

/** Prints why policies decide about manifests as they do. */
export async function explain(
  paths: readonly string[],
  options: ExplainOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const report = problemReporter(terminal);
  const check = await readCheck(paths, options, terminal, report);
  const { inputs } = check;
  const known = [...inputs.policies, ...inputs.kyverno];
  const isAsked = ({ name }: Manifest): boolean => (options.policy ?? name) === name;
  if (!known.some(isAsked) && options.policy !== undefined) {
    const names = known.map(({ name }) => `\`${name}\``).join(', ');
    throw new CommandFailure(`no policy \`${options.policy}\` among the inputs; found ${names}`);
  }
  const kubernetesVersion = versionOf(check, options);
  const observer = new EvaluationObserver();
  const { observe } = observer;
  const { namespace } = options;
  const plugins = await pluginRun(options.plugins, kubernetesVersion, { namespace });
  const { outside } = check;
  const images = await imagesFor(inputs, options, terminal);
  const loaded = await loadPolicies(
    check,
    { kubernetesVersion, observe, plugins, outside, images },
    report,
  );
  const { chain } = loaded;
  const { leftOut } = reportFrame(check, loaded);
  const kyverno = inputs.kyverno.filter(isAsked);
  const explainer = new Explainer({
    check: { ...check, inputs: { ...inputs, kyverno } },
    cluster: chain.cluster,
    observer,
    policies: inputs.policies.filter(isAsked),
    kubernetesVersion,
    chain,
    isBrief: options.output === 'text' && options.verbose !== true,
    isWhole: options.output === 'json',
  });
  let isAllowed = true;
  function* explanations(): Generator<Explanation> {
    for (const request of check.requests) {
      const explanation = explainer.explain(request);
      isAllowed &&= explanation.allowed;
      yield explanation;
    }
  }
  if (options.output === 'json') {
    await write(terminal.stdout, jsonWithoutCommands(explainJson([...explanations()], leftOut)));
  } else {
    const inWords = options.verbose === true ? explainText : explainBrief;
    const writeTo = async (output: Output): Promise<void> => {
      await writeAll(explanations(), leftOut, inWords, { output, env: terminal.env });
      const assumed = newClusterRemark(chain.plugins?.assumed());
      const style = styleFor(output, terminal.env);
      if (assumed !== undefined) await write(output, `\n${style.dim(printable(assumed))}\n`);
    };
    await (options.pager ? throughPager(terminal, writeTo) : writeTo(terminal.stdout));
  }
  tellAssumptions(loaded, terminal);
  const ofInputs = inputExitCode(check, loaded);
  if (ofInputs !== undefined) return ofInputs;
  if (!isAllowed) return exitCode.refused;
  return loaded.unsupported.length > 0 ? exitCode.usage : exitCode.success;
}

async function writeAll(
  explanations: Iterable<Explanation>,
  leftOut: readonly InputProblem[],
  inWords: typeof explainText,
  { output, env }: { readonly output: Output; readonly env: Terminal['env'] },
): Promise<void> {
  const style = styleFor(output, env);
  const isPartial = leftOut.length > 0;
  let isFirst = true;
  for (const explanation of explanations) {
    await write(output, `${isFirst ? '' : '\n'}${inWords([{ ...explanation, isPartial }], style)}`);
    isFirst = false;
  }
  const rest = leftOutText(leftOut, style);
  if (rest !== '') await write(output, `${isFirst ? '' : '\n'}${rest}`);
}
