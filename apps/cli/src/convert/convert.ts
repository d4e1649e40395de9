import { writeFile } from 'node:fs/promises';
import {
  type Conversion,
  convertPolicy,
  isConvertible,
  type RuleConversion,
  type Target,
} from '@kubeadmit/convert';
import { schemasOf, sortInputs } from '@kubeadmit/lint';
import { policyJson } from '@kubeadmit/lint/kyverno';
import { stringifyYaml } from '@kubeadmit/manifest';
import { orCommandFailure } from '../check/prepare.ts';
import { readInputs } from '../check/read-inputs.ts';
import { problemText } from '../output/problems.ts';
import { styleFor } from '../output/style.ts';
import { CommandFailure, type ExitCode, exitCode, type Terminal, write } from '../terminal.ts';

/** The options of `kubeadmit convert`. */
export interface ConvertOptions {
  readonly to: Target;
  readonly kubernetesVersion?: string;
  readonly idiomatic?: boolean;
  readonly allowPartial?: boolean;
  readonly report?: string;
}

type Told = RuleConversion & { readonly file: string };

/** Prints what the policies among the inputs become, and tells what of them has no equal. */
export async function convert(
  paths: readonly string[],
  options: ConvertOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const style = styleFor(terminal.stderr, terminal.env);
  let isReadable = true;
  const given = await readInputs([['any', paths]], terminal, {
    fail: (problem) => {
      isReadable = false;
      terminal.stderr.write(problemText(problem, 'error', style));
    },
    note: (problem) => terminal.stderr.write(problemText(problem, 'warning', style)),
  });
  const policies = given
    .map(({ manifest }) => manifest)
    .filter(({ object }) => isConvertible(object));
  if (policies.length === 0 && isReadable) {
    throw new CommandFailure('no ClusterPolicy or Policy of Kyverno (kyverno.io) among the inputs');
  }
  const schemas = await orCommandFailure(schemasOf(sortInputs(given), options.kubernetesVersion));
  const told: Told[] = [];
  const objects: Conversion['objects'][number][] = [];
  for (const { file, line, object } of policies) {
    const made = convertPolicy(policyJson(object), {
      schemas,
      target: options.to,
      isIdiomatic: options.idiomatic === true,
    });
    objects.push(...made.objects);
    for (const rule of made.rules) {
      told.push({ file, ...rule });
      if (rule.status !== 'converted') terminal.stderr.write(ruleText(rule, `${file}:${line}`));
    }
  }
  if (options.report !== undefined) await writeReport(options.report, told);
  await write(terminal.stdout, objects.map(stringifyYaml).join('---\n'));
  terminal.stderr.write(`${summaryOf(told)}\n`);
  if (!isReadable) return exitCode.usage;
  const isWhole = told.every(({ status }) => status === 'converted');
  return isWhole || options.allowPartial === true ? exitCode.success : exitCode.refused;
}

function ruleText({ policy, rule, status, reason = '' }: RuleConversion, where: string): string {
  const outcome = status === 'none' ? 'not converted' : 'converted in part';
  return `${where}: ${policy}, rule ${rule}: ${outcome}: ${reason}\n`;
}

async function writeReport(file: string, policies: readonly Told[]): Promise<void> {
  try {
    await writeFile(file, `${JSON.stringify({ policies }, undefined, 2)}\n`);
  } catch (error) {
    const { message } = error as Error;
    throw new CommandFailure(`the report cannot be written: ${message}`);
  }
}

function summaryOf(told: readonly Told[]): string {
  const count = (status: Told['status']): number =>
    told.filter((rule) => rule.status === status).length;
  const rules = told.length === 1 ? '1 rule' : `${told.length} rules`;
  return `${rules}: ${count('converted')} converted, ${count('partial')} in part, ${count('none')} not`;
}
