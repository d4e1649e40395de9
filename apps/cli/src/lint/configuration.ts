import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { closest, didYouMean } from '@kubeadmit/go/internal';
import { type RuleSetting, type RuleSettings, readSetting } from '@kubeadmit/lint';
import { isRecord, type ReadDocument, readDocuments, Source } from '@kubeadmit/manifest';
import { configurationFile } from '../input/configuration-file.ts';
import { requiredText } from '../input/streams.ts';
import { CommandFailure } from '../terminal.ts';

/** What a configuration says of lint. */
export interface LintConfiguration {
  readonly settings: RuleSettings;
  readonly minKubernetesVersion?: string;
}

/**
 * Reads the part `lint` of a configuration: the file that is named, or `kubeadmit.yaml` in this folder or the nearest
 * one above it, up to the root of a repository.
 *
 * @throws CommandFailure where it cannot be read, or says what nothing understands
 */
export function readConfiguration(named: string | undefined): LintConfiguration {
  const file = named ?? nearestFile();
  if (file === undefined) return { settings: new Map() };
  return new Reader(new Source(file, requiredText(file))).read();
}

function nearestFile(): string | undefined {
  for (let folder = resolve('.'); ; folder = dirname(folder)) {
    const file = join(folder, configurationFile);
    if (existsSync(file)) return relative('', file);
    if (existsSync(join(folder, '.git')) || folder === dirname(folder)) return undefined;
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
    if (more !== undefined) this.#fail('a configuration is one document', lineOf(more));
    if (document === undefined) return { settings: new Map() };
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
      ...(typeof least === 'string' ? { minKubernetesVersion: least } : {}),
    };
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

function lineOf({ origin }: ReadDocument): number {
  return origin.source.placeAt(origin.contentStart).line;
}

/**
 * Adds what options say, which counts more than files: `CODE=SEVERITY` each.
 *
 * @throws CommandFailure for what nothing understands
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
