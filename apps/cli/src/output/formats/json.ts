import { stringifyJson } from '@kubeadmit/go/internal';
import { stringifyYaml } from '@kubeadmit/manifest';
import type { FormatReport } from './report.ts';

/** One JSON document; its fields are those of the machine interface. */
export function jsonFormat({ document }: FormatReport): string {
  return `${stringifyJson(document, { indent: 2 })}\n`;
}

/** The rows of that document, one a line. */
export function ndjsonFormat({ rows }: FormatReport): string {
  return rows.map((row) => `${stringifyJson(row)}\n`).join('');
}

/** The document as YAML. */
export function yamlFormat({ document }: FormatReport): string {
  return stringifyYaml(document);
}
