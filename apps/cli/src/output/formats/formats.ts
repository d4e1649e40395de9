import { groupBy } from '@kubeadmit/go/internal';
import { GithubFormat } from './github.ts';
import { GitlabFormat } from './gitlab.ts';
import { jsonFormat, ndjsonFormat, yamlFormat } from './json.ts';
import { JunitFormat } from './junit.ts';
import { MarkdownFormat } from './markdown.ts';
import type { FormatReport, ItemFormat } from './report.ts';
import { SarifFormat } from './sarif.ts';
import { TapFormat } from './tap.ts';

/** Writes a report in one of the formats that all commands have; undefined for another one. */
export function formatReport(
  report: FormatReport,
  format: string,
  clock: () => number = Date.now,
): string | undefined {
  switch (format) {
    case 'json':
      return jsonFormat(report);
    case 'ndjson':
      return ndjsonFormat(report);
    case 'yaml':
      return yamlFormat(report);
    default: {
      const { title, items, remarks, counts } = report;
      const own =
        format === 'markdown'
          ? (new MarkdownFormat(title, counts) as ItemFormat)
          : itemFormat(format, title, clock);
      // A suite of JUnit has all items of its file.
      const inOrder =
        format === 'junit' ? [...groupBy(items, ({ file }) => file).values()].flat() : items;
      return own && [...own.add(own.part(inOrder)), ...own.end(remarks)].join('');
    }
  }
}

/**
 * A format that is made of items; undefined for another one.
 *
 * @param title `kubeadmit test`, for titles.
 */
export function itemFormat(
  format: string,
  title: string,
  clock: () => number = Date.now,
): ItemFormat | undefined {
  switch (format) {
    case 'junit':
      return new JunitFormat(new Date(clock()).toISOString().slice(0, 19)) as ItemFormat;
    case 'sarif':
      return new SarifFormat() as ItemFormat;
    case 'github':
      return new GithubFormat() as ItemFormat;
    case 'gitlab':
      return new GitlabFormat() as ItemFormat;
    case 'tap':
      return new TapFormat() as ItemFormat;
    case 'markdown':
      return new MarkdownFormat(title) as ItemFormat;
    default:
      return undefined;
  }
}
