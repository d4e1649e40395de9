import { isObject, type JsonObject, memberList, metadataString } from '@kubeadmit/apimachinery';
import { policyJson } from '@kubeadmit/chain/kyverno';
import {
  type Conversion,
  convertPolicy,
  isConvertible,
  type ProvenRule,
  proveConversion,
  type ResultCost,
  resultCosts,
} from '@kubeadmit/convert';
import { conversionTexts } from '@kubeadmit/convert/unstable-internal';
import type { Differences } from '@kubeadmit/difference';
import { stringifyJson } from '@kubeadmit/go';
import { schemasOf, sortInputs } from '@kubeadmit/lint';
import type { Manifest } from '@kubeadmit/manifest';
import type { Schemas } from '@kubeadmit/schemas';
import { readInputs } from '../input/read-inputs.ts';
import { jsonWithoutCommands } from '../output/ci-commands.ts';
import { printable } from '../output/style.ts';
import { writeWhole } from '../output/targets.ts';
import { noteUnknownFields } from '../output/unknown-fields.ts';
import { yamlWithoutCommands } from '../output/yaml-without-commands.ts';
import { orCommandFailure, ProblemKeeper, problemReporter } from '../prepare/prepare.ts';
import { type ExitCode, exitCode, type Terminal, write } from '../process/terminal.ts';
import type { ConvertOptions } from './options.ts';
import { refuseUseless, repeatedPolicies } from './refusals.ts';
import { proofText, ruleText, summaryOf, warningsOf } from './rule-texts.ts';

/** Measuring the costs of more policies takes longer than all other work. */
const mostMeasured = 25;

/** Objects that people write are smaller, in bytes. */
const usualSize = 131_072;

/** Requests for each rule where `--prove` does not say how many. */
const usualSearch = 300;

/** More differences of one rule say little more about it. */
const mostDifferences = 3;

/** The outcome of a comparison as reports have it. */
type ProofReport = Pick<
  Differences,
  'requests' | 'generated' | 'differences' | 'explained' | 'covered' | 'unreached' | 'assumed'
>;

/** The outcome of a rule as reports have it. */
interface Told extends Omit<ProvenRule, 'proof'> {
  readonly file: string;
  /** The costs of its results for large objects. */
  readonly costs?: readonly ResultCost[];
  readonly proof?: ProofReport;
}

/** Prints the converted policies, and reports the rules that are not converted in full. */
export async function convert(
  paths: readonly string[],
  options: ConvertOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const { texts, policies, exitCode: code } = await convertInputs(paths, options, terminal);
  if (options.report !== undefined) writeReport(options.report, policies);
  await write(terminal.stdout, texts.join('---\n'));
  return code;
}

/** The outcome of a conversion. */
export interface ConvertedInputs {
  /** The results as documents of YAML. */
  readonly texts: readonly string[];
  /** The outcome of each rule. */
  readonly policies: readonly Told[];
  readonly exitCode: ExitCode;
}

/** Converts the policies among the inputs, and reports on standard error what cannot be converted in full. */
export async function convertInputs(
  paths: readonly string[],
  options: ConvertOptions,
  terminal: Terminal,
): Promise<ConvertedInputs> {
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
  const isThorough = options.prove !== undefined;
  const isMeasured = options.to === 'admission' && (isThorough || policies.length <= mostMeasured);
  const converter = new Converter(options, { schemas, related, isMeasured, isThorough }, terminal);
  const repeated = repeatedPolicies(policies);
  const texts: string[] = [];
  for (const manifest of policies) {
    const place = repeated.get(manifest);
    if (place === undefined) texts.push(...(await converter.convert(manifest)));
    else converter.leaveOut(manifest, place);
  }
  const { told } = converter;
  if (!isMeasured && options.to === 'admission') {
    terminal.stderr.write(
      `costs were not measured for more than ${mostMeasured} policies; use --prove to measure them\n`,
    );
  }
  terminal.stderr.write(`${summaryOf(told)}\n`);
  const isReadable = listener.unreadable.length === 0;
  const code = isReadable ? codeOf(told, options) : exitCode.usage;
  return { texts, policies: told, exitCode: code };
}

function codeOf(told: readonly Told[], { prove, allowPartial }: ConvertOptions): ExitCode {
  const proofs = told.flatMap(({ proof }) => proof ?? []);
  if (prove !== undefined && !proofs.every(isProven)) return exitCode.refused;
  const isWhole = told.every(({ status }) => status === 'converted');
  return isWhole || allowPartial === true ? exitCode.success : exitCode.refused;
}

/** The settings shared by all policies. */
interface Setting {
  readonly schemas: Schemas;
  readonly related: readonly JsonObject[];
  /** Whether the costs of results are measured, and for all objects that etcd stores. */
  readonly isMeasured: boolean;
  readonly isThorough: boolean;
}

/** Converts policies one by one, and reports on each rule. */
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

  /** Converts a policy, and returns the YAML of its results. */
  async convert(manifest: Manifest): Promise<readonly string[]> {
    try {
      return await this.#convert(manifest);
    } catch (error) {
      // One policy must not keep the others from being converted.
      this.#leaveOut(
        manifest,
        `internal error; report it at https://github.com/kubeadmit/kubeadmit/issues: ${String(error)}`,
      );
      return [];
    }
  }

  async #convert(manifest: Manifest): Promise<readonly string[]> {
    const { isThorough } = this.#setting;
    const policy = policyJson(manifest.object);
    const made = this.#converted(policy);
    const costs = this.#costsOf(made);
    for (const { proof, differences: _, ...rule } of await this.#proven(policy, made)) {
      const place = `${manifest.file}:${lineOfRule(manifest, rule)}`;
      const own = costs.filter(({ policy: result }) => rule.results.includes(result));
      const lines = warningsOf(rule, place, own);
      if (isThorough && proof !== undefined) lines.push(...proofText(rule, place, proof));
      if (rule.status !== 'converted' || this.#options.idiomatic) lines.push(ruleText(rule, place));
      this.#tell(manifest, rule, lines, {
        ...(own.length === 0 ? {} : { costs: own }),
        ...(proof === undefined ? {} : { proof: proofReport(proof) }),
      });
    }
    return conversionTexts(made, manifest).map((text, at) =>
      yamlWithoutCommands(text, made.objects[at]),
    );
  }

  /** Reports a policy that repeats the kind, namespace and name of another one, which a server would refuse. */
  leaveOut(manifest: Manifest, place: string): void {
    this.#leaveOut(manifest, `a policy with this name is defined at ${place}; rename one of them`);
  }

  #leaveOut(manifest: Manifest, reason: string): void {
    const policy = metadataString(manifest.object, 'name') ?? '';
    const rule = { policy, status: 'none', results: [], reason } as const;
    this.#tell(manifest, rule, [ruleText(rule, `${manifest.file}:${manifest.line}`)], {});
  }

  #tell(
    { file }: Manifest,
    rule: Omit<ProvenRule, 'proof'>,
    lines: readonly string[],
    found: Pick<Told, 'costs' | 'proof'>,
  ): void {
    this.told.push({ file, ...rule, ...found });
    for (const line of lines) this.#terminal.stderr.write(printable(line));
  }

  #converted(policy: JsonObject): Conversion {
    const { schemas, related } = this.#setting;
    const { to: target, idiomatic: isIdiomatic = false } = this.#options;
    return convertPolicy(policy, { schemas, target, isIdiomatic, related });
  }

  #costsOf({ objects }: Conversion): readonly ResultCost[] {
    const { schemas, isMeasured, isThorough } = this.#setting;
    if (!isMeasured) return [];
    return resultCosts(objects, isThorough ? { schemas } : { schemas, largest: usualSize });
  }

  async #proven(policy: JsonObject, made: Conversion): Promise<readonly ProvenRule[]> {
    const { prove, search: isSearched } = this.#options;
    if (!isSearched) return made.rules;
    const { schemas, related } = this.#setting;
    return proveConversion(policy, made, {
      schemas,
      related,
      search: prove ?? usualSearch,
      most: mostDifferences,
      clock: Date.now,
    });
  }
}

/** The line of a rule in its file; that of the policy for a policy without rules. */
function lineOfRule(manifest: Manifest, { rule }: Pick<ProvenRule, 'rule'>): number {
  const rules = memberList(manifest.object['spec'], 'rules');
  const at = rules.findIndex((each) => isObject(each) && String(each['name']) === rule);
  return at === -1 ? manifest.line : manifest.place(['spec', 'rules', at]).line;
}

function proofReport({
  requests,
  generated,
  differences,
  explained,
  covered,
  unreached,
  assumed,
}: Differences): ProofReport {
  return { requests, generated, differences, explained, covered, unreached, assumed };
}

function writeReport(file: string, policies: readonly Told[]): void {
  writeWhole(file, jsonWithoutCommands(`${stringifyJson({ policies }, { indent: 2 })}\n`));
}

function isProven({ covered, differences }: Pick<Differences, 'covered' | 'differences'>): boolean {
  return covered.old > 0 && differences.length === 0;
}
