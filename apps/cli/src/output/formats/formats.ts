import { groupBy } from '@kubeadmit/base';
import { stringifyJson } from '@kubeadmit/go';
import { stringifyYaml } from '@kubeadmit/manifest';
import { jsonWithoutCommands } from '../ci-commands.ts';
import type { FormatReport, ItemFormat } from '../report.ts';
import { yamlWithoutCommands } from '../yaml-without-commands.ts';
import { GithubFormat } from './github.ts';
import { GitlabFormat } from './gitlab.ts';
import { JunitFormat } from './junit.ts';
import { MarkdownFormat } from './markdown.ts';
import { SarifFormat } from './sarif.ts';
import { TapFormat } from './tap.ts';

/** Writes a report in one of the formats that all commands have; undefined for another one. */
export function formatReport(
  report: FormatReport,
  format: string,
  clock: () => number = Date.now,
): string | undefined {
  const { title, items, remarks, counts, document, rows } = report;
  if (format === 'json') return jsonWithoutCommands(`${stringifyJson(document, { indent: 2 })}\n`);
  if (format === 'ndjson') {
    return jsonWithoutCommands(rows.map((row) => `${stringifyJson(row)}\n`).join(''));
  }
  if (format === 'yaml') return yamlWithoutCommands(stringifyYaml(document), document);
  const own = itemFormat(format, { title, counts, clock });
  // A suite of JUnit has all items of its file.
  const inOrder =
    format === 'junit' ? [...groupBy(items, ({ file }) => file).values()].flat() : items;
  return own && [...own.add(inOrder), ...own.end(remarks)].join('');
}

/** The options of formats other than items: `kubeadmit test` for titles, and the replacement of counts. */
interface FormatOptions extends Pick<FormatReport, 'title' | 'counts'> {
  readonly clock: () => number;
}

const itemFormats: Readonly<Record<string, (options: FormatOptions) => ItemFormat>> = {
  junit: ({ clock }) => new JunitFormat(new Date(clock()).toISOString().slice(0, 19)),
  sarif: () => new SarifFormat(),
  github: () => new GithubFormat(),
  gitlab: () => new GitlabFormat(),
  tap: () => new TapFormat(),
  markdown: ({ title, counts }) => new MarkdownFormat(title, counts),
};

/** A format that is made of items; undefined for another one. */
export function itemFormat(format: string, options: FormatOptions): ItemFormat | undefined {
  return itemFormats[format]?.(options);
}
