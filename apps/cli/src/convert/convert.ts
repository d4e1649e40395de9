import { writeFileSync } from 'node:fs';
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
} from '@kubeadmit/convert';
import { conversionTexts } from '@kubeadmit/convert/internal';
import { stringifyJson } from '@kubeadmit/go/internal';
import { schemasOf, sortInputs } from '@kubeadmit/lint';
import { policyJson } from '@kubeadmit/lint/kyverno';
import type { Manifest } from '@kubeadmit/manifest';
import type { Schemas } from '@kubeadmit/schemas';
import { orCommandFailure, ProblemKeeper, problemReporter } from '../check/prepare.ts';
import { readInputs } from '../check/read-inputs.ts';
import { writing } from '../input/streams.ts';
import { noteUnknownFields } from '../input/unknown-fields.ts';
import { type ExitCode, exitCode, type Terminal, write } from '../terminal.ts';
import type { ConvertOptions } from './options.ts';
import { refuseUseless } from './refusals.ts';
import { ruleText, summaryOf, warningsOf } from './rule-texts.ts';

/** Of more policies costs are measured when asked for alone, since it takes longer than all else. */
const mostMeasured = 25;

/** Objects that people write are smaller, in bytes. */
const usualSize = 131_072;

/** What became of a rule, as reports have it. */
interface Told extends RuleConversion {
  readonly file: string;
  /** What its results cost for large objects. */
  readonly costs?: readonly ResultCost[];
  readonly proof?: ReturnType<typeof proofReport>;
}

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
  refuseUseless(policies, given, options, listener);
  const related = given
    .map(({ manifest }) => policyJson(manifest.object))
    .filter((object) => !isConvertible(object));
  const schemas = await orCommandFailure(schemasOf(sortInputs(given), options.kubernetesVersion));
  noteUnknownFields(policies, schemas, terminal);
  const isThorough = options.report !== undefined || options.prove !== undefined;
  const isMeasured = options.to === 'admission' && (isThorough || policies.length <= mostMeasured);
  const converter = new Converter(options, { schemas, related, isMeasured, isThorough }, terminal);
  const texts: string[] = [];
  for (const manifest of policies) texts.push(...(await converter.convert(manifest)));
  const { told } = converter;
  if (options.report !== undefined) writeReport(options.report, told);
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

/** What all policies are converted with. */
interface Setting {
  readonly schemas: Schemas;
  readonly related: readonly JsonObject[];
  /** Whether the costs of results are measured, and for all objects that etcd takes. */
  readonly isMeasured: boolean;
  readonly isThorough: boolean;
}

/** Converts policies one by one, and tells of each rule what is to be told. */
class Converter {
  readonly told: Told[] = [];
  readonly #options: ConvertOptions;
  readonly #setting: Setting;
  readonly #terminal: Terminal;

  constructor(options: ConvertOptions, setting: Setting, terminal: Terminal) {
    this.#options = options;
    this.#setting = setting;
    this.#terminal = terminal;
  }

  /** The texts of what a policy becomes. */
  async convert(manifest: Manifest): Promise<readonly string[]> {
    const { schemas, related } = this.#setting;
    const { to: target, idiomatic = false } = this.#options;
    const policy = policyJson(manifest.object);
    const made = convertPolicy(policy, { schemas, target, isIdiomatic: idiomatic, related });
    const costs = this.#costsOf(made);
    for (const rule of made.rules) {
      const proof = await this.#proofOf(rule, policy, made.objects);
      const own = costs.filter(({ policy: result }) => rule.results.includes(result));
      this.told.push({
        file: manifest.file,
        ...rule,
        ...(own.length === 0 ? {} : { costs: own }),
        ...(proof === undefined ? {} : { proof: proofReport(proof) }),
      });
      const place = `${manifest.file}:${manifest.line}`;
      for (const text of warningsOf(rule, place, own, proof)) this.#terminal.stderr.write(text);
      // What a simple expression changes is what was asked for, and told all the same.
      const isOther = rule.weaker === true || rule.stricter === true || idiomatic;
      if (rule.status !== 'converted' || (isOther && rule.reason !== undefined)) {
        this.#terminal.stderr.write(ruleText(rule, place));
      }
    }
    return conversionTexts(made, manifest);
  }

  #costsOf({ objects }: Conversion): readonly ResultCost[] {
    const { schemas, isMeasured, isThorough } = this.#setting;
    if (!isMeasured) return [];
    return resultCosts(objects, isThorough ? { schemas } : { schemas, largest: usualSize });
  }

  async #proofOf(
    rule: RuleConversion,
    policy: JsonObject,
    made: Conversion['objects'],
  ): Promise<Differences | undefined> {
    const { prove: search } = this.#options;
    if (search === undefined) return undefined;
    const { schemas, related } = this.#setting;
    return proveRule(policy, rule, made, { schemas, search, related, clock: Date.now });
  }
}

function proofReport({
  requests,
  differences,
  explained,
  covered,
  unreached,
  assumed,
}: Differences) {
  return { requests, differences, explained, covered, unreached, assumed };
}

function writeReport(file: string, policies: readonly Told[]): void {
  const text = `${stringifyJson({ policies }, { indent: 2 })}\n`;
  writing(`--report ${file}`, () => writeFileSync(file, text));
}

function isProven({ covered, differences }: Pick<Differences, 'covered' | 'differences'>): boolean {
  return covered.old > 0 && differences.length === 0;
}
