import { githubFormat } from './github.ts';
import { gitlabFormat } from './gitlab.ts';
import { jsonFormat, ndjsonFormat, yamlFormat } from './json.ts';
import { junitFormat } from './junit.ts';
import { markdownFormat } from './markdown.ts';
import type { FormatReport } from './report.ts';
import { sarifFormat } from './sarif.ts';
import { tapFormat } from './tap.ts';

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
    case 'junit':
      return junitFormat(report, new Date(clock()).toISOString().slice(0, 19));
    case 'sarif':
      return sarifFormat(report);
    case 'github':
      return githubFormat(report);
    case 'gitlab':
      return gitlabFormat(report);
    case 'tap':
      return tapFormat(report);
    case 'markdown':
      return markdownFormat(report);
    default:
      return undefined;
  }
}
