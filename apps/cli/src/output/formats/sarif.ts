import { isAbsolute } from 'node:path';
import { pathToFileURL } from 'node:url';
import { version } from '../../version.ts';
import { fingerprints, path } from './fingerprint.ts';
import { type FormatReport, findingsOf, type ReportItem } from './report.ts';

/** SARIF 2.1.0 (OASIS), with the places in YAML files; what is fine is left out. */
export function sarifFormat(report: FormatReport): string {
  const items = findingsOf(report);
  const prints = fingerprints(items);
  const rules = [...new Set(items.map(({ rule }) => rule))].sort();
  const places = new Map(rules.map((rule, index) => [rule, index]));
  const driver = {
    name: 'kubeadmit',
    version,
    semanticVersion: version,
    rules: rules.map((id) => ({ id: id || 'kubeadmit' })),
  };
  const results = items.map((item, index) => ({
    ruleId: item.rule || 'kubeadmit',
    ruleIndex: places.get(item.rule),
    level: item.level,
    message: { text: item.name === '' ? item.message : `${item.name}: ${item.message}` },
    locations: [locationOf(item)],
    partialFingerprints: { 'kubeadmit/v1': prints[index] },
  }));
  const run = { tool: { driver }, columnKind: 'unicodeCodePoints', results };
  const $schema = 'https://json.schemastore.org/sarif-2.1.0.json';
  return `${JSON.stringify({ $schema, version: '2.1.0', runs: [run] }, null, 2)}\n`;
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
