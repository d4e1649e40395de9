import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { closest, didYouMean } from '@kubeadmit/base';
import { decodeText, readErrorText } from '@kubeadmit/files';
import {
  type LintIssue,
  lintRules,
  type RuleSetting,
  type RuleSettings,
  readSetting,
} from '@kubeadmit/lint';
import { isRecord, Manifest, type ReadDocument, readDocuments, Source } from '@kubeadmit/manifest';
import { gitPath, readRevisionFile } from '../input/elsewhere/git.ts';
import { configurationFile } from '../input/local/configuration-file.ts';
import { foundFile, requiredText } from '../input/streams.ts';
import { CommandFailure, type Terminal } from '../process/terminal.ts';

/** The part `lint` of a configuration. */
export interface LintConfiguration {
  readonly settings: RuleSettings;
  readonly minKubernetesVersion?: string;
  /**
   * The rules that the file turns off or lowers, each with an issue for the report, since any author of the file can
   * hide findings.
   */
  readonly changes: readonly RuleChange[];
}

/** A rule that a configuration turns off or lowers. */
export interface RuleChange {
  readonly code: string;
  readonly issue: LintIssue;
}

/**
 * Reads the part `lint` of a configuration: of the named file, which may be one of a revision (`main:kubeadmit.yaml`),
 * or of `kubeadmit.yaml` in this folder or the nearest one above it, up to the root of a repository.
 *
 * @throws CommandFailure if it cannot be read, or has unknown fields, rules or severities
 */
export function readConfiguration(
  named: string | undefined,
  { env, folder }: Pick<Terminal, 'env' | 'folder'> = { env: {} },
): LintConfiguration {
  const file = named ?? nearestFile(folder);
  if (file === undefined) return { settings: new Map(), changes: [] };
  if (named === undefined) return readFoundConfiguration(file, folder);
  const text = folder === undefined ? configurationText(file, env) : requiredText(file, folder);
  return new Reader(new Source(file, text)).read();
}

/**
 * As {@link readConfiguration}, of a file that was found: a regular file of at most 1 MiB.
 *
 * @throws CommandFailure as there
 */
export function readFoundConfiguration(file: string, folder?: string): LintConfiguration {
  return new Reader(new Source(file, requiredText(file, folder, foundFile))).read();
}

function configurationText(file: string, env: Terminal['env']): string {
  const revision = gitPath(file);
  if (revision === undefined) return requiredText(file);
  try {
    return decodeText(readRevisionFile(revision, { env, maxFileSize: 2 ** 20 }));
  } catch (error) {
    throw new CommandFailure(`${file}: ${readErrorText(error)}`);
  }
}

function nearestFile(top: string | undefined): string | undefined {
  for (let folder = resolve('.'); ; folder = dirname(folder)) {
    const file = join(folder, configurationFile);
    if (existsSync(file)) return relative('', file);
    if (existsSync(join(folder, '.git')) || folder === dirname(folder)) return undefined;
    if (folder === top) return undefined;
  }
}

class Reader {
  readonly #source: Source;

  constructor(source: Source) {
    this.#source = source;
  }

  read(): LintConfiguration {
    const { documents, problems } = readDocuments(this.#source);
    const [problem] = problems;
    if (problem !== undefined) this.#fail(problem.message, problem.place?.line);
    const [document, more] = documents;
    if (more !== undefined)
      this.#fail('a configuration file must contain one document', lineOf(more));
    if (document === undefined) return { settings: new Map(), changes: [] };
    const root = this.#fields(document.value, 'the configuration', ['lint']);
    const lint = this.#fields(root['lint'] ?? {}, '`lint`', ['rules', 'minKubernetesVersion']);
    const { rules = {}, minKubernetesVersion: least } = lint;
    if (least !== undefined && typeof least !== 'string') {
      this.#fail('`lint.minKubernetesVersion` must be a string, such as "1.32"');
    }
    if (!isRecord(rules)) this.#fail('`lint.rules` must be a map from codes to severities');
    const settings = Object.entries(rules as Record<string, unknown>).map(([code, value]) => {
      const found = readSetting(code, value);
      return 'problem' in found ? this.#fail(found.problem) : ([code, found.setting] as const);
    });
    return {
      settings: new Map(settings),
      changes: settings.flatMap(([code, setting]) => this.#changeOf(document, code, setting)),
      ...(typeof least === 'string' ? { minKubernetesVersion: least } : {}),
    };
  }

  /** An issue about a rule that is off or less severe than by default. */
  #changeOf(document: ReadDocument, code: string, setting: RuleSetting): readonly RuleChange[] {
    const { severity } = lintRules.find((rule) => rule.code === code) ?? {};
    if (severity === undefined || weights[setting] >= weights[severity]) return [];
    const change = setting === 'off' ? 'turned off' : `lowered from ${severity} to ${setting}`;
    const message = `the rule \`${code}\` is ${change} here`;
    const root = new Manifest(document.value as never, document.origin, document.path);
    const place = root.place(['lint', 'rules', code]);
    const about = { file: this.#source.name, source: this.#source, place, message };
    const kind = { field: '', code: 'configuration', severity: 'info', refused: false } as const;
    return [{ code, issue: { ...about, ...kind } }];
  }

  #fields(
    value: unknown,
    what: string,
    known: readonly string[],
  ): Readonly<Record<string, unknown>> {
    if (!isRecord(value)) return this.#fail(`${what} must be a map`);
    for (const name of Object.keys(value)) {
      if (known.includes(name)) continue;
      this.#fail(`${what} has no field \`${name}\`${didYouMean(closest(name, known))}`);
    }
    return value;
  }

  #fail(message: string, line?: number): never {
    const where = line === undefined ? '' : `:${line}`;
    throw new CommandFailure(`${this.#source.name}${where}: ${message}`);
  }
}

const weights: Readonly<Record<RuleSetting, number>> = { off: 0, info: 1, warning: 2, error: 3 };

function lineOf({ origin }: ReadDocument): number {
  return origin.source.placeAt(origin.contentStart).line;
}

/**
 * Adds the settings of options (`CODE=SEVERITY`), which override those of the file.
 *
 * @throws CommandFailure if an option is invalid
 */
export function withOptions(settings: RuleSettings, options: readonly string[]): RuleSettings {
  const all = new Map<string, RuleSetting>(settings);
  for (const option of options) {
    const [code = '', value = ''] = option.split('=', 2);
    const found = readSetting(code, value);
    if ('problem' in found) throw new CommandFailure(`--rule ${option}: ${found.problem}`);
    all.set(code, found.setting);
  }
  return all;
}
