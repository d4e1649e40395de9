import { isAbsolute } from 'node:path';
import { pathToFileURL } from 'node:url';
import { version } from '../../process/version.ts';
import { jsonWithoutCommands } from '../ci-commands.ts';
import { findingsIn, type ItemFormat, type ReportItem } from '../report.ts';
import { Fingerprints, path } from './fingerprint.ts';
import { JsonElements } from './json-elements.ts';

const schema = 'https://json.schemastore.org/sarif-2.1.0.json';
const head = `{
  "$schema": "${schema}",
  "version": "2.1.0",
  "runs": [
    {
      "columnKind": "unicodeCodePoints",
      "results": [`;

/** SARIF 2.1.0 (OASIS), with positions in YAML files, without passed objects. Rules are written after the results. */
export class SarifFormat implements ItemFormat {
  readonly #prints = new Fingerprints();
  readonly #elements = new JsonElements(head, 3);
  readonly #rules = new Map<string, number>();

  add(items: readonly ReportItem[]): readonly string[] {
    return [this.#elements.add(findingsIn(items).map((item) => this.#result(item)))];
  }

  end(): readonly string[] {
    const rules = [...this.#rules.keys()].map((id) => ({ id }));
    const driver = { name: 'kubeadmit', version, semanticVersion: version, rules };
    const json = jsonWithoutCommands(JSON.stringify({ driver }, null, 2));
    const tool = json.replaceAll('\n', '\n      ');
    return [this.#elements.end(`],\n      "tool": ${tool}\n    }\n  ]\n}\n`)];
  }

  #result(item: ReportItem) {
    const { level, name, message } = item;
    const ruleId = item.rule || 'kubeadmit';
    const ruleIndex = this.#rules.get(ruleId) ?? this.#rules.size;
    this.#rules.set(ruleId, ruleIndex);
    return {
      ruleId,
      ruleIndex,
      level,
      message: { text: name === '' ? message : `${name}: ${message}` },
      locations: [locationOf(item)],
      partialFingerprints: { 'kubeadmit/v1': this.#prints.next(item) },
    };
  }
}

function locationOf({ file, line, column }: ReportItem) {
  const region =
    line === undefined ? {} : { region: { startLine: line, startColumn: column ?? 1 } };
  return { physicalLocation: { artifactLocation: { uri: uriOf(file) }, ...region } };
}

function uriOf(file: string): string {
  if (isAbsolute(file)) return pathToFileURL(file).href;
  return path(file).split('/').map(encodeURIComponent).join('/');
}
