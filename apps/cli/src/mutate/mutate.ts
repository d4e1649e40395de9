import { member } from '@kubeadmit/apimachinery';
import type { Passage } from '@kubeadmit/chain';
import type { PluginChoice } from '@kubeadmit/chain/plugins';
import { isReview } from '@kubeadmit/chain/requests';
import { failedPassage, passMutation } from '@kubeadmit/chain/unstable-internal';
import { CoverageRecorder, inInputOrder } from '@kubeadmit/check/unstable-internal';
import { stringifyJson } from '@kubeadmit/go';
import { type Manifest, stringifyYaml } from '@kubeadmit/manifest';
import { jsonWithoutCommands } from '../output/ci-commands.ts';
import { diffJsonText, diffText } from '../output/mutate-report.ts';
import type { MutatedManifest } from '../output/mutated-manifest.ts';
import { type Style, styleFor } from '../output/style.ts';
import { yamlWithoutCommands } from '../output/yaml-without-commands.ts';
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
import { manyRequests, Progress } from '../process/progress.ts';
import { type ExitCode, exitCode, type Terminal, write } from '../process/terminal.ts';

/** The options of `kubeadmit mutate`. */
export interface MutateOptions extends InputOptions {
  readonly output: 'yaml' | 'json';
  readonly diff?: boolean;
  readonly allowNothing?: boolean;
}

/** Prints manifests after mutation, or their changes. */
export async function mutate(
  paths: readonly string[],
  options: MutateOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const report = problemReporter(terminal);
  const prepared = await readCheck(paths, options, terminal, report);
  const held = prepared.held.filter(({ kind }) => !kind.startsWith('ValidatingAdmissionPolicy'));
  const kubernetesVersion = versionOf(prepared, options);
  const { namespace } = options;
  const plugins = await pluginRun(options.plugins, kubernetesVersion, { namespace });
  const { outside, inputs } = prepared;
  const images = await imagesFor(inputs, options, terminal);
  const loaded = await loadPolicies(
    { ...prepared, held },
    { kubernetesVersion, plugins, outside, images },
    report,
  );
  const { chain, unsupported } = loaded;
  const { kyverno } = chain;
  const mutates =
    chain.cluster.mutatingPolicies.length > 0 ||
    kyverno?.mutates === true ||
    kyverno?.generates === true;
  if (!prepared.isSchemaCheck && !mutates && (plugins === undefined || isDefault(plugins))) {
    terminal.stderr.write('warning: the inputs contain no mutating policy\n');
  }
  const recorder = new CoverageRecorder(chain);
  const mutated: MutatedManifest[] = [];
  const codes: ExitCode[] = [];
  const progress = new Progress(terminal, prepared.requests.length, manyRequests);
  for (const [index, asked] of prepared.requests.entries()) {
    const { manifest, request, isOfClient, refusal: invalid } = asked;
    progress.show('mutating', index, prepared.requests.length);
    const seen = recorder.observe(() => ({
      passage:
        invalid === undefined
          ? passMutation(chain, request, { isOfClient })
          : failedPassage(invalid),
    }));
    const { passage } = seen;
    recorder.record(request, seen);
    const refusal = refusalOf(passage);
    if (refusal === undefined) {
      if (passage.object === null) {
        const message = `${manifest.title}: the request has no object to mutate`;
        report({ file: manifest.file, message }, 'warning');
      }
      const { object, changes, findings } = passage;
      const generations = findings.filter(({ generated }) => generated !== undefined);
      for (const message of failuresIn(findings)) {
        report({ file: manifest.file, message: `${manifest.title}: ${message}` }, 'warning');
      }
      mutated.push({ manifest, object, changes, generations });
      continue;
    }
    progress.clear();
    report({ file: manifest.file, message: `${manifest.title}: ${refusal.message}` }, 'error');
    codes.push(refusal.exitCode);
  }
  progress.clear();
  await write(
    terminal.stdout,
    outputText(mutated, options, styleFor(terminal.stdout, terminal.env)),
  );
  tellAssumptions(loaded, terminal);
  const hasObjects = mutated.some(({ object }) => object !== null);
  const isIdle = mutates && hasObjects && !recorder.hasJudged;
  if (isIdle) tellNothingMatched(options, terminal);
  const isFailing = unsupported.length > 0 || (isIdle && options.allowNothing !== true);
  const otherwise = isFailing ? exitCode.usage : exitCode.success;
  const ofObjects = codes.find((code) => code === exitCode.usage) ?? codes[0] ?? otherwise;
  return inputExitCode(prepared, loaded) ?? ofObjects;
}

/** Returns the errors of policies that do not keep the object from being admitted. */
function failuresIn(findings: Passage['findings']): readonly string[] {
  return findings
    .filter(({ verdict }) => verdict === 'error' || verdict === 'ignore')
    .map(({ policy, rule, verdict, message = '' }) => {
      const origin = rule === undefined ? policy : `${policy}, rule ${rule}`;
      const effect = verdict === 'ignore' ? ' (failurePolicy: Ignore)' : '';
      return `${origin} failed${effect}: ${message}`;
    });
}

/** Whether plugins run because they do in every cluster, and not because a user named them. */
function isDefault({ selection, enable = [] }: PluginChoice): boolean {
  return selection === 'default' && enable.length === 0;
}

/** Reports that no mutating policy matched an object, so that all of them are as they were. */
function tellNothingMatched(
  { allowNothing }: Pick<MutateOptions, 'allowNothing'>,
  { stderr }: Pick<Terminal, 'stderr'>,
): void {
  const text = 'no mutating policy matched any object';
  stderr.write(
    allowNothing === true
      ? `warning: ${text}\n`
      : `error: ${text} (--allow-nothing accepts this)\n`,
  );
}

function refusalOf(passage: Passage): { message: string; exitCode: ExitCode } | undefined {
  const { failure, isBroken, allowed, message, pluginTrace } = passage;
  if (failure !== undefined) {
    return { message: failure, exitCode: isBroken === true ? exitCode.usage : exitCode.refused };
  }
  if (allowed) return undefined;
  const plugin = pluginTrace.find(({ outcome }) => outcome === 'denied')?.plugin;
  const by = plugin === undefined ? '' : `denied by the plugin ${plugin}: `;
  return { message: `${by}${message ?? 'denied'}`, exitCode: exitCode.refused };
}

function outputText(
  mutated: readonly MutatedManifest[],
  { output, diff }: MutateOptions,
  style: Style,
): string {
  if (diff === true && output === 'json') return jsonWithoutCommands(diffJsonText(mutated));
  if (diff === true) return mutated.map((each) => diffText(each, style)).join('');
  const objects = mutated.flatMap(({ manifest, object, generations }) => [
    inInputOrder(object, writtenObject(manifest)),
    ...generations.flatMap(({ generated = [] }) => generated),
  ]);
  if (output === 'json') {
    // Where nothing is left, `null` says so: no document at all would be no JSON.
    const told = objects.length === 0 ? [null] : objects;
    const texts = told.map((object) => `${stringifyJson(object, { indent: 2 })}\n`);
    return jsonWithoutCommands(texts.join(''));
  }
  const documents = objects.map((object) => yamlWithoutCommands(stringifyYaml(object), object));
  return documents.join('---\n');
}

/** The object as its author wrote it: for a review, that of its request. */
function writtenObject(manifest: Manifest): unknown {
  return isReview(manifest)
    ? member(member(manifest.object, 'request'), 'object')
    : manifest.object;
}
