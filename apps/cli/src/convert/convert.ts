import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { JsonObject } from '@kubeadmit/apimachinery';
import {
  type Conversion,
  convertPolicy,
  type Differences,
  isConvertible,
  proveRule,
  type ResultCost,
  type RuleConversion,
  resultCosts,
  type Target,
} from '@kubeadmit/convert';
import { conversionTexts } from '@kubeadmit/convert/internal';
import { stringifyJson } from '@kubeadmit/go/internal';
import { schemasOf, sortInputs } from '@kubeadmit/lint';
import { policyJson } from '@kubeadmit/lint/kyverno';
import type { Manifest } from '@kubeadmit/manifest';
import { orCommandFailure, ProblemKeeper, problemReporter } from '../check/prepare.ts';
import { readInputs } from '../check/read-inputs.ts';
import { writeErrorText } from '../input/streams.ts';
import { noteUnknownFields } from '../input/unknown-fields.ts';
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

/** Of more policies costs are measured when asked for alone, since it takes longer than all else. */
const mostMeasured = 25;

/** Objects that people write are smaller, in bytes. */
const usualSize = 131_072;

type Told = RuleConversion & {
  readonly file: string;
  /** What its results cost for large objects. */
  readonly costs?: readonly ResultCost[];
  readonly proof?: Pick<
    Differences,
    'requests' | 'differences' | 'explained' | 'covered' | 'unreached' | 'assumed'
  >;
};

/** Prints what the policies among the inputs become, and tells what of them has no equal. */
export async function convert(
  paths: readonly string[],
  options: ConvertOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const listener = new ProblemKeeper(problemReporter(terminal));
  const given = await readInputs([['any', paths]], { ...options, terminal, listener });
  const policies = given
    .map(({ manifest }) => manifest)
    .filter(({ object }) => isConvertible(object));
  refuseNothing(policies, listener);
  refuseUnprovable(options);
  refuseRepeated(policies);
  if (options.report !== undefined) refuseReport(options.report, given);
  const others = given
    .map(({ manifest }) => policyJson(manifest.object))
    .filter((object) => !isConvertible(object));
  const schemas = await orCommandFailure(schemasOf(sortInputs(given), options.kubernetesVersion));
  noteUnknownFields(policies, schemas, terminal);
  const { prove } = options;
  const proofOf = (rule: RuleConversion, policy: JsonObject, made: Conversion['objects']) =>
    prove === undefined
      ? undefined
      : proveRule(policy, rule, made, { schemas, search: prove, related: others, clock: Date.now });
  const isThorough = options.report !== undefined || prove !== undefined;
  const isMeasured = isThorough || policies.length <= mostMeasured;
  const costsOf = ({ objects }: Conversion): readonly ResultCost[] =>
    isMeasured && options.to === 'admission'
      ? resultCosts(objects, isThorough ? { schemas } : { schemas, largest: usualSize })
      : [];
  const told: Told[] = [];
  const texts: string[] = [];
  for (const manifest of policies) {
    const { file, line } = manifest;
    const policy = policyJson(manifest.object);
    const made = convertPolicy(policy, {
      schemas,
      target: options.to,
      isIdiomatic: options.idiomatic === true,
      related: others,
    });
    texts.push(...conversionTexts(made, manifest));
    const costs = costsOf(made);
    for (const rule of made.rules) {
      const proof = await proofOf(rule, policy, made.objects);
      const own = costs.filter(({ policy: result }) => rule.results.includes(result));
      told.push({
        file,
        ...rule,
        ...(own.length === 0 ? {} : { costs: own }),
        ...(proof === undefined ? {} : { proof: proofReport(proof) }),
      });
      const place = `${file}:${line}`;
      for (const text of warningsOf(rule, place, own, proof)) terminal.stderr.write(text);
      // What a simple expression changes is what was asked for, and told all the same.
      const isOther = rule.weaker === true || rule.stricter === true || options.idiomatic === true;
      if (rule.status !== 'converted' || (isOther && rule.reason !== undefined)) {
        terminal.stderr.write(ruleText(rule, place));
      }
    }
  }
  if (options.report !== undefined) await writeReport(options.report, told);
  await write(terminal.stdout, texts.join('---\n'));
  if (!isMeasured && options.to === 'admission') {
    terminal.stderr.write(
      `what the results cost for large objects was not measured, for more than ${mostMeasured} policies; --report does it\n`,
    );
  }
  terminal.stderr.write(`${summaryOf(told)}\n`);
  if (listener.unreadable.length > 0) return exitCode.usage;
  if (told.some(({ proof }) => proof !== undefined && !isProven(proof))) return exitCode.refused;
  const isWhole = told.every(({ status }) => status === 'converted');
  return isWhole || options.allowPartial === true ? exitCode.success : exitCode.refused;
}

function refuseNothing(policies: readonly Manifest[], { unreadable }: ProblemKeeper): void {
  if (policies.length > 0) return;
  throw new CommandFailure(
    unreadable.length > 0
      ? 'some inputs cannot be read, and there is no policy among the others'
      : 'nothing to convert among the inputs: no policy of Kyverno (kyverno.io, policies.kyverno.io) and no constraint of Gatekeeper',
  );
}

function refuseUnprovable({ prove, to }: ConvertOptions): void {
  if (prove === undefined || to === 'admission') return;
  throw new CommandFailure(
    '--prove compares a rule with a policy of Kubernetes itself; what `--to kyverno` makes cannot be proven, so leave one of them out',
  );
}

/** What is told of a rule besides what has no equal: costs near their limit, and what its proof found. */
function warningsOf(
  rule: RuleConversion,
  place: string,
  costs: readonly ResultCost[],
  proof: Differences | undefined,
): readonly string[] {
  return [
    ...costs.filter(({ isNear }) => isNear).map((cost) => costText(rule, place, cost)),
    ...(proof !== undefined && proof.assumed.length > 0 ? [assumedText(rule, place, proof)] : []),
    ...(proof?.covered.old === 0 ? [unprovenText(rule, place, proof)] : []),
    ...(proof !== undefined && proof.differences.length > 0
      ? [differenceText(rule, place, proof)]
      : []),
  ];
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
      throw new CommandFailure(
        `${where}: the policy ${String(name)} is given before, at ${known}; convert them apart, or leave one out with --ignore`,
      );
    }
    seen.set(key, where);
  }
}

function proofReport({
  requests,
  differences,
  explained,
  covered,
  unreached,
  assumed,
}: Differences): NonNullable<Told['proof']> {
  return { requests, differences, explained, covered, unreached, assumed };
}

// Objects of kinds that nothing describes are made up, and the proof holds for such ones.
function assumedText(told: RuleConversion, where: string, { assumed }: Differences): string {
  const kinds = assumed.join(', ');
  return `${where}: ${titleOf(told)}: proven with any fields for ${kinds}, whose definition is not among the inputs\n`;
}

function isProven({ covered, differences }: Pick<Differences, 'covered' | 'differences'>): boolean {
  return covered.old > 0 && differences.length === 0;
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
  const reasons = proof.explained.map(
    ({ reason, requests }) => `${where}: ${titleOf(told)}: ${requests} of them: ${reason}\n`,
  );
  return `${where}: ${titleOf(told)}: ${count} of ${proof.requests} requests are judged otherwise, the first one about ${object}\n${reasons.join('')}`;
}

// Beyond its limits a policy ends in an error, and with it the request, where its failure policy is Fail.
function costText(told: RuleConversion, where: string, cost: ResultCost): string {
  const { policy, bytes, expression, policyTotal, conditions, withinBytes } = cost;
  const said = [
    `an expression costs ${expression} of 1000000`,
    `the policy ${policyTotal} of 10000000`,
    ...(conditions === 0 ? [] : [`its match conditions ${conditions} of 2500000`]),
  ];
  const limit =
    withinBytes === undefined
      ? `near the limits for an object of ${bytes} bytes`
      : `over a limit for an object of ${bytes} bytes, and within them for one of ${withinBytes}`;
  return `${where}: ${titleOf(told)}: ${policy} is ${limit}: ${said.join(', ')}\n`;
}

function ruleText(told: RuleConversion, where: string): string {
  const { status, reason = '', weaker, stricter } = told;
  const outcome =
    status === 'none'
      ? 'not converted'
      : status === 'partial'
        ? 'converted in part'
        : weaker || stricter
          ? `converted, ${[...(weaker ? ['weaker'] : []), ...(stricter ? ['stricter'] : [])].join(' and ')} than the rule`
          : 'converted, with what differs';
  return `${where}: ${titleOf(told)}: ${outcome}: ${reason}\n`;
}

// Told before a proof, which takes its time; a policy in the report's place would be lost.
function refuseReport(file: string, given: Awaited<ReturnType<typeof readInputs>>): void {
  if (file === '') throw new CommandFailure('--report needs the name of a file');
  const isInput = given.some(({ manifest }) => resolve(manifest.file) === resolve(file));
  if (isInput) throw new CommandFailure(`--report ${file}: is one of the inputs`);
  if (!existsSync(dirname(resolve(file)))) {
    throw new CommandFailure(`--report ${file}: its folder does not exist`);
  }
}

async function writeReport(file: string, policies: readonly Told[]): Promise<void> {
  try {
    await writeFile(file, `${stringifyJson({ policies }, { indent: 2 })}\n`);
  } catch (error) {
    throw new CommandFailure(`--report ${file}: ${writeErrorText(error as Error)}`);
  }
}

function summaryOf(told: readonly Told[]): string {
  const count = (status: Told['status']): number =>
    told.filter((rule) => rule.status === status).length;
  const rules = told.length === 1 ? '1 rule' : `${told.length} rules`;
  return `${rules}: ${count('converted')} converted, ${count('partial')} in part, ${count('none')} not`;
}
