import { writeFile } from 'node:fs/promises';
import type { JsonObject, KubernetesObject } from '@kubeadmit/apimachinery';
import {
  type Conversion,
  convertPolicy,
  type Differences,
  findDifferences,
  isConvertible,
  type RuleConversion,
  type Target,
} from '@kubeadmit/convert';
import { stringifyJson } from '@kubeadmit/go/internal';
import { schemasOf, sortInputs } from '@kubeadmit/lint';
import { policyJson } from '@kubeadmit/lint/kyverno';
import { type Manifest, stringifyYaml } from '@kubeadmit/manifest';
import type { Schemas } from '@kubeadmit/schemas';
import { orCommandFailure } from '../check/prepare.ts';
import { type ProblemListener, readInputs } from '../check/read-inputs.ts';
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
  readonly prove?: number;
  readonly ignore?: readonly string[];
  readonly maxFileSize: number;
}

type Told = RuleConversion & {
  readonly file: string;
  readonly proof?: Pick<Differences, 'requests' | 'differences' | 'covered' | 'unreached'>;
};

/** Prints what the policies among the inputs become, and tells what of them has no equal. */
export async function convert(
  paths: readonly string[],
  options: ConvertOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const style = styleFor(terminal.stderr, terminal.env);
  let isReadable = true;
  const listener: ProblemListener = {
    fail: (problem) => {
      isReadable = false;
      terminal.stderr.write(problemText(problem, 'error', style));
    },
    note: (problem) => {
      terminal.stderr.write(problemText(problem, 'warning', style));
    },
  };
  const given = await readInputs([['any', paths]], { ...options, terminal, listener });
  const policies = given
    .map(({ manifest }) => manifest)
    .filter(({ object }) => isConvertible(object));
  if (policies.length === 0 && isReadable) {
    throw new CommandFailure(
      'nothing to convert among the inputs: no policy of Kyverno (kyverno.io, policies.kyverno.io) and no constraint of Gatekeeper',
    );
  }
  refuseRepeated(policies);
  const others = given
    .map(({ manifest }) => policyJson(manifest.object))
    .filter((object) => !isConvertible(object));
  const schemas = await orCommandFailure(schemasOf(sortInputs(given), options.kubernetesVersion));
  const told: Told[] = [];
  const objects: Conversion['objects'][number][] = [];
  for (const { file, line, object } of policies) {
    const policy = policyJson(object);
    const made = convertPolicy(policy, {
      schemas,
      target: options.to,
      isIdiomatic: options.idiomatic === true,
      related: others,
    });
    objects.push(...made.objects);
    for (const rule of made.rules) {
      const proof = await proofOf(policy, rule, made.objects, { schemas, options, others });
      told.push({ file, ...rule, ...(proof === undefined ? {} : { proof: proofReport(proof) }) });
      if (proof !== undefined && proof.covered.old === 0) {
        terminal.stderr.write(unprovenText(rule, `${file}:${line}`, proof));
      }
      if (proof !== undefined && proof.differences.length > 0) {
        terminal.stderr.write(differenceText(rule, `${file}:${line}`, proof));
      }
      if (rule.status !== 'converted') terminal.stderr.write(ruleText(rule, `${file}:${line}`));
    }
  }
  if (options.report !== undefined) await writeReport(options.report, told);
  await write(terminal.stdout, objects.map(stringifyYaml).join('---\n'));
  terminal.stderr.write(`${summaryOf(told)}\n`);
  if (!isReadable) return exitCode.usage;
  if (told.some(({ proof }) => proof?.requests === 0 || (proof?.differences.length ?? 0) > 0)) {
    return exitCode.refused;
  }
  const isWhole = told.every(({ status }) => status === 'converted');
  return isWhole || options.allowPartial === true ? exitCode.success : exitCode.refused;
}

// What is given twice would be made twice, and the second refused.
function refuseRepeated(policies: readonly Manifest[]): void {
  const seen = new Map<string, string>();
  for (const { file, line, object } of policies) {
    const metadata = (object['metadata'] ?? {}) as JsonObject;
    const { name, namespace = '' } = metadata;
    const key = [object['kind'], namespace, name].map(String).join('/');
    const where = `${file}:${line}`;
    const known = seen.get(key);
    if (known !== undefined) {
      throw new CommandFailure(`${where}: the policy ${String(name)} is given before, at ${known}`);
    }
    seen.set(key, where);
  }
}

function proofReport({
  requests,
  differences,
  covered,
  unreached,
}: Differences): NonNullable<Told['proof']> {
  return { requests, differences, covered, unreached };
}

interface ProofContext {
  /** What policies depend on. */
  readonly others: readonly JsonObject[];
  readonly schemas: Schemas;
  readonly options: ConvertOptions;
}

// Compares a rule with what it became, each alone.
async function proofOf(
  policy: JsonObject,
  { rule, results }: RuleConversion,
  made: Conversion['objects'],
  { schemas, options, others }: ProofContext,
): Promise<Differences | undefined> {
  if (options.prove === undefined || results.length === 0 || options.to !== 'admission') {
    return undefined;
  }
  // Constraints of Gatekeeper have no engine here.
  if (String(policy['apiVersion']).startsWith('constraints.')) return undefined;
  const spec = policy['spec'] as JsonObject;
  const rules = Array.isArray(spec['rules'])
    ? { rules: (spec['rules'] as readonly JsonObject[]).filter(({ name }) => name === rule) }
    : {};
  const own = made.filter(({ kind, metadata }) =>
    results.includes(`${String(kind)}/${String((metadata as JsonObject)['name'])}`),
  );
  return findDifferences({
    old: [{ ...policy, spec: { ...spec, ...rules } }, ...others] as KubernetesObject[],
    new: [...own, ...others] as KubernetesObject[],
    schemas,
    search: options.prove,
    likeness: 'verdicts',
    clock: Date.now,
  });
}

// What was never asked, or never answered but by silence, is not proven.
function unprovenText(told: RuleConversion, where: string, proof: Differences): string {
  const why =
    proof.requests === 0
      ? 'no request could be made for its kinds'
      : `the rule had nothing to say of ${proof.requests} requests`;
  return `${where}: ${titleOf(told)}: not proven: ${why}\n`;
}

function titleOf({ policy, rule }: RuleConversion): string {
  return rule === undefined ? policy : `${policy}, rule ${rule}`;
}

function differenceText(told: RuleConversion, where: string, proof: Differences): string {
  const [first] = proof.differences;
  const count = proof.more ? `${proof.differences.length} or more` : proof.differences.length;
  const object = stringifyJson(first?.request.object ?? null).trim();
  return `${where}: ${titleOf(told)}: ${count} of ${proof.requests} requests are judged otherwise, the first one about ${object}\n`;
}

function ruleText(told: RuleConversion, where: string): string {
  const { status, reason = '' } = told;
  const outcome = status === 'none' ? 'not converted' : 'converted in part';
  return `${where}: ${titleOf(told)}: ${outcome}: ${reason}\n`;
}

async function writeReport(file: string, policies: readonly Told[]): Promise<void> {
  try {
    await writeFile(file, `${JSON.stringify({ policies }, plainNumbers, 2)}\n`);
  } catch (error) {
    const { message } = error as Error;
    throw new CommandFailure(`the report cannot be written: ${message}`);
  }
}

function plainNumbers(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? Number(value) : value;
}

function summaryOf(told: readonly Told[]): string {
  const count = (status: Told['status']): number =>
    told.filter((rule) => rule.status === status).length;
  const rules = told.length === 1 ? '1 rule' : `${told.length} rules`;
  return `${rules}: ${count('converted')} converted, ${count('partial')} in part, ${count('none')} not`;
}
